"""The regions of a page that are figures: its pictures, and its charts drawn as lines and areas.

A chart's drawing commands cover its bars only: category labels, printed values, legend and title
are text around them. They are added line by line, each to the nearest figure; paragraphs, headings,
captions and tables are kept out.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from sandbox.documents.figures.clusters import assembled, is_chart
from sandbox.documents.figures.drawings import Cluster, cluster_marks, drawing_marks
from sandbox.documents.figures.lines import PrintedLine, body_size, is_heading, is_number
from sandbox.documents.figures.rasters import SCAN_SHARE, raster_regions
from sandbox.documents.geometry.boxes import (
    center_x,
    center_y,
    covered_share,
    gap_x,
    gap_y,
    grown,
    height,
    holds_center,
    intersection,
    joined,
    union,
    width,
)
from sandbox.documents.geometry.page_geometry import page_box
from sandbox.records import Box, FigureKind

if TYPE_CHECKING:
    import pymupdf

_SMALLEST = 40.0
"""A figure is at least this wide and this high, in points."""

_MARGIN_BAND = 0.1
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


def figure_regions(
    page: "pymupdf.Page", number: int, lines: Sequence[PrintedLine], captions: Sequence[Box]
) -> FigureRegions:
    """Find the figures of a page.

    Args:
        page: The page.
        number: Its number, from 1.
        lines: The lines of its text layer.
        captions: Where printed captions stand; they are never part of a figure.
    """
    whole = page_box(page, number)
    rasters = raster_regions(page, number)
    body = body_size(lines)
    outside = [line for line in lines if _is_outside(line, body, captions)]
    clusters = assembled(cluster_marks(drawing_marks(page, number), whole), lines, outside)
    charts = [cluster for cluster in clusters if is_chart(cluster, lines)]
    tables = [cluster.box for cluster in clusters if cluster not in charts]
    regions = [Region(box=_with_frame(box, tables), kind="raster") for box in rasters.boxes]
    regions += [
        Region(box=cluster.box, kind="vector", marks=len(cluster.marks)) for cluster in charts
    ]
    regions = _united(regions)
    outside = [line for line in outside if not any(_is_title(line, chart) for chart in charts)]
    labels = [
        line
        for line in lines
        if line not in outside and not any(holds_center(table, line.box) for table in tables)
    ]
    regions = _united(grown_by_labels(regions, labels))
    regions = [replace(region, box=trimmed(region.box, outside, lines)) for region in regions]
    return FigureRegions(
        regions=tuple(
            sorted(
                (
                    region
                    for region in regions
                    if _is_figure_sized(region.box, whole)
                    and not any(covered_share(bad, region.box) > 0.02 for bad in rasters.skipped)
                ),
                key=lambda region: (region.box.top, region.box.left),
            )
        ),
        warnings=rasters.warnings,
    )


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
        and abs(center_x(line.box) - center_x(chart.box)) < 0.04 * width(chart.box)
        and line.box.bottom <= chart.box.top + 2
        and chart.box.top - line.box.bottom < 0.8 * line.size
    )


def _united(regions: Sequence[Region]) -> list[Region]:
    """Join regions that overlap; a picture with drawn parts stays a picture where it is larger."""
    regions = [region for region in regions if region.box.area > 0]  # a lone rule is no figure
    boxes = joined([region.box for region in regions], _overlap)
    united = []
    for box in boxes:
        members = [region for region in regions if covered_share(region.box, box) > 0.5]
        largest = max(members, key=lambda region: region.box.area)
        drawn = sum(region.marks for region in members)
        united.append(Region(box=box, kind=largest.kind, marks=drawn))
    return united


def _overlap(first: Box, second: Box) -> bool:
    return gap_x(first, second) < -1 and gap_y(first, second) < -1


def _with_frame(picture: Box, others: Sequence[Box]) -> Box:
    """A picture with the frame and the ticks drawn around it."""
    frames = [
        other
        for other in others
        if covered_share(picture, other) > 0.9 and other.area < 1.5 * picture.area
    ]
    return union([picture, *frames])


def _is_figure_sized(box: Box, whole: Box) -> bool:
    """Not an icon, not a logo in the page's margin, not a scan or background."""
    across, down = width(box), height(box)
    if min(across, down) < _SMALLEST or covered_share(whole, box) >= SCAN_SHARE:
        return False
    in_margin = box.bottom < _MARGIN_BAND * height(whole) or box.top > (1 - _MARGIN_BAND) * height(
        whole
    )
    return not in_margin


def grown_by_labels(regions: Sequence[Region], labels: Sequence[PrintedLine]) -> list[Region]:
    """Add each label to the nearest figure that it belongs to, until nothing more is added."""
    grown_regions, left = list(regions), list(labels)
    changed = True
    while changed and left:
        changed = False
        for line in sorted(left, key=lambda line: _least_distance(line.box, grown_regions)):
            reached = [
                (apart, index)
                for index, region in enumerate(grown_regions)
                if (apart := _label_distance(region, line)) is not None
                and (apart == 0 or region.kind == "vector" or _is_in_series(line, labels))
            ]
            if reached:
                index = min(reached)[1]
                region = grown_regions[index]
                grown_regions[index] = replace(region, box=union([region.box, line.box]))
                left.remove(line)
                changed = True
    return grown_regions


def _is_in_series(line: PrintedLine, labels: Sequence[PrintedLine]) -> bool:
    """Whether a label beside a picture is one of several in a row or column: an axis."""
    row = [label for label in labels if abs(center_y(label.box) - center_y(line.box)) < 2]
    column = [
        label
        for label in labels
        if is_number(label.text)
        and min(abs(label.box.right - line.box.right), abs(label.box.left - line.box.left)) < 2
    ]
    return len(row) >= 3 or (is_number(line.text) and len(column) >= 3)


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
        reach = 3.0 * line.size if is_number(line.text) else 1.6 * line.size
        if across <= reach and down < tall:
            return max(across, 0.0)
    if box.left - tall <= center_x(label) <= box.right + tall:
        reach = 1.7 * line.size if label.bottom <= box.top else 1.3 * line.size
        if down <= reach and across < tall:
            return max(down, 0.0)
    return None


def trimmed(box: Box, outside: Sequence[PrintedLine], lines: Sequence[PrintedLine]) -> Box:
    """A small margin, kept clear of the text that is not part of the figure."""
    wide = grown(box, 3.0)
    for line in outside:
        wide = _without_line(wide, line.box)
    for line in lines:
        if not holds_center(box, line.box):
            wide = _kept_clear(wide, box, line.box)
    return wide


def _without_line(box: Box, line: Box) -> Box:
    """Cut a paragraph's or caption's line off the upper or lower end."""
    if intersection(box, line).area <= 0 or gap_x(box, line) >= 0:
        return box
    if center_y(line) < box.top + 0.25 * height(box):
        return replace(box, top=max(box.top, line.bottom))
    if center_y(line) > box.bottom - 0.25 * height(box):
        return replace(box, bottom=min(box.bottom, line.top))
    return box


def _kept_clear(wide: Box, core: Box, line: Box) -> Box:
    """Take back the margin on the side where it would cut into a foreign line."""
    if gap_x(wide, line) >= 0 or gap_y(wide, line) >= 0:
        return wide
    if line.top >= core.bottom - 2:
        return replace(wide, bottom=max(core.bottom, line.top))
    if line.bottom <= core.top + 2:
        return replace(wide, top=min(core.top, line.bottom))
    if line.left >= core.right - 2:
        return replace(wide, right=max(core.right, line.left))
    if line.right <= core.left + 2:
        return replace(wide, left=min(core.left, line.right))
    return wide
