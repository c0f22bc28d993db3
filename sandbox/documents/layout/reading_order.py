"""The order in which a reader takes in the fragments of a page: columns, then rows.

A page may change its layout: a run of rows that share an empty gutter is read column by column, and
a line that crosses the gutter ends the run. What a fragment says is not looked at, except that
columns of short cells are a table and are read row by row. Turned text is turned back first.
"""

import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from sandbox.documents.geometry.boxes import (
    center_x,
    center_y,
    gap_x,
    gap_y,
    group_rows,
    height,
    union,
    width,
)
from sandbox.documents.geometry.characters import text_width
from sandbox.documents.layout.text_layer import Fragment
from sandbox.records import Box

# Widths of gutters are shares of the font size.
_GUTTER = 0.8  # the blank between two words of justified text stays below this
_SHORT_GUTTER = 1.6  # in a few lines a wide blank is more likely to stand between two sentences
_SHORT_FRAGMENTS = 6  # regions with at most this many fragments count as a few lines

_CAPTION_ROWS = 3  # in so few rows, such as captions side by side, a column may be a single row
_LEAST_ROWS = 2  # rows of a column elsewhere
_LEAST_CHARACTERS = 12  # Latin characters; columns of shorter rows are cells or marks, not prose
_FILLED = 0.5  # share of a column's width that its usual row fills; ragged lists stay below
_DEEPEST = 3  # columns within columns within columns; deeper nesting is noise

Interval = tuple[float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """A fragment turned so that it reads from left to right."""

    fragment: Fragment
    box: Box
    """Where it stands on the turned page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """Fragments side by side on one baseline, from left to right."""

    members: tuple[Placed, ...]
    box: Box

    @property
    def size(self) -> float:
        """Font size of the longest fragment."""
        return max(self.members, key=lambda member: len(member.fragment.text)).fragment.size


Column = tuple[Row, ...]


@dataclass(slots=True, kw_only=True)
class _Band:
    """A run of rows, and the vertical gutters that are empty in all of them."""

    rows: list[Row]
    gutters: list[Interval]


def read_columns(fragments: Sequence[Fragment], whole: Box) -> tuple[Column, ...]:
    """Columns in reading order, each a run of rows; text turned another way comes last."""
    by_direction: dict[int, list[Fragment]] = {}
    for fragment in fragments:
        by_direction.setdefault(fragment.direction, []).append(fragment)
    groups = sorted(by_direction.values(), key=lambda group: -sum(len(f.text) for f in group))
    return tuple(
        column
        for group in groups
        for column in _split([_turn(fragment, whole) for fragment in group], 0)
    )


def _turn(fragment: Fragment, whole: Box) -> Placed:
    """The fragment where it stands on a page turned so that it reads from left to right."""
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
    upright = (box.left, box.top, box.right, box.bottom)
    left, top, right, bottom = turned.get(fragment.direction, upright)
    return Placed(
        fragment=fragment,
        box=Box(page=box.page, left=left, top=top, right=right, bottom=bottom),
    )


def _split(placed: Sequence[Placed], depth: int) -> list[Column]:
    """Columns of a region, found band by band."""
    rows = _rows(placed)
    if depth >= _DEEPEST or not rows:
        return _single_column(placed)
    size = statistics.median(member.fragment.size for member in placed)
    columns: list[Column] = []
    single: list[Placed] = []
    for band in _bands(rows, _GUTTER * size):
        cuts = _cuts(band, size)
        lead, members = _without_lead(band.rows, cuts)
        single += lead
        parts = _prose_columns(members, cuts)
        if len(parts) == 1:
            single += members
            continue
        columns += _single_column(single)
        single = []
        columns += [column for part in parts for column in _split(part, depth + 1)]
    return columns + _single_column(single)


def _rows(placed: Sequence[Placed]) -> list[Row]:
    return [_row(members) for members in group_rows(placed, lambda member: member.box)]


def _row(members: Sequence[Placed]) -> Row:
    ordered = sorted(members, key=lambda member: member.box.left)
    return Row(members=tuple(ordered), box=union(member.box for member in ordered))


def _single_column(members: Sequence[Placed]) -> list[Column]:
    """All members read row by row; a row holds what stands on the baseline of its widest member."""
    rows: list[list[Placed]] = []
    for member in sorted(members, key=lambda member: -width(member.box)):
        row = next((row for row in rows if _on_one_line(row[0].box, member.box)), None)
        if row is None:
            rows.append([member])
        else:
            row.append(member)
    ordered = sorted((_row(row) for row in rows), key=lambda row: center_y(row.box))
    return [tuple(ordered)] if ordered else []


def _on_one_line(first: Box, second: Box) -> bool:
    """Whether boxes share half of a height, and do not lie over each other."""
    level = -gap_y(first, second) > 0.5 * min(height(first), height(second))
    return level and not -gap_x(first, second) > 0.5 * min(width(first), width(second))


def _cuts(band: _Band, size: float) -> list[float]:
    """Middles of the gutters."""
    is_short = sum(len(row.members) for row in band.rows) <= _SHORT_FRAGMENTS
    narrowest = (_SHORT_GUTTER if is_short else _GUTTER) * size
    return sorted((start + end) / 2 for start, end in band.gutters if end - start >= narrowest)


def _bands(rows: Sequence[Row], narrowest: float) -> list[_Band]:
    region = union(row.box for row in rows)
    bands: list[_Band] = []
    for row in rows:
        gaps = _gaps(row, region, narrowest)
        common = _common(bands[-1].gutters, gaps, narrowest) if bands else []
        if bands and _belongs(bands[-1], row, gaps, common):
            bands[-1].rows.append(row)
            bands[-1].gutters = common
        else:
            bands.append(_Band(rows=[row], gutters=gaps))
    return bands


def _belongs(band: _Band, row: Row, gaps: Sequence[Interval], common: Sequence[Interval]) -> bool:
    """Whether a row shares a gutter between columns with the band, or neither has one.

    The gutter must be the band's, if it has one: the blank before a footer's page number is none.
    """
    has_columns = bool(_between(band.gutters, band.rows))
    if not has_columns and not _between(gaps, [row]):
        return True
    return bool(_between(common, band.rows if has_columns else [row]))


def _between(gaps: Sequence[Interval], rows: Sequence[Row]) -> list[Interval]:
    """The gaps that have text on both sides."""
    left, right = min(row.box.left for row in rows), max(row.box.right for row in rows)
    return [(start, end) for start, end in gaps if left < start and end < right]


def _gaps(row: Row, region: Box, narrowest: float) -> list[Interval]:
    """Stretches of the region's width that a row leaves empty, its outer margins included."""
    gaps, position = [], region.left
    for member in row.members:
        if member.box.left - position >= narrowest:
            gaps.append((position, member.box.left))
        position = max(position, member.box.right)
    if region.right - position >= narrowest:
        gaps.append((position, region.right))
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
    return sum(cut < center_x(member.box) for cut in cuts)


def _prose_columns(members: Sequence[Placed], cuts: Sequence[float]) -> list[list[Placed]]:
    """The members cut at the middles of gutters, if every part looks like running text."""
    parts: list[list[Placed]] = [[] for _ in range(len(cuts) + 1)]
    for member in members:
        parts[_column_of(member, cuts)].append(member)
    parts = [part for part in parts if part]
    fewest = _LEAST_ROWS if len(_rows(members)) > _CAPTION_ROWS else 1
    return parts if all(_is_prose(part, fewest) for part in parts) else [list(members)]


def _is_prose(part: Sequence[Placed], fewest_rows: int) -> bool:
    rows = _rows(part)
    if len(rows) < fewest_rows:
        return False
    extent = width(union(row.box for row in rows))
    filled = statistics.median(width(row.box) for row in rows) / max(extent, 1.0)
    characters = [sum(text_width(m.fragment.text) for m in row.members) for row in rows]
    return filled >= _FILLED and statistics.median(characters) >= _LEAST_CHARACTERS
