"""Tables of one page as Markdown, their text taken from what a reader can see.

Finding tables takes as long as reading ten pages, so it is done only where cells stand in line,
rules stand upright or a title announces a table. Leaves out tables on pages read by OCR.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sandbox.documents.boxes import covered_share, gap_x, gap_y, height, holds_center, union
from sandbox.documents.characters import text_width
from sandbox.documents.figure_drawings import drawing_marks
from sandbox.documents.printed_lines import displayed
from sandbox.documents.table_cells import Cell, markdown_of, words_of
from sandbox.documents.text_layer import Fragment
from sandbox.records import Block, Box, Table

if TYPE_CHECKING:
    import pymupdf

TITLE = re.compile(
    r"^(Table|TABLE|Tab\.|Exhibit)\s?[A-Z]?[\dIVX]+|^(附?表|續表|续表)\s?[\d一二三四五六七八九十]+",
)
_ALIGNED_ROWS = 3
_CELL_WIDTH = 25
_MOST_CELL_WIDTH = 400
_LEAST_FILLED = 0.4
_LEADER_SHARE = 0.4
_FIGURE_SHARE = 0.3
_TITLE_REACH = 28.0
_TITLE_LINES = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class TablesOnPage:
    """The tables of a page without their titles, and the regions whose text they hold."""

    tables: tuple[Table, ...] = ()
    covered: tuple[Box, ...] = ()


def find_tables(
    page: "pymupdf.Page", fragments: Sequence[Fragment], figures: Sequence[Box], number: int
) -> TablesOnPage:
    """Find the tables among the visible fragments outside figures."""
    if not _may_hold_table(page, fragments, figures, number):
        return TablesOnPage()
    found = []
    for region in page.find_tables().tables:
        box = displayed(page, number, region.bbox)
        if any(covered_share(box, figure) > _FIGURE_SHARE for figure in figures):
            continue
        cells = [
            [displayed(page, number, cell) if cell else None for cell in row.cells]
            for row in region.rows
        ]
        rows = words_of(page, number, cells, fragments)
        if _is_table(rows):
            found.append(Table(box=box, markdown=markdown_of(rows)))
    return TablesOnPage(tables=tuple(found), covered=tuple(table.box for table in found))


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


def _may_hold_table(
    page: "pymupdf.Page", fragments: Sequence[Fragment], figures: Sequence[Box], number: int
) -> bool:
    if sum(bool(TITLE.match(fragment.text)) for fragment in fragments):
        return True
    return _has_aligned_cells(fragments) or _has_upright_rules(page, figures, number)


def _has_aligned_cells(fragments: Sequence[Fragment]) -> bool:
    """Whether several rows hold short pieces of text side by side."""
    from sandbox.documents.boxes import center_y

    rows: list[list[Fragment]] = []
    for fragment in sorted(fragments, key=lambda f: center_y(f.box)):
        if rows and gap_y(rows[-1][0].box, fragment.box) < -0.5 * height(fragment.box):
            rows[-1].append(fragment)
        else:
            rows.append([fragment])
    cells = [
        len(row) > 1 and min(text_width(fragment.text) for fragment in row) < _CELL_WIDTH
        for row in rows
    ]
    runs = "".join("x" if is_row else " " for is_row in cells).split()
    return any(len(run) >= _ALIGNED_ROWS for run in runs)


def _has_upright_rules(page: "pymupdf.Page", figures: Sequence[Box], number: int) -> bool:
    upright = [
        mark.box
        for mark in drawing_marks(page, number)
        if mark.role == "rule"
        and height(mark.box) > 10
        and not any(holds_center(figure, mark.box) for figure in figures)
    ]
    return len(upright) >= 3


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
