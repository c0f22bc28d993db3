"""Vectors as every embedder hands them out: float32, of unit length."""

from typing import TYPE_CHECKING

from sandbox.errors import ModelReplyError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from sandbox.models.base import Vectors


def unit_rows(rows: "ArrayLike", name: str) -> "Vectors":
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
