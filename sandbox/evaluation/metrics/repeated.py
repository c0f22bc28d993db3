"""A judged metric that is judged several times: the median counts, and the spread is kept.

One judgement is the judge's likeliest words; several are drawn with a temperature, each with a seed
of its own, so that what differs between them is the judge's own doubt.
"""

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import median, stdev

from sandbox.evaluation.metric import PlannedCall, PlanningMetric
from sandbox.evaluation.metrics.judge.calls import JudgeCalls
from sandbox.evaluation.metrics.loop import score_once
from sandbox.evaluation.runs.records import Family, Sample, Sampling, Score

TEMPERATURE = 0.7
"""Enough for another reply where the judge is in doubt, too little for a garbled one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RepeatedMetric:
    """The same metric with several seeds, as one metric."""

    metrics: tuple[PlanningMetric, ...]
    """At least two."""

    @property
    def name(self) -> str:
        """As that of a single judgement."""
        return self.metrics[0].name

    @property
    def family(self) -> Family:
        """As that of a single judgement."""
        return self.metrics[0].family

    def needs(self, sample: Sample) -> str:
        """What the sample lacks to be scored; empty if nothing."""
        return self.metrics[0].needs(sample)

    def calls(self, sample: Sample) -> int:
        """Those of all judgements."""
        return sum(metric.calls(sample) for metric in self.metrics)

    def planned(self, sample: Sample) -> tuple[PlannedCall, ...]:
        """Those of all judgements; no two are equal, because the seed is part of a call."""
        return tuple(call for metric in self.metrics for call in metric.planned(sample))

    async def score(self, sample: Sample) -> Score:
        """The median of the judgements that gave a value.

        Raises:
            ModelUnavailable: If the judge cannot be reached.
        """
        scores = await asyncio.gather(
            *(score_once(metric, sample) for metric in self.metrics), return_exceptions=True
        )
        for score in scores:
            if isinstance(score, BaseException):
                raise score
        return _joined([score for score in scores if isinstance(score, Score)])


def samplings(judgements: int) -> tuple[Sampling | None, ...]:
    """How the judge is asked each time; ``None`` stands for its likeliest words.

    >>> samplings(1)
    (None,)
    >>> [sampling.seed for sampling in samplings(3) if sampling]
    [1, 2, 3]

    Raises:
        ValueError: If it is to be judged less than once.
    """
    if judgements < 1:
        raise ValueError(f"judgements is {judgements}, and must be at least 1")
    if judgements == 1:
        return (None,)
    return tuple(Sampling(temperature=TEMPERATURE, seed=seed) for seed in range(1, judgements + 1))


def sampled(calls: JudgeCalls, sampling: Sampling | None) -> JudgeCalls:
    """The same calls, asked in that way."""
    return calls if sampling is None else calls.sampled(sampling)


def _joined(scores: Sequence[Score]) -> Score:
    values = [score.value for score in scores if score.value is not None]
    return replace(
        scores[0],
        value=median(values) if values else None,
        reason=_reason(scores, values),
        applicable=bool(values) or any(score.applicable for score in scores),
        granularity=_granularity(scores),
        calls=sum(score.calls for score in scores),
        calls_saved=sum(score.calls_saved for score in scores),
        tokens=sum(score.tokens for score in scores),
        seconds=sum(score.seconds for score in scores),
        detail=tuple(
            replace(verdict, judgement=number)
            for number, score in enumerate(scores, start=1)
            for verdict in score.detail
        ),
        judgements=tuple(score.value for score in scores),
        standard_deviation=stdev(values) if len(values) > 1 else None,
    )


def _granularity(scores: Sequence[Score]) -> int | None:
    """That of all values, if they agree; the mean of the middle two of an even number is finer."""
    granularities = [score.granularity for score in scores if score.value is not None]
    agree = len(set(granularities)) == 1 and len(granularities) % 2
    return granularities[0] if agree else None


def _reason(scores: Sequence[Score], values: Sequence[float]) -> str:
    """What the value is made of; failures with their reasons."""
    failures = Counter(score.reason for score in scores if score.value is None)
    parts = []
    if values:
        shown = ", ".join(f"{value:.2f}" for value in values)
        parts.append(f"median of {len(values)} judgements: {shown}")
    if failures:
        reasons = "; ".join(
            reason if count == 1 else f"{reason} ({count}×)" for reason, count in failures.items()
        )
        parts.append(f"{failures.total()} of {len(scores)} judgements failed: {reasons}")
    return "; ".join(parts)
