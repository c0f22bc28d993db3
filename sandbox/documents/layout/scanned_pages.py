"""Pages whose text layer is missing or useless, and reading them by OCR."""

import statistics
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from sandbox.documents.geometry.boxes import center_y
from sandbox.documents.geometry.characters import clean_text
from sandbox.documents.geometry.ocr import OcrLine, read_image
from sandbox.documents.layout.page_survey import PageSurvey, render
from sandbox.documents.layout.text_layer import Fragment
from sandbox.records import Box

if TYPE_CHECKING:
    import pymupdf

_GARBAGE_SHARE = 0.3  # of the characters; a few signs without a meaning are common in good text
_STAMP_CHARACTERS = 100  # less text on a scan is a stamp, a date or a file number
_EDGE_SHARE = 0.09  # of the page's height at either end, where headers, footers and stamps stand
_PICTURE_SHARE = 0.5  # a page without any text may be a scan from here on; margins are left blank
_OUTLINE_PATHS = 40  # shapes; without text they may be letters drawn as outlines

_LONGEST_SIDE = 2000  # pixels; RapidOCR 3.10 scales larger pictures down to this
_TEXT_SHARE = 0.75  # font size as a share of the height of the box that OCR finds
_SIZE_NOISE = 0.25  # shares by which sizes may differ because heights of boxes vary with letters


def is_scan_or_garbled(visible: Sequence[Fragment], survey: PageSurvey) -> bool:
    """Whether OCR should be tried: no text to speak of, or text without meaning."""
    characters = sum(max(len(fragment.text), fragment.garbage) for fragment in visible)
    if characters == 0:
        outlines = sum(entry.kind.endswith("-path") for entry in survey.painted)
        return survey.picture_share >= _PICTURE_SHARE or outlines >= _OUTLINE_PATHS
    if sum(fragment.garbage for fragment in visible) > _GARBAGE_SHARE * characters:
        return True
    if not survey.may_be_scan:
        return False
    return characters < _STAMP_CHARACTERS or all(_is_at_edge(f, survey.whole) for f in visible)


def read_scan(page: "pymupdf.Page", number: int) -> tuple[Fragment, ...]:
    """What OCR reads on the rendered page.

    Raises:
        ModelUnavailable: If OCR is not installed.
    """
    longest = max(page.rect.width, page.rect.height, 1.0)
    pixels = render(page, zoom=_LONGEST_SIDE / longest)
    scale = page.rect.width / pixels.shape[1]
    fragments = [_fragment(line, number, scale) for line in read_image(pixels)]
    return _even_sizes([fragment for fragment in fragments if fragment.text])


def _even_sizes(fragments: Sequence[Fragment]) -> tuple[Fragment, ...]:
    """Make sizes near the usual one equal."""
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
