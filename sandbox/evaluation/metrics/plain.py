"""Metrics without a judge: the plain baselines that any judged metric must beat."""

import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from sandbox.evaluation.metric import PureMetric
from sandbox.evaluation.metrics.overlap import rouge_l, share_found, token_f1
from sandbox.evaluation.runs.records import Family, Sample, Score
from sandbox.evaluation.runs.suggestions import Expected, suggest
from sandbox.models.base import Embedder
from sandbox.text.citation_marks import split_citations, strip_citations

NO_REFERENCE = "there is no reference answer"
NO_CHUNKS = "nothing was retrieved"
EMPTY = "the answer is empty"


@dataclass(frozen=True, slots=True, kw_only=True)
class AcceptedAnswer:
    """1 if an accepted answer, or a right refusal, is there, 0 if not.

    Where that is unsure, a person has to say it: the metric does not apply, which is no failure.
    """

    name: str = "accepted_answer"
    family: Family = "no judge"

    def needs(self, sample: Sample) -> str:
        """Accepted answers, unless a refusal is right."""
        has = sample.accepted_answers or not sample.answerable
        return "" if has else "the case accepts no answers to compare"

    def measure(self, sample: Sample) -> Score:
        """What the accepted answers suggest, numbers read as a person reads them."""
        expected = Expected(
            question=sample.user_input,
            reference=sample.reference or "",
            accepted_answers=sample.accepted_answers,
            answerable=sample.answerable,
        )
        suggestion = suggest(sample.response, expected, refused=sample.refused)
        value = {"right": 1.0, "wrong": 0.0, "unsure": None}[suggestion.value]
        return Score(
            metric=self.name,
            family=self.family,
            value=value,
            reason=suggestion.reason,
            applicable=value is not None,
            granularity=None if value is None else 1,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class PlainMetric:
    """A function from an answer to a number, and what it cannot do without."""

    name: str
    lacks: Callable[[Sample], str]
    """Why the function cannot be applied; empty if it can."""

    number_of: Callable[[Sample], float | None]

    @property
    def family(self) -> Family:
        """Needs no judge."""
        return "no judge"

    def needs(self, sample: Sample) -> str:
        """Why the metric does not apply; empty if it does."""
        return self.lacks(sample)

    def measure(self, sample: Sample) -> Score:
        """The number, or ``None`` where a text holds no word to compare."""
        started = time.perf_counter()
        value = self.number_of(sample)
        score = Score(
            metric=self.name,
            family=self.family,
            value=value,
            reason="" if value is not None else "there is no word to compare",
            applicable=value is not None,
        )
        return replace(score, seconds=time.perf_counter() - started)


def embedding_similarity(embedder: Embedder) -> PureMetric:
    """Cosine of the angle between answer and reference, as this embedder sees them."""

    def cosine(sample: Sample) -> float:
        answer, reference = embedder.embed_passages(
            [strip_citations(sample.response), sample.reference or ""]
        )
        return float(answer @ reference)

    return PlainMetric(
        name="embedding_similarity", lacks=_lacks_answer_or_reference, number_of=cosine
    )


def _lacks_reference(sample: Sample) -> str:
    return "" if (sample.reference or "").strip() else NO_REFERENCE


def _lacks_answer(sample: Sample) -> str:
    return "" if strip_citations(sample.response).strip() else EMPTY


def _lacks_answer_or_reference(sample: Sample) -> str:
    return _lacks_answer(sample) or _lacks_reference(sample)


def _lacks_answer_or_chunks(sample: Sample) -> str:
    return _lacks_answer(sample) or ("" if sample.retrieved_contexts else NO_CHUNKS)


def _lacks_nothing(sample: Sample) -> str:
    return ""


def _length(sample: Sample) -> float:
    """Characters of the answer without its citations and the blanks before them."""
    pieces = split_citations(sample.response)[::2]
    return float(len("".join(piece.rstrip() for piece in pieces).strip()))


def _refusal(sample: Sample) -> float:
    """1 if it refuses an unanswerable question or answers an answerable one, else 0."""
    return float(sample.refused != sample.answerable)


PLAIN_METRICS: tuple[PureMetric, ...] = (
    AcceptedAnswer(),
    PlainMetric(
        name="token_f1",
        lacks=_lacks_reference,
        number_of=lambda sample: token_f1(sample.response, sample.reference or ""),
    ),
    PlainMetric(
        name="rouge_l",
        lacks=_lacks_reference,
        number_of=lambda sample: rouge_l(sample.response, sample.reference or ""),
    ),
    PlainMetric(
        name="reference_overlap",
        lacks=_lacks_reference,
        number_of=lambda sample: share_found(
            sample.reference or "", strip_citations(sample.response)
        ),
    ),
    PlainMetric(
        name="chunk_overlap",
        lacks=_lacks_answer_or_chunks,
        number_of=lambda sample: share_found(sample.response, "\n".join(sample.retrieved_contexts)),
    ),
    PlainMetric(
        name="answer_length",
        lacks=_lacks_nothing,
        number_of=_length,
    ),
    PlainMetric(name="refusal", lacks=_lacks_nothing, number_of=_refusal),
)
"""Without the one that needs an embedder."""
