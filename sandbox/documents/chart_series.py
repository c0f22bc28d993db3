"""The series of a chart with printed values, recovered from where its labels stand.

Categories stand in one row below the bars or points, each value above its category; or categories
stand in one column, each value in its row. Pairing is by geometry alone, so no number can come from
anywhere but the page. Where labels and values do not pair off without a remainder, nothing is
given: a missing series is better than a wrong one.
"""

import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sandbox.documents.boxes import center_x, center_y, gap_y, height, union, width
from sandbox.documents.printed_values import read_number, split_numbers
from sandbox.records import Box, Line

MOST_SERIES = 6
_MOST_MISSING = 0.2
_UNEVEN = 2.5
"""Categories stand at even distances; one may be missing between two, but not more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Category:
    """One category of a chart with the values printed for it."""

    label: str
    values: tuple[Line, ...]
    """From left to right (from top to bottom beside horizontal bars); empty if none was read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """The categories of a chart, in their order on the page."""

    categories: tuple[Category, ...]
    side_by_side: bool
    """Whether several values of a category stand side by side, in the same order everywhere."""

    @property
    def series_count(self) -> int:
        """Values that each category has."""
        return max(len(category.values) for category in self.categories)

    @property
    def is_complete(self) -> bool:
        """Whether every category has all its values, so that extremes can be told."""
        return all(len(category.values) == self.series_count for category in self.categories)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Axis:
    """The direction in which categories follow each other."""

    along: Callable[[Box], float]
    away: Callable[[Box], float]
    """Grows with the distance from the category labels, on the side of the values."""

    thickness: Callable[[Box], float]


_UPRIGHT = _Axis(along=center_x, away=lambda box: -center_y(box), thickness=height)
_LEVEL = _Axis(along=center_y, away=center_x, thickness=height)


def recover_chart(labels: Sequence[Line]) -> Chart | None:
    """The categories and values printed in a chart, or None where the pairing is not certain.

    Args:
        labels: Labels and values of the chart with their places, in any unit.
    """
    pieces = [piece for label in labels for piece in split_numbers(label)]
    charts = [_pair(row, pieces, _UPRIGHT) for row in _rows(pieces)]
    charts += [_pair(column, pieces, _LEVEL) for column in _columns(pieces)]
    found = [chart for chart in charts if chart]
    return max(
        found, key=lambda chart: sum(len(one.values) for one in chart.categories), default=None
    )


def _rows(pieces: Sequence[Line]) -> list[list[Line]]:
    """Labels on one baseline, or hanging from one height where they are turned."""
    rows = _aligned(pieces, center_y)
    turned = [piece for piece in pieces if height(piece.box) > 1.5 * _line_height(pieces)]
    return rows + _aligned(turned, lambda box: box.top) + _aligned(turned, lambda box: box.bottom)


def _columns(pieces: Sequence[Line]) -> list[list[Line]]:
    """Labels flush right, flush left or centered, wrapped ones joined."""
    columns = []
    for edge in (lambda box: box.right, lambda box: box.left, center_x):
        columns += [_unwrapped(column) for column in _aligned(pieces, edge)]
    return [column for column in columns if len(column) >= 2]


def _aligned(pieces: Sequence[Line], place: Callable[[Box], float]) -> list[list[Line]]:
    """Groups of two or more pieces at the same place, within half the height of a letter."""
    tolerance = 0.5 * _line_height(pieces)
    groups: list[list[Line]] = []
    for piece in sorted(pieces, key=lambda piece: place(piece.box)):
        if groups and place(piece.box) - place(groups[-1][0].box) <= tolerance:
            groups[-1].append(piece)
        else:
            groups.append([piece])
    return [group for group in groups if len(group) >= 2]


def _line_height(pieces: Sequence[Line]) -> float:
    return statistics.median(min(height(p.box), width(p.box)) for p in pieces) if pieces else 0.0


def _unwrapped(column: Sequence[Line]) -> list[Line]:
    """Join the lines of a label that takes several."""
    joined: list[Line] = []
    for piece in sorted(column, key=lambda piece: piece.box.top):
        above = joined[-1] if joined else None
        if (
            above
            and gap_y(above.box, piece.box) < 0.35 * height(piece.box)
            and read_number(piece.text) is None
            and read_number(above.text) is None
        ):
            space = " " if piece.text[:1].isascii() else ""
            joined[-1] = Line(
                text=above.text + space + piece.text, box=union([above.box, piece.box])
            )
        else:
            joined.append(piece)
    return joined


def _pair(labels: Sequence[Line], pieces: Sequence[Line], axis: _Axis) -> Chart | None:
    """Give every value to its category; None if that is not possible without a remainder."""
    ordered = _without_strangers(sorted(labels, key=lambda label: axis.along(label.box)), axis)
    if len(ordered) < 2 or len({label.text for label in ordered}) < len(ordered):
        return None
    places = [axis.along(label.box) for label in ordered]
    steps = [after - before for before, after in zip(places, places[1:], strict=False)]
    spacing = min(steps)
    if spacing < 0.5 * _line_height(ordered) or max(steps) > _UNEVEN * spacing:
        return None
    others = [
        piece
        for piece in pieces
        if not any(_covers(label.box, piece.box) for label in labels)
        and read_number(piece.text) is not None
    ]
    others = _without_ticks(others)
    if _has_row_behind(ordered, pieces, spacing, axis):
        return None
    values: list[list[Line]] = [[] for _ in ordered]
    for other in others:
        place = axis.along(other.box)
        nearest = min(range(len(places)), key=lambda index: abs(places[index] - place))
        if axis.away(other.box) <= axis.away(ordered[nearest].box):
            continue
        if abs(places[nearest] - place) <= 0.5 * spacing:
            values[nearest].append(other)
        elif places[0] < place < places[-1]:
            return None
    return _chart(ordered, values, spacing, axis)


def _chart(
    labels: Sequence[Line], values: Sequence[Sequence[Line]], spacing: float, axis: _Axis
) -> Chart | None:
    counts = [len(found) for found in values]
    most, missing = max(counts), counts.count(0)
    if most == 0 or most > MOST_SERIES or any(0 < count < most for count in counts):
        return None
    if missing > _MOST_MISSING * len(labels) or (most > 1 and missing):
        return None
    if most == 1 and not _is_centered(labels, values, spacing, axis):
        return None
    ordered = [sorted(found, key=lambda value: axis.along(value.box)) for found in values]
    side_by_side = most == 1 or _keeps_order(labels, ordered, axis)
    if not side_by_side:
        ordered = [sorted(found, key=lambda value: axis.away(value.box)) for found in values]
    return Chart(
        categories=tuple(
            Category(label=label.text.strip(), values=tuple(found))
            for label, found in zip(labels, ordered, strict=True)
        ),
        side_by_side=side_by_side,
    )


def _is_centered(
    labels: Sequence[Line], values: Sequence[Sequence[Line]], spacing: float, axis: _Axis
) -> bool:
    """Single values stand over their labels, or all shifted alike (labels that are turned)."""
    offsets = [
        axis.along(found[0].box) - axis.along(label.box)
        for label, found in zip(labels, values, strict=True)
        if found
    ]
    return max(offsets) - min(offsets) <= 0.5 * spacing


def _keeps_order(labels: Sequence[Line], values: Sequence[Sequence[Line]], axis: _Axis) -> bool:
    """Whether the values of each category stand side by side at the same distances."""
    offsets = [
        [axis.along(value.box) - axis.along(label.box) for value in found]
        for label, found in zip(labels, values, strict=True)
    ]
    places = list(zip(*offsets, strict=True))
    return all(max(before) < min(after) for before, after in zip(places, places[1:], strict=False))


def _without_strangers(labels: Sequence[Line], axis: _Axis) -> list[Line]:
    """Drop the axis's name or a tick that stands in line with the categories, at either end."""
    kept = list(labels)
    for end in (0, -1):
        if len(kept) < 3:
            break
        rest = kept[1:] if end == 0 else kept[:-1]
        kinds = {read_number(label.text) is None for label in rest}
        is_other_kind = len(kinds) == 1 and (read_number(kept[end].text) is None) not in kinds
        if is_other_kind or _is_out_of_step(kept, rest, end, axis):
            kept = rest
    return kept


def _is_out_of_step(labels: Sequence[Line], rest: Sequence[Line], end: int, axis: _Axis) -> bool:
    if len(rest) < 3:
        return False
    places = [axis.along(label.box) for label in rest]
    steps = [after - before for before, after in zip(places, places[1:], strict=False)]
    even = max(steps) < 1.15 * min(steps)
    step = abs(axis.along(labels[end].box) - axis.along(rest[end].box))
    return even and not 0.85 * min(steps) < step < 1.15 * max(steps)


def _covers(outer: Box, inner: Box) -> bool:
    return (
        outer.left <= center_x(inner) <= outer.right
        and outer.top <= center_y(inner) <= outer.bottom
    )


def _has_row_behind(
    labels: Sequence[Line], pieces: Sequence[Line], spacing: float, axis: _Axis
) -> bool:
    """Whether most labels have something behind them: then they are values, not categories."""
    behind = sum(
        any(
            abs(axis.along(piece.box) - axis.along(label.box)) < 0.2 * spacing
            and axis.away(piece.box) < axis.away(label.box) - 0.8 * axis.thickness(label.box)
            for piece in pieces
        )
        for label in labels
    )
    return behind > 0.6 * len(labels)


def _without_ticks(numbers: Sequence[Line]) -> list[Line]:
    """Leave out the numbers of an axis: in line, and their values grow evenly with the place."""
    ticks: list[Line] = []
    for edge, place in (
        (lambda box: box.right, center_y),
        (lambda box: box.left, center_y),
        (center_y, center_x),
    ):
        for group in _aligned(numbers, edge):
            if len(group) >= 3 and _grows_evenly(group, place):
                ticks += group
    return [number for number in numbers if number not in ticks]


def _grows_evenly(group: Sequence[Line], place: Callable[[Box], float]) -> bool:
    points = sorted((place(line.box), read_number(line.text) or 0.0) for line in group)
    (start, low), (end, high) = points[0], points[-1]
    if start == end or low == high:
        return False
    slope = (high - low) / (end - start)
    return all(
        abs(low + slope * (where - start) - number) <= 0.04 * abs(high - low)
        for where, number in points
    )
