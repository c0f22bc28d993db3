"""Clusters of drawing marks that are parts of one chart, put together.

Bars without a common axis, samples of a legend and gridlines lie apart from each other; text of the
page between two clusters keeps them apart.
"""

from collections.abc import Callable, Sequence

from sandbox.documents.figures.clusters import bars, is_chart
from sandbox.documents.figures.drawings import Cluster
from sandbox.documents.figures.printed_lines import PrintedLine, is_number
from sandbox.documents.geometry.boxes import (
    center_x,
    center_y,
    distance,
    gap_x,
    gap_y,
    height,
    holds_center,
    union,
    width,
)
from sandbox.records import Box

_LEGEND_REACH = 40.0
_BAR_REACH = 60.0
_TICK = 8.0
_PART_REACH = 12.0
_TOUCHING = 6.0


def assembled(
    clusters: Sequence[Cluster], lines: Sequence[PrintedLine], outside: Sequence[PrintedLine]
) -> list[Cluster]:
    """Join the parts of one chart: bars without a common axis, gridlines, samples of a legend.

    Args:
        clusters: What was drawn, by place.
        lines: All lines of the page.
        outside: Those that belong to its running text.
    """
    legends = [cluster for cluster in clusters if _is_legend(cluster)]
    parts = [cluster for cluster in clusters if cluster not in legends]
    merged = True
    while merged:
        merged = False
        rest, parts = parts, []
        for cluster in rest:
            partner = next(
                (i for i, part in enumerate(parts) if _same_chart(part, cluster, lines, outside)),
                None,
            )
            if partner is None:
                parts.append(cluster)
            else:
                parts[partner] = _together(parts[partner], cluster)
                merged = True
    for legend in legends:
        near = [
            (distance(part.box, legend.box), index)
            for index, part in enumerate(parts)
            if is_chart(part, lines) and not _is_text_between(part, legend, outside)
        ]
        if near and min(near)[0] <= _LEGEND_REACH:
            index = min(near)[1]
            parts[index] = _together(parts[index], legend)
        else:
            parts.append(legend)
    return parts


def _together(first: Cluster, second: Cluster) -> Cluster:
    return Cluster(box=union([first.box, second.box]), marks=first.marks + second.marks)


def _same_chart(
    first: Cluster,
    second: Cluster,
    lines: Sequence[PrintedLine],
    outside: Sequence[PrintedLine],
) -> bool:
    apart = max(gap_x(first.box, second.box), gap_y(first.box, second.box))
    if apart > _reach(first, second, lines) and not _are_fellow_bars(first, second):
        return False
    return not _is_text_between(first, second, outside)


def _is_text_between(first: Cluster, second: Cluster, outside: Sequence[PrintedLine]) -> bool:
    both = union([first.box, second.box])
    return any(
        holds_center(both, line.box)
        and not holds_center(first.box, line.box)
        and not holds_center(second.box, line.box)
        for line in outside
    )


def _reach(first: Cluster, second: Cluster, lines: Sequence[PrintedLine]) -> float:
    """How far apart two clusters may lie and still be parts of one chart."""
    if _is_gridline(first, second.box, lines) or _is_gridline(second, first.box, lines):
        return _LEGEND_REACH
    if any(all(mark.role == "rule" for mark in cluster.marks) for cluster in (first, second)):
        return _TOUCHING
    if is_chart(first, lines) and is_chart(second, lines):
        return _TOUCHING / 2
    return _PART_REACH


def _is_legend(cluster: Cluster) -> bool:
    """Samples of colors or lines, perhaps in a frame."""
    samples = [mark.box for mark in cluster.marks if mark.role in ("area", "shape")]
    return bool(samples) and all(width(one) <= 30 and height(one) <= 14 for one in samples)


def _is_gridline(rules: Cluster, chart: Box, lines: Sequence[PrintedLine]) -> bool:
    """Lines as wide (or high) as the chart, with a number of the axis at one end."""
    if any(mark.role != "rule" for mark in rules.marks):
        return False
    box = rules.box
    numbers = [line.box for line in lines if is_number(line.text)]
    if abs(box.left - chart.left) < 5 and abs(box.right - chart.right) < 5:
        return any(
            abs(center_y(number) - center_y(box)) < 5 and 0 <= gap_x(number, box) < 30
            for number in numbers
        )
    if abs(box.top - chart.top) < 5 and abs(box.bottom - chart.bottom) < 5:
        return any(
            abs(center_x(number) - center_x(box)) < 8 and 0 <= gap_y(number, box) < 20
            for number in numbers
        )
    return False


def _are_fellow_bars(first: Cluster, second: Cluster) -> bool:
    """Bars on one baseline, of one thickness, with ticks at most."""
    return (
        gap_x(first.box, second.box) <= _bar_reach(first, second, width)
        and gap_y(first.box, second.box) <= _bar_reach(first, second, height)
        and not _has_long_rules(first)
        and not _has_long_rules(second)
        and any(_share_baseline(one, other) for one in bars(first) for other in bars(second))
    )


def _bar_reach(first: Cluster, second: Cluster, extent: Callable[[Box], float]) -> float:
    return max(_BAR_REACH, 1.2 * min(extent(first.box), extent(second.box)))


def _has_long_rules(cluster: Cluster) -> bool:
    return any(
        mark.role in ("rule", "frame") and max(width(mark.box), height(mark.box)) > _TICK
        for mark in cluster.marks
    )


def _share_baseline(one: Box, other: Box) -> bool:
    upright = abs(one.bottom - other.bottom) < 1.5 and abs(width(one) - width(other)) < 1.5
    level = abs(one.left - other.left) < 1.5 and abs(height(one) - height(other)) < 1.5
    return upright or level
