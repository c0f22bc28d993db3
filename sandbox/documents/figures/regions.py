"""The regions of a page that are figures: its pictures, and its charts drawn as lines and areas."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from sandbox.documents.figures.chart_parts import assembled
from sandbox.documents.figures.clusters import is_chart
from sandbox.documents.figures.drawings import Cluster, cluster_marks, drawing_marks
from sandbox.documents.figures.growth import Region, grown_by_labels, trimmed
from sandbox.documents.figures.printed_lines import PrintedLine, body_size, is_heading
from sandbox.documents.figures.rasters import SCAN_SHARE, raster_regions
from sandbox.documents.geometry.boxes import (
    center_x,
    covered_share,
    gap_x,
    gap_y,
    height,
    holds_center,
    joined,
    union,
    width,
)
from sandbox.documents.geometry.page_geometry import page_box
from sandbox.records import Box

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
