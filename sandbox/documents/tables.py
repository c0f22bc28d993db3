"""Finds the tables of a page and writes them as Markdown, with the text that a reader can see.

Finding tables takes as long as reading ten pages, so it is done only where cells stand in line,
rules stand upright or a title announces a table. Pages read by OCR have no tables.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

from sandbox.documents.figures.drawings import read_marks
from sandbox.documents.geometry.boxes import (
    center_x,
    covered_share,
    displayed_box,
    distance,
    gap_x,
    gap_y,
    group_rows,
    height,
    holds_center,
    intersection,
    union,
    width,
)
from sandbox.documents.geometry.characters import clean_text, is_cjk, join, superscript, text_width
from sandbox.documents.layout.text_layer import Fragment
from sandbox.records import Block, Box, Line, Table

if TYPE_CHECKING:
    import pymupdf


TITLE = re.compile(
    r"^(Table|TABLE|Tab\.|Exhibit)\s?[A-Z]?[\dIVX]+|^(附?表|續表|续表)\s?[\d一二三四五六七八九十]+",
)
# What a table looks like; widths of text in Latin characters.
_LEAST_FILLED = 0.4  # share of cells with text; emptier grids are forms or frames
_LEAST_CELLS = 4  # cells with text: two rows of two
_MOST_CELL_WIDTH = 400  # a longer cell is a column of prose
_LEADER_SHARE = 0.4  # rows with the dots that lead to a page number: a table of contents
_FIGURE_SHARE = 0.3  # of a table inside a figure: then it is the grid of a chart

# Signs for which a page is searched; lengths in points.
_ALIGNED_ROWS = 3  # rows one below the other whose cells stand in line
_CELL_WIDTH = 25  # the shortest text of a row of cells is shorter than this; prose is longer
_MARK_WIDTH = 4  # a first text up to this long may be a list item's mark
_LINE_POINTS = 3.0  # edges closer than this stand in line, and rules meet
_RULE_POINTS = 10.0  # an upright rule is longer than this: about a row of text
_RULE_WIDTH = 100.0  # a lying rule is wider than this; an underline is shorter
_INSIDE_POINTS = 20.0  # from a rule's ends; nearer to them an upright rule is part of a frame
_GRID_RULES = 3  # upright rules side by side: a box around a text has two
_MOST_RULES = 200  # rules compared with each other, so that a drawing does not take minutes

# Titles; lengths in points.
_TITLE_REACH = 28.0  # two lines of text
_TITLE_OVERLAP = 10.0  # boxes of a title and of a table may overlap by this much
_RULE_OVERLAP = 3.0  # a title's box reaches this far below its letters
_TITLE_LINES = 3  # a longer block is a paragraph

_BLANK_SHARE = 0.12  # of the word's height; a narrower gap is kerning
_IN_CELL = 0.5  # share of a word that lies in its cell; a long word may reach over the border


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """The text of one cell."""

    text: str
    is_copy: bool = False
    """True where a merged cell covers several: its text is repeated in each."""


Rows = list[list[Cell]]


def find_tables(
    page: "pymupdf.Page", fragments: Sequence[Fragment], figures: Sequence[Box], number: int
) -> list[Table]:
    """Find the tables, without their titles, among the visible fragments outside figures.

    Grids of rules are found by their lines; for the others PyMuPDF's layout model is asked, which
    takes ten times as long.
    """
    rules = _rules(page, figures, number)
    tables = _read_tables(page, fragments, figures, number) if _has_grid(rules) else []
    rest = [f for f in fragments if not any(holds_center(table.box, f.box) for table in tables)]
    free = [rule for rule in rules if not any(holds_center(table.box, rule) for table in tables)]
    if _has_aligned_cells(rest) or _has_open_grid(free) or _is_announced(rest, free, tables):
        tables += [
            table
            for table in _read_tables(page, rest, figures, number, use_layout=True)
            if not any(intersection(table.box, other.box).area > 0 for other in tables)
        ]
    return tables


def _read_tables(
    page: "pymupdf.Page",
    fragments: Sequence[Fragment],
    figures: Sequence[Box],
    number: int,
    *,
    use_layout: bool = False,
) -> list[Table]:
    tables = []
    for region in page.find_tables(use_layout=use_layout).tables:
        box = _box(number, region.bbox)
        if any(covered_share(box, figure) > _FIGURE_SHARE for figure in figures):
            continue
        cells = [
            [_box(number, cell) if cell else None for cell in row.cells] for row in region.rows
        ]
        rows = _fill_cells(page, number, cells, fragments)
        if _is_table(rows):
            tables.append(Table(box=box, markdown=_write_markdown(rows)))
    return tables


def _box(number: int, rectangle: Sequence[float]) -> Box:
    """A rectangle of `find_tables`, which unlike others lies on the page as it is displayed."""
    left, top, right, bottom = rectangle
    return Box(page=number, left=left, top=top, right=right, bottom=bottom)


def take_titles(
    tables: Sequence[Table], blocks: Sequence[Block]
) -> tuple[tuple[Table, ...], tuple[Block, ...]]:
    """Give tables the titles printed above or below them; the blocks come back without these."""
    rest = list(blocks)
    titled = []
    for table in tables:
        title = min(
            (block for block in rest if _is_title_of(block, table)),
            key=lambda block: _distance(block, table),
            default=None,
        )
        if title is not None:
            rest.remove(title)
            table = replace(table, title=" ".join(line.text for line in title.lines))
        titled.append(table)
    return tuple(titled), tuple(rest)


def _is_announced(
    fragments: Sequence[Fragment], rules: Sequence[Box], tables: Sequence[Table]
) -> bool:
    """Whether a title that is near none of the tables stands right above a rule."""
    lying = [rule for rule in rules if width(rule) > _RULE_WIDTH]
    titles = [fragment.box for fragment in fragments if TITLE.match(fragment.text)]
    return any(
        all(distance(title, table.box) > _TITLE_REACH for table in tables)
        and any(0 <= rule.top - title.bottom + _RULE_OVERLAP <= _TITLE_REACH for rule in lying)
        for title in titles
    )


def _rules(page: "pymupdf.Page", figures: Sequence[Box], number: int) -> list[Box]:
    return [
        mark.box
        for mark in read_marks(page, number)
        if mark.role == "rule" and not any(holds_center(figure, mark.box) for figure in figures)
    ]


def _is_table(rows: Sequence[Sequence[Cell]]) -> bool:
    """Whether cells are a table rather than a frame, a note in a box or columns of prose."""
    if len(rows) < 2 or min(len(row) for row in rows) < 2:
        return False
    texts = [cell.text for row in rows for cell in row if not cell.is_copy]
    filled = [text for text in texts if text]
    if len(filled) < _LEAST_CELLS or len(filled) < _LEAST_FILLED * len(texts):
        return False
    if sum("…" in text for text in filled) > _LEADER_SHARE * len(rows):
        return False  # a table of contents
    return max(text_width(text) for text in filled) <= _MOST_CELL_WIDTH


def _is_title_of(block: Block, table: Table) -> bool:
    if not block.lines or len(block.lines) > _TITLE_LINES or not TITLE.match(block.lines[0].text):
        return False
    box = union([line.box for line in block.lines])
    return gap_x(box, table.box) < 0 and -_TITLE_OVERLAP < gap_y(box, table.box) <= _TITLE_REACH


def _distance(block: Block, table: Table) -> float:
    """Distance to the table; a title above is preferred to one below."""
    box = union([line.box for line in block.lines])
    below = box.top > table.box.top
    return gap_y(box, table.box) + (_TITLE_REACH if below else 0.0)


def _has_grid(rules: Sequence[Box]) -> bool:
    """Whether three upright rules stand side by side: a box around a text has only two."""
    upright = [rule for rule in rules if height(rule) > _RULE_POINTS][:_MOST_RULES]
    return any(
        len({round(other.left) for other in upright if gap_y(first, other) < 0}) >= _GRID_RULES
        for first in upright
    )


def _has_open_grid(rules: Sequence[Box]) -> bool:
    """Whether an upright rule meets a lying one between its ends: a table open at the sides."""
    upright = [rule for rule in rules if height(rule) > _RULE_POINTS][:_MOST_RULES]
    lying = [rule for rule in rules if width(rule) > _RULE_WIDTH][:_MOST_RULES]
    return any(
        rule.left + _INSIDE_POINTS < first.left < rule.right - _INSIDE_POINTS
        and min(abs(first.top - rule.top), abs(first.bottom - rule.bottom)) < _LINE_POINTS
        for first in upright
        for rule in lying
    )


def _has_aligned_cells(fragments: Sequence[Fragment]) -> bool:
    """Whether several rows one below the other hold short texts that stand in line."""
    run: list[list[Fragment]] = []
    for row in group_rows(fragments, lambda fragment: fragment.box):
        run = [*run, row] if _is_row_of_cells(row) else []
        if len(run) >= _ALIGNED_ROWS and _stand_in_line(run[-_ALIGNED_ROWS:]):
            return True
    return False


def _is_row_of_cells(row: Sequence[Fragment]) -> bool:
    """Several short texts, the first more than a list item's mark."""
    texts = [fragment.text for fragment in row]
    return (
        len(row) > 1
        and min(text_width(text) for text in texts) < _CELL_WIDTH
        and (len(row) > 2 or text_width(texts[0]) > _MARK_WIDTH)
        and not any("…" in text for text in texts)
    )


def _stand_in_line(rows: Sequence[Sequence[Fragment]]) -> bool:
    """Whether a cell beside the first has its left or right edge, or middle, in every row."""
    edges = (lambda box: box.left, lambda box: box.right, center_x)
    return any(
        all(any(abs(edge(f.box) - edge(first.box)) < _LINE_POINTS for f in row[1:]) for row in rows)
        for first in rows[0][1:]
        for edge in edges
    )


def _fill_cells(
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


def _write_markdown(rows: Sequence[Sequence[Cell]]) -> str:
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
