"""Clusters of drawing marks: which are parts of one chart, and which are charts or diagrams at all.

Bars, curves, markers and connected boxes make a figure. Table rulings, underlines, frames, shaded
text boxes, bullets and check-marks do not. Bars without a common axis, samples of a legend and
gridlines lie apart from each other and are put together, unless text of the page stands between.
"""

from collections.abc import Callable, Sequence

from sandbox.documents.charts.rows import evenly_growing
from sandbox.documents.figures.drawings import Cluster, Mark
from sandbox.documents.figures.lines import PrintedLine, is_number
from sandbox.documents.geometry.boxes import (
    center_x,
    center_y,
    covered_share,
    distance,
    gap_x,
    gap_y,
    height,
    holds_center,
    union,
    width,
)
from sandbox.records import Box, Line

_SWATCH = 14.0
"""Sides up to this are bullets, check boxes and legend samples."""

_EVEN = 1.5
_SCALE_REACH = 30.0
_LEGEND_REACH = 40.0
_BAR_REACH = 60.0
_TICK = 8.0
_PART_REACH = 12.0
_TOUCHING = 6.0


def is_chart(cluster: Cluster, lines: Sequence[PrintedLine]) -> bool:
    """Whether a cluster is a figure; `lines` are the lines of its page."""
    inside = [line for line in lines if holds_center(cluster.box, line.box)]
    empty, numbered, others = _kinds_of_bars(cluster, inside)
    if _has_curves(cluster, inside) or (_lengths_vary(empty) and len(empty) >= len(others)):
        return True
    if _is_ruled_table(cluster, inside):
        return False
    return (
        (len(empty) >= 2 and len(empty) >= len(others))
        or (_lengths_vary(numbered) and len(empty) + len(numbered) >= len(others))
        or _has_markers(cluster, lines)
        or _has_scale(cluster, lines)
        or _has_connected_boxes(cluster, inside)
    )


def bars(cluster: Cluster) -> list[Box]:
    """Filled rectangles that may be bars: neither samples of a legend nor the plot's ground."""
    return [
        mark.box
        for mark in cluster.marks
        if mark.role == "area"
        and max(width(mark.box), height(mark.box)) > _SWATCH
        and not _is_ground(mark, cluster)
    ]


def _is_ground(area: Mark, cluster: Cluster) -> bool:
    """The colored ground of a plot: most of it, with other marks inside."""
    return covered_share(cluster.box, area.box) > 0.6 and any(
        holds_center(area.box, mark.box) for mark in cluster.marks if mark is not area
    )


def _kinds_of_bars(
    cluster: Cluster, inside: Sequence[PrintedLine]
) -> tuple[list[Box], list[Box], list[Box]]:
    """Filled rectangles without text, with a number in them, and with other text."""
    empty, numbered, others = [], [], []
    for area in bars(cluster):
        held = [line for line in inside if holds_center(area, line.box)]
        if not held:
            empty.append(area)
        elif len(held) <= 2 and all(is_number(line.text) for line in held):
            numbered.append(area)
        else:
            others.append(area)
    return empty, numbered, others


def _lengths_vary(areas: Sequence[Box]) -> bool:
    """Bars share a thickness and differ in length; the cells of a table do neither or both."""
    if len(areas) < 2:
        return False
    widths, heights = [width(area) for area in areas], [height(area) for area in areas]
    even_widths = max(widths) - min(widths) <= _EVEN
    even_heights = max(heights) - min(heights) <= _EVEN
    return even_widths != even_heights


def _has_curves(cluster: Cluster, inside: Sequence[PrintedLine]) -> bool:
    return any(
        _is_large(mark.box) and not _wraps_text(mark.box, inside)
        for mark in cluster.marks
        if mark.role == "shape"
    )


def _is_large(box: Box) -> bool:
    across, down = width(box), height(box)
    return (across >= 24 and down >= 24) or (across >= 80 and down >= 5)


def _wraps_text(box: Box, inside: Sequence[PrintedLine]) -> bool:
    """A balloon, banner or rounded box around a paragraph."""
    held = [line.box for line in inside if line.flowing and covered_share(line.box, box) > 0.9]
    return bool(held) and union(held).area > 0.3 * box.area


def _has_markers(cluster: Cluster, lines: Sequence[PrintedLine]) -> bool:
    """Points of a scatter plot or tiles of a map: many small shapes spread in both directions."""
    small = [
        mark.box
        for mark in cluster.marks
        if mark.role == "shape"
        and not _is_large(mark.box)
        and max(height(mark.box), width(mark.box)) > 1.5
    ]
    if len(small) < 5:
        return False
    spread = union(small)
    listed = sum(_starts_a_line(box, lines) for box in small)
    return width(spread) >= 50 and height(spread) >= 40 and listed < 0.5 * len(small)


def _has_scale(cluster: Cluster, lines: Sequence[PrintedLine]) -> bool:
    """An axis: numbers left or right of the lines that grow evenly over most of their height."""
    beside = [
        Line(text=line.text, box=line.box)
        for line in lines
        if not holds_center(cluster.box, line.box)
        and gap_y(cluster.box, line.box) < 0
        and gap_x(cluster.box, line.box) < _SCALE_REACH
    ]
    ticks = evenly_growing([line for line in beside if is_number(line.text)])
    return len(ticks) >= 3 and height(union([tick.box for tick in ticks])) > 0.5 * height(
        cluster.box
    )


def _starts_a_line(box: Box, lines: Sequence[PrintedLine]) -> bool:
    """A bullet or check-mark: text follows closely on its right."""
    return any(0 <= line.box.left - box.right < 24 and gap_y(line.box, box) < 0 for line in lines)


def _is_ruled_table(cluster: Cluster, inside: Sequence[PrintedLine]) -> bool:
    """Rules across the whole width with text in most of the rows between them."""
    levels = sorted(
        mark.box.top
        for mark in cluster.marks
        if mark.role == "rule" and width(mark.box) >= 0.8 * width(cluster.box)
    )
    rows = [
        (top, bottom) for top, bottom in zip(levels, levels[1:], strict=False) if bottom - top > 5
    ]
    if len(rows) < 2:
        return False
    used = sum(
        sum(top <= (line.box.top + line.box.bottom) / 2 <= bottom for line in inside) >= 2
        for top, bottom in rows
    )
    return used >= 0.6 * len(rows)


def _has_connected_boxes(cluster: Cluster, inside: Sequence[PrintedLine]) -> bool:
    """A flow diagram: boxes with text in them that stand apart, and lines between them."""
    boxes = [
        mark.box
        for mark in cluster.marks
        if mark.role in ("area", "frame")
        and any(holds_center(mark.box, line.box) for line in inside)
        and covered_share(cluster.box, mark.box) < 0.5
    ]
    boxes = _without_doubles(boxes)
    if len(boxes) < 2 or any(_flow_share(box, inside) > 0.5 for box in boxes):
        return False
    apart = [
        box for box in boxes if all(distance(box, other) > 6 for other in boxes if other != box)
    ]
    links = [
        mark
        for mark in cluster.marks
        if mark.role in ("rule", "shape")
        and not any(covered_share(_thick(mark), box) > 0.6 for box in boxes)
        and max(width(mark.box), height(mark.box)) >= 5
    ]
    return len(apart) >= 2 and len(apart) >= 0.8 * len(boxes) and len(links) >= len(apart) - 1


def _flow_share(box: Box, inside: Sequence[PrintedLine]) -> float:
    held = [line for line in inside if holds_center(box, line.box)]
    return sum(line.flowing and len(held) > 3 for line in held) / len(held) if held else 0.0


def _thick(mark: Mark) -> Box:
    box = mark.box
    return Box(
        page=box.page, left=box.left, top=box.top, right=box.right + 0.1, bottom=box.bottom + 0.1
    )


def _without_doubles(boxes: Sequence[Box]) -> list[Box]:
    """A box drawn twice, filled and stroked, counts once."""
    kept: list[Box] = []
    for box in boxes:
        if not any(
            gap_x(box, other) < -0.9 * width(box) and gap_y(box, other) < -0.9 * height(box)
            for other in kept
        ):
            kept.append(box)
    return kept


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
