"""HTML of several answers to one question side by side, and of their chunks in one table.

Everything from documents and models is escaped. Leaves out where the answers come from.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from sandbox.evaluation.comparison.chunks import AlignedChunk, align
from sandbox.evaluation.runs.cells import CellView
from sandbox.evaluation.runs.records import Right
from sandbox.markup.markup import escape
from sandbox.records import Answer, Retrieved
from sandbox.ui.ask.view import cost_line
from sandbox.ui.compare.alignment import differing
from sandbox.ui.parts.chunks import LEG_NAMES

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
SIGNS: dict[Right, str] = {"right": "✓", "wrong": "✗", "unsure": "?"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One answer, as far as it has come."""

    position: int
    """Its place among the configurations, which gives it its letter."""

    name: str
    """Of the configuration."""

    answer: Answer | None = None
    text: str = ""
    """As far as it was written."""

    note: str = ""
    """What stands in place of an answer: why there is none, or what is being done."""

    state: str = "done"
    """ "pending", "writing", "failed" or "done"."""

    retrieved: tuple[Retrieved, ...] = ()
    verdict: Right | None = None
    said: str = ""
    """Where the verdict comes from."""

    evidence: int = 0
    """Rank of the chunk that holds what the question asks for; 0 where none is known."""

    warnings: tuple[str, ...] = field(default=())

    @property
    def letter(self) -> str:
        """A for the first."""
        return letter_of(self.position)


def letter_of(position: int) -> str:
    """A for the first, B for the second; a number beyond Z.

    >>> letter_of(0), letter_of(30)
    ('A', '31')
    """
    return LETTERS[position] if position < len(LETTERS) else str(position + 1)


def column_of(cell: CellView, position: int, name: str) -> Column:
    """The answer of a run to a case."""
    by = "suggested, nobody labelled it" if cell.is_suggested else "labelled"
    return Column(
        position=position,
        name=name,
        answer=cell.answer,
        text=cell.text,
        note=cell.failure or "not answered yet",
        state="done" if cell.answer else "failed",
        retrieved=cell.retrieved,
        verdict=cell.label_or_suggestion,
        said=by if cell.label_or_suggestion else "",
        evidence=cell.evidence.rank if cell.evidence else 0,
    )


def answers_html(columns: Sequence[Column]) -> str:
    """The answers beside each other; words are marked that differ from A's, and A's from B's."""
    texts = [column.text if column.state == "done" else "" for column in columns]
    boxes = []
    for position, column in enumerate(columns):
        other = texts[0] if position else next(iter(texts[1:]), "")
        boxes.append(_answer(column, [other] if other else []))
    return f"<div class='sides sides-{min(len(columns), 4)}'>{''.join(boxes)}</div>"


def chunks_html(columns: Sequence[Column], *, pages: bool = False) -> str:
    """Each chunk once, with its rank in every column; a chunk that one lacks is marked.

    Args:
        columns: The answers.
        pages: Make each page a button that shows it.
    """
    rows = align([column.retrieved for column in columns])
    if not rows:
        return ""
    shared = sum(row.is_shared for row in rows)
    heads = "".join(
        f"<th scope='col' title='{escape(column.name)}'>{_chip(column)}</th>" for column in columns
    )
    body = "".join(_chunk_row(row, columns, pages=pages) for row in rows)
    documents = {row.chunk.document for row in rows}
    of = f" of {escape(documents.pop())}" if len(documents) == 1 else ""
    everyone = "both" if len(columns) == 2 else "all"
    return (
        f"<p class='legend'>{shared} of {len(rows)} chunks{of} are in {everyone}; the rank of each "
        "under each configuration, marked where one goes without. Click a text to unfold it.</p>"
        f"<div class='table-scroll'><table class='aligned'><thead><tr>{heads}"
        f"<th scope='col'>chunk</th></tr></thead><tbody>{body}</tbody></table></div>"
    )


def verdict_mark(verdict: Right | None, said: str) -> str:
    """Right or wrong as a mark; dashed where it is only suggested."""
    if verdict is None:
        return ""
    suggested = " suggested" if said.startswith("suggested") else ""
    label = escape(f"{verdict}, {said}" if said else verdict)
    return (
        f"<i class='mark {verdict}{suggested}' title='{label}' aria-label='{label}'>"
        f"{SIGNS[verdict]}</i>"
    )


def _answer(column: Column, others: Sequence[str]) -> str:
    mark = verdict_mark(column.verdict, column.said)
    refused = "<span class='badge refused'>refused</span>" if _refused(column) else ""
    warnings = "".join(f"<p class='turn-warning'>{escape(one)}</p>" for one in column.warnings)
    cost = cost_line(column.answer) if column.answer else ""
    facts = " · ".join(filter(None, (cost, column.said)))
    return (
        f"<article class='side'><header>{_chip(column)}<b class='side-name'>"
        f"{escape(column.name)}</b>{mark}{refused}</header>{_body(column, others)}{warnings}"
        f"<p class='cost'>{escape(facts)}</p></article>"
    )


def _body(column: Column, others: Sequence[str]) -> str:
    if not column.text:
        kind = {"failed": " failed", "pending": " pending"}.get(column.state, "")
        return f"<div class='reply{kind}' dir='auto'>{escape(column.note)}</div>"
    if column.state == "writing":
        text = f"{escape(column.text)}<span class='cursor'></span>"
        return f"<div class='reply' dir='auto'>{text}</div>"
    pieces = differing(column.text, others)
    text = "".join(
        f"<mark>{escape(piece.text)}</mark>" if piece.differs else escape(piece.text)
        for piece in pieces
    )
    return f"<div class='reply' dir='auto'>{text}</div>"


def _chunk_row(row: AlignedChunk, columns: Sequence[Column], *, pages: bool) -> str:
    cells = "".join(
        f"<td>{_place(item, column)}</td>" for item, column in zip(row.places, columns, strict=True)
    )
    holds = any(
        item and item.rank == column.evidence
        for item, column in zip(row.places, columns, strict=True)
    )
    badge = "<span class='badge cited'>holds the evidence</span>" if holds else ""
    kind = "shared" if row.is_shared else "only"
    where = f"p. {row.chunk.page} · {row.chunk.kind}"
    if pages:
        position, item = next((place, one) for place, one in enumerate(row.places) if one)
        shown = f"data-click='page' data-turn='{position}' data-rank='{item.rank}'"
        where = f"<button class='number' {shown} title='show it on its page'>{where}</button>"
    return (
        f"<tr class='{kind}{' evidence' if holds else ''}'>{cells}<td><span class='where'>"
        f"{where}</span>{badge}<details class='unfold'>"
        f"<summary dir='auto'>{escape(row.chunk.text)}</summary></details></td></tr>"
    )


def _place(item: Retrieved | None, column: Column) -> str:
    if item is None:
        return "<span class='absent' title='not retrieved'>–</span>"
    legs = " · ".join(
        f"{name} #{item.legs[leg].rank}" for leg, name in LEG_NAMES.items() if leg in item.legs
    )
    answer = column.answer
    state = ""
    if answer and item.rank in answer.citations:
        state = "<span class='basis'>cited</span>"
    elif answer and answer.sent and item.rank not in answer.sent:
        state = "<span class='basis'>not sent</span>"
    return f"<b class='rank' title='{escape(legs)}'>{item.rank}</b>{state}"


def _refused(column: Column) -> bool:
    return bool(column.answer and column.answer.refused)


def _chip(column: Column) -> str:
    return f"<span class='letter'>{column.letter}</span>"
