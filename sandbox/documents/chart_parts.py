"""Clusters of drawing marks that are parts of one chart, put together.

Bars without a common axis, samples of a legend and gridlines lie apart from each other; text of the
page between two clusters keeps them apart.
"""

from collections.abc import Sequence

from sandbox.documents.boxes import (
    center_x,
    center_y,
    gap_x,
    gap_y,
    height,
    holds_center,
    union,
    width,
)
from sandbox.documents.chart_clusters import bars, is_chart
from sandbox.documents.figure_drawings import Cluster
from sandbox.documents.printed_lines import PrintedLine, is_number
from sandbox.records import Box

_LEGEND_REACH = 40.0
_BAR_REACH = 60.0
_PART_REACH = 12.0
_TOUCHING = 6.0


def assembled(
    clusters: Sequence[Cluster], lines: Sequence[PrintedLine], outside: Sequence[PrintedLine]
) -> list[Cluster]:
    """Join the parts of one chart: bars without a common axis, samples of a legend."""
    parts = list(clusters)
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
                whole = parts[partner]
                parts[partner] = Cluster(
                    box=union([whole.box, cluster.box]), marks=whole.marks + cluster.marks
                )
                merged = True
    return parts


def _same_chart(
    first: Cluster,
    second: Cluster,
    lines: Sequence[PrintedLine],
    outside: Sequence[PrintedLine],
) -> bool:
    apart = max(gap_x(first.box, second.box), gap_y(first.box, second.box))
    if apart > _reach(first, second, lines):
        return False
    both = union([first.box, second.box])
    between = [
        line
        for line in outside
        if holds_center(both, line.box)
        and not holds_center(first.box, line.box)
        and not holds_center(second.box, line.box)
    ]
    return not between


def _reach(first: Cluster, second: Cluster, lines: Sequence[PrintedLine]) -> float:
    """How far apart two clusters may lie and still be parts of one chart."""
    if _are_fellow_bars(first, second):
        return _BAR_REACH
    if _is_gridline(first, second.box, lines) or _is_gridline(second, first.box, lines):
        return _LEGEND_REACH
    if any(all(mark.role == "rule" for mark in cluster.marks) for cluster in (first, second)):
        return _TOUCHING
    small = min(first, second, key=lambda cluster: cluster.box.area)
    if max(width(small.box), height(small.box)) <= 30 and height(small.box) <= 14:
        return _LEGEND_REACH
    if is_chart(first, lines) and is_chart(second, lines):
        return _TOUCHING / 2
    return _PART_REACH


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
    """Bars on one baseline, of one thickness, and nothing else."""
    if any(mark.role != "area" for cluster in (first, second) for mark in cluster.marks):
        return False
    ours, theirs = bars(first), bars(second)
    if not ours or not theirs:
        return False
    one, other = ours[-1], theirs[0]
    upright = abs(one.bottom - other.bottom) < 1.5 and abs(width(one) - width(other)) < 1.5
    level = abs(one.left - other.left) < 1.5 and abs(height(one) - height(other)) < 1.5
    return upright or level
