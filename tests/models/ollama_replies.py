"""Answers in the two languages of an Ollama server: its own (JSON lines) and OpenAI's (events)."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any


def tokens(text: str) -> int:
    return len(re.findall(r"[A-Za-z0-9]+|[^\sA-Za-z0-9]", text))


@dataclass(frozen=True)
class OllamaReplies:
    """Formats for one of the two languages."""

    native: bool
    logprobs: bool = False
    most_words: int | None = None

    @classmethod
    def for_request(cls, body: dict[str, Any], *, native: bool) -> "OllamaReplies":
        most = None if native else body.get("max_tokens")
        return cls(native=native, logprobs=bool(body.get("logprobs")), most_words=most)

    def pieces(self, text: str, prompt_tokens: int) -> Iterator[str]:
        words = re.findall(r"\S+\s*", text)
        for word in words:
            yield _line(word) if self.native else _event(_delta(word))
        if self.native:
            counts = {"prompt_eval_count": prompt_tokens, "eval_count": len(words)}
            yield _line("", {"done": True, "done_reason": "stop"} | counts)
            return
        yield _event(_delta("", finish_reason="stop"))
        yield _event({"choices": [], "usage": _usage(prompt_tokens, len(words))})
        yield "data: [DONE]\n\n"

    def whole(self, text: str, prompt_tokens: int) -> dict[str, Any]:
        words = text.split()
        is_cut = self.most_words is not None and len(words) > self.most_words
        if is_cut:
            text = " ".join(words[: self.most_words])
        message = {"role": "assistant", "content": text}
        likely = [_likely(word) for word in text.split()]
        if self.native:
            counts = {"prompt_eval_count": prompt_tokens, "eval_count": tokens(text)}
            reply = {"model": "m", "message": message, "done": True, "done_reason": "stop"} | counts
            return reply | ({"logprobs": likely} if self.logprobs else {})
        finish = "length" if is_cut else "stop"
        choice: dict[str, Any] = {"index": 0, "message": message, "finish_reason": finish}
        if self.logprobs:
            choice["logprobs"] = {"content": likely}
        return {"id": "1", "choices": [choice], "usage": _usage(prompt_tokens, tokens(text))}

    def error(self, message: str) -> str:
        if self.native:
            return json.dumps({"error": message}) + "\n"
        return _event({"error": {"message": message, "type": "api_error"}})


def json_mode(text: str, body: dict[str, Any]) -> str:
    """The plain JSON modes are not always enforced: a fenced block comes back."""
    kind = (body.get("response_format") or {}).get("type")
    return (
        f"```json\n{text}\n```" if kind == "json_object" or body.get("format") == "json" else text
    )


def _likely(word: str) -> dict[str, Any]:
    chosen = {"token": word, "logprob": -0.1}
    return chosen | {"top_logprobs": [chosen, {"token": "other", "logprob": -2.4}]}


def _line(text: str, more: dict[str, Any] | None = None) -> str:
    line = {"model": "m", "message": {"role": "assistant", "content": text}, "done": False}
    return json.dumps(line | (more or {})) + "\n"


def _event(content: dict[str, Any]) -> str:
    about = {"id": "1", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    return f"data: {json.dumps(about | content)}\n\n"


def _delta(text: str, *, finish_reason: str | None = None) -> dict[str, Any]:
    delta = {"role": "assistant", "content": text}
    return {"choices": [{"index": 0, "delta": delta, "finish_reason": finish_reason}]}


def _usage(prompt: int, answer: int) -> dict[str, int]:
    total = prompt + answer
    return {"prompt_tokens": prompt, "completion_tokens": answer, "total_tokens": total}
