"""One page of a PDF as a record: text, tables and figures, by the text layer or by OCR.

Runs in the worker process. Running headers, tables over a page break and captions on the next page
need more than one page and are left to the reader.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from sandbox.documents.figures.extract import FiguresOnPage, extract_figures
from sandbox.documents.geometry import ocr
from sandbox.documents.geometry.boxes import holds_center
from sandbox.documents.geometry.characters import text_width
from sandbox.documents.geometry.page_geometry import page_box
from sandbox.documents.layout.hidden_text import find_hidden
from sandbox.documents.layout.page_survey import PageSurvey, survey_page
from sandbox.documents.layout.page_text import build_blocks
from sandbox.documents.layout.scanned_pages import is_scan_or_garbled, read_scan
from sandbox.documents.layout.text_layer import Fragment, read_fragments, read_off_page
from sandbox.documents.tables.find import find_tables, take_titles
from sandbox.records import Box, Page

if TYPE_CHECKING:
    import pymupdf

LARGEST_PICTURE = 150_000_000
"""Pixels; a page with a larger picture is not rendered to look at its text."""

_LEAST_OCR_WIDTH = 20  # Latin characters; with less a picture is no scanned page
_MOST_GARBAGE = 10  # characters without a meaning that are not worth a warning


def read_page(page: "pymupdf.Page", number: int, folder: Path) -> Page:
    """Read everything on a page; figures are written into the folder."""
    survey = survey_page(page, number)
    can_render = survey.largest_picture <= LARGEST_PICTURE
    visible, unseen = _split_visible(page, number, survey, can_render=can_render)
    if survey.reaches_beyond:
        unseen += read_off_page(page, number)
    if is_scan_or_garbled(visible, survey):
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
        read = read_scan(page, number)
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
