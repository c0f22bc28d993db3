"""Cheap signs that a page holds a table: cells that stand in line, rules that form a grid."""

from collections.abc import Sequence

from sandbox.documents.geometry.boxes import center_x, center_y, gap_y, height, width
from sandbox.documents.geometry.characters import text_width
from sandbox.documents.layout.text_layer import Fragment
from sandbox.records import Box

_ALIGNED_ROWS = 3
_CELL_WIDTH = 25
_MARK_WIDTH = 4
_LINE_POINTS = 3.0
_RULE_POINTS = 10.0
_RULE_WIDTH = 100.0
_INSIDE_POINTS = 20.0
_MOST_RULES = 200


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
