"""Chat models and embedders on an Ollama server.

Chat goes through Ollama's native interface, the only one where a request sets the context length.
"""

import functools
import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING

from sandbox.errors import ModelReplyError
from sandbox.models.base import find_prefixes, scale_rows
from sandbox.models.ollama_server import ANSWER_SECONDS, OllamaContext, OllamaServer
from sandbox.models.openai_chat import CONNECT_TIMEOUT_SECONDS, OpenAIEndpoint
from sandbox.text.tokenization import estimate_tokens

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel
    from langchain_ollama import ChatOllama

    from sandbox.models.base import Vectors

logger = logging.getLogger(__name__)

CHAT_CONTEXT_TOKENS = 8192
"""Asked for unless the Modelfile says otherwise; Ollama's own default of 4096 is soon full."""

SERVER_CONTEXT_TOKENS = 4096
"""What Ollama loads where neither request nor Modelfile says how much (0.32, on a CPU)."""

UNSTATED_EMBEDDING_TOKENS = 512
"""Assumed where the server states no length for an embedder."""

EMBEDDING_BATCH = 16
"""Texts in one request."""


class OllamaChat:
    """A chat model, or a vision model that describes figures."""

    cites_sources = True
    keeps_prompts = False

    def __init__(self, server: OllamaServer, model: str) -> None:
        """Look the model up.

        Raises:
            ModelUnavailable: If the server does not answer or lacks the model.
        """
        self._server = server
        self._model = model
        self._listed = server.find(model)
        self._chats: dict[tuple[float, int, int], ChatOllama] = {}

    @property
    def name(self) -> str:
        """Source and model, as written in a configuration."""
        return f"ollama:{self._model}"

    @property
    def digest(self) -> str:
        """Ollama's digest of the model."""
        return self._listed.digest

    @property
    def sees_pictures(self) -> bool:
        """Whether it is a vision model."""
        return self._listed.can("vision")

    @property
    def context_tokens(self) -> int:
        """Tokens of prompt and answer that fit together; every request asks for so much."""
        tokens = self._context.modelfile_tokens or CHAT_CONTEXT_TOKENS
        return min(tokens, self._context.trained_tokens or tokens)

    @property
    def openai_endpoint(self) -> OpenAIEndpoint:
        """The same model for clients that speak OpenAI's language only.

        There a request cannot set the context length: it is the Modelfile's, or the server's.
        """
        tokens = self._context.modelfile_tokens or SERVER_CONTEXT_TOKENS
        return OpenAIEndpoint(
            base_url=f"{self._server.address}/v1", model=self._model, context_tokens=tokens
        )

    def count_tokens(self, text: str) -> int:
        """An estimate from above; Ollama does not count without answering."""
        return estimate_tokens(text)

    def langchain(self, *, temperature: float, seed: int, max_tokens: int) -> "BaseChatModel":
        """A ChatOllama with the context length set; one for each group of settings."""
        settings = (temperature, seed, max_tokens)
        if settings not in self._chats:
            self._chats[settings] = self._chat_ollama(
                temperature=temperature, seed=seed, max_tokens=max_tokens
            )
        return self._chats[settings]

    def close(self) -> None:
        """Close the connections."""
        for chat in self._chats.values():
            chat._client.close()  # type: ignore[no-untyped-call]  # ollama 0.6.3 is not annotated here
        self._chats.clear()

    def _chat_ollama(self, *, temperature: float, seed: int, max_tokens: int) -> "ChatOllama":
        import httpx
        from langchain_ollama import ChatOllama

        return ChatOllama(
            base_url=self._server.address,
            model=self._model,
            temperature=temperature,
            seed=seed,
            num_predict=max_tokens,
            num_ctx=self.context_tokens,
            reasoning=False if self._listed.can("thinking") else None,
            client_kwargs={
                "timeout": httpx.Timeout(ANSWER_SECONDS, connect=CONNECT_TIMEOUT_SECONDS),
                "trust_env": self._server.trust_env,
            },
        )

    @functools.cached_property
    def _context(self) -> OllamaContext:
        return self._server.context(self._model)


class OllamaEmbedder:
    """An embedding model, with the words put before each text that it was trained with."""

    def __init__(self, server: OllamaServer, model: str) -> None:
        """Look the model up.

        Raises:
            ModelUnavailable: If the server does not answer or lacks the model.
        """
        self._server = server
        self._model = model
        self._listed = server.find(model)
        self._prefixes = find_prefixes(model)

    @property
    def name(self) -> str:
        """Source and model, as written in a configuration."""
        return f"ollama:{self._model}"

    @property
    def digest(self) -> str:
        """Ollama's digest of the model, and the prefixes."""
        return f"{self._listed.digest}|{self._prefixes.passage}|{self._prefixes.question}"

    @functools.cached_property
    def max_tokens(self) -> int:
        """Longest text that is embedded whole."""
        context = self._server.context(self._model)
        return context.trained_tokens or context.modelfile_tokens or UNSTATED_EMBEDDING_TOKENS

    def embed_passages(self, texts: Sequence[str]) -> "Vectors":
        """Rows of unit length, shape (len(texts), dimensions), float32."""
        rows: list[list[float]] = []
        for start in range(0, len(texts), EMBEDDING_BATCH):
            batch = texts[start : start + EMBEDDING_BATCH]
            rows += self._embed([self._prefixes.passage + text for text in batch])
        return scale_rows(rows, self.name)

    def embed_question(self, text: str) -> "Vectors":
        """One vector of unit length, shape (dimensions,), float32."""
        vector: Vectors = scale_rows(self._embed([self._prefixes.question + text]), self.name)[0]
        return vector

    def _embed(self, texts: list[str]) -> list[list[float]]:
        """Vectors of a batch; a text too long for the model is embedded by its beginning."""
        try:
            return self._request(texts, truncate=False)
        except ModelReplyError as error:
            vectors = self._request(texts, truncate=True)
            logger.warning("a text longer than the model reads is embedded in part: %s", error)
            return vectors

    def _request(self, texts: list[str], *, truncate: bool) -> list[list[float]]:
        reply = self._server.request(
            "POST",
            "/api/embed",
            {"model": self._model, "input": texts, "truncate": truncate},
            name=self.name,
        )
        vectors = reply.get("embeddings")
        if not isinstance(vectors, list) or len(vectors) != len(texts):
            raise ModelReplyError(
                f"{self.name} did not give one vector a text; check that it is an embedding model"
            )
        return vectors
