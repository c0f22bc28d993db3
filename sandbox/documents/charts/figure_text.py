"""A figure's labels as text to be searched and read: its title, its series, its other words.

The highest and the lowest value of a series are stated in words, because a small language model
cannot be trusted to find the largest of ten numbers. They are computed from the printed values.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from sandbox.documents.charts.colors import Point, Series, find_series
from sandbox.documents.charts.labels import evenly_growing, read_number, unit_of
from sandbox.documents.charts.series import Chart, drop_misread, recover_chart
from sandbox.documents.geometry.boxes import center_x, group_rows, height, width
from sandbox.records import Line
from sandbox.text.languages import Language

if TYPE_CHECKING:
    from sandbox.documents.charts.colors import Pixels

EXTREMES: dict[Language, str] = {
    "en": "The highest is {high}; the lowest is {low}. (Computed from the printed values.)",
    "zh-Hant": "最多的是{high}；最少的是{low}。（依圖中印出的數值計算）",
    "zh-Hans": "最多的是{high}；最少的是{low}。（根据图中印出的数值计算）",
}
OTHER_WORDS: dict[Language, str] = {
    "en": "Also printed: ",
    "zh-Hant": "圖中其他文字：",
    "zh-Hans": "图中其他文字：",
}
UNREAD: dict[Language, str] = {"en": "not read", "zh-Hant": "未讀出", "zh-Hans": "未读出"}
MAX_WORDS = 120
"""Labels listed at most; a map may have thousands."""

# In heights of a label.
_BETWEEN_SCALES = 8.0  # between two scales at least; the numbers of one stand closer together
_TITLE_WIDTH = 3.0  # a title is wider than this; a short word is the name of an axis
_TITLE_OVERLAP = 0.3  # how far a title may reach below the top of the highest value


def figure_text(
    labels: Sequence[Line], pixels: "Pixels | None", language: Language, *, by_ocr: bool
) -> str:
    """What is printed in a figure, a line for each part.

    Args:
        labels: The figure's labels, places in pixels from the top-left corner of its image.
        pixels: The rendered figure, RGB, shape (height, width, 3); None if it is not at hand.
        language: Language of the sentences that are added.
        by_ocr: Whether the labels were read by OCR, so that values may be misread.
    """
    labels = [label for label in labels if any(letter.isalnum() for letter in label.text)]
    chart = recover_chart(labels)
    if chart is None:
        return _write_panels(labels, pixels, language, by_ocr=by_ocr)
    if by_ocr:
        chart = drop_misread(chart)
    words = [
        label for label in _without_categories(labels, chart) if read_number(label.text) is None
    ]
    series = find_series(chart, labels, pixels)
    if not series:
        return "\n".join([*_write_rows(words), _write_columns(chart)])
    return "\n".join(_write_series(chart, series, words, language))


def _write_panels(
    labels: Sequence[Line], pixels: "Pixels | None", language: Language, *, by_ocr: bool
) -> str:
    """Charts side by side one after the other; a figure that is no chart as rows of words."""
    panels = _find_panels(labels)
    if panels:
        return "\n".join(figure_text(panel, pixels, language, by_ocr=by_ocr) for panel in panels)
    ticks = _find_ticks(labels)
    return "\n".join(_write_rows([label for label in labels if label not in ticks][:MAX_WORDS]))


def _write_series(
    chart: Chart, series: Sequence[Series], words: Sequence[Line], language: Language
) -> list[str]:
    """The title, each series with its extremes, and the other words."""
    names = {bars.name for bars in series}
    words = [label for label in words if label.text.strip() not in names]
    title = _find_title(chart, words)
    lines = [label.text.strip() for label in title]
    for bars in series:
        lines += _series_lines(bars, language)
    rest = [label.text.strip() for label in words if label not in title]
    if rest:
        mark = ", " if language == "en" else "、"
        lines.append(OTHER_WORDS[language] + mark.join(dict.fromkeys(rest[:MAX_WORDS])))
    return lines


def _find_ticks(labels: Sequence[Line]) -> list[Line]:
    return evenly_growing([label for label in labels if read_number(label.text) is not None])


def _series_lines(series: Series, language: Language) -> list[str]:
    values = "; ".join(
        f"{point.category}: {point.value or UNREAD[language]}" for point in series.points
    )
    lines = [f"{series.name}: {values}" if series.name else values]
    if extremes := _extremes(series.points, language):
        lines.append(f"{series.name}: {extremes}" if series.name else extremes)
    return lines


def _extremes(points: Sequence[Point], language: Language) -> str:
    numbers = [point.number for point in points if point.number is not None]
    has_one_unit = len({unit_of(point.value) for point in points}) == 1
    if len(numbers) < len(points) or not has_one_unit or min(numbers) == max(numbers):
        return ""
    return EXTREMES[language].format(
        high=_named([point for point in points if point.number == max(numbers)], language),
        low=_named([point for point in points if point.number == min(numbers)], language),
    )


def _named(points: Sequence[Point], language: Language) -> str:
    if language == "en":
        return f"{', '.join(point.category for point in points)}, with {points[0].value}"
    return f"{'、'.join(point.category for point in points)}，有{points[0].value}"


def _without_categories(labels: Sequence[Line], chart: Chart) -> list[Line]:
    """Labels that are not part of a category's name, which may have been joined from lines."""
    names = [category.label for category in chart.categories]
    return [label for label in labels if not any(label.text.strip() in name for name in names)]


def _write_columns(chart: Chart) -> str:
    """Categories with all their values, where it is not certain which series each belongs to."""
    return "; ".join(
        f"{category.label}: {', '.join(value.text.strip() for value in category.values)}"
        for category in chart.categories
    )


def _find_title(chart: Chart, words: Sequence[Line]) -> list[Line]:
    """Words that stand above all values, and are wide for a label."""
    values = [value.box.top for category in chart.categories for value in category.values]
    return [
        label
        for label in words
        if label.box.bottom <= min(values) + _TITLE_OVERLAP * height(label.box)
        and width(label.box) > _TITLE_WIDTH * height(label.box)
    ]


def _find_panels(labels: Sequence[Line]) -> list[list[Line]]:
    """The labels of charts side by side, cut left of each scale; nothing for a single chart."""
    ticks = _find_ticks(labels)
    cuts: list[float] = []
    for tick in sorted(ticks, key=lambda tick: tick.box.left):
        if not cuts or tick.box.left - cuts[-1] > _BETWEEN_SCALES * height(tick.box):
            cuts.append(tick.box.left)
    if len(cuts) < 2:
        return []
    borders = [float("-inf"), *cuts[1:], float("inf")]
    return [
        [label for label in labels if left <= center_x(label.box) < right]
        for left, right in pairwise(borders)
    ]


def _write_rows(labels: Sequence[Line]) -> list[str]:
    """Labels as lines from top to bottom, those on one height together."""
    rows = group_rows(labels, lambda label: label.box)
    return [" ".join(label.text.strip() for label in row) for row in rows]
