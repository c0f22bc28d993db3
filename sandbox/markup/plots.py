"""Plots of trust as inline SVG, for the app and for reports: intervals, strip plots, ROC curves.

Pure functions from numbers to markup; colors come from the page, so that they fit light and dark.
Leaves out where the numbers come from.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sandbox.markup.markup import escape, number

BAR_WIDTH, BAR_HEIGHT = 120, 18
STRIP_WIDTH, LANE_HEIGHT, AXIS_HEIGHT, LABEL_WIDTH = 620, 62, 24, 62
ROC_SIZE = 220
DOT_PIXELS, ROWS, SIDE_PIXELS = 10, 5, 26
"""Dots that would lie on each other stand in columns of five, so far to either side at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dot:
    """One labelled cell in a strip plot."""

    value: float
    right: bool
    name: str
    """Tells the cell in the tooltip."""

    target: str = ""
    """Attributes of what a click opens, as the app's `evaluate_parts.target` makes them."""

    link: str = ""
    """Where a click leads, in a page without scripts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlotWords:
    """What stands in a plot, in the language of the page."""

    right: str = "right"
    wrong: str = "wrong"
    threshold: str = "threshold {0}"
    dot: str = "{0}: {1}, labelled {2}"
    interval: str = "AUC {0}, between {1} and {2}; chance is 0.50"


ENGLISH = PlotWords()


def interval_html(
    value: float, low: float, high: float, *, trusted: bool, words: PlotWords = ENGLISH
) -> str:
    """An AUC with its interval on a line from 0 to 1, with a mark at chance."""

    def x(share: float) -> float:
        return 4 + share * (BAR_WIDTH - 8)

    middle = BAR_HEIGHT / 2
    label = escape(words.interval.format(number(value), number(low), number(high)))
    return (
        f"<svg class='interval{' trusted' if trusted else ''}' width='{BAR_WIDTH}' "
        f"height='{BAR_HEIGHT}' role='img' aria-label='{label}'><title>{label}</title>"
        f"<line class='axis' x1='{x(0)}' x2='{x(1)}' y1='{middle}' y2='{middle}'/>"
        f"<line class='chance' x1='{x(0.5)}' x2='{x(0.5)}' y1='1' y2='{BAR_HEIGHT - 1}'/>"
        f"<line class='span' x1='{x(low):.1f}' x2='{x(high):.1f}' y1='{middle}' y2='{middle}'/>"
        f"<circle cx='{x(value):.1f}' cy='{middle}' r='4'/></svg>"
    )


def strip_plot_html(
    dots: Sequence[Dot], *, threshold: float | None = None, words: PlotWords = ENGLISH
) -> str:
    """Right and wrong answers in two lanes by their score; equal scores are spread, not stacked.

    Args:
        dots: At least one.
        threshold: Drawn as a line where there is one.
        words: What stands in the plot.
    """
    low, high = _range([dot.value for dot in dots])
    left, width = LABEL_WIDTH + SIDE_PIXELS, STRIP_WIDTH - LABEL_WIDTH - 2 * SIDE_PIXELS - 6

    def x(value: float) -> float:
        return left + (value - low) / (high - low) * width

    height = 2 * LANE_HEIGHT + AXIS_HEIGHT
    parts = [
        f"<svg class='strip-plot' viewBox='0 0 {STRIP_WIDTH} {height}' role='group' "
        f"aria-label='{len(dots)} labelled answers by score, right above wrong'>"
    ]
    for lane, (name, right) in enumerate(((words.right, True), (words.wrong, False))):
        middle = lane * LANE_HEIGHT + LANE_HEIGHT / 2
        some = [dot for dot in dots if dot.right == right]
        parts.append(
            f"<text x='0' y='{middle - 1:.0f}'>{name}</text>"
            f"<text class='size' x='0' y='{middle + 13:.0f}'>n = {len(some)}</text>"
            f"<line class='axis' x1='{left}' x2='{left + width}' y1='{middle:.0f}' "
            f"y2='{middle:.0f}'/>"
        )
        parts += [_dot(dot, place, middle + aside, words) for dot, place, aside in _placed(some, x)]
    parts.append(_axis(low, high, width))
    if threshold is not None and low <= threshold <= high:
        label = escape(words.threshold.format(number(threshold)))
        parts.append(
            f"<line class='threshold' x1='{x(threshold):.1f}' x2='{x(threshold):.1f}' y1='2' "
            f"y2='{2 * LANE_HEIGHT}'><title>{label}</title></line>"
        )
    return "".join(parts) + "</svg>"


def roc_html(values: Sequence[float], right: Sequence[bool], *, lower_is_better: bool) -> str:
    """Share of right answers that pass against share of wrong ones, for every threshold."""
    signed = [-value if lower_is_better else value for value in values]
    rights, wrongs = sum(right), len(right) - sum(right)
    points = [(0.0, 0.0)]
    for threshold in sorted(set(signed), reverse=True):
        passed = [
            is_right for value, is_right in zip(signed, right, strict=True) if value >= threshold
        ]
        points.append(((len(passed) - sum(passed)) / wrongs, sum(passed) / rights))
    left, size = 34, ROC_SIZE - 56

    def place(false_rate: float, true_rate: float) -> str:
        return f"{left + false_rate * size:.1f},{8 + (1 - true_rate) * size:.1f}"

    line = " ".join(place(*point) for point in points)
    return (
        f"<svg class='roc' width='{ROC_SIZE}' height='{ROC_SIZE}' role='img' "
        f"aria-label='ROC curve'><rect x='{left}' y='8' width='{size}' height='{size}'/>"
        f"<polyline class='chance' points='{place(0, 0)} {place(1, 1)}'/>"
        f"<polyline class='curve' points='{line}'/>"
        f"<text x='{left + size / 2}' y='{size + 24}' text-anchor='middle'>wrong answers that pass"
        f"</text><text transform='translate(14 {8 + size / 2}) rotate(-90)' text-anchor='middle'>"
        f"right answers that pass</text>"
        f"<text x='{left - 4}' y='16' text-anchor='end'>1</text>"
        f"<text x='{left - 4}' y='{size + 10}' text-anchor='end'>0</text>"
        f"<text x='{left + size}' y='{size + 24}' text-anchor='end'>1</text></svg>"
    )


def _placed(dots: Sequence[Dot], x: Callable[[float], float]) -> list[tuple[Dot, float, float]]:
    """Dots with their place, in columns of up to five where they would lie on each other.

    Returns:
        Dot, x, and distance from the middle of its lane.
    """
    together: dict[int, list[Dot]] = {}
    for dot in sorted(dots, key=lambda one: (one.value, one.name)):
        together.setdefault(round(x(dot.value) / DOT_PIXELS), []).append(dot)
    placed = []
    for some in together.values():
        columns = -(-len(some) // ROWS)
        rows = -(-len(some) // columns)
        step = min(DOT_PIXELS, 2 * SIDE_PIXELS / columns)
        for number_there, dot in enumerate(some):
            column, row = divmod(number_there, rows)
            aside = (column - (columns - 1) / 2) * step
            placed.append((dot, x(dot.value) + aside, (row - (rows - 1) / 2) * DOT_PIXELS))
    return placed


def _dot(dot: Dot, x: float, y: float, words: PlotWords) -> str:
    kind = "right" if dot.right else "wrong"
    said = words.right if dot.right else words.wrong
    label = escape(words.dot.format(dot.name, number(dot.value), said))
    opens = f"role='button' tabindex='0' {dot.target}" if dot.target or not dot.link else ""
    circle = (
        f"<circle class='{kind}' cx='{x:.1f}' cy='{y:.1f}' r='4.5' {opens} "
        f"aria-label='{label}'><title>{label}</title></circle>"
    )
    return f"<a href='#{escape(dot.link)}'>{circle}</a>" if dot.link else circle


def _axis(low: float, high: float, width: float) -> str:
    ticks = [low + (high - low) * step / 4 for step in range(5)]
    y = 2 * LANE_HEIGHT + 14
    return "".join(
        f"<text class='tick' x='{LABEL_WIDTH + SIDE_PIXELS + step / 4 * width:.1f}' y='{y}' "
        f"text-anchor='middle'>{number(tick)}</text>"
        for step, tick in enumerate(ticks)
    )


def _range(values: Sequence[float]) -> tuple[float, float]:
    """From 0 to 1 where all scores lie there; else as far as they go."""
    low, high = min(values), max(values)
    if low >= 0 and high <= 1:
        return 0.0, 1.0
    low = min(0.0, low)
    return low, high if high > low else low + 1.0
