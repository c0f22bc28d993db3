"""The cells of a table: which words stand in them, and the table written as Markdown."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

from sandbox.documents.geometry.boxes import (
    center_x,
    covered_share,
    gap_x,
    group_rows,
    height,
    holds_center,
    width,
)
from sandbox.documents.geometry.characters import clean_text, is_cjk, join, superscript
from sandbox.documents.geometry.page_geometry import displayed_box
from sandbox.documents.layout.text_layer import Fragment
from sandbox.records import Box, Line

if TYPE_CHECKING:
    import pymupdf

_BLANK_SHARE = 0.12  # of the word's height; a narrower gap is kerning
_IN_CELL = 0.5  # share of a word that lies in its cell; a long word may reach over the border


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """The text of one cell."""

    text: str
    is_copy: bool = False
    """True where a merged cell covers several: its text is repeated in each."""


Rows = list[list[Cell]]


def fill_cells(
    page: "pymupdf.Page",
    number: int,
    boxes: Sequence[Sequence[Box | None]],
    fragments: Sequence[Fragment],
) -> Rows:
    """Put the visible words into cells; a missing cell repeats the merged one it belongs to."""
    words = _visible_words(page, number, fragments)
    columns = _column_middles(boxes)
    rows: Rows = []
    for row in boxes:
        cells = [Cell(text=_text_in(box, words)) if box else None for box in row]
        spans = [_spans(row, index, middle) for index, middle in enumerate(columns)]
        rows.append(_filled(cells, spans, rows[-1] if rows else None))
    rows = [row for row in rows if any(cell.text for cell in row)]
    return _with_one_header(_without_empty_columns(rows), boxes)


def write_markdown(rows: Sequence[Sequence[Cell]]) -> str:
    """Write the first row as header; a bar within a cell is escaped."""
    lines = ["|" + "|".join(_escaped(cell.text) for cell in row) + "|" for row in rows]
    rule = "|" + "---|" * len(rows[0])
    return "\n".join([lines[0], rule, *lines[1:]])


def _visible_words(page: "pymupdf.Page", number: int, fragments: Sequence[Fragment]) -> list[Line]:
    import pymupdf

    flags = pymupdf.TEXT_PRESERVE_WHITESPACE | pymupdf.TEXT_CLIP
    text_page = page.get_textpage(flags=flags)
    marks = [
        Line(text=span["text"].strip(), box=displayed_box(page, number, span["bbox"]))
        for block in text_page.extractDICT()["blocks"]
        for line in block.get("lines", ())
        for span in line["spans"]
        if span["flags"] & pymupdf.TEXT_FONT_SUPERSCRIPT and span["text"].strip()
    ]
    visible = []
    for left, top, right, bottom, text, *_ in text_page.extractWORDS():
        box = displayed_box(page, number, (left, top, right, bottom))
        if any(holds_center(fragment.box, box) for fragment in fragments):
            word = Line(text=clean_text(text), box=box)
            visible.append(_raise_mark(word, marks) if marks else word)
    return visible


def _raise_mark(word: Line, marks: Sequence[Line]) -> Line:
    """The word with a footnote mark at its end raised, so that it is no part of a number."""
    for mark in marks:
        if word.text.endswith(mark.text) and holds_center(word.box, mark.box):
            stem = word.text.removesuffix(mark.text)
            return replace(word, text=stem + superscript(mark.text))
    return word


def _text_in(cell: Box, words: Sequence[Line]) -> str:
    inside = [word for word in words if word.text and covered_share(word.box, cell) > _IN_CELL]
    text = ""
    for row in group_rows(inside, lambda word: word.box):
        line = _join_words(row)
        is_chinese = bool(text) and is_cjk(text[-1]) and is_cjk(line[0])
        text = join(text, line, apart=not is_chinese)
    return clean_text(text)


def _join_words(words: Sequence[Line]) -> str:
    text = words[0].text
    for before, word in pairwise(words):
        gap = gap_x(before.box, word.box)
        text = join(text, word.text, apart=gap > _BLANK_SHARE * height(word.box))
    return text


def _column_middles(boxes: Sequence[Sequence[Box | None]]) -> list[float]:
    """The middle of each column, by its narrowest cell."""
    middles = []
    for column in zip(*boxes, strict=True):
        narrowest = min((box for box in column if box), key=width, default=None)
        middles.append(center_x(narrowest) if narrowest else 0.0)
    return middles


def _spans(row: Sequence[Box | None], index: int, middle: float) -> bool:
    """Whether a missing cell is part of one at its left."""
    at_left = next((box for box in reversed(row[:index]) if box), None)
    return at_left is not None and at_left.right > middle


def _filled(
    cells: Sequence[Cell | None], spans: Sequence[bool], above: Sequence[Cell] | None
) -> list[Cell]:
    """Missing cells given the text of the merged cell they belong to.

    In the body a cell that spans columns is not repeated at its right: it would be read as a value
    of each column.
    """
    filled: list[Cell] = []
    for index, cell in enumerate(cells):
        if cell is not None:
            filled.append(cell)
        elif above is None:
            filled.append(replace(filled[-1] if filled else Cell(text=""), is_copy=True))
        elif spans[index]:
            filled.append(Cell(text="", is_copy=True))
        else:
            filled.append(replace(above[index], is_copy=True))
    return filled


def _without_empty_columns(rows: Rows) -> Rows:
    filled = [any(cell.text for cell in column) for column in zip(*rows, strict=True)]
    return [[cell for cell, keep in zip(row, filled, strict=True) if keep] for row in rows]


def _with_one_header(rows: Rows, boxes: Sequence[Sequence[Box | None]]) -> Rows:
    """Two header rows made one where the first holds cells that span columns."""
    if len(rows) < 3 or not any(box is None for box in boxes[0]):
        return rows
    first, second = rows[0], rows[1]
    if any(character.isdigit() for cell in second[1:] for character in cell.text):
        return rows
    header = [
        upper if upper.text == lower.text else Cell(text=f"{upper.text} {lower.text}".strip())
        for upper, lower in zip(first, second, strict=True)
    ]
    return [header, *rows[2:]]


def _escaped(text: str) -> str:
    return text.replace("|", "\\|")
