"""The series of a chart with printed values, recovered from where its labels stand.

Categories stand in one row below the bars or points, each value above its category; or categories
stand in one column, each value in its row. Pairing is by geometry alone, so no number can come from
anywhere but the page. Where labels and values do not pair off without a remainder, nothing is
given: a missing series is better than a wrong one. The value of a bar or point is printed at a
height that grows evenly with it, so one that OCR read as 14 but that stands where 141 belongs is
taken back.
"""

import statistics
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from sandbox.documents.charts.printed_values import read_number, split_numbers
from sandbox.documents.charts.rows import (
    LEVEL,
    UPRIGHT,
    Axis,
    columns,
    line_height,
    rows,
    without_strangers,
    without_ticks,
)
from sandbox.documents.geometry.boxes import center_x, center_y, height
from sandbox.records import Box, Line

MOST_SERIES = 6
_MOST_MISSING = 0.2
_OFF_CENTER = 0.3
_UNEVEN = 2.5
"""Categories stand at even distances; one may be missing between two, but not more."""

_FEWEST_POINTS = 5
_MOST_OUTLIERS = 0.25
_FAR_OFF = 0.25
"""Distance from the expected place, as a share of the distance from the lowest to the highest."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Category:
    """One category of a chart with the values printed for it."""

    label: str
    values: tuple[Line, ...]
    """From left to right, or from top to bottom; empty if none was read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """The categories of a chart, in their order on the page."""

    categories: tuple[Category, ...]
    upright: bool
    """Whether categories follow each other across the page, values above them."""

    side_by_side: bool
    """Whether several values of a category stand side by side, in the same order everywhere."""

    @property
    def series_count(self) -> int:
        """Values that each category has."""
        return max(len(category.values) for category in self.categories)


def recover_chart(labels: Sequence[Line]) -> Chart | None:
    """The categories and values printed in a chart, or None where the pairing is not certain.

    Args:
        labels: Labels and values of the chart with their places, in any unit.
    """
    pieces = [piece for label in labels for piece in split_numbers(label)]
    charts = [_pair(row, pieces, UPRIGHT) for row in rows(pieces)]
    charts += [_pair(column, pieces, LEVEL) for column in columns(pieces)]
    return max((chart for chart in charts if chart), key=_explained, default=None)


def _explained(chart: Chart) -> int:
    """How many values find a category; words count double, because numbers may be ticks."""
    in_words = any(read_number(category.label) is None for category in chart.categories)
    return sum(len(category.values) for category in chart.categories) * (2 if in_words else 1)


def _pair(labels: Sequence[Line], pieces: Sequence[Line], axis: Axis) -> Chart | None:
    """Give every value to its category; None if that is not possible without a remainder."""
    ordered = without_strangers(sorted(labels, key=lambda label: axis.along(label.box)), axis)
    if len(ordered) < 2 or len({label.text for label in ordered}) < len(ordered):
        return None
    places = [axis.along(label.box) for label in ordered]
    steps = [after - before for before, after in zip(places, places[1:], strict=False)]
    spacing = min(steps)
    if spacing < 0.5 * line_height(ordered) or max(steps) > _UNEVEN * spacing:
        return None
    others = [
        piece
        for piece in pieces
        if not any(_covers(label.box, piece.box) for label in labels)
        and read_number(piece.text) is not None
    ]
    others = without_ticks(others, axis)
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
    labels: Sequence[Line], values: Sequence[Sequence[Line]], spacing: float, axis: Axis
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
        ordered = [sorted(found, key=lambda value: value.box.top) for found in values]
    return Chart(
        categories=tuple(
            Category(label=label.text.strip(), values=tuple(found))
            for label, found in zip(labels, ordered, strict=True)
        ),
        upright=axis is UPRIGHT,
        side_by_side=side_by_side,
    )


def _is_centered(
    labels: Sequence[Line], values: Sequence[Sequence[Line]], spacing: float, axis: Axis
) -> bool:
    """Single values stand over their labels, or all shifted alike (labels that are turned)."""
    offsets = [
        axis.along(found[0].box) - axis.along(label.box)
        for label, found in zip(labels, values, strict=True)
        if found
    ]
    return max(offsets) - min(offsets) <= _OFF_CENTER * spacing


def _keeps_order(labels: Sequence[Line], values: Sequence[Sequence[Line]], axis: Axis) -> bool:
    """Whether the values of each category stand side by side at the same distances."""
    offsets = [
        [axis.along(value.box) - axis.along(label.box) for value in found]
        for label, found in zip(labels, values, strict=True)
    ]
    places = list(zip(*offsets, strict=True))
    apart = 0.5 * line_height(labels)
    return all(
        max(before) + apart < min(after) for before, after in zip(places, places[1:], strict=False)
    )


def _covers(outer: Box, inner: Box) -> bool:
    return (
        outer.left <= center_x(inner) <= outer.right
        and outer.top <= center_y(inner) <= outer.bottom
    )


def _has_row_behind(
    labels: Sequence[Line], pieces: Sequence[Line], spacing: float, axis: Axis
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


def without_misread(chart: Chart) -> Chart:
    """The chart without values that stand far from where their size belongs.

    Unchanged where places say nothing: several series, few points, values on one height, or a scale
    that is not even.
    """
    if chart.series_count != 1:
        return chart
    points = {
        category.label: (number, _place(chart, category))
        for category in chart.categories
        if category.values and (number := read_number(category.values[0].text)) is not None
    }
    if len(points) < _FEWEST_POINTS:
        return chart
    start, slope = _line_through(list(points.values()))
    places = [place for _, place in points.values()]
    tall = statistics.median(height(one.values[0].box) for one in chart.categories if one.values)
    limit = max(_FAR_OFF * (max(places) - min(places)), 2 * tall)
    far_off = {
        label
        for label, (number, place) in points.items()
        if abs(place - (start + slope * number)) > limit
    }
    if len(far_off) > _MOST_OUTLIERS * len(points):
        return chart
    return replace(
        chart,
        categories=tuple(
            replace(category, values=()) if category.label in far_off else category
            for category in chart.categories
        ),
    )


def _place(chart: Chart, category: Category) -> float:
    box = category.values[0].box
    return -center_y(box) if chart.upright else box.left


def _line_through(points: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """Intercept and slope by medians, which a few misreadings do not move.

    Source:
        Theil (1950), A rank-invariant method of linear and polynomial regression analysis.
    """
    slopes = [
        (second[1] - first[1]) / (second[0] - first[0])
        for first, second in combinations(points, 2)
        if first[0] != second[0]
    ]
    slope = statistics.median(slopes) if slopes else 0.0
    return statistics.median(place - slope * number for number, place in points), slope
