"""Checks a test set for what is doubtful; each doubt is a sentence that says what to do.

Doubts stop nobody; faults that make a file unreadable are found when it is loaded.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from sandbox.records import Corpus, Document, Page
from sandbox.testsets.cases import TestCase
from sandbox.text.languages import CJK, fold_for_search
from sandbox.text.quantities import MARK, read

FEWEST_CASES = 50
"""With fewer, a difference of 10 points in the share of right answers is within chance."""

FEWEST_UNANSWERABLE = 5
"""Unanswerable cases without which invented answers go unnoticed."""

FEWEST_IN_CATEGORY = 5
"""Cases of a category below which its results say little."""

Kind = Literal[
    "few cases",
    "unanswerable",
    "unverified",
    "page",
    "quote",
    "duplicate",
    "small category",
    "contradiction",
    "no accepted answer",
    "given away",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Doubt:
    """A doubt about a test set."""

    kind: Kind
    sentence: str
    """What is doubtful and what to do."""

    cases: tuple[str, ...] = ()
    """Ids of the cases it is about; empty if it is about the whole."""


def check(cases: Sequence[TestCase], corpus: Corpus | None = None) -> tuple[Doubt, ...]:
    """Everything doubtful, the weightiest first; pages and quotes only where a corpus is given."""
    return (
        *(_pages(cases, corpus) if corpus else ()),
        *_contradictions(cases),
        *_duplicates(cases),
        *_unverified(cases),
        *_size(cases),
        *_categories(cases),
        *_accepted(cases),
        *(_quotes(cases, corpus) if corpus else ()),
    )


def _size(cases: Sequence[TestCase]) -> Iterator[Doubt]:
    if len(cases) < FEWEST_CASES:
        yield Doubt(
            kind="few cases",
            sentence=f"only {len(cases)} cases: differences between configurations drown in chance;"
            f" write {FEWEST_CASES - len(cases)} more to have {FEWEST_CASES}",
        )
    unanswerable = sum(not case.answerable for case in cases)
    if unanswerable < FEWEST_UNANSWERABLE:
        count = f"only {unanswerable} questions" if unanswerable else "no question"
        yield Doubt(
            kind="unanswerable",
            sentence=f"{count} that the documents do not answer: inventing goes unnoticed; add"
            f" {FEWEST_UNANSWERABLE - unanswerable} about things they do not say",
        )


def _unverified(cases: Sequence[TestCase]) -> Iterator[Doubt]:
    ids = tuple(case.id for case in cases if not case.verified)
    if ids:
        count = "none of the" if len(ids) == len(cases) else f"{len(ids)} of the"
        word = "is verified" if len(ids) == len(cases) else "are not verified"
        yield Doubt(
            kind="unverified",
            sentence=f"{count} {len(cases)} references {word}, and an unverified case never enters"
            " a score; compare each with its page and tick it",
            cases=ids,
        )


def _pages(cases: Sequence[TestCase], corpus: Corpus) -> Iterator[Doubt]:
    for case in cases:
        asked = _documents(case, corpus)
        if not asked:
            yield Doubt(
                kind="page",
                sentence=f"{case.id} is about {case.document!r}, which is not in {corpus.name};"
                f" name one of {', '.join(document.name for document in corpus.documents)}",
                cases=(case.id,),
            )
        elif not case.document and case.relevant_pages and len(asked) > 1:
            yield Doubt(
                kind="page",
                sentence=f"{case.id} names pages but not their document; {corpus.name} holds"
                f" {len(asked)}, so name one",
                cases=(case.id,),
            )
        else:
            last = max(document.page_count for document in asked)
            for page in case.relevant_pages:
                if page > last:
                    yield Doubt(
                        kind="page",
                        sentence=f"{case.id} names page {page}, but {asked[0].name} has {last};"
                        " correct the page (they count from 1, whatever is printed on them)",
                        cases=(case.id,),
                    )


def _quotes(cases: Sequence[TestCase], corpus: Corpus) -> Iterator[Doubt]:
    texts = {
        document.name: keep_letters("\n".join(map(text_with_tables, document.pages)))
        for document in corpus.documents
    }
    for case in cases:
        if case.source == "image":
            continue  # what stands in a figure is not in the text
        asked = [texts[document.name] for document in _documents(case, corpus)]
        for quote in case.quotes:
            if asked and not any(keep_letters(quote) in text for text in asked):
                yield Doubt(
                    kind="quote",
                    sentence=f"the quote {_short(quote)} of {case.id} is not in the text of its"
                    " document; copy it from the page, or leave it empty if it stands in a figure",
                    cases=(case.id,),
                )


def _duplicates(cases: Sequence[TestCase]) -> Iterator[Doubt]:
    same: dict[tuple[str, str], list[str]] = {}
    for case in cases:
        same.setdefault((case.document, keep_letters(case.question)), []).append(case.id)
    for ids in same.values():
        if len(ids) > 1:
            yield Doubt(
                kind="duplicate",
                sentence=f"{', '.join(ids)} ask the same question, which counts it"
                f" {len(ids)} times; keep one",
                cases=tuple(ids),
            )


def _categories(cases: Sequence[TestCase]) -> Iterator[Doubt]:
    sizes = Counter(case.category for case in cases)
    small = sorted(category for category, size in sizes.items() if size < FEWEST_IN_CATEGORY)
    if small:
        yield Doubt(
            kind="small category",
            sentence=f"{len(small)} of {len(sizes)} categories have fewer than {FEWEST_IN_CATEGORY}"
            f" cases ({', '.join(small[:8])}{' ...' if len(small) > 8 else ''}): results by"
            " category say little there; merge categories or add cases",
            cases=tuple(case.id for case in cases if case.category in small),
        )


def _contradictions(cases: Sequence[TestCase]) -> Iterator[Doubt]:
    for case in cases:
        if not case.answerable and case.accepted_answers:
            yield Doubt(
                kind="contradiction",
                sentence=f"{case.id} is marked unanswerable but accepts"
                f" {_short(case.accepted_answers[0])}; empty its accepted answers or mark it"
                " answerable",
                cases=(case.id,),
            )
        if not case.answerable and case.relevant_pages:
            yield Doubt(
                kind="contradiction",
                sentence=f"{case.id} is marked unanswerable but names a relevant page; remove the"
                " page or mark it answerable",
                cases=(case.id,),
            )
        if case.answerable and case.accepted_answers and not _agrees(case):
            yield Doubt(
                kind="contradiction",
                sentence=f"the reference of {case.id} holds none of its accepted answers, so a"
                " right answer may be suggested as wrong; add one as the reference writes it",
                cases=(case.id,),
            )


def _accepted(cases: Sequence[TestCase]) -> Iterator[Doubt]:
    without = tuple(case.id for case in cases if case.answerable and not case.accepted_answers)
    if without:
        yield Doubt(
            kind="no accepted answer",
            sentence=f"{len(without)} answerable cases accept no answers, so nothing can be"
            " suggested for them; add the word or number that decides",
            cases=without,
        )
    for case in cases:
        given = [text for text in case.accepted_answers if _stands_in(text, case.question)]
        if given:
            yield Doubt(
                kind="given away",
                sentence=f"the accepted answer {_short(given[0])} of {case.id} stands in its"
                " question, so an answer that only repeats that looks right; make it longer",
                cases=(case.id,),
            )


def _agrees(case: TestCase) -> bool:
    return any(_stands_in(accepted, case.reference) for accepted in case.accepted_answers)


def _stands_in(part: str, whole: str) -> bool:
    """True if the part's words stand in the whole and all its numbers, too."""
    inner, outer = read(part), read(whole)
    for number in inner.numbers:
        if not any(other.is_meant_by(number) for other in outer.numbers):
            return False
    words = [keep_letters(piece) for piece in inner.shape.split(MARK)]
    return all(word in keep_letters(outer.shape) for word in words)


def _documents(case: TestCase, corpus: Corpus) -> list[Document]:
    return [each for each in corpus.documents if case.document in ("", each.name)]


def text_with_tables(page: Page) -> str:
    """A page's running text, then its tables as Markdown under their titles."""
    tables = [f"{table.title}\n{table.markdown}" for table in page.tables]
    return "\n".join([page.text, *tables]).strip()


def keep_letters(text: str) -> str:
    """Only letters and digits, in one case, width and script."""
    folded = fold_for_search(unicodedata.normalize("NFKC", text)).casefold()
    return re.sub(rf"[^\w{CJK}]|_", "", folded)


def _short(text: str) -> str:
    return f"{text[:40]!r}{' ...' if len(text) > 40 else ''}"
