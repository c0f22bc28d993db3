"""Several answers to one question side by side, and their chunks in one table."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from markupsafe import Markup

from sandbox.evaluation.comparison.evidence import AlignedChunk, align
from sandbox.evaluation.runs.cells import CellView
from sandbox.evaluation.runs.records import Right
from sandbox.markup.templates import render
from sandbox.records import Answer, Retrieved
from sandbox.text.citation_marks import split_citations
from sandbox.text.languages import CJK
from sandbox.ui.ask.view import cost_line
from sandbox.ui.parts.chunks import LEG_NAMES

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


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
    label: Right | None = None
    origin: str = ""
    """Where the label comes from."""

    evidence: int = 0
    """Rank of the chunk that holds what the question asks for; 0 where none is known."""

    warnings: tuple[str, ...] = ()

    @property
    def letter(self) -> str:
        """A for the first, B for the second; a number beyond Z.

        >>> Column(position=0, name="text_k4").letter, Column(position=30, name="text_k9").letter
        ('A', '31')
        """
        at = self.position
        return LETTERS[at] if at < len(LETTERS) else str(at + 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class _ChunkRow:
    """A chunk in the table."""

    chunk: AlignedChunk
    column: int
    """The first column that has it."""

    rank: int
    """Its rank there."""

    holds_evidence: bool


def column_of(cell: CellView, position: int, name: str) -> Column:
    """The answer of a run to a case."""
    origin = "suggested, nobody labelled it" if cell.is_suggested else "labelled"
    return Column(
        position=position,
        name=name,
        answer=cell.answer,
        text=cell.text,
        note=cell.failure or "not answered yet",
        state="done" if cell.answer else "failed",
        retrieved=cell.retrieved,
        label=cell.label_or_suggestion,
        origin=origin if cell.label_or_suggestion else "",
        evidence=cell.evidence.rank if cell.evidence else 0,
    )


def answers_html(columns: Sequence[Column]) -> Markup:
    """The answers beside each other; words are marked that differ from A's, and A's from B's."""
    texts = [column.text if column.state == "done" else "" for column in columns]
    drawn = []
    for position, column in enumerate(columns):
        against = texts[0] if position else next(iter(texts[1:]), "")
        held_against = [against] if against and column.state != "writing" else []
        pieces = [(piece.text, piece.differs) for piece in differing(column.text, held_against)]
        cost = cost_line(column.answer) if column.answer else ""
        drawn.append((column, pieces, " · ".join(filter(None, (cost, column.origin)))))
    return render("ui/compare/columns.html#answers", columns=drawn)


def chunks_html(columns: Sequence[Column], *, pages: bool = False) -> str:
    """Each chunk once, with its rank in every column; with `pages`, buttons show the pages."""
    chunks = align([column.retrieved for column in columns])
    if not chunks:
        return ""
    documents = {row.chunk.document for row in chunks}
    return render(
        "ui/compare/columns.html#chunks",
        rows=[_row(chunk, columns) for chunk in chunks],
        columns=columns,
        document=documents.pop() if len(documents) == 1 else "",
        pages=pages,
        legs=_legs,
    )


def _row(chunk: AlignedChunk, columns: Sequence[Column]) -> _ChunkRow:
    column, item = next((at, item) for at, item in enumerate(chunk.places) if item)
    ranks = [(item.rank if item else -1) for item in chunk.places]
    holds = any(rank == column.evidence for rank, column in zip(ranks, columns, strict=True))
    return _ChunkRow(chunk=chunk, column=column, rank=item.rank, holds_evidence=holds)


def _legs(item: Retrieved) -> str:
    """Its rank in each retriever."""
    ranks = {name: item.legs[leg].rank for leg, name in LEG_NAMES.items() if leg in item.legs}
    return " · ".join(f"{name} #{rank}" for name, rank in ranks.items())


MOST_WORDS = 3000
"""Longer answers are not compared word by word, which would take seconds."""

_WORD = re.compile(rf"[0-9]+(?:[.,][0-9]+)*|[^\W\d_{CJK}]+|\s+|.", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A part of an answer."""

    text: str
    differs: bool
    """True if one of the other answers does not have it there."""


def differing(text: str, others: Sequence[str]) -> tuple[Piece, ...]:
    """An answer in pieces, those marked that another answer lacks; citations never are.

    >>> [piece.text for piece in differing("141 cases in 2019", ["141 cases in 2018"])]
    ['141 cases in ', '2019']
    """
    words, positions = _words(text)
    differs = [False] * len(words)
    for other in others:
        for position in _lacking([words[at] for at in positions], other):
            differs[positions[position]] = True
    return _pieces(words, differs)


def _words(text: str) -> tuple[list[str], list[int]]:
    """Everything in order, and the positions of what is compared: neither spaces nor citations."""
    words: list[str] = []
    compared: list[int] = []
    for number, piece in enumerate(split_citations(text)):
        if number % 2:
            words.append(piece)
            continue
        for word in _WORD.findall(piece):
            if not word.isspace():
                compared.append(len(words))
            words.append(word)
    return words, compared


def _lacking(words: Sequence[str], other: str) -> list[int]:
    """Positions of the words that the other answer does not have in the same order."""
    theirs, compared = _words(other)
    against = [theirs[position] for position in compared]
    if not against or len(words) > MOST_WORDS or len(against) > MOST_WORDS:
        return []
    blocks = SequenceMatcher(None, words, against, autojunk=False).get_matching_blocks()
    shared = {at for block in blocks for at in range(block.a, block.a + block.size)}
    return [position for position in range(len(words)) if position not in shared]


def _pieces(words: Sequence[str], differs: Sequence[bool]) -> tuple[Piece, ...]:
    """Neighbors together; a space between two marked words is marked with them."""
    pieces: list[Piece] = []
    for position, (word, marked) in enumerate(zip(words, differs, strict=True)):
        if word.isspace() and 0 < position < len(words) - 1:
            marked = differs[position - 1] and differs[position + 1]
        if pieces and pieces[-1].differs == marked:
            pieces[-1] = Piece(text=pieces[-1].text + word, differs=marked)
        else:
            pieces.append(Piece(text=word, differs=marked))
    return tuple(pieces)
