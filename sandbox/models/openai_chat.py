"""Chat models behind an OpenAI-compatible address: embedded, a GGUF file, or a server of one's own.

Ollama is in `ollama.py`: only its native interface can set the context length.
"""

import ipaddress
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urldefrag, urlsplit

from sandbox.errors import ConfigError
from sandbox.models.failures import translate_failures
from sandbox.models.llama_server import LlamaServer
from sandbox.text.tokenization import estimate_tokens

if TYPE_CHECKING:
    import httpx
    from langchain_core.language_models import BaseChatModel

ANSWER_TIMEOUT_SECONDS = 600.0
"""Longest wait for the next piece of an answer; a busy machine reads a prompt for minutes."""

CONNECT_TIMEOUT_SECONDS = 5.0
UNSTATED_CONTEXT_TOKENS = 4096
"""Assumed for a server that does not say how much fits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenAIEndpoint:
    """Where a model answers in OpenAI's manner, for clients that speak nothing else."""

    base_url: str
    """Address that ends in /v1."""

    model: str
    context_tokens: int
    """Tokens of prompt and answer that fit together there; a request cannot change it."""


class EmbeddedChat:
    """A GGUF model run in this process."""

    keeps_prompts = True

    def __init__(
        self,
        *,
        name: str,
        digest: Callable[[], str],
        server: LlamaServer,
        cites_sources: bool = True,
    ) -> None:
        """The digest is a function because a large file takes seconds to hash."""
        self._name = name
        self.cites_sources = cites_sources
        self._digest = digest
        self._server = server
        self._clients = Clients()

    @property
    def name(self) -> str:
        """Source and model, as written in a configuration."""
        return self._name

    @property
    def digest(self) -> str:
        """SHA-256 of the file."""
        return self._digest()

    @property
    def context_tokens(self) -> int:
        """Tokens of prompt and answer that fit together."""
        return self._server.context_tokens

    @property
    def openai_endpoint(self) -> OpenAIEndpoint:
        """The same server for other clients; starts it."""
        return OpenAIEndpoint(
            base_url=f"{self._server.address}/v1",
            model=self._name,
            context_tokens=self.context_tokens,
        )

    def count_tokens(self, text: str) -> int:
        """Exact; starts the server."""
        return self._server.count_tokens(text)

    def langchain(self, *, temperature: float, seed: int, max_tokens: int) -> "BaseChatModel":
        """A ChatOpenAI on the embedded server; starts it."""
        return self._clients.chat_openai(
            self.openai_endpoint, temperature=temperature, seed=seed, max_tokens=max_tokens
        )

    def close(self) -> None:
        """Stop the server."""
        self._clients.close()
        self._server.close()


class HttpChat:
    """A model on a server the user runs: vLLM, llama-server and the like."""

    cites_sources = True
    keeps_prompts = False

    def __init__(self, name: str) -> None:
        """The name is "http://host:port/v1#model"; nothing is asked yet.

        Raises:
            ConfigError: If the name is not of that form.
        """
        address, model = urldefrag(name)
        if not urlsplit(address).hostname or not model:
            raise ConfigError(
                f"{name!r} is not a chat model's address; write http://HOST:PORT/v1#MODEL"
            )
        self._name = name
        self._base_url = address.rstrip("/")
        self._model = model
        self._clients = Clients(trust_env=not is_loopback(address))
        self._context_tokens: int | None = None

    @property
    def name(self) -> str:
        """Address and model, as written in a configuration."""
        return self._name

    @property
    def digest(self) -> str:
        """The name: such a server does not say which weights it serves."""
        return self._name

    @property
    def context_tokens(self) -> int:
        """What the server states, else 4096; asks once.

        Raises:
            ModelUnavailable: If the server does not answer.
        """
        if self._context_tokens is None:
            self._context_tokens = self._ask_context_tokens()
        return self._context_tokens

    @property
    def openai_endpoint(self) -> OpenAIEndpoint:
        """The same address for other clients."""
        return OpenAIEndpoint(
            base_url=self._base_url, model=self._model, context_tokens=self.context_tokens
        )

    def count_tokens(self, text: str) -> int:
        """An estimate from above."""
        return estimate_tokens(text)

    def langchain(self, *, temperature: float, seed: int, max_tokens: int) -> "BaseChatModel":
        """A ChatOpenAI on that address."""
        return self._clients.chat_openai(
            self.openai_endpoint, temperature=temperature, seed=seed, max_tokens=max_tokens
        )

    def close(self) -> None:
        """Close the connections."""
        self._clients.close()

    def _ask_context_tokens(self) -> int:
        """Servers list it under /v1/models, older llama-servers under /props."""
        client = self._clients.sync_client
        with translate_failures(self._name):
            reply = client.get(f"{self._base_url}/models", timeout=CONNECT_TIMEOUT_SECONDS)
            listed = reply.raise_for_status().json()["data"]
            stated = None
            for entry in listed:
                if entry.get("id") == self._model:
                    stated = entry.get("max_model_len") or (entry.get("meta") or {}).get("n_ctx")
            if stated is None:
                root = re.sub(r"/v1$", "", self._base_url)
                props = client.get(f"{root}/props", timeout=CONNECT_TIMEOUT_SECONDS)
                if props.status_code == 200:
                    stated = props.json().get("default_generation_settings", {}).get("n_ctx")
            return int(stated) if stated else UNSTATED_CONTEXT_TOKENS


class Clients:
    """The HTTP connections of one model, opened at the first use and closed with it."""

    def __init__(self, *, trust_env: bool = False) -> None:
        """Proxies from the environment are for other hosts than this one."""
        self._trust_env = trust_env
        self._sync_client: httpx.Client | None = None

    @property
    def sync_client(self) -> "httpx.Client":
        """A client that waits for minutes."""
        import httpx

        if self._sync_client is None:
            self._sync_client = httpx.Client(timeout=self._timeout(), trust_env=self._trust_env)
        return self._sync_client

    def chat_openai(
        self, endpoint: OpenAIEndpoint, *, temperature: float, seed: int, max_tokens: int
    ) -> "BaseChatModel":
        """A LangChain model that never retries and never reads OpenAI's settings."""
        import httpx
        from langchain_openai import ChatOpenAI
        from pydantic import SecretStr

        return ChatOpenAI(
            base_url=endpoint.base_url,
            api_key=SecretStr("-"),
            model=endpoint.model,
            temperature=temperature,
            seed=seed,
            extra_body={"max_tokens": max_tokens},
            stream_usage=True,
            use_responses_api=False,
            max_retries=0,
            openai_proxy="",
            timeout=ANSWER_TIMEOUT_SECONDS,
            http_client=self.sync_client,
            http_async_client=httpx.AsyncClient(timeout=self._timeout(), trust_env=self._trust_env),
        )

    def close(self) -> None:
        """Close what was opened."""
        client, self._sync_client = self._sync_client, None
        if client is not None:
            client.close()

    def _timeout(self) -> "httpx.Timeout":
        import httpx

        return httpx.Timeout(ANSWER_TIMEOUT_SECONDS, connect=CONNECT_TIMEOUT_SECONDS)


def is_loopback(address: str) -> bool:
    """Whether the address is this machine's own.

    >>> is_loopback("http://127.0.0.1:8000/v1"), is_loopback("http://example.org/v1")
    (True, False)
    """
    host = urlsplit(address).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:  # a name
        return host == "localhost"
