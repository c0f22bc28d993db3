"""Free signs of a right answer that are too small for rows of their own, but help a combination.

All compare the answer with its chunks, its reference and its question by words and numbers. Leaves
out how they are combined.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log1p

import numpy as np

from sandbox.evaluation.metrics.overlap import terms
from sandbox.evaluation.runs.records import MetricKey, Sample
from sandbox.evaluation.trust.arrays import Column
from sandbox.evaluation.trust.records import TrustCell
from sandbox.text.citation_marks import without_citations
from sandbox.text.quantities import find_digits
from sandbox.text.sentences import sentences
from sandbox.text.tokenization import tokenize


@dataclass(frozen=True, slots=True)
class _Texts:
    """The words of a sample, cut once."""

    answer: str
    chunks: str
    reference: str
    in_answer: frozenset[str]
    in_chunks: frozenset[str]
    in_reference: frozenset[str]
    in_question: frozenset[str]


def measure_overlaps(cells: Sequence[TrustCell]) -> dict[str, Column]:
    """Each sign as a column over the cells; those that are the same everywhere are left out."""
    found = [_signs(cell.sample) if cell.sample else {} for cell in cells]
    names = dict.fromkeys(name for signs in found for name in signs)
    columns = {}
    for name in names:
        values = [signs.get(name) for signs in found]
        raw = np.array([np.nan if value is None else value for value in values])
        if len(np.unique(raw[~np.isnan(raw)])) > 1:
            failed = np.zeros(len(raw), dtype=np.bool_)
            columns[name] = Column(metric=MetricKey(name), raw=raw, failed=failed)
    return columns


def _signs(sample: Sample) -> Mapping[str, float | None]:
    answer = without_citations(sample.response)
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
    words = [set(tokenize(sentence)) for sentence in sentences(texts.answer)]
    known = [len(some & texts.in_chunks) / len(some) for some in words if some]
    new = len(texts.in_answer - texts.in_chunks - texts.in_question)
    return {
        "worst sentence in the chunks": min(known, default=None),
        "words that are new": -log1p(new),
        "numbers in the chunks": _numbers_found(texts.answer, texts.chunks),
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
        "reference's numbers in the answer": _numbers_found(texts.reference, texts.answer),
        "whole reference in the answer": float(whole in " ".join(terms(texts.answer))),
    }


def _numbers_found(text: str, other: str) -> float | None:
    numbers = {number.value for number in find_digits(text)}
    there = {number.value for number in find_digits(other)}
    return len(numbers & there) / len(numbers) if numbers else None
