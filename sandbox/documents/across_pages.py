"""What only several pages tell: running headers and footers, and tables that go on after a break.

Headers, footers and page numbers repeat. Only small lines at the edge of a page that stand apart
from the text are looked at, so that a heading with the same words stays, and so do pages that
resemble each other. The part of a table on the next page gets the header and title too.
"""

import re
import statistics
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from sandbox.documents.geometry.boxes import center_y, gap_y, height, split_runs
from sandbox.records import Block, Box, Line, Page, Table

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

_SAME_EDGE_POINTS = 8.0  # less than a letter: both parts of a table are set to the same edges
_RULE = re.compile(r"^\|(---\|)+$")
_CELL = re.compile(r"(?<!\\)\|")
_CONTINUED = re.compile(r"cont(inued|'d|\.)|續|续|接上頁|接上页", re.IGNORECASE)


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
    groups = chain.from_iterable(_same_but_for_counters(edges) for edges in by_pattern.values())
    repeated: dict[int, set[Box]] = defaultdict(set)
    for edge in chain.from_iterable(group for group in groups if _is_on_many_pages(group)):
        repeated[edge.page].add(edge.line.box)
    return tuple(_strip(page, repeated[page.number]) for page in pages)


def _is_on_many_pages(group: Sequence[_Edge]) -> bool:
    pages = {edge.page for edge in group}
    # A chapter may have a header of its own: only the stretch from first to last counts.
    stretch = max(pages) - min(pages) + 1
    return len(pages) >= max(_LEAST_PAGES, _LEAST_SHARE * stretch)


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
    return split_runs(
        sorted(edges, key=lambda edge: edge.place),
        lambda group, edge: edge.place - group[0].place <= _SAME_PLACE_POINTS,
    )


def _strip(page: Page, repeated: set[Box]) -> Page:
    content = [
        *(line.box for block in page.blocks for line in block.lines if line.box not in repeated),
        *(table.box for table in page.tables),
        *(figure.box for figure in page.figures),
    ]
    removed = {box for box in repeated if _stands_apart(box, content)}
    if not removed or not content:
        return page  # nothing but headers and footers: better shown than lost
    return replace(page, blocks=_without_lines(page.blocks, removed))


def _stands_apart(box: Box, content: Sequence[Box]) -> bool:
    return all(gap_y(box, other) >= _APART_SHARE * height(box) for other in content)


def _without_lines(blocks: Sequence[Block], removed: set[Box]) -> tuple[Block, ...]:
    """The blocks; hidden text whose lines are gone moves to the block before it."""
    kept: list[Block] = []
    for block in blocks:
        lines = tuple(line for line in block.lines if line.box not in removed)
        if lines or (block.hidden_text and not kept):
            kept.append(replace(block, lines=lines))
        elif block.hidden_text:
            hidden = f"{kept[-1].hidden_text} {block.hidden_text}".strip()
            kept[-1] = replace(kept[-1], hidden_text=hidden)
    return tuple(kept)


def join_continued_tables(pages: Sequence[Page]) -> tuple[Page, ...]:
    """Give each table that goes on from the page before that one's header and title."""
    done: list[Page] = []
    for page in pages:
        before = done[-1] if done and done[-1].number == page.number - 1 else None
        if before and before.tables and page.tables and _goes_on(before, page):
            first = _continue(before.tables[-1], page.tables[0])
            page = replace(page, tables=(first, *page.tables[1:]))
        done.append(page)
    return tuple(done)


def _goes_on(before: Page, page: Page) -> bool:
    """Whether nothing stands between the last table of a page and the first of the next."""
    table, following = before.tables[-1], page.tables[0]
    if following.title and not _CONTINUED.search(following.title):
        return following.title == table.title
    is_last = not any(
        line.box.top >= table.box.bottom - 1 for block in before.blocks for line in block.lines
    )
    is_first = not any(
        line.box.bottom <= following.box.top and not _CONTINUED.search(line.text)
        for block in page.blocks
        for line in block.lines
    )
    return is_last and is_first and _has_same_columns(table, following)


def _has_same_columns(table: Table, following: Table) -> bool:
    return (
        len(_cells(_header(table))) == len(_cells(_header(following)))
        and abs(table.box.left - following.box.left) <= _SAME_EDGE_POINTS
        and abs(table.box.right - following.box.right) <= _SAME_EDGE_POINTS
    )


def _continue(table: Table, following: Table) -> Table:
    title = following.title or table.title
    header = _header(table)
    if _cells(header) == _cells(_header(following)):
        return replace(following, title=title)
    rows = [line for line in following.markdown.split("\n") if not _RULE.match(line)]
    rule = "|" + "---|" * len(_cells(header))
    return replace(following, title=title, markdown="\n".join([header, rule, *rows]))


def _header(table: Table) -> str:
    return table.markdown.split("\n", 1)[0]


def _cells(row: str) -> list[str]:
    return ["".join(cell.split()) for cell in _CELL.split(row.strip("|"))]
