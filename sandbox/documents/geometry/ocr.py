"""Reading text in pictures with RapidOCR, an optional package, loaded at the first use.

layout/ brings it into reading order.
"""

import functools
import importlib.util
import logging
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sandbox.errors import ModelUnavailable

if TYPE_CHECKING:
    import numpy

INSTALL_COMMAND = "pip install 'rag-sandbox[embedded]'"

_LEAST_SCORE = 0.5  # certainty of the recognition from which on a line counts


@dataclass(frozen=True, slots=True, kw_only=True)
class OcrLine:
    """A line of text found in a picture; positions in pixels from the top-left corner."""

    text: str
    left: float
    top: float
    right: float
    bottom: float
    score: float
    """How certain the recognition is, between 0 and 1."""


def is_available() -> bool:
    """Whether the packages for OCR are installed."""
    return all(importlib.util.find_spec(name) for name in ("rapidocr", "onnxruntime"))


def read_image(
    image: "numpy.ndarray | Path | bytes", *, upright: bool = False
) -> tuple[OcrLine, ...]:
    """The lines of text in a picture, from the top; an array holds rows of RGB pixels.

    Where no line is upside down (`upright`), none is turned: rapidocr 3.10 now and then turns a
    short line such as "90" and reads "06".

    Raises:
        ModelUnavailable: If OCR is not installed.
    """
    import numpy

    if isinstance(image, numpy.ndarray):
        image = numpy.ascontiguousarray(image[:, :, ::-1])  # RapidOCR takes arrays as BGR
    result = _engine()(image, use_cls=not upright)
    if result.boxes is None or result.txts is None:
        return ()
    lines = [
        OcrLine(
            text=text,
            left=float(corners[:, 0].min()),
            top=float(corners[:, 1].min()),
            right=float(corners[:, 0].max()),
            bottom=float(corners[:, 1].max()),
            score=float(score),
        )
        for corners, text, score in zip(result.boxes, result.txts, result.scores, strict=True)
        if text.strip() and score >= _LEAST_SCORE
    ]
    return tuple(sorted(lines, key=lambda line: (line.top, line.left)))


@functools.cache
def _engine() -> Any:
    """The one engine of this process; its models are files of the package."""
    if not is_available():
        raise ModelUnavailable(f"OCR is not installed; run: {INSTALL_COMMAND}")
    from rapidocr import RapidOCR

    engine = RapidOCR(params={"Global.log_level": "warning"})
    logging.getLogger("RapidOCR").setLevel(logging.WARNING)
    return engine
