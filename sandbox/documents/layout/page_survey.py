"""A cheap first look at a page: what is painted where, before anything is decoded or rendered."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sandbox.documents.geometry.boxes import displayed_box, intersection, limit_zoom, page_box
from sandbox.records import Box

if TYPE_CHECKING:
    import numpy
    import pymupdf

MAX_RENDERED_PIXELS = 6_000_000
"""A page is never rendered larger than this, whatever its size on paper."""

# Share of the page. Of 385 pages (the bundled corpora, those of tests, others made for the purpose)
# all scans cover 0.86 or more, and no figure beside text more than 0.32. Lower than rasters.py's
# BACKGROUND_SHARE, because a mistake costs less: OCR is tried in vain, but no figure is lost.
_SCAN_SHARE = 0.65
_GRID = 40  # cells on each side of the grid on which the share of pictures is counted


@dataclass(frozen=True, slots=True, kw_only=True)
class Painted:
    """One painting operation of a page's content, in the order of painting."""

    kind: str
    """MuPDF's name for it, for example "fill-text", "fill-path", "fill-image"."""

    box: Box


@dataclass(frozen=True, slots=True, kw_only=True)
class PageSurvey:
    """What a page is made of."""

    whole: Box
    painted: tuple[Painted, ...] = ()
    pictures: tuple[Box, ...] = ()
    """Where pictures without a soft mask are shown."""

    picture_share: float = 0.0
    """Share of the page that pictures cover."""

    largest_picture: int = 0
    """Pixels of the largest picture, 0 where there is none."""

    @property
    def is_text_only(self) -> bool:
        """Whether nothing but text is painted."""
        return all(entry.kind.endswith("-text") for entry in self.painted)

    @property
    def may_be_scan(self) -> bool:
        """Whether pictures cover so much of the page that they may be the page itself, scanned."""
        return self.picture_share >= _SCAN_SHARE

    @property
    def reaches_beyond(self) -> bool:
        """Whether text is painted wholly outside the page."""
        return any(
            entry.kind.endswith("-text") and intersection(entry.box, self.whole).area <= 0
            for entry in self.painted
        )


def survey_page(page: "pymupdf.Page", number: int) -> PageSurvey:
    """List what is painted; takes about a millisecond for a page of text."""
    whole = page_box(page, number)
    painted = tuple(
        Painted(kind=kind, box=displayed_box(page, number, rectangle))
        for kind, rectangle in page.get_bboxlog()
    )
    images = [entry.box for entry in painted if entry.kind in ("fill-image", "fill-image-mask")]
    pictures = page.get_image_info() if images else []
    opaque = [
        displayed_box(page, number, info["bbox"]) for info in pictures if not info["has-mask"]
    ]
    return PageSurvey(
        whole=whole,
        painted=painted,
        pictures=tuple(opaque),
        picture_share=_share(images, whole),
        largest_picture=max((info["width"] * info["height"] for info in pictures), default=0),
    )


def render(page: "pymupdf.Page", *, zoom: float) -> "numpy.ndarray":
    """The page as displayed: rows of RGB pixels, shape (height, width, 3), uint8.

    The zoom (1 is 72 pixels an inch) is lowered where the picture would become too large.
    """
    import numpy
    import pymupdf

    zoom = limit_zoom(page, zoom, most_pixels=MAX_RENDERED_PIXELS)
    pixels = page.get_pixmap(matrix=pymupdf.Matrix(zoom, zoom), colorspace=pymupdf.csRGB)
    rows = numpy.frombuffer(pixels.samples, dtype=numpy.uint8)
    return rows.reshape(pixels.height, pixels.stride)[:, : pixels.width * 3].reshape(
        pixels.height, pixels.width, 3
    )


def _share(boxes: Sequence[Box], whole: Box) -> float:
    """Share of the page under any of the boxes, on a coarse grid."""
    import numpy

    if not boxes or not whole.area:
        return 0.0
    grid = numpy.zeros((_GRID, _GRID), dtype=bool)
    across, down = _GRID / whole.right, _GRID / whole.bottom
    for box in (intersection(box, whole) for box in boxes):
        if box.area > 0:
            grid[
                round(box.top * down) : round(box.bottom * down),
                round(box.left * across) : round(box.right * across),
            ] = True
    return float(grid.mean())
