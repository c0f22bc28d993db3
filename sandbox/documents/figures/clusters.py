"""Clusters of drawing marks: which are parts of one chart, and which are charts or diagrams at all.

Bars, curves, markers and connected boxes make a figure. Table rulings, underlines, frames, shaded
text boxes, bullets and check-marks do not. Bars without a common axis, samples of a legend and
gridlines lie apart from each other and are put together, unless text of the page stands between.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise

from sandbox.documents.charts.labels import evenly_growing
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
    merge,
    union,
    width,
)
from sandbox.records import Box, Line

# What makes a chart; lengths in points.
_SWATCH = 14.0  # sides up to this are bullets, check boxes and legend samples
_EVEN = 1.5  # by which thicknesses of bars, or their baselines, may differ
_GROUND = 0.6  # share of a cluster that the colored ground of a plot covers
_LARGE_CURVE = 24.0  # on both sides; smaller curves are markers and letters
_LONG_CURVE = (80.0, 5.0)  # width and height of a flat curve; an underline is lower
_WRAPPED = 0.3  # share of a shape that a paragraph in it fills: a balloon or banner
_INSIDE = 0.9  # share of a line that lies in a shape
_LEAST_MARKERS = 5  # fewer are ornaments
_LEAST_MARKER = 1.5  # smaller marks are the dots of a dotted line
_SPREAD = (50.0, 40.0)  # width and height over which markers spread; a list of bullets is narrower
_BULLET_REACH = 24.0  # between a bullet and its text
_LISTED = 0.5  # share of markers that begin a line: bullets
_SCALE_REACH = 30.0  # between the numbers of an axis and its lines
_LEAST_TICKS = 3  # two numbers always grow evenly
_SCALE_HEIGHT = 0.5  # share of a cluster's height that its scale covers
_ACROSS = 0.8  # share of a cluster's width that the rule of a table crosses
_LEAST_ROW = 5.0  # rules closer together are a double rule
_USED_ROWS = 0.6  # share of rows with two texts or more in a table
_NESTED = 0.5  # share of a cluster; a larger box is the diagram's frame
_PROSE = 0.5  # share of a box's lines that are prose: then it is a shaded text
_LABEL_LINES = 3  # lines in a box of a diagram at most
_BOX_GAP = 6.0  # boxes of a flow diagram stand at least this far apart
_MOST_TOUCHING = 0.2  # share of boxes nearer than that
_LINK = 5.0  # length of a line between boxes at least
_IN_BOX = 0.6  # share of a line that lies in a box: then it is no link

# Parts of one chart; lengths in points.
_LEGEND_SAMPLE = (30.0, 14.0)  # width and height at most
_LEGEND_REACH = 40.0  # between a chart and its legend or gridlines
_BAR_REACH = 60.0  # between bars of one chart, or 1.2 times the smaller part where that is more
_BAR_REACH_SHARE = 1.2  # of the smaller part
_PART_REACH = 12.0  # between other parts of one chart
_TOUCHING = 6.0  # rules are taken for parts of a chart only where they all but touch it
_TICK = 8.0  # longer rules and frames belong to a table or an axis, not to a bare bar
_SAME_EDGE = 5.0  # between the ends of gridlines and of the chart
_TICK_OFFSET = (5.0, 8.0)  # between a number and its gridline, up or down and sideways
_TICK_REACH = (30.0, 20.0)  # between a number and the end of its gridline, sideways and down


def is_chart(cluster: Cluster, lines: Sequence[PrintedLine]) -> bool:
    """Whether a cluster is a figure; `lines` are the lines of its page."""
    inside = [line for line in lines if holds_center(cluster.box, line.box)]
    empty, numbered, worded = _kinds_of_bars(cluster, inside)
    if _has_curves(cluster, inside) or (_lengths_vary(empty) and len(empty) >= len(worded)):
        return True
    if _is_ruled_table(cluster, inside):
        return False
    return (
        (len(empty) >= 2 and len(empty) >= len(worded))
        or (_lengths_vary(numbered) and len(empty) + len(numbered) >= len(worded))
        or _has_markers(cluster, lines)
        or _has_scale(cluster, lines)
        or _has_connected_boxes(cluster, inside)
    )


def find_bars(cluster: Cluster) -> list[Box]:
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
    return covered_share(cluster.box, area.box) > _GROUND and any(
        holds_center(area.box, mark.box) for mark in cluster.marks if mark is not area
    )


def _kinds_of_bars(
    cluster: Cluster, inside: Sequence[PrintedLine]
) -> tuple[list[Box], list[Box], list[Box]]:
    """Filled rectangles without text, with a number in them, and with other text."""
    empty, numbered, worded = [], [], []
    for area in find_bars(cluster):
        held = [line for line in inside if holds_center(area, line.box)]
        if not held:
            empty.append(area)
        elif len(held) <= 2 and all(is_number(line.text) for line in held):
            numbered.append(area)
        else:
            worded.append(area)
    return empty, numbered, worded


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
    return min(across, down) >= _LARGE_CURVE or (
        across >= _LONG_CURVE[0] and down >= _LONG_CURVE[1]
    )


def _wraps_text(box: Box, inside: Sequence[PrintedLine]) -> bool:
    """A balloon, banner or rounded box around a paragraph."""
    held = [line.box for line in inside if line.flowing and covered_share(line.box, box) > _INSIDE]
    return bool(held) and union(held).area > _WRAPPED * box.area


def _has_markers(cluster: Cluster, lines: Sequence[PrintedLine]) -> bool:
    """Points of a scatter plot or tiles of a map: many small shapes spread in both directions."""
    small = [
        mark.box
        for mark in cluster.marks
        if mark.role == "shape"
        and not _is_large(mark.box)
        and max(height(mark.box), width(mark.box)) > _LEAST_MARKER
    ]
    if len(small) < _LEAST_MARKERS:
        return False
    spread = union(small)
    listed = sum(_starts_a_line(box, lines) for box in small)
    is_spread = width(spread) >= _SPREAD[0] and height(spread) >= _SPREAD[1]
    return is_spread and listed < _LISTED * len(small)


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
    if len(ticks) < _LEAST_TICKS:
        return False
    return height(union([tick.box for tick in ticks])) > _SCALE_HEIGHT * height(cluster.box)


def _starts_a_line(box: Box, lines: Sequence[PrintedLine]) -> bool:
    """A bullet or check-mark: text follows closely on its right."""
    return any(
        0 <= line.box.left - box.right < _BULLET_REACH and gap_y(line.box, box) < 0
        for line in lines
    )


def _is_ruled_table(cluster: Cluster, inside: Sequence[PrintedLine]) -> bool:
    """Rules across the whole width with text in most of the rows between them."""
    levels = sorted(
        mark.box.top
        for mark in cluster.marks
        if mark.role == "rule" and width(mark.box) >= _ACROSS * width(cluster.box)
    )
    rows = [(top, bottom) for top, bottom in pairwise(levels) if bottom - top > _LEAST_ROW]
    used = sum(
        sum(top <= center_y(line.box) <= bottom for line in inside) >= 2 for top, bottom in rows
    )
    return len(rows) >= 2 and used >= _USED_ROWS * len(rows)


def _has_connected_boxes(cluster: Cluster, inside: Sequence[PrintedLine]) -> bool:
    """A flow diagram: boxes with text in them that stand apart, and lines between them."""
    boxes = _boxes_with_text(cluster, inside)
    if len(boxes) < 2 or any(_flow_share(box, inside) > _PROSE for box in boxes):
        return False
    apart = [
        box
        for box in boxes
        if all(distance(box, other) > _BOX_GAP for other in boxes if other != box)
    ]
    links = [mark for mark in cluster.marks if _is_link(mark, boxes)]
    return len(apart) >= max(2, (1 - _MOST_TOUCHING) * len(boxes)) and len(links) >= len(apart) - 1


def _boxes_with_text(cluster: Cluster, inside: Sequence[PrintedLine]) -> list[Box]:
    """Boxes of a cluster; one drawn twice, filled and stroked, counts once."""
    boxes: list[Box] = []
    for mark in cluster.marks:
        box = mark.box
        if (
            mark.role in ("area", "frame")
            and any(holds_center(box, line.box) for line in inside)
            and covered_share(cluster.box, box) < _NESTED
            and not any(_is_double(box, other) for other in boxes)
        ):
            boxes.append(box)
    return boxes


def _is_double(box: Box, other: Box) -> bool:
    return gap_x(box, other) < -_INSIDE * width(box) and gap_y(box, other) < -_INSIDE * height(box)


def _is_link(mark: Mark, boxes: Sequence[Box]) -> bool:
    """A line or an arrow outside of the boxes."""
    return (
        mark.role in ("rule", "shape")
        and not any(covered_share(_thicken(mark.box), box) > _IN_BOX for box in boxes)
        and max(width(mark.box), height(mark.box)) >= _LINK
    )


def _flow_share(box: Box, inside: Sequence[PrintedLine]) -> float:
    """Share of the lines of a box that are prose; a few lines in a box are a label."""
    held = [line for line in inside if holds_center(box, line.box)]
    if len(held) <= _LABEL_LINES:
        return 0.0
    return sum(line.flowing for line in held) / len(held)


def _thicken(rule: Box) -> Box:
    """A box that has an area, which a line has not."""
    return replace(rule, right=rule.right + 0.1, bottom=rule.bottom + 0.1)


def assemble(
    clusters: Sequence[Cluster], lines: Sequence[PrintedLine], outside: Sequence[PrintedLine]
) -> list[Cluster]:
    """Join the parts of one chart: bars without a common axis, gridlines, samples of a legend.

    Of the page's lines those `outside` belong to its running text.
    """
    legends = [cluster for cluster in clusters if _is_legend(cluster)]
    parts = [cluster for cluster in clusters if cluster not in legends]
    parts = merge(parts, lambda part, other: _same_chart(part, other, lines, outside), _together)
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
    return bool(samples) and all(
        width(box) <= _LEGEND_SAMPLE[0] and height(box) <= _LEGEND_SAMPLE[1] for box in samples
    )


def _is_gridline(rules: Cluster, chart: Box, lines: Sequence[PrintedLine]) -> bool:
    """Lines as wide (or high) as the chart, with a number of the axis at one end."""
    if any(mark.role != "rule" for mark in rules.marks):
        return False
    box = rules.box
    numbers = [line.box for line in lines if is_number(line.text)]
    if max(abs(box.left - chart.left), abs(box.right - chart.right)) < _SAME_EDGE:
        return any(
            abs(center_y(number) - center_y(box)) < _TICK_OFFSET[0]
            and 0 <= gap_x(number, box) < _TICK_REACH[0]
            for number in numbers
        )
    if max(abs(box.top - chart.top), abs(box.bottom - chart.bottom)) < _SAME_EDGE:
        return any(
            abs(center_x(number) - center_x(box)) < _TICK_OFFSET[1]
            and 0 <= gap_y(number, box) < _TICK_REACH[1]
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
        and any(
            _share_baseline(bar, other) for bar in find_bars(first) for other in find_bars(second)
        )
    )


def _bar_reach(first: Cluster, second: Cluster, extent: Callable[[Box], float]) -> float:
    return max(_BAR_REACH, _BAR_REACH_SHARE * min(extent(first.box), extent(second.box)))


def _has_long_rules(cluster: Cluster) -> bool:
    return any(
        mark.role in ("rule", "frame") and max(width(mark.box), height(mark.box)) > _TICK
        for mark in cluster.marks
    )


def _share_baseline(bar: Box, other: Box) -> bool:
    upright = max(abs(bar.bottom - other.bottom), abs(width(bar) - width(other))) < _EVEN
    level = max(abs(bar.left - other.left), abs(height(bar) - height(other))) < _EVEN
    return upright or level
