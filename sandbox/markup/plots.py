"""Plots as inline SVG, for the app and for reports: intervals, strip plots, ROC curves, fronts.

Pure functions from numbers to markup; colors come from the page, so that they fit light and dark.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from sandbox.markup.formats import number
from sandbox.markup.templates import render

TEMPLATES = "markup/plots.html"
INTERVAL_WIDTH, INTERVAL_HEIGHT = 120, 18
SHARE_WIDTH, SHARE_HEIGHT = 160, 16
STRIP_WIDTH, LANE_HEIGHT, AXIS_HEIGHT, LABEL_WIDTH = 620, 62, 24, 62
DOT_PIXELS, ROWS, SIDE_PIXELS = 10, 5, 26
"""Dots that would lie on each other stand in columns of five, so far to either side at most."""

ROC_SIZE, ROC_LEFT = 220, 34
FRONT_WIDTH, FRONT_HEIGHT, LEFT, BOTTOM, MARGIN = 620, 300, 64, 46, 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Dot:
    """One labelled cell in a strip plot."""

    value: float
    right: bool
    name: str
    """Tells the cell in the tooltip."""

    target: Markup = Markup()
    """Attributes of what a click opens, made by a template of the app."""

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


@dataclass(frozen=True, slots=True, kw_only=True)
class FrontPoint:
    """One configuration in the picture of quality against seconds."""

    number: int
    """Stands in the picture; names stand in the table beside it."""

    name: str
    seconds: float
    quality: float
    low: float | None
    high: float | None
    on_front: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class AxisNames:
    """What stands at the axes."""

    seconds: str
    quality: str


def draw_interval(
    value: float, low: float, high: float, *, trusted: bool, words: PlotWords = ENGLISH
) -> Markup:
    """An AUC with its interval on a line from 0 to 1, with a mark at chance."""
    return render(
        f"{TEMPLATES}#interval",
        width=INTERVAL_WIDTH,
        height=INTERVAL_HEIGHT,
        x=lambda share: 4 + share * (INTERVAL_WIDTH - 8),
        value=value,
        low=low,
        high=high,
        label=words.interval.format(number(value), number(low), number(high)),
        trusted=trusted,
        chance=0.5,
    )


def draw_share(share: float, low: float, high: float, *, label: str) -> Markup:
    """A share on a line from 0 to 1, with its interval."""
    return render(
        f"{TEMPLATES}#interval",
        width=SHARE_WIDTH,
        height=SHARE_HEIGHT,
        x=lambda place: 4 + place * (SHARE_WIDTH - 8),
        value=share,
        low=low,
        high=high,
        label=label,
        trusted=True,
        chance=None,
    )


def draw_strip_plot(
    dots: Sequence[Dot], *, threshold: float | None = None, words: PlotWords = ENGLISH
) -> Markup:
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

    lanes = []
    for lane, (name, right) in enumerate(((words.right, True), (words.wrong, False))):
        middle = lane * LANE_HEIGHT + LANE_HEIGHT / 2
        placed = _placed([dot for dot in dots if dot.right == right], x)
        marks = [_mark(dot, place, middle + aside, words) for dot, place, aside in placed]
        lanes.append({"name": name, "y": middle, "marks": marks})
    is_in_range = threshold is not None and low <= threshold <= high
    return render(
        f"{TEMPLATES}#strip",
        width=STRIP_WIDTH,
        height=2 * LANE_HEIGHT + AXIS_HEIGHT,
        left=left,
        right=left + width,
        floor=2 * LANE_HEIGHT,
        lanes=lanes,
        ticks=[(left + step / 4 * width, low + (high - low) * step / 4) for step in range(5)],
        threshold=x(threshold) if threshold is not None and is_in_range else None,
        threshold_label=words.threshold.format(number(threshold)),
        size=len(dots),
    )


def draw_roc(values: Sequence[float], right: Sequence[bool], *, lower_is_better: bool) -> Markup:
    """Share of right answers that pass against share of wrong ones, for every threshold."""
    signed = [-value if lower_is_better else value for value in values]
    rights, wrongs = sum(right), len(right) - sum(right)
    points = [(0.0, 0.0)]
    for threshold in sorted(set(signed), reverse=True):
        passed = [
            is_right for value, is_right in zip(signed, right, strict=True) if value >= threshold
        ]
        points.append(((len(passed) - sum(passed)) / wrongs, sum(passed) / rights))
    size = ROC_SIZE - 56

    def place(false_rate: float, true_rate: float) -> str:
        return f"{ROC_LEFT + false_rate * size:.1f},{8 + (1 - true_rate) * size:.1f}"

    return render(
        f"{TEMPLATES}#roc",
        outer=ROC_SIZE,
        left=ROC_LEFT,
        size=size,
        diagonal=f"{place(0, 0)} {place(1, 1)}",
        curve=" ".join(place(*point) for point in points),
    )


def draw_front(points: Sequence[FrontPoint], axes: AxisNames) -> Markup:
    """Quality against seconds; what no other beats in one without losing in the other is joined.

    Args:
        points: At least one.
        axes: What stands at the axes.
    """
    longest = max(point.seconds for point in points) * 1.1 or 1.0
    best = max(1.0, *(point.high or point.quality for point in points))
    floor, right = FRONT_HEIGHT - BOTTOM, FRONT_WIDTH - MARGIN

    def x(seconds: float) -> float:
        return LEFT + seconds / longest * (right - LEFT)

    def y(quality: float) -> float:
        return floor - quality / best * (floor - MARGIN)

    front = sorted((point for point in points if point.on_front), key=lambda point: point.seconds)
    return render(
        f"{TEMPLATES}#front",
        width=FRONT_WIDTH,
        height=FRONT_HEIGHT,
        frame={"left": LEFT, "right": right, "top": MARGIN, "floor": floor},
        axes=axes,
        ticks=[
            (_seconds(longest * share, longest), x(longest * share), best * share, y(best * share))
            for share in (0, 0.25, 0.5, 0.75, 1)
        ],
        line=" ".join(f"{x(point.seconds):.1f},{y(point.quality):.1f}" for point in front),
        points=points,
        x=x,
        y=y,
    )


def _placed(dots: Sequence[Dot], x: Callable[[float], float]) -> list[tuple[Dot, float, float]]:
    """Dots with their place, in columns of up to five where they would lie on each other.

    Returns:
        Dot, x, and distance from the middle of its lane.
    """
    together: dict[int, list[Dot]] = {}
    for dot in sorted(dots, key=lambda dot: (dot.value, dot.name)):
        together.setdefault(round(x(dot.value) / DOT_PIXELS), []).append(dot)
    placed = []
    for pile in together.values():
        columns = -(-len(pile) // ROWS)
        rows = -(-len(pile) // columns)
        step = min(DOT_PIXELS, 2 * SIDE_PIXELS / columns)
        for place, dot in enumerate(pile):
            column, row = divmod(place, rows)
            aside = (column - (columns - 1) / 2) * step
            placed.append((dot, x(dot.value) + aside, (row - (rows - 1) / 2) * DOT_PIXELS))
    return placed


def _mark(dot: Dot, x: float, y: float, words: PlotWords) -> dict[str, object]:
    label = words.right if dot.right else words.wrong
    return {
        "dot": dot,
        "x": x,
        "y": y,
        "label": words.dot.format(dot.name, number(dot.value), label),
        "target": dot.target if dot.target or not dot.link else None,
    }


def _seconds(value: float, longest: float) -> str:
    """With as many digits as tell the ticks of an axis apart."""
    return f"{value:.{0 if longest >= 8 else 1 if longest >= 0.8 else 3}f}"


def _range(values: Sequence[float]) -> tuple[float, float]:
    """From 0 to 1 where all scores lie there; else as far as they go."""
    low, high = min(values), max(values)
    if low >= 0 and high <= 1:
        return 0.0, 1.0
    low = min(0.0, low)
    return low, high if high > low else low + 1.0
