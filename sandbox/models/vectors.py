"""What embedders share: the words some expect before a text, and vectors of unit length."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sandbox.errors import ModelReplyError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from sandbox.models.base import Vectors


@dataclass(frozen=True, slots=True, kw_only=True)
class Prefixes:
    """What is put before a text."""

    passage: str = ""
    question: str = ""


# From the model cards; the first whose name is part of the model's name is taken.
KNOWN = {
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
    return next((value for key, value in KNOWN.items() if key in model.lower()), Prefixes())


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
