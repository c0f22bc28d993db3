"""Which series of a chart has which name, told by the colors of the bars and of the legend.

A bar's color is looked up at its printed value (around it, or where the bar begins), a legend's at
the sample left of its text. Names are given only if every color belongs to exactly one of them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sandbox.documents.charts.labels import read_number
from sandbox.documents.charts.series import Chart
from sandbox.documents.geometry.boxes import center_x, center_y, height, width
from sandbox.records import Box, Line

if TYPE_CHECKING:
    import numpy

    Pixels = numpy.ndarray[tuple[int, ...], numpy.dtype[numpy.uint8]]

# Levels of a channel, between 0 and 255.
_SAME_COLOR = 36  # largest difference of two samples of one color
_PALE = 24  # a color whose channels all are this close to white is the paper
_LEVELS = 16  # levels that count as one when the commonest color is looked for

_LEAST_SHARE = 0.35  # of a patch that its commonest color covers; else it is letters on paper


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """One category of a series."""

    category: str
    value: str
    """As printed; empty where it could not be read."""

    @property
    def number(self) -> float | None:
        """The value as a number."""
        return read_number(self.value)


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    """The values of one color of a chart, in the order of the categories."""

    points: tuple[Point, ...]
    name: str = ""
    """The legend's text; empty for a single series and where no legend could be matched."""


def find_series(
    chart: Chart, labels: Sequence[Line], pixels: "Pixels | None"
) -> tuple[Series, ...]:
    """Tell the series of a chart apart; empty where values of one category cannot be told apart.

    Args:
        chart: The chart's categories and values.
        labels: All labels of the figure, places in pixels.
        pixels: The rendered figure, RGB, shape (height, width, 3); None if it is not at hand.
    """
    if chart.series_count == 1:
        return (_make_series("", chart, [category.values[:1] for category in chart.categories]),)
    named = _by_color(chart, labels, pixels) if pixels is not None else ()
    if named or not chart.side_by_side:
        return named
    return tuple(
        _make_series(
            "", chart, [category.values[index : index + 1] for category in chart.categories]
        )
        for index in range(chart.series_count)
    )


def _make_series(name: str, chart: Chart, values: Sequence[Sequence[Line]]) -> Series:
    return Series(
        name=name,
        points=tuple(
            Point(category=category.label, value=of_category[0].text.strip() if of_category else "")
            for category, of_category in zip(chart.categories, values, strict=True)
        ),
    )


def _by_color(chart: Chart, labels: Sequence[Line], pixels: "Pixels") -> tuple[Series, ...]:
    legend = _legend(chart, labels, pixels)
    if len(legend) != chart.series_count:
        return ()
    series = []
    for name, color in legend.items():
        values = [
            [value for value in category.values if _is_same(_bar_color(value.box, pixels), color)]
            for category in chart.categories
        ]
        if any(len(matches) != 1 for matches in values):
            return ()
        series.append(_make_series(name, chart, values))
    return tuple(series)


def _legend(chart: Chart, labels: Sequence[Line], pixels: "Pixels") -> "dict[str, Pixels]":
    """Color by legend text, of the colors that bars have."""
    bar_colors = [
        color
        for value in chart.categories[0].values
        if (color := _bar_color(value.box, pixels)) is not None
    ]
    categories = {category.label for category in chart.categories}
    legend: dict[str, Pixels] = {}
    for label in labels:
        if label.text in categories or read_number(label.text) is not None:
            continue
        tall = min(height(label.box), width(label.box))
        sample = _color(
            pixels,
            (label.box.left - 1.8 * tall, label.box.left - 0.3 * tall),
            (center_y(label.box) - 0.15 * tall, center_y(label.box) + 0.15 * tall),
        )
        if sample is not None and any(_is_same(sample, color) for color in bar_colors):
            legend[label.text.strip()] = sample
    return legend


def _bar_color(box: Box, pixels: "Pixels") -> "Pixels | None":
    """The color around a value that stands in its bar, else where the bar begins below or left."""
    tall, wide = height(box), width(box)
    around = _color(pixels, (box.left, box.right), (box.top, box.bottom))
    if around is not None:
        return around
    below = _color(
        pixels,
        (center_x(box) - 0.2 * wide, center_x(box) + 0.2 * wide),
        (box.bottom + 0.2 * tall, box.bottom + 0.9 * tall),
    )
    if below is not None:
        return below
    return _color(
        pixels,
        (box.left - 1.0 * tall, box.left - 0.3 * tall),
        (center_y(box) - 0.2 * tall, center_y(box) + 0.2 * tall),
    )


def _color(
    pixels: "Pixels", across: tuple[float, float], down: tuple[float, float]
) -> "Pixels | None":
    """The color that covers most of a rectangle, or None where that is paper or nothing."""
    import numpy

    patch = pixels[
        max(0, round(down[0])) : max(0, round(down[1])),
        max(0, round(across[0])) : max(0, round(across[1])),
    ].reshape(-1, 3)
    if not len(patch):
        return None
    colors, counts = numpy.unique(patch // _LEVELS, axis=0, return_counts=True)
    most = colors[counts.argmax()]
    if counts.max() < _LEAST_SHARE * len(patch):
        return None
    color: Pixels = numpy.median(patch[(patch // _LEVELS == most).all(axis=1)], axis=0).astype(
        numpy.uint8
    )
    return None if color.min() >= 255 - _PALE else color


def _is_same(first: "Pixels | None", second: "Pixels") -> bool:
    import numpy

    if first is None:
        return False
    return bool(numpy.abs(first.astype(int) - second.astype(int)).max() <= _SAME_COLOR)
