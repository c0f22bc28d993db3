"""Where a page draws with lines and areas: its drawing commands as marks, and clusters of marks.

What a cluster shows is judged elsewhere (clusters.py).
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from sandbox.documents.geometry.boxes import (
    gap_x,
    gap_y,
    height,
    holds_center,
    intersection,
    joined,
    union,
    width,
)
from sandbox.documents.geometry.page_geometry import displayed_box, page_box
from sandbox.records import Box

if TYPE_CHECKING:
    import pymupdf

MAX_PATHS = 20_000
"""Above this the shapes of a page's paths are not looked at, only where they lie."""

Role = Literal["rule", "area", "frame", "shape"]
"""A straight line; a filled rectangle; an open one; anything else (curve, polygon, arrow)."""

_THIN = 2.2
_NEAR = 3.0
_GRID_CELLS = 700
"""Longest side of the grid on which marks are clustered."""

_MAX_CLUSTERS = 300
_WHITE = 0.97


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """One drawn element."""

    role: Role
    box: Box


@dataclass(frozen=True, slots=True, kw_only=True)
class Cluster:
    """Marks that lie close together."""

    box: Box
    marks: tuple[Mark, ...]


def drawing_marks(page: "pymupdf.Page", number: int) -> tuple[Mark, ...]:
    """Every drawn element, without white areas, page frames and backgrounds."""
    whole = page_box(page, number)
    log = [entry for entry in page.get_bboxlog() if entry[0].endswith(("-path", "-shade"))]
    if len(log) > MAX_PATHS:
        marks = [Mark(role="shape", box=displayed_box(page, number, box)) for _, box in log]
    else:
        marks = [mark for path in page.get_cdrawings() for mark in _marks_of(page, number, path)]
        marks += [
            Mark(role="shape", box=displayed_box(page, number, box))
            for kind, box in log
            if kind.endswith("-shade")
        ]
    shown = (Mark(role=mark.role, box=intersection(mark.box, whole)) for mark in marks)
    return tuple(mark for mark in shown if not _is_page_furniture(mark, whole))


def cluster_marks(marks: Sequence[Mark], whole: Box) -> tuple[Cluster, ...]:
    """Group marks that are less than a few points apart, or whose surroundings overlap."""
    if not marks:
        return ()
    cell = max(_NEAR, width(whole) / _GRID_CELLS, height(whole) / _GRID_CELLS)
    regions = _touching_regions(marks, whole, cell)
    while len(regions) > _MAX_CLUSTERS:
        cell *= 2
        regions = _touching_regions(marks, whole, cell)
    merged = joined(
        regions, lambda first, second: max(gap_x(first, second), gap_y(first, second)) < 0
    )
    groups: list[list[Mark]] = [[] for _ in merged]
    for mark in marks:
        home = next((i for i, region in enumerate(merged) if holds_center(region, mark.box)), None)
        if home is not None:
            groups[home].append(mark)
    return tuple(
        Cluster(box=union([mark.box for mark in group]), marks=tuple(group))
        for group in groups
        if group
    )


def _touching_regions(marks: Sequence[Mark], whole: Box, cell: float) -> list[Box]:
    """Connected cells of a grid over the page; quick for a hundred thousand marks."""
    import numpy
    from scipy import ndimage

    rows, columns = math.ceil(height(whole) / cell) + 1, math.ceil(width(whole) / cell) + 1
    grid = numpy.zeros((rows, columns), dtype=bool)
    for mark in marks:
        box = mark.box
        grid[
            int(box.top / cell) : int(box.bottom / cell) + 1,
            int(box.left / cell) : int(box.right / cell) + 1,
        ] = True
    labels, _ = ndimage.label(grid, structure=numpy.ones((3, 3)))
    return [
        Box(
            page=whole.page,
            left=across.start * cell,
            top=down.start * cell,
            right=across.stop * cell,
            bottom=down.stop * cell,
        )
        for down, across in ndimage.find_objects(labels)
    ]


def _marks_of(page: "pymupdf.Page", number: int, path: Mapping[str, Any]) -> Iterator[Mark]:
    """The marks of one path: its rectangles and straight lines apart, the rest as one shape."""
    filled = path.get("fill") is not None and path.get("fill_opacity", 1) != 0
    stroked = path.get("color") is not None and path.get("stroke_opacity", 1) != 0
    if not stroked and (not filled or min(path["fill"]) >= _WHITE):
        return
    box_role: Role = "area" if filled and min(path["fill"]) < _WHITE else "frame"
    items = path["items"]
    kinds = [item[0] for item in items]
    slanted = any(_is_slanted(item) for item in items)
    if "c" in kinds or slanted:
        rounded = kinds.count("c") in (4, 8) and 3 <= kinds.count("l") <= 8 and not slanted
        box = displayed_box(page, number, path["rect"])
        yield Mark(role=box_role if rounded and height(box) > 10 else "shape", box=box)
        return
    lines = [item for item in items if item[0] == "l"]
    if filled and len(lines) >= 3:
        box = displayed_box(page, number, path["rect"])
        yield Mark(role=_thin_or(box_role if len(lines) <= 5 else "shape", box), box=box)
        lines = []
    for item in lines:
        yield Mark(role="rule", box=displayed_box(page, number, (*item[1], *item[2])))
    for item in items:
        if item[0] in ("re", "qu"):
            box = displayed_box(page, number, item[1] if item[0] == "re" else _quad_box(item[1]))
            yield Mark(role=_thin_or(box_role, box), box=box)


def _thin_or(role: Role, box: Box) -> Role:
    return "rule" if min(width(box), height(box)) <= _THIN else role


def _is_slanted(item: Sequence[Any]) -> bool:
    if item[0] == "l":
        (left, top), (right, bottom) = item[1], item[2]
        return bool(abs(left - right) > 0.5 and abs(top - bottom) > 0.5)
    if item[0] == "qu":
        upper_left, upper_right, lower_left, _ = item[1]
        level = (
            abs(upper_left[1] - upper_right[1]) < 0.5 or abs(upper_left[0] - upper_right[0]) < 0.5
        )
        upright = (
            abs(upper_left[0] - lower_left[0]) < 0.5 or abs(upper_left[1] - lower_left[1]) < 0.5
        )
        return not (level and upright)
    return False


def _quad_box(quad: Sequence[Sequence[float]]) -> tuple[float, float, float, float]:
    across = [point[0] for point in quad]
    down = [point[1] for point in quad]
    return min(across), min(down), max(across), max(down)


def _is_page_furniture(mark: Mark, whole: Box) -> bool:
    """Off the page, a background, a frame around the page, or a band from edge to edge."""
    across, down = width(mark.box), height(mark.box)
    if across < 0 or down < 0:
        return True
    if across >= 0.97 * width(whole) or down >= 0.97 * height(whole):
        return True
    return mark.role in ("area", "frame") and across * down >= 0.6 * whole.area
