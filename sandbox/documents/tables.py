"""Tables of a page as Markdown, and tables that go on after a page break."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sandbox.documents.text_layer import Fragment
from sandbox.records import Box, Table

if TYPE_CHECKING:
    import pymupdf


@dataclass(frozen=True, slots=True, kw_only=True)
class TablesOnPage:
    """The tables of a page, and the regions whose text they hold."""

    tables: tuple[Table, ...] = ()
    covered: tuple[Box, ...] = ()


def find_tables(page: "pymupdf.Page", fragments: Sequence[Fragment], whole: Box) -> TablesOnPage:
    """Find the tables among the fragments of a page."""
    return TablesOnPage()
