"""The interfaces of chat models, embedders, captioners and rerankers.

Each seam has at least two implementations in this folder. Names are "source:model", for example
"embedded:qwen2.5-0.5b" or "ollama:llama3.1"; digests identify the weights, so that caches can be
keyed by them.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from sandbox.records import Caption, Figure

if TYPE_CHECKING:
    import numpy
    from langchain_core.language_models import BaseChatModel

    Vectors = numpy.ndarray[tuple[int, ...], numpy.dtype[numpy.float32]]


class ChatModel(Protocol):
    """A model that answers questions, and may judge answers."""

    @property
    def name(self) -> str:
        """Source and model, as written in a configuration."""

    @property
    def digest(self) -> str:
        """Identifies the weights; the name where the backend does not say."""

    @property
    def context_tokens(self) -> int:
        """Tokens of prompt and answer that fit together."""

    @property
    def cites_sources(self) -> bool:
        """False for a model so small that, asked to cite a number, it writes nothing else."""

    @property
    def keeps_prompts(self) -> bool:
        """True if several prompts that were read stay cached, so that reading ahead pays."""

    def count_tokens(self, text: str) -> int:
        """Tokens of a text, exact where the backend counts them, else estimated from above."""

    def langchain(self, *, temperature: float, seed: int, max_tokens: int) -> "BaseChatModel":
        """The model as a LangChain chat model with these settings.

        Raises:
            ModelUnavailable: If the backend cannot be started or reached.
        """


class Embedder(Protocol):
    """A model that turns texts into vectors of unit length."""

    @property
    def name(self) -> str:
        """Source and model, as written in a configuration."""

    @property
    def digest(self) -> str:
        """Identifies the weights and the prefixes put before a text."""

    @property
    def max_tokens(self) -> int:
        """Longest text that is embedded whole."""

    def embed_passages(self, texts: Sequence[str]) -> "Vectors":
        """Rows of unit length, shape (len(texts), dimensions), float32."""

    def embed_question(self, text: str) -> "Vectors":
        """One vector of unit length, shape (dimensions,), float32."""


class Captioner(Protocol):
    """A reader of figures."""

    @property
    def name(self) -> str:
        """Source and model, as written in a configuration."""

    @property
    def digest(self) -> str:
        """Identifies the weights, the prompt and the code that reads charts."""

    def caption(self, figure: Figure, image: Path) -> Caption:
        """What the figure shows, in words.

        Raises:
            ModelError: If the backend fails.
        """


class Reranker(Protocol):
    """A model that scores how well each text answers a question."""

    @property
    def name(self) -> str:
        """As written in a configuration."""

    def scores(self, question: str, texts: Sequence[str]) -> list[float]:
        """One score a text, higher is better; comparable only within one question."""


class ModelSource(Protocol):
    """Where the models of a configuration come from; the front ends hand one to the pipeline."""

    def chat_model(self, name: str) -> ChatModel:
        """The chat model of that name; "auto" takes the first that is ready.

        Raises:
            ConfigError: If the name is malformed.
            ModelUnavailable: If it cannot be had here.
        """

    def embedder(self, name: str) -> Embedder:
        """The embedder of that name, or the first that is ready for "auto"."""

    def captioner(self, name: str) -> Captioner:
        """The captioner of that name ("ocr" or "ollama:MODEL")."""

    def cross_encoder(self, name: str) -> Reranker:
        """The CrossEncoder of that name ("st:NAME_OR_PATH")."""
