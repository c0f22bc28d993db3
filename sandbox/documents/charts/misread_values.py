"""Values that OCR has probably misread: their place does not agree with their size.

The value of a bar or point is printed at a height that grows evenly with it. One that is read as 14
but stands where 141 belongs is a misreading, and is taken back.
"""

import statistics
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

from sandbox.documents.charts.printed_values import read_number
from sandbox.documents.charts.series import Category, Chart
from sandbox.documents.geometry.boxes import center_y, height

_FEWEST_POINTS = 5
_MOST_OUTLIERS = 0.25
_FAR_OFF = 0.25
"""Distance from the expected place, as a share of the distance from the lowest to the highest."""


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
