"""The order in which a reader takes in the fragments of a page: columns, then rows.

A page may change its layout: a run of rows that share an empty gutter is read column by column, and
a line that crosses the gutter ends the run. What a fragment says is not looked at, except that
columns of short cells are a table and are read row by row. Turned text is turned back first.
"""

import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sandbox.documents.geometry.characters import text_width
from sandbox.documents.layout.text_layer import Fragment
from sandbox.records import Box

_GUTTER_SHARE = 0.8
"""Narrowest gutter between columns, as a share of the font size."""

_SHORT_GUTTER_SHARE = 1.6
_SMALLEST_ROWS = 2
_CAPTION_ROWS = 3
"""In so few rows, such as captions side by side, one column may be a single row."""

_SMALLEST_WIDTH = 12
"""Columns whose rows hold fewer Latin characters than this are cells or marks, not prose."""

_FILLED_SHARE = 0.5
_DEEPEST = 3
Interval = tuple[float, float]
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


@dataclass(slots=True, kw_only=True)
class _Band:
    """A run of rows, and the vertical gutters that are empty in all of them."""

    rows: list[Row]
    gutters: list[Interval]


Column = tuple[Row, ...]


def read_columns(fragments: Sequence[Fragment], whole: Box) -> tuple[Column, ...]:
    """Columns in reading order, each a run of rows; text turned another way comes last."""
    directions: dict[int, list[Fragment]] = {}
    for fragment in fragments:
        directions.setdefault(fragment.direction, []).append(fragment)
    by_weight = sorted(directions.items(), key=lambda item: -sum(len(f.text) for f in item[1]))
    return tuple(
        column
        for direction, members in by_weight
        for column in _split([place(f, direction, whole) for f in members], 0)
    )


def _split(placed: Sequence[Placed], depth: int) -> list[Column]:
    """Columns of a region, found band by band."""
    rows = rows_of(placed)
    if depth >= _DEEPEST or not rows:
        return one_column(placed)
    size = statistics.median(member.fragment.size for member in placed)
    columns: list[Column] = []
    single: list[Placed] = []
    for band in _bands(rows, _GUTTER_SHARE * size):
        cuts = _cuts(band, size)
        lead, members = _without_lead(band.rows, cuts)
        single += lead
        parts = _prose_columns(members, cuts)
        if len(parts) == 1:
            single += members
            continue
        columns += one_column(single)
        single = []
        columns += [column for part in parts for column in _split(part, depth + 1)]
    return columns + one_column(single)


def _cuts(band: "_Band", size: float) -> list[float]:
    """Middles of the gutters; in a few lines, a wide blank between two sentences is none."""
    is_short = sum(len(row.members) for row in band.rows) <= 2 * _CAPTION_ROWS
    narrowest = (_SHORT_GUTTER_SHARE if is_short else _GUTTER_SHARE) * size
    return sorted((start + end) / 2 for start, end in band.gutters if end - start >= narrowest)


def _bands(rows: Sequence[Row], narrowest: float) -> list[_Band]:
    left = min(row.left for row in rows)
    right = max(row.right for row in rows)
    bands: list[_Band] = []
    for row in rows:
        gaps = _gaps(row, left, right, narrowest)
        common = _common(bands[-1].gutters, gaps, narrowest) if bands else []
        if bands and _belongs(bands[-1], row, gaps, common):
            bands[-1].rows.append(row)
            bands[-1].gutters = common
        else:
            bands.append(_Band(rows=[row], gutters=gaps))
    return bands


def _belongs(band: _Band, row: Row, gaps: Sequence[Interval], common: Sequence[Interval]) -> bool:
    """Whether a row shares a gutter between columns with the band, or neither has one."""
    if not _between(band.gutters, band.rows) and not _between(gaps, [row]):
        return True
    return bool(_between(common, [*band.rows, row]))


def _between(gaps: Sequence[Interval], rows: Sequence[Row]) -> list[Interval]:
    """The gaps that have text on both sides."""
    left, right = min(row.left for row in rows), max(row.right for row in rows)
    return [(start, end) for start, end in gaps if left < start and end < right]


def _gaps(row: Row, left: float, right: float, narrowest: float) -> list[Interval]:
    """Stretches of the region's width that a row leaves empty, its outer margins included."""
    gaps, position = [], left
    for member in row.members:
        if member.left - position >= narrowest:
            gaps.append((position, member.left))
        position = max(position, member.right)
    if right - position >= narrowest:
        gaps.append((position, right))
    return gaps


def _common(
    first: Sequence[Interval], second: Sequence[Interval], narrowest: float
) -> list[Interval]:
    shared = [
        (max(a_start, b_start), min(a_end, b_end))
        for a_start, a_end in first
        for b_start, b_end in second
    ]
    return [(start, end) for start, end in shared if end - start >= narrowest]


def _without_lead(rows: Sequence[Row], cuts: Sequence[float]) -> tuple[list[Placed], list[Placed]]:
    """Rows of the first column above the first row that has a second; then all the others."""
    members = [member for row in rows for member in row.members]
    first = min(_column_of(member, cuts) for member in members)
    beyond = [any(_column_of(m, cuts) > first for m in row.members) for row in rows]
    count = beyond.index(True) if True in beyond else 0
    lead = [member for row in rows[:count] for member in row.members]
    return lead, members[len(lead) :]


def _column_of(member: Placed, cuts: Sequence[float]) -> int:
    return sum(cut < (member.left + member.right) / 2 for cut in cuts)


def _prose_columns(members: Sequence[Placed], cuts: Sequence[float]) -> list[list[Placed]]:
    """The members cut at the middles of gutters, if every part looks like running text."""
    parts: list[list[Placed]] = [[] for _ in range(len(cuts) + 1)]
    for member in members:
        parts[_column_of(member, cuts)].append(member)
    parts = [part for part in parts if part]
    fewest = _SMALLEST_ROWS if len(rows_of(members)) > _CAPTION_ROWS else 1
    return parts if all(_is_prose(part, fewest) for part in parts) else [list(members)]


def _is_prose(part: Sequence[Placed], fewest_rows: int) -> bool:
    rows = rows_of(part)
    if len(rows) < fewest_rows:
        return False
    extent = max(row.right for row in rows) - min(row.left for row in rows)
    filled = statistics.median(row.right - row.left for row in rows) / max(extent, 1.0)
    weights = [sum(text_width(m.fragment.text) for m in row.members) for row in rows]
    return filled >= _FILLED_SHARE and statistics.median(weights) >= _SMALLEST_WIDTH


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
