"""A page as a picture, with regions highlighted: what the app shows beside a chunk."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from sandbox.documents.geometry.boxes import limit_zoom
from sandbox.errors import CorpusError
from sandbox.records import Box

if TYPE_CHECKING:
    import pymupdf

MAX_PIXELS = 8_000_000
"""The picture is made smaller where it would have more."""

_FILL = (1.0, 0.8, 0.1)  # yellow, red green blue between 0 and 1
_EDGE = (0.85, 0.45, 0.0)  # orange
_OPACITY = 0.35  # the text below stays legible
_MARGIN = 2.0  # points around a line, so that the edge does not touch its letters


def render_page(pdf: Path, page: int, boxes: Sequence[Box], *, width_pixels: int = 900) -> bytes:
    """Render a page as PNG with translucent highlights.

    Args:
        pdf: The file.
        page: Number of the page, from 1.
        boxes: Regions to highlight; those of other pages are left out.
        width_pixels: Width of the picture; smaller for a page that is very long.

    Raises:
        CorpusError: If the page cannot be rendered.
        ValueError: If the file has no such page.
    """
    import pymupdf

    try:
        with pymupdf.open(pdf, filetype="pdf") as document:
            if not 1 <= page <= document.page_count:
                raise ValueError(f"page {page} of {document.page_count}")
            loaded = document.load_page(page - 1)
            _highlight(loaded, [box for box in boxes if box.page == page])
            full_width = width_pixels / max(1.0, loaded.rect.width)
            zoom = limit_zoom(loaded, full_width, most_pixels=MAX_PIXELS)
            pixels = loaded.get_pixmap(matrix=pymupdf.Matrix(zoom, zoom), alpha=False)
            return bytes(pixels.tobytes("png"))
    except (RuntimeError, MemoryError, pymupdf.mupdf.FzErrorBase) as error:
        raise CorpusError(f"page {page} of {pdf.name} cannot be shown: {error}") from error


def _highlight(page: "pymupdf.Page", boxes: Sequence[Box]) -> None:
    """Draw on the page in memory; the file is not changed."""
    import pymupdf

    shape = page.new_shape()
    for box in boxes:
        around = pymupdf.Rect(box.left, box.top, box.right, box.bottom)
        around += (-_MARGIN, -_MARGIN, _MARGIN, _MARGIN)
        shape.draw_rect((around * page.derotation_matrix).normalize())
        shape.finish(
            color=_EDGE, fill=_FILL, width=0.8, fill_opacity=_OPACITY, stroke_opacity=_OPACITY
        )
    if boxes:
        shape.commit()
