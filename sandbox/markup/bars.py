"""Small plots of a report as inline SVG: a share with its interval, quality against seconds.

Pure functions from numbers to markup; colors come from the page. Leaves out where the numbers come
from.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sandbox.markup.markup import escape, number, percent

BAR_WIDTH, BAR_HEIGHT = 160, 16
FRONT_WIDTH, FRONT_HEIGHT, LEFT, BOTTOM, MARGIN = 620, 300, 64, 46, 16


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


def share_bar(share: float, low: float, high: float, *, label: str) -> str:
    """A share on a line from 0 to 1, with its interval."""

    def x(value: float) -> float:
        return 4 + value * (BAR_WIDTH - 8)

    middle = BAR_HEIGHT / 2
    return (
        f"<svg class='interval trusted' width='{BAR_WIDTH}' height='{BAR_HEIGHT}' role='img' "
        f"aria-label='{escape(label)}'><title>{escape(label)}</title>"
        f"<line class='axis' x1='{x(0)}' x2='{x(1)}' y1='{middle}' y2='{middle}'/>"
        f"<line class='span' x1='{x(low):.1f}' x2='{x(high):.1f}' y1='{middle}' y2='{middle}'/>"
        f"<circle cx='{x(share):.1f}' cy='{middle}' r='4'/></svg>"
    )


def front_plot(points: Sequence[FrontPoint], axes: AxisNames) -> str:
    """Quality against seconds; what no other beats in one without losing in the other is joined.

    Args:
        points: At least one.
        axes: What stands at the axes.
    """
    top = max(point.seconds for point in points) * 1.1 or 1.0
    best = max(1.0, *(point.high or point.quality for point in points))

    def x(seconds: float) -> float:
        return LEFT + seconds / top * (FRONT_WIDTH - LEFT - MARGIN)

    def y(quality: float) -> float:
        return MARGIN + (1 - quality / best) * (FRONT_HEIGHT - BOTTOM - MARGIN)

    front = sorted((one for one in points if one.on_front), key=lambda one: one.seconds)
    line = " ".join(f"{x(one.seconds):.1f},{y(one.quality):.1f}" for one in front)
    drawn = "".join(_point(one, x(one.seconds), y) for one in points)
    return (
        f"<svg class='front' viewBox='0 0 {FRONT_WIDTH} {FRONT_HEIGHT}' role='img' "
        f"aria-label='{escape(axes.quality)} / {escape(axes.seconds)}'>"
        f"{_axes(top, best, axes)}<polyline class='curve' points='{line}'/>{drawn}</svg>"
    )


def _point(point: FrontPoint, x: float, y: Callable[[float], float]) -> str:
    middle = y(point.quality)
    whisker = ""
    if point.low is not None and point.high is not None:
        whisker = (
            f"<line class='whisker' x1='{x:.1f}' x2='{x:.1f}' y1='{y(point.low):.1f}' "
            f"y2='{y(point.high):.1f}'/>"
        )
    title = f"{point.name}: {number(point.quality)}, {number(point.seconds)} s"
    kind = "point best" if point.on_front else "point"
    return (
        f"{whisker}<g class='{kind}'><title>{escape(title)}</title>"
        f"<circle cx='{x:.1f}' cy='{middle:.1f}' r='9'/>"
        f"<text x='{x:.1f}' y='{middle + 4:.1f}' text-anchor='middle'>{point.number}</text></g>"
    )


def _seconds(value: float, top: float) -> str:
    """With as many digits as tell the ticks of an axis apart."""
    return f"{value:.{0 if top >= 8 else 1 if top >= 0.8 else 3}f}"


def _axes(top: float, best: float, axes: AxisNames) -> str:
    floor, right = FRONT_HEIGHT - BOTTOM, FRONT_WIDTH - MARGIN
    parts = [f"<line class='axis' x1='{LEFT}' x2='{right}' y1='{floor}' y2='{floor}'/>"]
    for step in range(5):
        x = LEFT + step / 4 * (right - LEFT)
        y = floor - step / 4 * (floor - MARGIN)
        parts.append(
            f"<text class='tick' x='{x:.1f}' y='{floor + 16}' text-anchor='middle'>"
            f"{_seconds(top * step / 4, top)}</text>"
            f"<line class='grid' x1='{LEFT}' x2='{right}' y1='{y:.1f}' y2='{y:.1f}'/>"
            f"<text class='tick' x='{LEFT - 8}' y='{y + 4:.1f}' text-anchor='end'>"
            f"{percent(best * step / 4)}</text>"
        )
    parts.append(
        f"<text class='name' x='{(LEFT + right) / 2}' y='{FRONT_HEIGHT - 8}' "
        f"text-anchor='middle'>{escape(axes.seconds)}</text>"
        f"<text class='name' transform='translate(14 {(MARGIN + floor) / 2}) rotate(-90)' "
        f"text-anchor='middle'>{escape(axes.quality)}</text>"
    )
    return "".join(parts)
