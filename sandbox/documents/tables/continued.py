"""Tables that go on after a page break: the part on the next page gets the header and title too."""

import re
from collections.abc import Sequence
from dataclasses import replace

from sandbox.records import Page, Table

_SAME_EDGE_POINTS = 8.0  # less than a letter: both parts of a table are set to the same edges
_RULE = re.compile(r"^\|(---\|)+$")
_CELL = re.compile(r"(?<!\\)\|")
_CONTINUED = re.compile(r"cont(inued|'d|\.)|續|续|接上頁|接上页", re.IGNORECASE)


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
