"""What a report is made of: sections of sentences, tables, plots and pictures.

Every text here is plain: it is escaped where it is written out (page.html, writing.py),
so that nothing from a document or a model can become markup.
"""

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass, field
from typing import Literal

from markupsafe import Markup

TextKind = Literal["text", "heading", "lead", "note", "warning", "quote"]
CellKind = Literal["", "right", "wrong", "unsure", "none", "number", "untrusted", "strong", "text"]


@dataclass(frozen=True, slots=True)
class Plot:
    """A drawing of numbers that stand in words beside it."""

    svg: Markup
    """The one thing here that is markup and not text."""


@dataclass(frozen=True, slots=True)
class Text:
    """A sentence or a paragraph."""

    text: str
    _: KW_ONLY
    kind: TextKind = "text"


@dataclass(frozen=True, slots=True)
class Points:
    """A list of sentences."""

    points: Sequence[str]
    _: KW_ONLY
    kind: Literal["text", "warning"] = "text"


@dataclass(frozen=True, slots=True)
class TableCell:
    """One cell of a table."""

    text: str
    _: KW_ONLY
    kind: CellKind = ""
    note: str = ""
    """Small, below the text."""

    link: str = ""
    """Id of what a click leads to."""

    plot: Plot | None = None
    suggested: bool = False
    """True where a verdict is nobody's label."""


def align_right(*numbers: str) -> list[TableCell]:
    """Cells with numbers."""
    return [TableCell(number, kind="number") for number in numbers]


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a table; its first cell is its head."""

    cells: Sequence[TableCell]
    _: KW_ONLY
    kind: Literal["", "untrusted", "strong"] = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A table with a head."""

    head: Sequence[str]
    rows: Sequence[Row]
    kind: Literal["", "matrix", "chunks"] = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """A picture out of a document."""

    url: str
    """A data URL."""

    caption: str
    kind: Literal["page", "figure"]


@dataclass(frozen=True, slots=True)
class Pictures:
    """Pictures beside each other."""

    pictures: Sequence[Picture]


@dataclass(frozen=True, slots=True)
class Command:
    """Lines to type."""

    lines: Sequence[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Folded:
    """What opens on a click; on paper it is open."""

    summary: str
    blocks: "Sequence[Block]"
    id: str = ""
    label: str = ""
    """Small, before the summary."""

    marks: Sequence[TableCell] = ()
    """Verdicts beside the summary."""

    is_open: bool = False
    drawn: bool = False
    """True for what holds nothing but a plot, so that text alone can go without."""

    printed: bool = True
    """False for what would make the printed report too long."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One of several things side by side."""

    title: str
    blocks: "Sequence[Block]"
    mark: TableCell | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Columns:
    """Things side by side, below each other where there is no room."""

    columns: Sequence[Column]


Block = Text | Points | Table | Plot | Pictures | Command | Folded | Columns


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A part of the report with its heading."""

    id: str
    title: str
    blocks: Sequence[Block]


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """A whole report."""

    language: str
    """As HTML names it: "en" or "zh-Hant"."""

    title: str
    question: str
    verdict: Sequence[str]
    """One to three sentences."""

    facts: Sequence[str]
    """What was asked on what, when, by which models: short pieces."""

    sections: Sequence[Section]
    contents: str
    """The word for the table of contents."""

    footer: str
    warnings: Sequence[str] = field(default=())
    """What falls short of the report itself, such as pictures that were left out."""
