"""Where a page draws with lines and areas: its drawing commands as marks, and clusters of marks.

What a cluster shows is judged elsewhere (clusters.py).
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from sandbox.documents.geometry.boxes import (
    displayed_box,
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
from sandbox.records import Box

if TYPE_CHECKING:
    import pymupdf

MAX_PATHS = 20_000
"""Above this the shapes of a page's paths are not looked at, only where they lie."""

Role = Literal["rule", "area", "frame", "shape"]
"""A straight line; a filled rectangle; an open one; anything else (curve, polygon, arrow)."""

# Lengths in points.
_THIN = 2.2  # a filled rectangle no thicker than this is a rule
_NEAR = 3.0  # marks closer than this belong to one cluster
_STRAIGHT = 0.5  # ends of a level or upright line differ by less
_ROUNDED_HEIGHT = 10.0  # a rectangle with round corners is higher than this; lower ones are dots

_WHITE = 0.97  # brightness between 0 and 1; paler areas are paper
_PAGE_SIDE = 0.97  # share of the page's width or height; longer marks frame or divide the page
_BACKGROUND = 0.6  # share of the page; larger areas are its background

_GRID_CELLS = 700  # on the longest side of the grid on which marks are clustered
_MAX_CLUSTERS = 300  # with more, cells are made larger, so that comparing pairs stays quick


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


def read_marks(page: "pymupdf.Page", number: int) -> tuple[Mark, ...]:
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
    clipped = (Mark(role=mark.role, box=intersection(mark.box, whole)) for mark in marks)
    return tuple(mark for mark in clipped if not _is_of_page(mark, whole))


def cluster_marks(marks: Sequence[Mark], whole: Box) -> tuple[Cluster, ...]:
    """Group marks that are less than a few points apart, or whose surroundings overlap."""
    if not marks:
        return ()
    cell = max(_NEAR, width(whole) / _GRID_CELLS, height(whole) / _GRID_CELLS)
    regions = _touching_regions(marks, whole, cell)
    while len(regions) > _MAX_CLUSTERS:
        cell *= 2
        regions = _touching_regions(marks, whole, cell)
    merged = merge_boxes(
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
    filled, stroked = _is_painted(path, "fill"), _is_painted(path, "color", "stroke_opacity")
    is_area = filled and min(path["fill"]) < _WHITE
    if not stroked and not is_area:
        return
    role: Role = "area" if is_area else "frame"
    items = path["items"]
    whole = displayed_box(page, number, path["rect"])
    if any(_is_slanted(item) for item in items):
        is_box = _is_rounded(items) and height(whole) > _ROUNDED_HEIGHT
        yield Mark(role=role if is_box else "shape", box=whole)
        return
    lines = _straight_lines(items)
    if filled and len(lines) >= 3:
        yield Mark(role=_thin_or(role if len(lines) <= 5 else "shape", whole), box=whole)
    else:
        yield from (Mark(role="rule", box=displayed_box(page, number, line)) for line in lines)
    for box in _rectangles(page, number, items):
        yield Mark(role=_thin_or(role, box), box=box)


def _is_painted(path: Mapping[str, Any], color: str, opacity: str = "fill_opacity") -> bool:
    return path.get(color) is not None and path.get(opacity, 1) != 0


def _straight_lines(items: Sequence[Sequence[Any]]) -> list[tuple[float, ...]]:
    """The lines of a path, each as left, top, right and bottom, not yet in order."""
    return [(*item[1], *item[2]) for item in items if item[0] == "l"]


def _rectangles(page: "pymupdf.Page", number: int, items: Sequence[Sequence[Any]]) -> Iterator[Box]:
    for kind, shape, *_ in items:
        if kind in ("re", "qu"):
            yield displayed_box(page, number, shape if kind == "re" else _quad_box(shape))


def _is_rounded(items: Sequence[Sequence[Any]]) -> bool:
    """A rectangle with round corners: one or two curves each, and its sides."""
    kinds = [item[0] for item in items]
    is_level = not any(_is_slanted(item) for item in items if item[0] != "c")
    return kinds.count("c") in (4, 8) and 3 <= kinds.count("l") <= 8 and is_level


def _thin_or(role: Role, box: Box) -> Role:
    return "rule" if min(width(box), height(box)) <= _THIN else role


def _is_slanted(item: Sequence[Any]) -> bool:
    """Whether a part of a path is a curve or runs neither across nor up or down."""
    if item[0] == "c":
        return True
    if item[0] == "l":
        (left, top), (right, bottom) = item[1], item[2]
        return bool(abs(left - right) > _STRAIGHT and abs(top - bottom) > _STRAIGHT)
    if item[0] == "qu":
        upper_left, upper_right, lower_left, _ = item[1]
        return not (_is_straight(upper_left, upper_right) and _is_straight(upper_left, lower_left))
    return False


def _is_straight(start: Sequence[float], end: Sequence[float]) -> bool:
    """Whether a side of a quadrilateral is level or upright."""
    return min(abs(start[0] - end[0]), abs(start[1] - end[1])) < _STRAIGHT


def _quad_box(quad: Sequence[Sequence[float]]) -> tuple[float, float, float, float]:
    across = [point[0] for point in quad]
    down = [point[1] for point in quad]
    return min(across), min(down), max(across), max(down)


def _is_of_page(mark: Mark, whole: Box) -> bool:
    """Off the page, a background, a frame around the page, or a band from edge to edge."""
    across, down = width(mark.box), height(mark.box)
    if across < 0 or down < 0:
        return True
    if across >= _PAGE_SIDE * width(whole) or down >= _PAGE_SIDE * height(whole):
        return True
    return mark.role in ("area", "frame") and across * down >= _BACKGROUND * whole.area
