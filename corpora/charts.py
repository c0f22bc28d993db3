"""Bar and line charts as they stand in reports: axis, grid, printed values, title, source note.

Leaves out whether a chart stays vector or becomes a picture: that is the page's decision.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import pymupdf
from drawing import INK, MUTED, RULE, WHITE, Color, Style, put_box, put_line, put_text

Rectangle = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class BarChart:
    """One series of bars with a value printed on each."""

    labels: Sequence[str]
    values: Sequence[float]
    top: float
    """Highest value on the axis."""

    step: float
    """Distance of two grid lines."""

    axis_title: str
    unit: str = ""
    """Printed below the labels, for example "year"."""

    color: Color
    highlight: Color | None = None
    """Color of the highest bar."""

    decimals: int = 0
    text: Style


def draw_bars(page: pymupdf.Page, box: Rectangle, chart: BarChart) -> None:
    """Draw a chart of upright bars into a rectangle."""
    plot = _draw_axis(page, box, chart)
    left, top, right, bottom = plot
    slot = (right - left) / len(chart.values)
    highest = max(chart.values)
    small = chart.text
    strong = replace(small, size=small.size + 0.5, color=INK)
    for number, (label, value) in enumerate(zip(chart.labels, chart.values, strict=True)):
        center = left + slot * (number + 0.5)
        height = (bottom - top) * value / chart.top
        color = chart.highlight if chart.highlight and value == highest else chart.color
        bar = (center - slot * 0.3, bottom - height, center + slot * 0.3, bottom)
        put_box(page, bar, fill=color)
        value_at = (center, bottom - height - 3.5)
        put_text(page, value_at, f"{value:,.{chart.decimals}f}", strong, align="center")
        put_text(page, (center, bottom + small.size + 4), label, small, align="center")
    put_line(page, (left, bottom), (right, bottom), color=MUTED, width=1.0)


def _draw_axis(page: pymupdf.Page, box: Rectangle, chart: BarChart) -> Rectangle:
    left, top, right, bottom = box
    small = replace(chart.text, color=MUTED)
    put_text(page, (left, top + small.size), chart.axis_title, small)
    plot = (left + 34, top + small.size + 16, right - 6, bottom - small.size * 2.6 - 4)
    if chart.unit:
        put_text(page, ((plot[0] + plot[2]) / 2, bottom - 2), chart.unit, small, align="center")
    count = round(chart.top / chart.step)
    for number in range(count + 1):
        y = plot[3] - (plot[3] - plot[1]) * number / count
        put_line(page, (plot[0], y), (plot[2], y), color=RULE, width=0.5)
        label = f"{number * chart.step:,.0f}"
        put_text(page, (plot[0] - 5, y + small.size * 0.35), label, small, align="right")
    return plot


@dataclass(frozen=True, slots=True, kw_only=True)
class SideBars:
    """Lying bars, one a row, with the label at the left and the value past the end."""

    labels: Sequence[str]
    values: Sequence[float]
    label_width: float
    color: Color
    suffix: str = ""
    decimals: int = 0
    text: Style


def draw_side_bars(page: pymupdf.Page, box: Rectangle, chart: SideBars) -> None:
    """Draw a chart of lying bars into a rectangle."""
    left, top, right, bottom = box
    row = (bottom - top) / len(chart.values)
    start = left + chart.label_width
    longest = max(chart.values)
    for number, (label, value) in enumerate(zip(chart.labels, chart.values, strict=True)):
        middle = top + row * (number + 0.5)
        baseline = middle + chart.text.size * 0.35
        end = start + (right - start - 48) * value / longest
        put_text(page, (start - 6, baseline), label, chart.text, align="right")
        put_box(page, (start, middle - row * 0.3, end, middle + row * 0.3), fill=chart.color)
        printed = f"{value:,.{chart.decimals}f}{chart.suffix}"
        put_text(page, (end + 5, baseline), printed, chart.text)
    put_line(page, (start, top), (start, bottom), color=MUTED, width=1.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class LineChart:
    """One line with a marker and a printed value at each point."""

    labels: Sequence[str]
    values: Sequence[float]
    low: float
    high: float
    axis_title: str
    color: Color
    decimals: int = 1
    text: Style


def draw_line_chart(page: pymupdf.Page, box: Rectangle, chart: LineChart) -> None:
    """Draw a line chart into a rectangle."""
    left, top, right, bottom = box
    small = replace(chart.text, color=MUTED)
    put_text(page, (left, top + small.size), chart.axis_title, small)
    plot_left, plot_top = left + 24, top + small.size + 18
    plot_right, plot_bottom = right - 6, bottom - small.size - 8
    slot = (plot_right - plot_left) / len(chart.values)
    for quarter in range(5):
        y = plot_bottom - (plot_bottom - plot_top) * quarter / 4
        put_line(page, (plot_left, y), (plot_right, y), width=0.5)
        tick = f"{chart.low + (chart.high - chart.low) * quarter / 4:,.0f}"
        put_text(page, (plot_left - 5, y + small.size * 0.35), tick, small, align="right")
    share = [(value - chart.low) / (chart.high - chart.low) for value in chart.values]
    points = [
        (plot_left + slot * (number + 0.5), plot_bottom - (plot_bottom - plot_top) * part)
        for number, part in enumerate(share)
    ]
    page.draw_polyline([pymupdf.Point(*point) for point in points], color=chart.color, width=1.8)
    for point, value, label in zip(points, chart.values, chart.labels, strict=True):
        page.draw_circle(pymupdf.Point(*point), 2.8, color=chart.color, fill=WHITE, width=1.4)
        printed = f"{value:,.{chart.decimals}f}"
        put_text(page, (point[0], point[1] - 7), printed, chart.text, align="center")
        put_text(page, (point[0], plot_bottom + small.size + 5), label, small, align="center")
    put_line(page, (plot_left, plot_bottom), (plot_right, plot_bottom), color=MUTED, width=1.0)
