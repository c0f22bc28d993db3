"""Running headers, footers and page numbers, told by their repetition over pages.

Only small lines at the edge of a page that stand apart from the text are looked at, so that a
heading with the same words stays, and so do pages that resemble each other.
"""

import re
import statistics
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from sandbox.documents.geometry.boxes import center_y, gap_y, height
from sandbox.records import Block, Box, Line, Page

_EDGE_SHARE = 0.1  # of the page's height at either end: where headers and footers stand
_EDGE_LINES = 6  # lines at either end that are looked at
_LEAST_PAGES = 3  # two pages that begin alike may do so by chance
_LEAST_SHARE = 0.25  # of the pages; odd and even ones may differ, and so may chapters
_SAME_PLACE_POINTS = 6.0  # half a line: headers do not move, the first line of a text does
_APART_SHARE = 0.6  # of the line's height: gap to the text next to it at least
_LARGE_SHARE = 1.6  # of the document's usual line height; taller lines are headings
_COUNTER_SHARE = 0.8  # of the lines whose number goes up with the pages; some pages are unnumbered

_DIGITS = re.compile(r"\d+")
_ROMAN = re.compile(r"^[\W_]*[ivxlc]+[\W_]*$", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Edge:
    """A line near the upper or lower end of a page."""

    page: int
    line: Line
    place: float
    """Distance of its middle from that end, positive from the top, negative from the bottom."""

    @property
    def pattern(self) -> str:
        """The text with its numbers masked."""
        text = "#" if _ROMAN.match(self.line.text) else _DIGITS.sub("#", self.line.text)
        return " ".join(text.split())

    @property
    def numbers(self) -> tuple[int, ...]:
        """The numbers of the text, in order."""
        return tuple(int(number) for number in _DIGITS.findall(self.line.text))


def remove_headers_footers(pages: Sequence[Page]) -> tuple[Page, ...]:
    """Drop lines that repeat at the same place on several pages."""
    by_pattern: dict[tuple[str, bool], list[_Edge]] = defaultdict(list)
    heights = [height(line.box) for page in pages for block in page.blocks for line in block.lines]
    largest = _LARGE_SHARE * statistics.median(heights) if heights else 0.0
    for page in pages:
        for edge in _edges(page, largest):
            by_pattern[edge.pattern, edge.place > 0].append(edge)
    repeated: dict[int, set[Box]] = defaultdict(set)
    for edges in by_pattern.values():
        for group in _same_but_for_counters(edges):
            agreeing = {edge.page for edge in group}
            # A chapter may have a header of its own: only the stretch from first to last counts.
            stretch = max(agreeing) - min(agreeing) + 1
            if len(agreeing) >= max(_LEAST_PAGES, _LEAST_SHARE * stretch):
                for edge in group:
                    repeated[edge.page].add(edge.line.box)
    return tuple(_strip(page, repeated[page.number]) for page in pages)


def _edges(page: Page, largest: float) -> Iterator[_Edge]:
    lines = sorted(
        (line for block in page.blocks for line in block.lines), key=lambda line: center_y(line.box)
    )
    limit = _EDGE_SHARE * page.height
    for line in (*lines[:_EDGE_LINES], *lines[-_EDGE_LINES:]):
        middle = center_y(line.box)
        if height(line.box) > largest:
            continue
        if middle <= limit:
            yield _Edge(page=page.number, line=line, place=middle)
        elif middle >= page.height - limit:
            yield _Edge(page=page.number, line=line, place=middle - page.height)


def _same_but_for_counters(edges: Sequence[_Edge]) -> Iterator[list[_Edge]]:
    """Groups at one place whose numbers are equal, or go up with the pages."""
    for group in _same_place(edges):
        counters = {
            index
            for index in range(len(group[0].numbers))
            if _is_counter([edge.numbers[index] - edge.page for edge in group])
        }
        equal: dict[tuple[int, ...], list[_Edge]] = defaultdict(list)
        for edge in group:
            fixed = tuple(n for index, n in enumerate(edge.numbers) if index not in counters)
            equal[fixed].append(edge)
        yield from equal.values()


def _is_counter(offsets: Sequence[int]) -> bool:
    return Counter(offsets).most_common(1)[0][1] >= _COUNTER_SHARE * len(offsets)


def _same_place(edges: Sequence[_Edge]) -> list[list[_Edge]]:
    groups: list[list[_Edge]] = []
    for edge in sorted(edges, key=lambda edge: edge.place):
        if groups and edge.place - groups[-1][0].place <= _SAME_PLACE_POINTS:
            groups[-1].append(edge)
        else:
            groups.append([edge])
    return groups


def _strip(page: Page, repeated: set[Box]) -> Page:
    content = [
        *(line.box for block in page.blocks for line in block.lines if line.box not in repeated),
        *(table.box for table in page.tables),
        *(figure.box for figure in page.figures),
    ]
    removed = {box for box in repeated if _stands_apart(box, content)}
    if not removed or not content:
        return page  # nothing but headers and footers: better shown than lost
    stripped = [
        replace(block, lines=tuple(line for line in block.lines if line.box not in removed))
        for block in page.blocks
    ]
    kept = [block for block in stripped if block.lines or block.hidden_text]
    return replace(page, blocks=_move_hidden_text(kept))


def _stands_apart(box: Box, content: Sequence[Box]) -> bool:
    return all(gap_y(box, other) >= _APART_SHARE * height(box) for other in content)


def _move_hidden_text(blocks: Sequence[Block]) -> tuple[Block, ...]:
    """The blocks; hidden text whose lines are gone moves to the block before it."""
    kept: list[Block] = []
    for block in blocks:
        if block.lines or not kept:
            kept.append(block)
        else:
            hidden = f"{kept[-1].hidden_text} {block.hidden_text}".strip()
            kept[-1] = replace(kept[-1], hidden_text=hidden)
    return tuple(kept)
