"""Boxes of the page as it is shown: PyMuPDF gives some of them unrotated."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sandbox.records import Box

if TYPE_CHECKING:
    import pymupdf


def page_box(page: "pymupdf.Page", number: int) -> Box:
    """The whole page as it is displayed."""
    return Box(page=number, left=0, top=0, right=page.rect.width, bottom=page.rect.height)


def displayed(page: "pymupdf.Page", number: int, rectangle: Sequence[float]) -> Box:
    """A rectangle of PyMuPDF, which ignores the page's rotation, as a box of the shown page."""
    import pymupdf

    turned = pymupdf.Rect(rectangle).normalize() * page.rotation_matrix
    return Box(page=number, left=turned.x0, top=turned.y0, right=turned.x1, bottom=turned.y1)
