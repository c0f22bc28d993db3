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
from itertools import combinations, pairwise

from sandbox.documents.charts.labels import (
    LEVEL,
    UPRIGHT,
    Axis,
    find_columns,
    find_rows,
    line_height,
    read_number,
    split_numbers,
    without_strangers,
    without_ticks,
)
from sandbox.documents.geometry.boxes import center_y, height, holds_center
from sandbox.records import Line

MOST_SERIES = 6
"""A chart with more values a category is a table."""

_MOST_MISSING = 0.2  # share of categories without a value: bars of 0 often have none printed
_LEAST_SPACING = 0.5  # of two categories, in heights of a letter; closer ones overlap
_UNEVEN = 2.5  # largest by least spacing; one category may be missing between two, not more
_OFF_CENTER = 0.3  # of the spacing: how unevenly single values may stand over their labels
_BEHIND_OFFSET = 0.2  # of the spacing: how far from a label's middle something is behind it
_BEHIND = 0.8  # in heights of a label; nearer than this is its second line
_MOST_BEHIND = 0.6  # share of labels with something behind them: then they are values

# Values misread by OCR.
_FEWEST_POINTS = 5  # a line through fewer says nothing about one of them
_MOST_OUTLIERS = 0.25  # share of values; with more the scale is not even, and none is taken back
_FAR_OFF = 0.25  # of the distance from the lowest place to the highest
_FAR_OFF_HEIGHTS = 2  # in heights of a value, where all stand at nearly one height


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
    charts = [_pair(row, pieces, UPRIGHT) for row in find_rows(pieces)]
    charts += [_pair(column, pieces, LEVEL) for column in find_columns(pieces)]
    return max((chart for chart in charts if chart), key=_explained, default=None)


def _explained(chart: Chart) -> int:
    """How many values find a category; words count double, because numbers may be ticks."""
    in_words = any(read_number(category.label) is None for category in chart.categories)
    return sum(len(category.values) for category in chart.categories) * (2 if in_words else 1)


def _pair(labels: Sequence[Line], pieces: Sequence[Line], axis: Axis) -> Chart | None:
    """Give every value to its category; None if that is not possible without a remainder."""
    ordered = without_strangers(sorted(labels, key=lambda label: axis.along(label.box)), axis)
    spacing = _even_spacing(ordered, axis)
    if spacing is None or _has_row_behind(ordered, pieces, spacing, axis):
        return None
    numbers = [
        piece
        for piece in pieces
        if not any(holds_center(label.box, piece.box) for label in labels)
        and read_number(piece.text) is not None
    ]
    values = _assign(without_ticks(numbers, axis), ordered, spacing, axis)
    return _build_chart(ordered, values, spacing, axis) if values else None


def _even_spacing(labels: Sequence[Line], axis: Axis) -> float | None:
    """Least distance of two labels; None where they cannot be categories."""
    if len(labels) < 2 or len({label.text for label in labels}) < len(labels):
        return None
    steps = [after - before for before, after in pairwise(axis.along(x.box) for x in labels)]
    spacing = min(steps)
    if spacing < _LEAST_SPACING * line_height(labels) or max(steps) > _UNEVEN * spacing:
        return None
    return spacing


def _assign(
    numbers: Sequence[Line], labels: Sequence[Line], spacing: float, axis: Axis
) -> list[list[Line]]:
    """The values of each label; none at all where a number stands between two labels."""
    places = [axis.along(label.box) for label in labels]
    values: list[list[Line]] = [[] for _ in labels]
    for number in numbers:
        place = axis.along(number.box)
        nearest = min(range(len(places)), key=lambda index: abs(places[index] - place))
        if axis.away(number.box) <= axis.away(labels[nearest].box):
            continue
        if abs(places[nearest] - place) <= 0.5 * spacing:
            values[nearest].append(number)
        elif places[0] < place < places[-1]:
            return []
    return values


def _build_chart(
    labels: Sequence[Line], values: Sequence[Sequence[Line]], spacing: float, axis: Axis
) -> Chart | None:
    most = _values_each(values)
    if most == 0 or (most == 1 and not _is_centered(labels, values, spacing, axis)):
        return None
    ordered = [sorted(of_label, key=lambda value: axis.along(value.box)) for of_label in values]
    side_by_side = most == 1 or _keeps_order(labels, ordered, axis)
    if not side_by_side:
        ordered = [sorted(of_label, key=lambda value: value.box.top) for of_label in values]
    return Chart(
        categories=tuple(
            Category(label=label.text.strip(), values=tuple(of_label))
            for label, of_label in zip(labels, ordered, strict=True)
        ),
        upright=axis is UPRIGHT,
        side_by_side=side_by_side,
    )


def _values_each(values: Sequence[Sequence[Line]]) -> int:
    """How many values every category has; 0 where they are no chart."""
    counts = [len(of_label) for of_label in values]
    most, missing = max(counts), counts.count(0)
    if most > MOST_SERIES or any(0 < count < most for count in counts):
        return 0
    return most if missing <= (_MOST_MISSING * len(values) if most == 1 else 0) else 0


def _is_centered(
    labels: Sequence[Line], values: Sequence[Sequence[Line]], spacing: float, axis: Axis
) -> bool:
    """Single values stand over their labels, or all shifted alike (labels that are turned)."""
    offsets = [
        axis.along(of_label[0].box) - axis.along(label.box)
        for label, of_label in zip(labels, values, strict=True)
        if of_label
    ]
    return max(offsets) - min(offsets) <= _OFF_CENTER * spacing


def _keeps_order(labels: Sequence[Line], values: Sequence[Sequence[Line]], axis: Axis) -> bool:
    """Whether the values of each category stand side by side at the same distances."""
    offsets = [
        [axis.along(value.box) - axis.along(label.box) for value in of_label]
        for label, of_label in zip(labels, values, strict=True)
    ]
    places = list(zip(*offsets, strict=True))
    apart = 0.5 * line_height(labels)
    return all(max(before) + apart < min(after) for before, after in pairwise(places))


def _has_row_behind(
    labels: Sequence[Line], pieces: Sequence[Line], spacing: float, axis: Axis
) -> bool:
    """Whether most labels have something behind them: then they are values, not categories."""
    behind = sum(
        any(
            abs(axis.along(piece.box) - axis.along(label.box)) < _BEHIND_OFFSET * spacing
            and axis.away(piece.box) < axis.away(label.box) - _BEHIND * height(label.box)
            for piece in pieces
        )
        for label in labels
    )
    return behind > _MOST_BEHIND * len(labels)


def drop_misread(chart: Chart) -> Chart:
    """Take back values that stand far from where their size belongs.

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
    tall = statistics.median(height(x.values[0].box) for x in chart.categories if x.values)
    limit = max(_FAR_OFF * (max(places) - min(places)), _FAR_OFF_HEIGHTS * tall)
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
