"""Asks an Ollama server whether it answers, which models it has and what they can do.

Chat and embedding are in `ollama.py`.
"""

import os
import re
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit, urlunsplit

from sandbox.errors import ConfigError, ModelUnavailable
from sandbox.models.failures import not_pulled, translate_failures
from sandbox.models.openai_chat import is_loopback

if TYPE_CHECKING:
    import httpx

DEFAULT_PORT = 11434
PROBE_SECONDS = 0.5
"""Longest wait for a server that may not be running."""

ANSWER_SECONDS = 600.0
"""Longest wait for a reply; a busy machine reads a prompt for minutes."""

FACT_SECONDS = 10.0
"""A busy server still answers questions about its models within so long."""

NUM_CTX = re.compile(r"^num_ctx\s+(\d+)", re.MULTILINE)
EMBEDDING_FAMILIES = {"bert", "nomic-bert", "nomic-bert-moe"}
VISION_FAMILIES = {"clip", "mllama", "qwen25vl"}


@dataclass(frozen=True, slots=True, kw_only=True)
class OllamaModel:
    """One entry of a server's list."""

    name: str
    """With its tag, for example "llama3.1:latest"."""

    digest: str
    size_bytes: int
    capabilities: tuple[str, ...]
    """ "completion", "embedding", "vision", "thinking", "tools"."""

    cloud: bool
    """True where the server passes requests on to a host on the internet."""

    @property
    def family_name(self) -> str:
        """The name without its tag."""
        return self.name.split(":")[0]

    def can(self, capability: str) -> bool:
        """Whether the model does that, on this machine."""
        return capability in self.capabilities and not self.cloud


@dataclass(frozen=True, slots=True, kw_only=True)
class OllamaContext:
    """How much fits a model."""

    trained_tokens: int | None
    """The longest context the weights were made for; ``None`` where the server does not say."""

    modelfile_tokens: int | None
    """num_ctx of its Modelfile, which holds wherever a request does not set it."""


class OllamaServer:
    """One address; nothing is asked before the first question."""

    def __init__(self, address: str | None = None) -> None:
        """The address, else that of OLLAMA_HOST, else this machine's port 11434.

        Raises:
            ConfigError: If the address cannot be read.
        """
        self.address = ollama_address(address or os.environ.get("OLLAMA_HOST", ""))
        self.trust_env = not is_loopback(self.address)
        self._lock = threading.Lock()
        self._client: httpx.Client | None = None

    def models(self, *, timeout_seconds: float = FACT_SECONDS) -> tuple[OllamaModel, ...]:
        """Everything it has.

        Raises:
            ModelUnavailable: If it does not answer.
            ModelTimeout: If it does not answer in time.
        """
        reply = self.request("GET", "/api/tags", None, timeout_seconds=timeout_seconds)
        with translate_failures("ollama"):
            return tuple(_model(entry) for entry in reply["models"])

    def find(self, name: str) -> OllamaModel:
        """The model of that name; without a tag it means ":latest", as everywhere in Ollama.

        Raises:
            ModelUnavailable: If the server does not answer, lacks the model, or would send the
                prompts to the internet.
        """
        tagged_name = name if ":" in name else f"{name}:latest"
        for model in self.models():
            if model.name.lower() == tagged_name.lower():
                if model.cloud:
                    raise ModelUnavailable(
                        f"ollama:{name} runs on the internet, not on this machine, and would be "
                        f"sent your documents; choose a model without a cloud tag"
                    )
                return model
        raise not_pulled(name)

    def context(self, name: str) -> OllamaContext:
        """How much fits that model."""
        description = self._show(name)
        trained = [
            value
            for key, value in (description.get("model_info") or {}).items()
            if key.endswith(".context_length") and isinstance(value, int)
        ]
        stated = NUM_CTX.search(str(description.get("parameters") or ""))
        return OllamaContext(
            trained_tokens=trained[0] if trained else None,
            modelfile_tokens=int(stated[1]) if stated else None,
        )

    def request(
        self,
        method: str,
        path: str,
        body: Mapping[str, object] | None,
        *,
        timeout_seconds: float = ANSWER_SECONDS,
        name: str = "ollama",
    ) -> dict[str, Any]:
        """The reply to one request; errors name the model `name`.

        Raises:
            ModelError: If there is no usable reply.
        """
        with translate_failures(name):
            reply = self._open().request(
                method, f"{self.address}{path}", json=body, timeout=timeout_seconds
            )
            content = reply.raise_for_status().json()
            if not isinstance(content, dict):
                raise TypeError(f"not a JSON object: {content!r}")
            return content

    def close(self) -> None:
        """Close the connections."""
        with self._lock:
            client, self._client = self._client, None
        if client is not None:
            client.close()

    def _open(self) -> "httpx.Client":
        import httpx

        with self._lock:
            if self._client is None:
                self._client = httpx.Client(trust_env=self.trust_env)
            return self._client

    def _show(self, name: str) -> dict[str, Any]:
        return self.request(
            "POST",
            "/api/show",
            {"model": name},
            timeout_seconds=FACT_SECONDS,
            name=f"ollama:{name}",
        )


def ollama_address(configured: str) -> str:
    """The address to call, read as Ollama reads OLLAMA_HOST; "" is this machine.

    >>> ollama_address(""), ollama_address("0.0.0.0"), ollama_address("192.168.0.7:80")
    ('http://127.0.0.1:11434', 'http://127.0.0.1:11434', 'http://192.168.0.7:80')

    Raises:
        ConfigError: If it cannot be read.
    """
    scheme, separator, rest = configured.strip().rstrip("/").partition("://")
    if not separator:
        scheme, rest = "http", scheme
    try:
        parts = urlsplit(f"{scheme}://{rest}")
        port = parts.port or {"http": 80, "https": 443}[scheme] if separator else parts.port
    except (ValueError, KeyError) as error:
        raise ConfigError(
            f"Ollama's address {configured!r} cannot be read; write http://HOST:PORT"
        ) from error
    host = parts.hostname or "127.0.0.1"
    if host in ("0.0.0.0", "::"):  # what a server listens on is not what a client calls
        host = "127.0.0.1"
    bracketed = f"[{host}]" if ":" in host else host
    return urlunsplit(
        (scheme, f"{bracketed}:{port or DEFAULT_PORT}", parts.path.rstrip("/"), "", "")
    )


def _model(entry: Mapping[str, Any]) -> OllamaModel:
    name = str(entry["name"])
    capabilities = entry.get("capabilities")
    if capabilities is None:  # servers before the summer of 2025 do not list them
        capabilities = _likely_capabilities(entry.get("details") or {})
    return OllamaModel(
        name=name,
        digest=str(entry.get("digest") or name),
        size_bytes=int(entry.get("size") or 0),
        capabilities=tuple(capabilities),
        cloud=bool(entry.get("remote_host")) or name.endswith("cloud"),
    )


def _likely_capabilities(details: Mapping[str, Any]) -> tuple[str, ...]:
    families = set(details.get("families") or [details.get("family")])
    if families & EMBEDDING_FAMILIES:
        return ("embedding",)
    return ("completion", "vision") if families & VISION_FAMILIES else ("completion",)
