"""Running headers, footers and page numbers, told by their repetition over pages.

Only lines at the edge of a page are looked at, so that a heading in the body that has the same
words stays.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from sandbox.documents.boxes import center_y
from sandbox.records import Block, Box, Line, Page

_EDGE_SHARE = 0.14
"""How much of the page's height at either end may hold furniture."""

_EDGE_LINES = 4
_LEAST_PAGES = 3
_LEAST_SHARE = 0.25
"""Share of the pages that must agree; odd and even pages may have headers of their own."""

_SAME_PLACE_POINTS = 6.0
_NUMBER = re.compile(r"\d+|\b[ivxlc]+\b|[零〇一二三四五六七八九十百]+(?=[頁页])", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Edge:
    """A line near the upper or lower end of a page."""

    page: int
    text: str
    """With its numbers masked."""

    place: float
    """Distance of its middle from that end, positive from the top, negative from the bottom."""

    line: Line


def without_furniture(pages: Sequence[Page]) -> tuple[Page, ...]:
    """The pages without lines that repeat at the same place on several of them."""
    by_text: dict[tuple[str, bool], list[_Edge]] = defaultdict(list)
    for page in pages:
        for edge in _edges(page):
            by_text[edge.text, edge.place > 0].append(edge)
    repeated: dict[int, set[Box]] = defaultdict(set)
    for edges in by_text.values():
        for group in _same_place(edges):
            agreeing = {edge.page for edge in group}
            if len(agreeing) >= max(_LEAST_PAGES, _LEAST_SHARE * _spread(agreeing)):
                for edge in group:
                    repeated[edge.page].add(edge.line.box)
    return tuple(_stripped(page, repeated[page.number]) for page in pages)


def _edges(page: Page) -> Iterator[_Edge]:
    lines = sorted(
        (line for block in page.blocks for line in block.lines), key=lambda line: center_y(line.box)
    )
    limit = _EDGE_SHARE * page.height
    for line in lines[:_EDGE_LINES]:
        if center_y(line.box) <= limit:
            yield _Edge(page.number, _masked(line.text), center_y(line.box), line)
    for line in lines[-_EDGE_LINES:]:
        if center_y(line.box) >= page.height - limit:
            place = center_y(line.box) - page.height
            yield _Edge(page.number, _masked(line.text), place, line)


def _masked(text: str) -> str:
    return " ".join(_NUMBER.sub("#", text).split())


def _same_place(edges: Sequence[_Edge]) -> list[list[_Edge]]:
    groups: list[list[_Edge]] = []
    for edge in sorted(edges, key=lambda edge: edge.place):
        if groups and edge.place - groups[-1][0].place <= _SAME_PLACE_POINTS:
            groups[-1].append(edge)
        else:
            groups.append([edge])
    return groups


def _spread(numbers: set[int]) -> int:
    """Number of pages from the first to the last that agree: a chapter may have its own header."""
    return max(numbers) - min(numbers) + 1


def _stripped(page: Page, repeated: set[Box]) -> Page:
    if not repeated:
        return page
    blocks = []
    for block in page.blocks:
        lines = tuple(line for line in block.lines if line.box not in repeated)
        if lines or block.hidden_text:
            blocks.append(replace(block, lines=lines))
    if not any(block.lines for block in blocks) and not page.tables and not page.figures:
        return page  # nothing but furniture: better shown than lost
    return replace(page, blocks=_rejoined(blocks))


def _rejoined(blocks: Sequence[Block]) -> tuple[Block, ...]:
    """The blocks; hidden text whose lines are gone moves to the block before it."""
    kept: list[Block] = []
    for block in blocks:
        if block.lines or not kept:
            kept.append(block)
        else:
            hidden = f"{kept[-1].hidden_text} {block.hidden_text}".strip()
            kept[-1] = replace(kept[-1], hidden_text=hidden)
    return tuple(kept)
