"""One page of a PDF as a record: text, tables and figures, by the text layer or by OCR.

Runs in the worker process. Running headers, tables over a page break and captions on the next page
need more than one page and are left to the reader.
"""

import statistics
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from sandbox.documents.figures.extract import FiguresOnPage, extract_figures
from sandbox.documents.geometry import ocr
from sandbox.documents.geometry.boxes import center_y, holds_center, page_box
from sandbox.documents.geometry.characters import clean_text, text_width
from sandbox.documents.geometry.ocr import OcrLine, read_image
from sandbox.documents.layout.hidden_text import find_hidden
from sandbox.documents.layout.page_survey import PageSurvey, render, survey_page
from sandbox.documents.layout.page_text import build_blocks
from sandbox.documents.layout.text_layer import Fragment, read_fragments, read_off_page
from sandbox.documents.tables import find_tables, take_titles
from sandbox.records import Box, Page

if TYPE_CHECKING:
    import pymupdf


LARGEST_PICTURE = 150_000_000
"""Pixels; a page with a larger picture is not rendered to look at its text."""

_LEAST_OCR_WIDTH = 20  # Latin characters; with less a picture is no scanned page
_MOST_GARBAGE = 10  # characters without a meaning that are not worth a warning

_GARBAGE_SHARE = 0.3  # of the characters; a few signs without a meaning are common in good text
_STAMP_CHARACTERS = 100  # less text on a scan is a stamp, a date or a file number
_EDGE_SHARE = 0.09  # of the page's height at either end, where headers, footers and stamps stand
_PICTURE_SHARE = 0.5  # a page without any text may be a scan from here on; margins are left blank
_OUTLINE_PATHS = 40  # shapes; without text they may be letters drawn as outlines

_LONGEST_SIDE = 2000  # pixels; RapidOCR 3.10 scales larger pictures down to this
_TEXT_SHARE = 0.75  # font size as a share of the height of the box that OCR finds
_SIZE_NOISE = 0.25  # shares by which sizes may differ because heights of boxes vary with letters


def read_page(page: "pymupdf.Page", number: int, folder: Path) -> Page:
    """Read everything on a page; figures are written into the folder."""
    survey = survey_page(page, number)
    can_render = survey.largest_picture <= LARGEST_PICTURE
    visible, unseen = _split_visible(page, number, survey, can_render=can_render)
    if survey.reaches_beyond:
        unseen += read_off_page(page, number)
    if _is_scan_or_garbled(visible, survey):
        scan = _read_by_ocr(page, number, survey, unseen, can_render=can_render)
        if scan is not None:
            return scan
    figures = FiguresOnPage() if survey.is_text_only else extract_figures(page, number, folder)
    return _read_text_layer(page, number, visible, unseen, figures)


def read_text_only(page: "pymupdf.Page", number: int) -> Page:
    """Read the text layer and nothing else: for a page on which the rest failed."""
    survey = PageSurvey(whole=page_box(page, number))
    visible, unseen = _split_visible(page, number, survey, can_render=False)
    return Page(
        number=number,
        width=survey.whole.right,
        height=survey.whole.bottom,
        source="text layer" if visible else "none",
        blocks=build_blocks(visible, unseen, survey.whole),
    )


def _split_visible(
    page: "pymupdf.Page", number: int, survey: PageSurvey, *, can_render: bool
) -> tuple[list[Fragment], list[Fragment]]:
    """The fragments of the text layer that a reader sees, and those that nobody sees."""
    fragments = read_fragments(page, number)
    hidden = find_hidden(page, fragments, survey, can_render=can_render)
    visible = [f for index, f in enumerate(fragments) if index not in hidden]
    return visible, [f for index, f in enumerate(fragments) if index in hidden]


def _read_text_layer(
    page: "pymupdf.Page",
    number: int,
    visible: Sequence[Fragment],
    unseen: Sequence[Fragment],
    figures: FiguresOnPage,
) -> Page:
    whole = page_box(page, number)
    in_figures = [figure.box for figure in figures.figures]
    text = _outside(visible, in_figures)
    untitled = find_tables(page, text, in_figures, number)
    blocks = build_blocks(_outside(text, [table.box for table in untitled]), unseen, whole)
    tables, blocks = take_titles(untitled, blocks)
    return Page(
        number=number,
        width=whole.right,
        height=whole.bottom,
        source="text layer" if visible else "none",
        blocks=blocks,
        tables=tables,
        figures=figures.figures,
        warnings=(*figures.warnings, *_page_warnings(number, visible, figures)),
    )


def _read_by_ocr(
    page: "pymupdf.Page",
    number: int,
    survey: PageSurvey,
    unseen: Sequence[Fragment],
    *,
    can_render: bool,
) -> Page | None:
    """The page as OCR reads it; None where it turns out to hold no text to speak of."""
    warnings: tuple[str, ...] = ()
    read: tuple[Fragment, ...] = ()
    if not can_render:
        warnings = (f"page {number}: its picture is too large to be read by OCR",)
    elif not ocr.is_available():
        warnings = (
            f"page {number} has no usable text layer; to read it by OCR, run: "
            f"{ocr.INSTALL_COMMAND}",
        )
    else:
        read = _read_scan(page, number)
        if sum(text_width(fragment.text) for fragment in read) < _LEAST_OCR_WIDTH:
            return None
    return Page(
        number=number,
        width=survey.whole.right,
        height=survey.whole.bottom,
        source="ocr" if read else "none",
        blocks=build_blocks(read, unseen, survey.whole),
        warnings=warnings,
    )


def _outside(fragments: Sequence[Fragment], covered: Sequence[Box]) -> list[Fragment]:
    return [
        fragment
        for fragment in fragments
        if not any(holds_center(box, fragment.box) for box in covered)
    ]


def _page_warnings(
    number: int, visible: Sequence[Fragment], figures: FiguresOnPage
) -> tuple[str, ...]:
    if visible or figures.figures:
        garbage = sum(fragment.garbage for fragment in visible)
        return (
            (f"page {number}: {garbage} characters have no meaning in the file's fonts",)
            if garbage > _MOST_GARBAGE
            else ()
        )
    return (f"page {number} holds neither text nor figures",)


def _is_scan_or_garbled(visible: Sequence[Fragment], survey: PageSurvey) -> bool:
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


def _read_scan(page: "pymupdf.Page", number: int) -> tuple[Fragment, ...]:
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
