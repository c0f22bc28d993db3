"""Models by name: "auto", "embedded:...", "ollama:...", "gguf:...", "http://...", "st:...".

Each is made once, and everything is closed together. `defaults.py` decides what "auto" stands for.
"""

import functools
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from sandbox.errors import ConfigError, ModelUnavailable
from sandbox.files.storage import file_digest
from sandbox.models import weights
from sandbox.models.defaults import (
    EMBEDDED_CHAT,
    EMBEDDED_EMBEDDER,
    OCR,
    Available,
    Choice,
    Facts,
    choose,
    choose_chat,
    choose_embedder,
    choose_judge,
    list_models,
    look,
)
from sandbox.models.e5 import E5Embedder
from sandbox.models.langchain_adapters import (
    CONTEXT_TOKENS,
    EMBEDDED_TOKENS,
    LANGCHAIN,
    LangChainChat,
    LangChainEmbedder,
    chat_by_name,
    embedder_by_name,
)
from sandbox.models.llama_server import LlamaServer
from sandbox.models.ollama import OllamaChat, OllamaEmbedder
from sandbox.models.ollama_server import OllamaServer
from sandbox.models.openai_chat import EmbeddedChat, HttpChat
from sandbox.models.sentence_transformer import CrossEncoderReranker, SentenceTransformerEmbedder

if TYPE_CHECKING:
    from langchain_core.embeddings import Embeddings
    from langchain_core.language_models import BaseChatModel

    from sandbox.models.base import Captioner, Embedder, Reranker

__all__ = ["Choice", "Models"]

JudgingChat = EmbeddedChat | HttpChat | OllamaChat
Chat = JudgingChat | LangChainChat
Made = TypeVar("Made")


class Models:
    """The models of this machine.

    What "auto" stands for is decided at the first need and then stays, so that an index does not
    change its embedder because a server was started; `refresh` decides anew.
    """

    def __init__(self, ollama_url: str | None = None) -> None:
        """Nothing is asked or loaded yet.

        Args:
            ollama_url: Where Ollama listens; OLLAMA_HOST, else this machine, for ``None``.

        Raises:
            ConfigError: If that address cannot be read.
        """
        self._ollama = OllamaServer(ollama_url)
        self._made: dict[tuple[str, str], object] = {}
        self._added: dict[tuple[str, str], object] = {}
        self._facts: Facts | None = None
        self._lock = threading.RLock()

    def chat_model(self, name: str) -> Chat:
        """The chat model of that name; "auto" takes the first that is ready.

        Raises:
            ConfigError: If the name is malformed.
            ModelUnavailable: If it cannot be had here.
        """
        if name == "auto":
            name = _ready_name(choose_chat(self._look()))
        return self._once("chat_model", name, self._chat)

    def judge(self, name: str) -> JudgingChat:
        """The chat model of that name that scores answers; "auto" prefers one made for it.

        Raises:
            ConfigError: If it is a LangChain model, which has no word for what a judge needs.
        """
        if name == "auto":
            name = _ready_name(choose_judge(self._look()))
        model = self.chat_model(name)
        if isinstance(model, LangChainChat):
            raise ConfigError(
                f"{name} cannot judge: a judge's token probabilities and JSON schemas are asked of"
                " an OpenAI-compatible address; write http://HOST:PORT/v1#MODEL or ollama:MODEL"
            )
        return model

    def embedder(self, name: str) -> "Embedder":
        """The embedder of that name, or the first that is ready for "auto"."""
        if name == "auto":
            name = _ready_name(choose_embedder(self._look()))
        return self._once("embedder", name, self._embedder)

    def captioner(self, name: str) -> "Captioner":
        """The captioner of that name ("ocr" or "ollama:MODEL")."""
        return self._once("captioner", name, self._captioner)

    def cross_encoder(self, name: str) -> "Reranker":
        """The CrossEncoder of that name ("st:NAME_OR_PATH")."""
        if not name.startswith("st:"):
            raise ConfigError(f"{name!r} is not a CrossEncoder; write st:NAME_OR_PATH")
        return self._once("reranker", name, CrossEncoderReranker)

    def add_chat_model(
        self, name: str, model: "BaseChatModel", *, context_tokens: int = CONTEXT_TOKENS
    ) -> None:
        """Take a LangChain chat model of the user's own, under a name for `chat_model`."""
        with self._lock:
            self._added["chat_model", name] = LangChainChat(
                model, name=name, context_tokens=context_tokens
            )

    def add_embedder(
        self, name: str, embeddings: "Embeddings", *, max_tokens: int = EMBEDDED_TOKENS
    ) -> None:
        """Take a LangChain embedder of the user's own, under a name for `embedder`."""
        with self._lock:
            self._added["embedder", name] = LangChainEmbedder(
                embeddings, name=name, max_tokens=max_tokens
            )

    def facts(self) -> Facts:
        """What is on this machine: servers that answer, packages that are installed."""
        return self._look()

    def choices(self) -> tuple[Choice, ...]:
        """Which model plays which role where nobody chose, and why; loads nothing."""
        return choose(self._look())

    def available(self) -> tuple[Available, ...]:
        """The models that can be chosen by name, for every role; loads nothing."""
        return list_models(self._look())

    def refresh(self) -> None:
        """Look again what is on this machine, at the next need."""
        with self._lock:
            self._facts = None

    def close(self) -> None:
        """Stop the embedded server and close every connection; a later use opens them again."""
        with self._lock:
            made, self._made = self._made, {}
            for model in made.values():
                if isinstance(model, EmbeddedChat | HttpChat | OllamaChat):
                    model.close()
            self._ollama.close()

    def _look(self) -> Facts:
        with self._lock:
            if self._facts is None:
                self._facts = look(self._ollama)
            return self._facts

    def _once(self, role: str, name: str, make: Callable[[str], Made]) -> Made:
        with self._lock:
            models = self._added if (role, name) in self._added else self._made
            if (role, name) not in models:
                models[role, name] = make(name)
            made: Made = models[role, name]  # type: ignore[assignment]  # added, or made by `make`
            return made

    def _chat(self, name: str) -> Chat:
        if name == EMBEDDED_CHAT:
            server = LlamaServer(weights.find_weights)
            return EmbeddedChat(
                name=name, digest=lambda: weights.DIGEST, server=server, cites_sources=False
            )
        if name.startswith("gguf:"):
            return _gguf_chat(name)
        if name.startswith("ollama:"):
            return OllamaChat(self._ollama, _model_part(name))
        if name.startswith(("http://", "https://")):
            return HttpChat(name)
        if name.startswith(LANGCHAIN):
            return chat_by_name(name)
        raise ConfigError(
            f"no chat model is named {name!r}; write auto, {EMBEDDED_CHAT}, ollama:MODEL, "
            f"gguf:/PATH/MODEL.gguf, http://HOST:PORT/v1#MODEL or {LANGCHAIN}PROVIDER:MODEL"
        )

    def _embedder(self, name: str) -> "Embedder":
        if name == EMBEDDED_EMBEDDER:
            return E5Embedder()
        if name.startswith("ollama:"):
            return OllamaEmbedder(self._ollama, _model_part(name))
        if name.startswith("st:"):
            return SentenceTransformerEmbedder(name)
        if name.startswith(LANGCHAIN):
            return embedder_by_name(name)
        raise ConfigError(
            f"no embedder is named {name!r}; write auto, {EMBEDDED_EMBEDDER}, ollama:MODEL, "
            f"st:NAME_OR_PATH or {LANGCHAIN}PROVIDER:MODEL"
        )

    def _captioner(self, name: str) -> "Captioner":
        from sandbox.models.captioners import OcrCaptioner, VisionCaptioner

        if name == OCR:
            return OcrCaptioner()
        if name.startswith(("ollama:", "http://", "https://")):
            model = self.chat_model(name)
            if isinstance(model, OllamaChat) and not model.sees_pictures:
                raise ModelUnavailable(f"{name} sees no pictures; choose a vision model or {OCR}")
            return VisionCaptioner(model)
        raise ConfigError(f"no captioner is named {name!r}; write {OCR} or ollama:VISION_MODEL")


def _ready_name(choice: Choice) -> str:
    if not choice.ready:
        raise ModelUnavailable(
            f"no {choice.role.replace('_', ' ')} is ready: {choice.reason}; run: {choice.fix}"
        )
    return choice.model


def _model_part(name: str) -> str:
    model = name.partition(":")[2].strip()
    if not model:
        raise ConfigError(f"{name!r} names no model; write ollama:llama3.1 or another")
    return model


def _gguf_chat(name: str) -> EmbeddedChat:
    path = Path(name.removeprefix("gguf:")).expanduser()
    if not path.is_file():
        raise ModelUnavailable(f"{name}: there is no such file; write gguf:/PATH/MODEL.gguf")
    return EmbeddedChat(
        name=name,
        digest=functools.cache(lambda: file_digest(path)),
        server=LlamaServer(lambda: path),
    )
