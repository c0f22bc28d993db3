"""Arithmetic on rectangles of one page, and PyMuPDF's rectangles as they are displayed."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from sandbox.records import Box

if TYPE_CHECKING:
    import pymupdf


Item = TypeVar("Item")

_SAME_ROW = 0.5  # of an item's height: how far its middle may lie below that of its row


def width(box: Box) -> float:
    """Horizontal extent in points."""
    return box.right - box.left


def height(box: Box) -> float:
    """Vertical extent in points."""
    return box.bottom - box.top


def center_x(box: Box) -> float:
    """Middle between left and right."""
    return (box.left + box.right) / 2


def center_y(box: Box) -> float:
    """Middle between top and bottom."""
    return (box.top + box.bottom) / 2


def union(boxes: Iterable[Box]) -> Box:
    """The smallest box around all of them.

    Raises:
        ValueError: If there is none.
    """
    members = list(boxes)
    if not members:
        raise ValueError("the union of no boxes is undefined")
    return replace(
        members[0],
        left=min(box.left for box in members),
        top=min(box.top for box in members),
        right=max(box.right for box in members),
        bottom=max(box.bottom for box in members),
    )


def intersection(first: Box, second: Box) -> Box:
    """The part both cover; its area is 0 where they do not meet."""
    return replace(
        first,
        left=max(first.left, second.left),
        top=max(first.top, second.top),
        right=min(first.right, second.right),
        bottom=min(first.bottom, second.bottom),
    )


def covered_share(box: Box, cover: Box) -> float:
    """Share of a box's area that lies inside the cover."""
    return intersection(box, cover).area / box.area if box.area else 0.0


def expand(box: Box, margin: float) -> Box:
    """The box with a margin on all sides."""
    return replace(
        box,
        left=box.left - margin,
        top=box.top - margin,
        right=box.right + margin,
        bottom=box.bottom + margin,
    )


def holds_center(outer: Box, inner: Box) -> bool:
    """Whether the middle of the inner box lies in the outer one."""
    return (
        outer.left <= center_x(inner) <= outer.right
        and outer.top <= center_y(inner) <= outer.bottom
    )


def gap_x(first: Box, second: Box) -> float:
    """Horizontal distance; negative by how much they overlap."""
    return max(first.left, second.left) - min(first.right, second.right)


def gap_y(first: Box, second: Box) -> float:
    """Vertical distance; negative by how much they overlap."""
    return max(first.top, second.top) - min(first.bottom, second.bottom)


def distance(first: Box, second: Box) -> float:
    """The larger of the two gaps, 0 where the boxes touch or overlap."""
    return max(0.0, gap_x(first, second), gap_y(first, second))


def merge(
    items: Iterable[Item], belong: Callable[[Item, Item], bool], join: Callable[[Item, Item], Item]
) -> list[Item]:
    """Items joined two by two until no two belong together."""
    groups = list(items)
    merged = True
    while merged:
        merged = False
        rest, groups = groups, []
        for item in rest:
            partner = next((i for i, group in enumerate(groups) if belong(group, item)), None)
            if partner is None:
                groups.append(item)
            else:
                groups[partner] = join(groups[partner], item)
                merged = True
    return groups


def merge_boxes(boxes: Iterable[Box], belong: Callable[[Box, Box], bool]) -> list[Box]:
    """Unions of boxes, joined two by two until no two belong together."""
    return merge(boxes, belong, lambda first, second: union([first, second]))


def group_rows(items: Iterable[Item], box_of: Callable[[Item], Box]) -> list[list[Item]]:
    """Items side by side, row by row from the top, each row from left to right.

    An item is in the row of the item above if its middle lies less than half its height lower:
    letters of two sizes on one baseline do, and lines so close that their boxes touch do not.
    """

    def is_in_row(row: list[Item], item: Item) -> bool:
        box = box_of(item)
        return center_y(box) - center_y(box_of(row[0])) < _SAME_ROW * height(box)

    rows = split_runs(sorted(items, key=lambda item: center_y(box_of(item))), is_in_row)
    return [sorted(row, key=lambda item: box_of(item).left) for row in rows]


def split_runs(
    items: Iterable[Item], continues: Callable[[list[Item], Item], bool]
) -> list[list[Item]]:
    """Items in their order, cut wherever the next one does not continue the run before it.

    >>> split_runs([1, 2, 5, 6], lambda run, item: item == run[-1] + 1)
    [[1, 2], [5, 6]]
    """
    runs: list[list[Item]] = []
    for item in items:
        if runs and continues(runs[-1], item):
            runs[-1].append(item)
        else:
            runs.append([item])
    return runs


def page_box(page: "pymupdf.Page", number: int) -> Box:
    """The whole page as it is displayed."""
    return Box(page=number, left=0, top=0, right=page.rect.width, bottom=page.rect.height)


def displayed_box(page: "pymupdf.Page", number: int, rectangle: Sequence[float]) -> Box:
    """A rectangle of PyMuPDF, which ignores the page's rotation, as a box of the shown page."""
    import pymupdf

    turned = pymupdf.Rect(rectangle).normalize() * page.rotation_matrix
    return Box(page=number, left=turned.x0, top=turned.y0, right=turned.x1, bottom=turned.y1)


def limit_zoom(page: "pymupdf.Page", zoom: float, *, most_pixels: int) -> float:
    """The zoom (1 is 72 pixels an inch), lowered so that the page has no more pixels than that."""
    area = max(1.0, page.rect.width * page.rect.height)
    return float(min(zoom, (most_pixels / area) ** 0.5))
