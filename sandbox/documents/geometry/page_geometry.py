"""Boxes and zoom of the page as it is shown: PyMuPDF gives some boxes unrotated."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sandbox.records import Box

if TYPE_CHECKING:
    import pymupdf


def page_box(page: "pymupdf.Page", number: int) -> Box:
    """The whole page as it is displayed."""
    return Box(page=number, left=0, top=0, right=page.rect.width, bottom=page.rect.height)


def displayed_box(page: "pymupdf.Page", number: int, rectangle: Sequence[float]) -> Box:
    """A rectangle of PyMuPDF, which ignores the page's rotation, as a box of the shown page."""
    import pymupdf

    turned = pymupdf.Rect(rectangle).normalize() * page.rotation_matrix
    return Box(page=number, left=turned.x0, top=turned.y0, right=turned.x1, bottom=turned.y1)


def limit_zoom(page: "pymupdf.Page", zoom: float, *, most_pixels: int) -> float:
    """The zoom (1 is 72 pixels an inch), lowered so that the page has no more pixels than that."""
    area = max(1.0, page.rect.width * page.rect.height)
    return float(min(zoom, (most_pixels / area) ** 0.5))
