"""Where among the retrieved chunks the evidence of a case stands.

By quote where the case has one, else by accepted answer on a relevant page, else by relevant page.
Leaves out what follows from it.
"""

import functools
from collections.abc import Callable, Sequence
from typing import Literal

from sandbox.evaluation.comparison.chunks import is_sent
from sandbox.evaluation.runs.cells import Evidence
from sandbox.records import Answer, Chunk
from sandbox.testsets.cases import TestCase
from sandbox.text.tokenization import tokenize

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
        found = tuple(_first(answer, holds, by) for answer in answers)
        if any(found):
            return found
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
    found = [item for item in answer.retrieved if holds(item.chunk)]
    shown = [item for item in found if is_sent(answer, item)]
    item = next(iter(shown or found), None)
    if item is None:
        return None
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
