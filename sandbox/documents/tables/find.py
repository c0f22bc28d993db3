"""Tables of one page as Markdown, their text taken from what a reader can see.

Finding tables takes as long as reading ten pages, so it is done only where cells stand in line,
rules stand upright or a title announces a table. Pages read by OCR have no tables.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from sandbox.documents.figures.drawings import read_marks
from sandbox.documents.geometry.boxes import (
    center_x,
    covered_share,
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
from sandbox.documents.geometry.characters import text_width
from sandbox.documents.layout.text_layer import Fragment
from sandbox.documents.tables.cells import Cell, fill_cells, write_markdown
from sandbox.records import Block, Box, Table

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
        rows = fill_cells(page, number, cells, fragments)
        if _is_table(rows):
            tables.append(Table(box=box, markdown=write_markdown(rows)))
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
