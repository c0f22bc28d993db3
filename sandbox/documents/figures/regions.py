"""The regions of a page that are figures: its pictures, and its charts drawn as lines and areas.

A chart's drawing commands cover its bars only: category labels, printed values, legend and title
are text around them. They are added line by line, each to the nearest figure; paragraphs, headings,
captions and tables are kept out.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from sandbox.documents.figures.clusters import assemble, is_chart
from sandbox.documents.figures.drawings import Cluster, cluster_marks, read_marks
from sandbox.documents.figures.lines import PrintedLine, body_size, is_heading, is_number
from sandbox.documents.figures.rasters import BACKGROUND_SHARE, find_pictures
from sandbox.documents.geometry.boxes import (
    center_x,
    center_y,
    covered_share,
    expand,
    gap_x,
    gap_y,
    height,
    holds_center,
    intersection,
    merge_boxes,
    page_box,
    union,
    width,
)
from sandbox.records import Box, FigureKind

if TYPE_CHECKING:
    import pymupdf

# Lengths in points unless another unit is named.
_SMALLEST = 40.0  # a figure is at least this wide and this high; icons are smaller
_MARGIN_BAND = 0.1  # of the page's height at either end, where logos stand
_SKIPPED_SHARE = 0.02  # of a picture that must not be rendered, inside a figure
_OVERLAP = 1.0  # of two figures; less is a shared border
_SAME_PICTURE = 0.5  # share of a region inside the one it became part of
_FRAMED = 0.9  # share of a picture inside its frame
_FRAME_AREA = 1.5  # of the picture's area at most; a larger frame holds other things too
_MARGIN = 3.0  # around a figure, so that no letter is cut
_TOUCHING = 2.0  # by which a line's box may reach into a figure it stands beside
_SAME_AXIS = 2.0  # by which labels of one axis may differ in place
_AXIS_LABELS = 3  # labels in a row or column are an axis

# A title above a chart.
_TITLE_OFFSET = 0.04  # share of the chart's width by which it may be off its middle
_TITLE_REACH = 0.8  # font sizes above the chart

# How far labels lie from a figure at most, in font sizes.
_NUMBER_REACH = 3.0  # numbers of a scale, sideways
_WORD_REACH = 1.6  # other labels, sideways
_ABOVE_REACH = 1.7  # titles and legends
_BELOW_REACH = 1.3  # categories and names of axes

_TRIMMED = 0.25  # share of a figure's height at either end that a foreign line may cut off
_NOTE = re.compile(
    r"^\s*(?:[*†‡]|(?:source|note|base|remark)s?\b|table\s*[A-Z]?\d|資料來源|资料来源|數據來源|数据来源|來源|来源"
    r"|(?:備註|备注|附註|註|注|说明|說明)\s*\d?\s*[:：、.]|表\s?[\d一二三四五六七八九十])",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Region:
    """A part of the page that is one figure."""

    box: Box
    kind: FigureKind
    marks: int = 0
    """How many elements were drawn in it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureRegions:
    """All figures of a page, from top to bottom."""

    regions: tuple[Region, ...]
    warnings: tuple[str, ...]


def find_regions(
    page: "pymupdf.Page", number: int, lines: Sequence[PrintedLine], captions: Sequence[Box]
) -> FigureRegions:
    """Find the figures of a page; printed captions are never part of one."""
    whole = page_box(page, number)
    rasters = find_pictures(page, number)
    body = body_size(lines)
    outside = [line for line in lines if _is_outside(line, body, captions)]
    clusters = assemble(cluster_marks(read_marks(page, number), whole), lines, outside)
    charts = [cluster for cluster in clusters if is_chart(cluster, lines)]
    tables = [cluster.box for cluster in clusters if cluster not in charts]
    regions = [Region(box=_add_frame(box, tables), kind="raster") for box in rasters.boxes]
    regions += [Region(box=x.box, kind="vector", marks=len(x.marks)) for x in charts]
    outside = [line for line in outside if not any(_is_title(line, chart) for chart in charts)]
    regions = _unite(add_labels(_unite(regions), _labels(lines, outside, tables)))
    regions = [replace(region, box=trim(region.box, outside, lines)) for region in regions]
    regions = [x for x in regions if _is_worth_showing(x.box, whole, rasters.skipped)]
    return FigureRegions(
        regions=tuple(sorted(regions, key=lambda region: (region.box.top, region.box.left))),
        warnings=rasters.warnings,
    )


def _labels(
    lines: Sequence[PrintedLine], outside: Sequence[PrintedLine], tables: Sequence[Box]
) -> list[PrintedLine]:
    """Lines that may belong to a figure: neither running text nor in a table."""
    return [
        line
        for line in lines
        if line not in outside and not any(holds_center(table, line.box) for table in tables)
    ]


def _is_outside(line: PrintedLine, body: float, captions: Sequence[Box]) -> bool:
    return (
        line.flowing
        or bool(_NOTE.match(line.text))
        or is_heading(line, body)
        or any(holds_center(caption, line.box) for caption in captions)
    )


def _is_title(line: PrintedLine, chart: Cluster) -> bool:
    """A title centered closely above a chart, however large its letters."""
    return (
        not line.flowing
        and abs(center_x(line.box) - center_x(chart.box)) < _TITLE_OFFSET * width(chart.box)
        and line.box.bottom <= chart.box.top + _TOUCHING
        and chart.box.top - line.box.bottom < _TITLE_REACH * line.size
    )


def _unite(regions: Sequence[Region]) -> list[Region]:
    """Join regions that overlap; a picture with drawn parts stays a picture where it is larger."""
    regions = [region for region in regions if region.box.area > 0]  # a lone rule is no figure
    boxes = merge_boxes([region.box for region in regions], _overlap)
    united = []
    for box in boxes:
        members = [region for region in regions if covered_share(region.box, box) > _SAME_PICTURE]
        largest = max(members, key=lambda region: region.box.area)
        drawn = sum(region.marks for region in members)
        united.append(Region(box=box, kind=largest.kind, marks=drawn))
    return united


def _overlap(first: Box, second: Box) -> bool:
    return max(gap_x(first, second), gap_y(first, second)) < -_OVERLAP


def _add_frame(picture: Box, drawn: Sequence[Box]) -> Box:
    """A picture with the frame and the ticks drawn around it."""
    frames = [
        box
        for box in drawn
        if covered_share(picture, box) > _FRAMED and box.area < _FRAME_AREA * picture.area
    ]
    return union([picture, *frames])


def _is_worth_showing(box: Box, whole: Box, skipped: Sequence[Box]) -> bool:
    """Not an icon, a logo in the page's margin, a scan or background; nothing too large in it."""
    is_icon = min(width(box), height(box)) < _SMALLEST
    is_background = covered_share(whole, box) >= BACKGROUND_SHARE
    band = _MARGIN_BAND * height(whole)
    in_margin = box.bottom < band or box.top > height(whole) - band
    is_skipped = any(covered_share(picture, box) > _SKIPPED_SHARE for picture in skipped)
    return not (is_icon or is_background or in_margin or is_skipped)


def add_labels(regions: Sequence[Region], labels: Sequence[PrintedLine]) -> list[Region]:
    """Add each label to the nearest figure that it belongs to, until nothing more is added."""
    regions, rest = list(regions), list(labels)
    changed = True
    while changed and rest:
        changed = False
        for line in sorted(rest, key=lambda line: _least_distance(line.box, regions)):
            reached = [
                (apart, index)
                for index, region in enumerate(regions)
                if (apart := _label_distance(region, line)) is not None
                and (apart == 0 or region.kind == "vector" or _is_in_series(line, labels))
            ]
            if reached:
                index = min(reached)[1]
                region = regions[index]
                regions[index] = replace(region, box=union([region.box, line.box]))
                rest.remove(line)
                changed = True
    return regions


def _is_in_series(line: PrintedLine, labels: Sequence[PrintedLine]) -> bool:
    """Whether a label beside a picture is one of several in a row or column: an axis."""
    row = [x for x in labels if abs(center_y(x.box) - center_y(line.box)) < _SAME_AXIS]
    if len(row) >= _AXIS_LABELS or not is_number(line.text):
        return len(row) >= _AXIS_LABELS
    column = [
        label
        for label in labels
        if is_number(label.text)
        and min(abs(label.box.right - line.box.right), abs(label.box.left - line.box.left))
        < _SAME_AXIS
    ]
    return len(column) >= _AXIS_LABELS


def _least_distance(box: Box, regions: Sequence[Region]) -> float:
    return min(
        (max(gap_x(box, region.box), gap_y(box, region.box)) for region in regions), default=0.0
    )


def _label_distance(region: Region, line: PrintedLine) -> float | None:
    """How far a label lies from the figure, or None where it cannot belong to it."""
    box, label = region.box, line.box
    if holds_center(box, label):
        return 0.0
    across, down = gap_x(box, label), gap_y(box, label)
    tall = min(height(label), width(label))
    if box.top - tall <= center_y(label) <= box.bottom + tall:
        reach = (_NUMBER_REACH if is_number(line.text) else _WORD_REACH) * line.size
        if across <= reach and down < tall:
            return max(across, 0.0)
    if box.left - tall <= center_x(label) <= box.right + tall:
        reach = (_ABOVE_REACH if label.bottom <= box.top else _BELOW_REACH) * line.size
        if down <= reach and across < tall:
            return max(down, 0.0)
    return None


def trim(box: Box, outside: Sequence[PrintedLine], lines: Sequence[PrintedLine]) -> Box:
    """Add a small margin, kept clear of the text that is not part of the figure."""
    wide = expand(box, _MARGIN)
    for line in outside:
        wide = _cut_off(wide, line.box)
    for line in lines:
        if not holds_center(box, line.box):
            wide = _keep_clear(wide, box, line.box)
    return wide


def _cut_off(box: Box, line: Box) -> Box:
    """Cut a paragraph's or caption's line off the upper or lower end."""
    if intersection(box, line).area <= 0 or gap_x(box, line) >= 0:
        return box
    if center_y(line) < box.top + _TRIMMED * height(box):
        return replace(box, top=max(box.top, line.bottom))
    if center_y(line) > box.bottom - _TRIMMED * height(box):
        return replace(box, bottom=min(box.bottom, line.top))
    return box


def _keep_clear(wide: Box, core: Box, line: Box) -> Box:
    """Take back the margin on the side where it would cut into a foreign line."""
    if gap_x(wide, line) >= 0 or gap_y(wide, line) >= 0:
        return wide
    if line.top >= core.bottom - _TOUCHING:
        return replace(wide, bottom=max(core.bottom, line.top))
    if line.bottom <= core.top + _TOUCHING:
        return replace(wide, top=min(core.top, line.bottom))
    if line.left >= core.right - _TOUCHING:
        return replace(wide, right=max(core.right, line.left))
    if line.right <= core.left + _TOUCHING:
        return replace(wide, left=min(core.left, line.right))
    return wide
