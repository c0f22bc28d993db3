"""The chunks behind several answers: which are the same, and which hold the evidence of a case.

Chunk ids count within one index, so chunks of two indexes are joined by text and place. Evidence is
found by quote where the case has one, else by accepted answer on a relevant page, else by page.
"""

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from sandbox.evaluation.runs.cells import Evidence
from sandbox.records import Answer, Chunk, Retrieved
from sandbox.testsets.cases import TestCase
from sandbox.text.tokenization import tokenize


@dataclass(frozen=True, slots=True, kw_only=True)
class AlignedChunk:
    """One chunk with its place in every column."""

    chunk: Chunk
    places: tuple[Retrieved | None, ...]
    """As each column retrieved it; ``None`` where it did not."""

    @property
    def is_shared(self) -> bool:
        """True if every column has it."""
        return all(self.places)


def align(columns: Sequence[Sequence[Retrieved]]) -> tuple[AlignedChunk, ...]:
    """The chunks of all columns, each once, in the order of their best rank."""
    rows: dict[tuple[str, int, str, str], list[Retrieved | None]] = {}
    for position, column in enumerate(columns):
        for item in column:
            places = rows.setdefault(_key(item.chunk), [None] * len(columns))
            places[position] = places[position] or item
    aligned = [
        AlignedChunk(chunk=next(filter(None, places)).chunk, places=tuple(places))
        for places in rows.values()
    ]
    return tuple(sorted(aligned, key=_ranks))


def list_shown_texts(answer: Answer) -> tuple[str, ...]:
    """The texts of the chunks that the model was shown, in order."""
    return tuple(item.chunk.sent_text for item in answer.retrieved if is_sent(answer, item))


def is_sent(answer: Answer, item: Retrieved) -> bool:
    """True if the model was shown the chunk; an answer that does not say was shown all."""
    return not answer.sent or item.rank in answer.sent


def is_shown(evidence: Evidence | None) -> bool:
    """True if the model was shown the chunk with the evidence."""
    return evidence is not None and evidence.sent


def _key(chunk: Chunk) -> tuple[str, int, str, str]:
    """By the document's name, which a new edition keeps while its digest changes."""
    return chunk.document, chunk.page, chunk.kind, chunk.text


def _ranks(row: AlignedChunk) -> tuple[int, ...]:
    """Ranks in ascending order; columns that lack the chunk count as last."""
    ranks = sorted(item.rank for item in row.places if item)
    return (*ranks, *(10**6 for _ in range(len(row.places) - len(ranks))))


By = Literal["quote", "accepted answer", "page"]


def names_evidence(case: TestCase) -> bool:
    """True if the case says where its evidence stands."""
    return case.answerable and bool(case.relevant_pages or case.quotes)


def find_evidence(case: TestCase, answers: Sequence[Answer | None]) -> tuple[Evidence | None, ...]:
    """The best-ranked chunk with the evidence in each answer, all by the same kind of sign.

    The sharpest sign that any of the answers' chunks shows is used for all: if one of them holds
    the sentence itself, a chunk that only stands on the same page is none.
    """
    if not names_evidence(case):
        return tuple(None for _ in answers)
    for by, holds in _signs(case):
        evidence = tuple(_first(answer, holds, by) for answer in answers)
        if any(evidence):
            return evidence
    return tuple(None for _ in answers)


def _signs(case: TestCase) -> list[tuple[By, Callable[[Chunk], bool]]]:
    quotes, accepted = _phrases(case.quotes), _phrases(case.accepted_answers)

    def on_page(chunk: Chunk) -> bool:
        here = not case.document or chunk.document == case.document
        return here and bool(_pages(chunk) & set(case.relevant_pages))

    def with_answer(chunk: Chunk) -> bool:
        return on_page(chunk) and _holds(chunk, accepted)

    signs: list[tuple[By, Callable[[Chunk], bool]]] = []
    if quotes:
        signs.append(("quote", lambda chunk: _holds(chunk, quotes)))
    if accepted and case.relevant_pages:
        signs.append(("accepted answer", with_answer))
    if case.relevant_pages:
        signs.append(("page", on_page))
    return signs


def _first(answer: Answer | None, holds: Callable[[Chunk], bool], by: By) -> Evidence | None:
    if answer is None:
        return None
    items = [item for item in answer.retrieved if holds(item.chunk)]
    if not items:
        return None
    item = next((item for item in items if is_sent(answer, item)), items[0])
    return Evidence(
        rank=item.rank,
        of=len(answer.retrieved),
        page=item.chunk.page,
        kind=item.chunk.kind,
        legs={name: leg.rank for name, leg in item.legs.items()},
        sent=is_sent(answer, item),
        by=by,
    )


def _pages(chunk: Chunk) -> set[int]:
    """The page it begins on, and those it reaches."""
    return {chunk.page, *(box.page for box in chunk.boxes)}


def _phrases(texts: Sequence[str]) -> tuple[str, ...]:
    return tuple(phrase for text in texts if (phrase := _phrase(text)).strip())


@functools.lru_cache(maxsize=10_000)
def _phrase(text: str) -> str:
    """Terms between spaces, so that 3 is not found in 30."""
    return f" {' '.join(tokenize(text))} "


def _holds(chunk: Chunk, phrases: Sequence[str]) -> bool:
    text = _phrase(chunk.text)
    return any(phrase in text for phrase in phrases)
