"""Which model plays which role: names are parsed here, and "auto" is decided."""

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from sandbox.errors import ConfigError
from sandbox.models import weights
from sandbox.models.e5 import E5Embedder
from sandbox.models.llama_server import LlamaServer
from sandbox.models.openai_chat import EmbeddedChat, HttpChat

if TYPE_CHECKING:
    from sandbox.models.base import Captioner, ChatModel, Embedder, Reranker

EMBEDDED_CHAT = "embedded:qwen2.5-0.5b"
EMBEDDED_EMBEDDER = "embedded:e5-small"
Model = TypeVar("Model")


class Models:
    """The models of this machine; each is made once and closed with this object."""

    def __init__(self, ollama_url: str | None = None) -> None:
        """Nothing is asked or loaded yet."""
        self._ollama_url = ollama_url
        self._made: dict[str, object] = {}

    def chat_model(self, name: str) -> "ChatModel":
        """The chat model of that name."""
        if name in ("auto", EMBEDDED_CHAT):
            return self._once(EMBEDDED_CHAT, _embedded_chat)
        if name.startswith(("http://", "https://")):
            return self._once(name, lambda: HttpChat(name))
        raise ConfigError(f"unknown chat model {name!r}")

    def embedder(self, name: str) -> "Embedder":
        """The embedder of that name."""
        if name in ("auto", EMBEDDED_EMBEDDER):
            return self._once(EMBEDDED_EMBEDDER, E5Embedder)
        raise ConfigError(f"unknown embedder {name!r}")

    def captioner(self, name: str) -> "Captioner":
        """The captioner of that name."""
        if name == "ocr":
            from sandbox.captions import OcrCaptioner

            return self._once("ocr", OcrCaptioner)
        raise ConfigError(f"unknown captioner {name!r}")

    def cross_encoder(self, name: str) -> "Reranker":
        """The CrossEncoder of that name."""
        raise ConfigError(f"unknown reranker {name!r}")

    def close(self) -> None:
        """Close every model."""
        for model in self._made.values():
            if isinstance(model, EmbeddedChat | HttpChat):
                model.close()
        self._made.clear()

    def _once(self, key: str, make: Callable[[], Model]) -> Model:
        if key not in self._made:
            self._made[key] = make()
        return self._made[key]  # type: ignore[return-value]


def _embedded_chat() -> EmbeddedChat:
    return EmbeddedChat(
        name=EMBEDDED_CHAT,
        digest=lambda: weights.DIGEST,
        server=LlamaServer(weights.embedded_weights),
    )
