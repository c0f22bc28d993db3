"""Fragments side by side as rows, turned so that all text reads from left to right."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sandbox.documents.layout.text_layer import Fragment
from sandbox.records import Box

_ROW_INSET = 0.25


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """A fragment turned so that it reads from left to right."""

    fragment: Fragment
    left: float
    top: float
    right: float
    bottom: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """Fragments side by side on one baseline, from left to right."""

    members: tuple[Placed, ...]

    @property
    def left(self) -> float:
        """Where the row begins."""
        return min(member.left for member in self.members)

    @property
    def right(self) -> float:
        """Where the row ends."""
        return max(member.right for member in self.members)

    @property
    def top(self) -> float:
        """Upper edge."""
        return min(member.top for member in self.members)

    @property
    def bottom(self) -> float:
        """Lower edge."""
        return max(member.bottom for member in self.members)

    @property
    def size(self) -> float:
        """Font size of the longest fragment."""
        return max(self.members, key=lambda member: len(member.fragment.text)).fragment.size


Column = tuple[Row, ...]


def place(fragment: Fragment, direction: int, whole: Box) -> Placed:
    """A fragment of that direction, turned."""
    box = fragment.box
    turned = {
        90: (box.top, whole.right - box.right, box.bottom, whole.right - box.left),
        180: (
            whole.right - box.right,
            whole.bottom - box.bottom,
            whole.right - box.left,
            whole.bottom - box.top,
        ),
        270: (whole.bottom - box.bottom, box.left, whole.bottom - box.top, box.right),
    }
    left, top, right, bottom = turned.get(direction, (box.left, box.top, box.right, box.bottom))
    return Placed(fragment=fragment, left=left, top=top, right=right, bottom=bottom)


def rows_of(placed: Iterable[Placed]) -> list[Row]:
    """Group by baseline: what overlaps in the middle half of its height is one row."""
    rows: list[list[Placed]] = []
    end = float("-inf")
    for member in sorted(placed, key=_middle_top):
        if rows and _middle_top(member) < end:
            rows[-1].append(member)
            end = max(end, _middle_bottom(member))
        else:
            rows.append([member])
            end = _middle_bottom(member)
    return [Row(members=tuple(sorted(row, key=lambda member: member.left))) for row in rows]


def one_column(members: Sequence[Placed]) -> list[Column]:
    """All members read row by row; a row holds what stands on the baseline of its widest member."""
    rows: list[list[Placed]] = []
    for member in sorted(members, key=lambda m: m.left - m.right):
        row = next((row for row in rows if _on_one_line(row[0], member)), None)
        if row is None:
            rows.append([member])
        else:
            row.append(member)
    ordered = [Row(members=tuple(sorted(row, key=lambda m: m.left))) for row in rows]
    return [tuple(sorted(ordered, key=lambda row: row.top + row.bottom))] if ordered else []


def _on_one_line(first: Placed, second: Placed) -> bool:
    shared = min(first.bottom, second.bottom) - max(first.top, second.top)
    return shared > 0.5 * min(first.bottom - first.top, second.bottom - second.top) and not (
        min(first.right, second.right) - max(first.left, second.left)
        > 0.5 * min(first.right - first.left, second.right - second.left)
    )


def _middle_top(member: Placed) -> float:
    return member.top + _ROW_INSET * (member.bottom - member.top)


def _middle_bottom(member: Placed) -> float:
    return member.bottom - _ROW_INSET * (member.bottom - member.top)
