"""Tables of one page as Markdown, their text taken from what a reader can see.

Finding tables takes as long as reading ten pages, so it is done only where cells stand in line,
rules stand upright or a title announces a table. Pages read by OCR have no tables.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sandbox.documents.figures.drawings import drawing_marks
from sandbox.documents.geometry.boxes import (
    center_x,
    center_y,
    covered_share,
    distance,
    gap_x,
    gap_y,
    height,
    holds_center,
    intersection,
    union,
    width,
)
from sandbox.documents.geometry.characters import text_width
from sandbox.documents.layout.text_layer import Fragment
from sandbox.documents.tables.cells import Cell, markdown_of, words_of
from sandbox.records import Block, Box, Table

if TYPE_CHECKING:
    import pymupdf

TITLE = re.compile(
    r"^(Table|TABLE|Tab\.|Exhibit)\s?[A-Z]?[\dIVX]+|^(附?表|續表|续表)\s?[\d一二三四五六七八九十]+",
)
_MOST_CELL_WIDTH = 400
_LEAST_FILLED = 0.4
_LEADER_SHARE = 0.4
_FIGURE_SHARE = 0.3
_TITLE_REACH = 28.0
_TITLE_LINES = 3
_ALIGNED_ROWS = 3
_CELL_WIDTH = 25
_MARK_WIDTH = 4
_LINE_POINTS = 3.0
_RULE_POINTS = 10.0
_RULE_WIDTH = 100.0
_INSIDE_POINTS = 20.0
_MOST_RULES = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class TablesOnPage:
    """The tables of a page without their titles, and the regions whose text they hold."""

    tables: tuple[Table, ...] = ()
    covered: tuple[Box, ...] = ()


def find_tables(
    page: "pymupdf.Page", fragments: Sequence[Fragment], figures: Sequence[Box], number: int
) -> TablesOnPage:
    """Find the tables among the visible fragments outside figures.

    Grids of rules are found by their lines; for the others PyMuPDF's layout model is asked, which
    takes ten times as long.
    """
    rules = _rules(page, figures, number)
    found: list[Table] = []
    if has_grid(rules):
        found += _tables(page, fragments, figures, number, use_layout=False)
    rest = [f for f in fragments if not any(holds_center(table.box, f.box) for table in found)]
    free = [rule for rule in rules if not any(holds_center(table.box, rule) for table in found)]
    if has_aligned_cells(rest) or has_open_grid(free) or _is_announced(rest, free, found):
        others = _tables(page, rest, figures, number, use_layout=True)
        found += [
            other
            for other in others
            if not any(intersection(other.box, table.box).area > 0 for table in found)
        ]
    return TablesOnPage(tables=tuple(found), covered=tuple(table.box for table in found))


def _tables(
    page: "pymupdf.Page",
    fragments: Sequence[Fragment],
    figures: Sequence[Box],
    number: int,
    *,
    use_layout: bool,
) -> list[Table]:
    tables = []
    for region in page.find_tables(use_layout=use_layout).tables:
        box = _box(number, region.bbox)
        if any(covered_share(box, figure) > _FIGURE_SHARE for figure in figures):
            continue
        cells = [
            [_box(number, cell) if cell else None for cell in row.cells] for row in region.rows
        ]
        rows = words_of(page, number, cells, fragments)
        if _is_table(rows):
            tables.append(Table(box=box, markdown=markdown_of(rows)))
    return tables


def _box(number: int, rectangle: Sequence[float]) -> Box:
    """A rectangle of `find_tables`, which unlike others lies on the page as it is displayed."""
    left, top, right, bottom = rectangle
    return Box(page=number, left=left, top=top, right=right, bottom=bottom)


def with_titles(
    tables: Sequence[Table], blocks: Sequence[Block]
) -> tuple[tuple[Table, ...], tuple[Block, ...]]:
    """Tables with the titles printed above or below them, and the blocks without these."""
    from dataclasses import replace

    left = list(blocks)
    titled = []
    for table in tables:
        title = min(
            (block for block in left if _is_title_of(block, table)),
            key=lambda block: _distance(block, table),
            default=None,
        )
        if title is not None:
            left.remove(title)
            table = replace(table, title=" ".join(line.text for line in title.lines))
        titled.append(table)
    return tuple(titled), tuple(left)


def _is_announced(
    fragments: Sequence[Fragment], rules: Sequence[Box], found: Sequence[Table]
) -> bool:
    """Whether a title of none of the tables found stands right above a rule."""
    lying = [rule for rule in rules if width(rule) > _RULE_WIDTH]
    titles = [fragment.box for fragment in fragments if TITLE.match(fragment.text)]
    return any(
        all(distance(title, table.box) > _TITLE_REACH for table in found)
        and any(0 <= rule.top - title.bottom + 3 <= _TITLE_REACH for rule in lying)
        for title in titles
    )


def _rules(page: "pymupdf.Page", figures: Sequence[Box], number: int) -> list[Box]:
    return [
        mark.box
        for mark in drawing_marks(page, number)
        if mark.role == "rule" and not any(holds_center(figure, mark.box) for figure in figures)
    ]


def _is_table(rows: Sequence[Sequence[Cell]]) -> bool:
    """Whether cells are a table rather than a frame, a note in a box or columns of prose."""
    if len(rows) < 2 or min(len(row) for row in rows) < 2:
        return False
    texts = [cell.text for row in rows for cell in row if not cell.is_copy]
    filled = [text for text in texts if text]
    if len(filled) < 4 or len(filled) < _LEAST_FILLED * len(texts):
        return False
    if sum("…" in text for text in filled) > _LEADER_SHARE * len(rows):
        return False  # a table of contents
    return max(text_width(text) for text in filled) <= _MOST_CELL_WIDTH


def _is_title_of(block: Block, table: Table) -> bool:
    if not block.lines or len(block.lines) > _TITLE_LINES or not TITLE.match(block.lines[0].text):
        return False
    box = union([line.box for line in block.lines])
    return gap_x(box, table.box) < 0 and -10 < gap_y(box, table.box) <= _TITLE_REACH


def _distance(block: Block, table: Table) -> float:
    """Distance to the table; a title above is preferred to one below."""
    box = union([line.box for line in block.lines])
    below = box.top > table.box.top
    return gap_y(box, table.box) + (_TITLE_REACH if below else 0.0)


def has_grid(rules: Sequence[Box]) -> bool:
    """Whether three upright rules stand side by side: a box around a text has only two."""
    upright = [rule for rule in rules if height(rule) > _RULE_POINTS][:_MOST_RULES]
    return any(
        len({round(other.left) for other in upright if gap_y(first, other) < 0}) >= 3
        for first in upright
    )


def has_open_grid(rules: Sequence[Box]) -> bool:
    """Whether an upright rule meets a lying one between its ends: a table open at the sides."""
    upright = [rule for rule in rules if height(rule) > _RULE_POINTS][:_MOST_RULES]
    lying = [rule for rule in rules if width(rule) > _RULE_WIDTH][:_MOST_RULES]
    return any(
        rule.left + _INSIDE_POINTS < first.left < rule.right - _INSIDE_POINTS
        and min(abs(first.top - rule.top), abs(first.bottom - rule.bottom)) < _LINE_POINTS
        for first in upright
        for rule in lying
    )


def has_aligned_cells(fragments: Sequence[Fragment]) -> bool:
    """Whether several rows one below the other hold short texts that stand in line."""
    rows: list[list[Fragment]] = []
    for fragment in sorted(fragments, key=lambda f: center_y(f.box)):
        if rows and gap_y(rows[-1][0].box, fragment.box) < -0.5 * height(fragment.box):
            rows[-1].append(fragment)
        else:
            rows.append([fragment])
    run: list[list[Fragment]] = []
    for row in rows:
        run = [*run, row] if _is_row_of_cells(row) else []
        if len(run) >= _ALIGNED_ROWS and _stand_in_line(run[-_ALIGNED_ROWS:]):
            return True
    return False


def _is_row_of_cells(row: Sequence[Fragment]) -> bool:
    """Several short texts, the first more than a list item's mark."""
    first = min(row, key=lambda fragment: fragment.box.left)
    texts = [fragment.text for fragment in row]
    return (
        len(row) > 1
        and min(text_width(text) for text in texts) < _CELL_WIDTH
        and (len(row) > 2 or text_width(first.text) > _MARK_WIDTH)
        and not any("…" in text for text in texts)
    )


def _stand_in_line(rows: Sequence[Sequence[Fragment]]) -> bool:
    """Whether a cell beside the first has its left or right edge, or middle, in every row."""
    beside = [sorted(row, key=lambda fragment: fragment.box.left)[1:] for row in rows]
    return any(
        all(any(abs(edge(f.box) - edge(first.box)) < _LINE_POINTS for f in row) for row in beside)
        for first in beside[0]
        for edge in (_left, _right, center_x)
    )


def _left(box: Box) -> float:
    return box.left


def _right(box: Box) -> float:
    return box.right
