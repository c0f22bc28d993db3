"""Grow the regions of figures by the labels that belong to them.

A chart's drawing commands cover its bars only: category labels, printed values, legend and title
are text around them. They are added line by line, each to the nearest figure; paragraphs, headings,
captions and tables are kept out.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from sandbox.documents.figures.printed_lines import PrintedLine, is_number
from sandbox.documents.geometry.boxes import (
    center_x,
    center_y,
    gap_x,
    gap_y,
    grown,
    height,
    holds_center,
    intersection,
    union,
    width,
)
from sandbox.records import Box, FigureKind


@dataclass(frozen=True, slots=True, kw_only=True)
class Region:
    """A part of the page that is one figure."""

    box: Box
    kind: FigureKind
    marks: int = 0
    """How many elements were drawn in it."""


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
