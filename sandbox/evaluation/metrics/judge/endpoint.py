"""One call to a judge over an OpenAI-compatible address: what is sent and what came back."""

import functools
import math
import ssl
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol
from urllib.parse import urlsplit

from sandbox.errors import ModelReplyError
from sandbox.models.failures import translate_failures
from sandbox.text.tokenization import estimate_least_tokens

TIMEOUT_SECONDS = 900.0
"""A busy machine reads a long prompt for minutes; giving up early would lose that work."""

CONNECT_TIMEOUT_SECONDS = 5.0


class Endpoint(Protocol):
    """Where a judge answers."""

    @property
    def base_url(self) -> str:
        """Address that ends in /v1."""

    @property
    def model(self) -> str:
        """The model's name there."""

    @property
    def context_tokens(self) -> int:
        """Tokens of prompt and reply that fit together."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeRequest:
    """What a judge is asked."""

    user: str
    system: str = ""
    max_tokens: int
    schema: Mapping[str, object] | None = None
    """JSON Schema that the reply must follow; ``None`` for free text."""

    top_logprobs: int = 0
    """How many likely first tokens are wanted with their probabilities."""

    temperature: float = 0.0
    seed: int = 42

    @property
    def prompt(self) -> str:
        """Everything the judge reads, in its order."""
        return f"{self.system}\n\n{self.user}" if self.system else self.user


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeReply:
    """What a judge answered."""

    text: str
    cut: bool
    """True where the reply ended because it was as long as allowed."""

    first_token: Mapping[str, float]
    """Probability of each likely first token; empty unless asked for."""

    tokens: int
    """Prompt and reply together, as the server counted them; 0 where it does not say."""

    seconds: float


async def send(name: str, endpoint: Endpoint, request: JudgeRequest) -> JudgeReply:
    """Ask once.

    Raises:
        ModelUnavailable: If the judge `name` cannot be reached.
        ModelTimeout: If it takes too long.
        ModelReplyError: If what it sent cannot be used.
    """
    import httpx

    local = urlsplit(endpoint.base_url).hostname in ("127.0.0.1", "localhost", "::1")
    timeout = httpx.Timeout(TIMEOUT_SECONDS, connect=CONNECT_TIMEOUT_SECONDS)
    started = time.monotonic()
    with translate_failures(name):
        async with httpx.AsyncClient(
            timeout=timeout, trust_env=not local, verify=_certificates()
        ) as client:
            url = f"{endpoint.base_url}/chat/completions"
            answer = await client.post(url, json=_body(endpoint.model, request))
        content = answer.raise_for_status().json()
        reply = _read(content, time.monotonic() - started)
    _require_whole_prompt(name, request, content.get("usage") or {})
    return reply


def _body(model: str, request: JudgeRequest) -> dict[str, object]:
    messages = [{"role": "user", "content": request.user}]
    if request.system:
        messages.insert(0, {"role": "system", "content": request.system})
    body: dict[str, object] = {
        "model": model,
        "messages": messages,
        "temperature": request.temperature,
        "seed": request.seed,
        "max_tokens": request.max_tokens,
    }
    if request.schema is not None:
        # Plain JSON mode is not enforced by every server; a schema is, by grammar.
        schema = {"name": "verdict", "strict": True, "schema": request.schema}
        body["response_format"] = {"type": "json_schema", "json_schema": schema}
    if request.top_logprobs:
        body |= {"logprobs": True, "top_logprobs": request.top_logprobs}
    return body


def _read(content: dict[str, Any], seconds: float) -> JudgeReply:
    choice = content["choices"][0]
    usage = content.get("usage") or {}
    likely = ((choice.get("logprobs") or {}).get("content") or [{}])[0].get("top_logprobs") or []
    probabilities: dict[str, float] = {}
    for token in likely:
        probability = math.exp(token["logprob"])
        probabilities[token["token"]] = probabilities.get(token["token"], 0.0) + probability
    return JudgeReply(
        text=choice["message"].get("content") or "",
        cut=choice.get("finish_reason") == "length",
        first_token=probabilities,
        tokens=(usage.get("prompt_tokens") or 0) + (usage.get("completion_tokens") or 0),
        seconds=seconds,
    )


def _require_whole_prompt(name: str, request: JudgeRequest, usage: Mapping[str, int]) -> None:
    """Some servers drop the front of a long prompt and answer as if nothing had happened."""
    read = usage.get("prompt_tokens") or 0
    if 0 < read < estimate_least_tokens(request.prompt):
        raise ModelReplyError(f"{name} read only {read} tokens of a longer prompt and judged those")


@functools.cache
def _certificates() -> ssl.SSLContext:
    """Made once: it takes longer than a local call."""
    return ssl.create_default_context()
