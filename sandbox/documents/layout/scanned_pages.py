"""Pages whose text layer is missing or useless, and reading them by OCR."""

import statistics
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from sandbox.documents.geometry.boxes import center_y
from sandbox.documents.geometry.characters import clean_text
from sandbox.documents.geometry.ocr import OcrLine, read_image
from sandbox.documents.layout.hidden_text import SCAN_SHARE
from sandbox.documents.layout.page_survey import PageLook, render
from sandbox.documents.layout.text_layer import Fragment
from sandbox.records import Box

if TYPE_CHECKING:
    import pymupdf

_GARBAGE_SHARE = 0.3
_EDGE_SHARE = 0.09
_STAMP_CHARACTERS = 100
_OUTLINE_PATHS = 40
"""A page without text that paints this many shapes may hold letters drawn as outlines."""

_LONGEST_SIDE = 2000
"""Pixels; RapidOCR scales larger pictures down to this."""

_TEXT_SHARE = 0.75
"""Font size as a share of the height of the box that OCR finds."""

_SIZE_NOISE = 0.25


def is_scan_or_garbled(visible: Sequence[Fragment], look: PageLook) -> bool:
    """Whether OCR should be tried: no text to speak of, or text without meaning."""
    characters = sum(max(len(fragment.text), fragment.garbage) for fragment in visible)
    if characters == 0:
        outlines = sum(entry.kind.endswith("-path") for entry in look.painted)
        return look.picture_share >= 0.5 or outlines >= _OUTLINE_PATHS
    if sum(fragment.garbage for fragment in visible) > _GARBAGE_SHARE * characters:
        return True
    if look.picture_share < SCAN_SHARE:
        return False
    return characters < _STAMP_CHARACTERS or all(_is_at_edge(f, look.whole) for f in visible)


def read_scan(page: "pymupdf.Page", number: int) -> tuple[Fragment, ...]:
    """What OCR reads on the rendered page.

    Raises:
        ModelUnavailable: If OCR is not installed.
    """
    longest = max(page.rect.width, page.rect.height, 1.0)
    pixels = render(page, zoom=_LONGEST_SIDE / longest)
    scale = page.rect.width / pixels.shape[1]
    found = [_fragment(line, number, scale) for line in read_image(pixels)]
    return _with_even_sizes([fragment for fragment in found if fragment.text])


def _with_even_sizes(fragments: Sequence[Fragment]) -> tuple[Fragment, ...]:
    """Sizes near the usual one made equal: heights of boxes vary with the letters in them."""
    if not fragments:
        return ()
    usual = statistics.median(fragment.size for fragment in fragments)
    return tuple(
        replace(fragment, size=usual) if abs(fragment.size / usual - 1) < _SIZE_NOISE else fragment
        for fragment in fragments
    )


def _fragment(line: OcrLine, number: int, scale: float) -> Fragment:
    box = Box(
        page=number,
        left=line.left * scale,
        top=line.top * scale,
        right=line.right * scale,
        bottom=line.bottom * scale,
    )
    size = _TEXT_SHARE * (box.bottom - box.top)
    return Fragment(text=clean_text(line.text), box=box, size=size)


def _is_at_edge(fragment: Fragment, whole: Box) -> bool:
    middle = center_y(fragment.box) / max(1.0, whole.bottom)
    return middle < _EDGE_SHARE or middle > 1 - _EDGE_SHARE
