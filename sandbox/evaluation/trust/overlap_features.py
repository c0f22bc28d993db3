"""How words and numbers of an answer overlap with its chunks, reference and question.

Free signs of a right answer, too weak for rows of their own in the table, that help a combination.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log1p

import numpy as np

from sandbox.evaluation.metrics.overlap import terms
from sandbox.evaluation.runs.records import MetricKey, Sample
from sandbox.evaluation.trust.arrays import Column
from sandbox.evaluation.trust.records import TrustCell
from sandbox.text.citation_marks import strip_citations
from sandbox.text.quantities import find_digits
from sandbox.text.sentences import split_sentences
from sandbox.text.tokenization import tokenize


@dataclass(frozen=True, slots=True)
class _Texts:
    """The texts of a sample, and the different words of each."""

    answer: str
    chunks: str
    reference: str
    in_answer: frozenset[str]
    in_chunks: frozenset[str]
    in_reference: frozenset[str]
    in_question: frozenset[str]


def measure_overlaps(cells: Sequence[TrustCell]) -> list[Column]:
    """Measure each kind of overlap in every cell; one that is the same everywhere is left out."""
    by_cell = [_measure(cell.sample) if cell.sample else {} for cell in cells]
    columns = []
    for name in dict.fromkeys(name for overlaps in by_cell for name in overlaps):
        values = [overlaps.get(name) for overlaps in by_cell]
        raw = np.array([np.nan if value is None else value for value in values])
        if len(np.unique(raw[~np.isnan(raw)])) > 1:
            failed = np.zeros(len(raw), dtype=np.bool_)
            columns.append(Column(metric=MetricKey(name), raw=raw, failed=failed))
    return columns


def _measure(sample: Sample) -> Mapping[str, float | None]:
    answer = strip_citations(sample.response)
    chunks, reference = "\n".join(sample.retrieved_contexts), sample.reference or ""
    texts = _Texts(
        answer=answer,
        chunks=chunks,
        reference=reference,
        in_answer=frozenset(tokenize(answer)),
        in_chunks=frozenset(tokenize(chunks)),
        in_reference=frozenset(tokenize(reference)),
        in_question=frozenset(tokenize(sample.user_input)),
    )
    return {**(_against_chunks(texts) if chunks else {}), **_against_reference(texts)}


def _against_chunks(texts: _Texts) -> dict[str, float | None]:
    words = [set(tokenize(sentence)) for sentence in split_sentences(texts.answer)]
    shares = [len(sentence & texts.in_chunks) / len(sentence) for sentence in words if sentence]
    new = len(texts.in_answer - texts.in_chunks - texts.in_question)
    return {
        "worst sentence in the chunks": min(shares, default=None),
        "words that are new": -log1p(new),
        "numbers in the chunks": _share_of_numbers(texts.answer, texts.chunks),
    }


def _against_reference(texts: _Texts) -> dict[str, float | None]:
    if not texts.in_reference:
        return {}
    asked = texts.in_reference - texts.in_question
    whole = " ".join(terms(texts.reference))
    return {
        "reference's new words in the answer": (
            len(asked & texts.in_answer) / len(asked) if asked else None
        ),
        "answer's words in the reference": (
            len(texts.in_answer & texts.in_reference) / len(texts.in_answer)
            if texts.in_answer
            else None
        ),
        "reference's numbers in the answer": _share_of_numbers(texts.reference, texts.answer),
        "whole reference in the answer": float(whole in " ".join(terms(texts.answer))),
    }


def _share_of_numbers(text: str, other: str) -> float | None:
    """Share of the text's numbers that the other text holds."""
    numbers = {number.value for number in find_digits(text)}
    there = {number.value for number in find_digits(other)}
    return len(numbers & there) / len(numbers) if numbers else None
