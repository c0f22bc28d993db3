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
        message = {"role": "assistant", "content": text}
        if self.native:
            counts = {"prompt_eval_count": prompt_tokens, "eval_count": tokens(text)}
            return {"model": "m", "message": message, "done": True, "done_reason": "stop"} | counts
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        return {"id": "1", "choices": [choice], "usage": _usage(prompt_tokens, tokens(text))}

    def error(self, message: str) -> str:
        if self.native:
            return json.dumps({"error": message}) + "\n"
        return _event({"error": {"message": message, "type": "api_error"}})


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
