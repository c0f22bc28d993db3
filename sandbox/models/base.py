"""The interfaces of chat models, embedders, captioners and rerankers, and what embedders share.

Each seam has at least two implementations in this folder. Names are "source:model", for example
"embedded:qwen2.5-0.5b" or "ollama:llama3.1"; digests identify the weights, so that caches can be
keyed by them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from sandbox.errors import ModelReplyError
from sandbox.records import Caption, Figure

if TYPE_CHECKING:
    import numpy
    from langchain_core.language_models import BaseChatModel

    Vectors = numpy.ndarray[tuple[int, ...], numpy.dtype[numpy.float32]]
    from numpy.typing import ArrayLike


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Prefixes:
    """The words that some embedders expect before a text."""

    passage: str = ""
    question: str = ""


# From the model cards; the first whose name is part of the model's name is taken.
KNOWN_PREFIXES = {
    "nomic-embed": Prefixes(passage="search_document: ", question="search_query: "),
    "e5-": Prefixes(passage="passage: ", question="query: "),
    "mxbai-embed": Prefixes(
        question="Represent this sentence for searching relevant passages: ",
    ),
    "embeddinggemma": Prefixes(
        passage="title: none | text: ", question="task: search result | query: "
    ),
}


def find_prefixes(model: str) -> Prefixes:
    """The prefixes of that model.

    >>> find_prefixes("nomic-embed-text:latest").question
    'search_query: '
    """
    return next(
        (value for key, value in KNOWN_PREFIXES.items() if key in model.lower()), Prefixes()
    )


def scale_rows(rows: "ArrayLike", name: str) -> "Vectors":
    """The rows scaled to unit length, shape (n, dimensions), float32; (0, 0) for none.

    Raises:
        ModelReplyError: If they are not vectors of one length, or one has no direction.
    """
    import numpy

    try:
        vectors = numpy.asarray(rows, dtype=numpy.float32)
        if not vectors.size:
            return numpy.empty((0, 0), numpy.float32)
        if vectors.ndim != 2:
            raise ValueError(f"shape {vectors.shape}")
    except (TypeError, ValueError) as error:
        raise ModelReplyError(f"{name} gave vectors of different lengths: {error}") from error
    lengths = numpy.linalg.norm(vectors, axis=1, keepdims=True)
    if not numpy.isfinite(lengths).all() or (lengths == 0).any():
        raise ModelReplyError(f"{name} gave a vector without a direction (zero or not a number)")
    scaled: Vectors = vectors / lengths
    return scaled
