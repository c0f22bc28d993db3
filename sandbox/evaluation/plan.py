"""What an evaluation will cost, before it starts: calls to the judge, tokens, minutes.

Where an answer is not there yet, the caller hands over a sample with a stand-in for it. Leaves out
what a judge is and how a call is made.
"""

import time
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from statistics import median
from typing import Protocol, runtime_checkable

from sandbox.evaluation.metric import Metric
from sandbox.evaluation.records import Sample
from sandbox.evaluation.runs import RunFolder
from sandbox.evaluation.scoring import ScoringLoop
from sandbox.evaluation.summary import summarize

PROBES = 3
"""Scores that are made to measure how long a call takes; the first one reads the prompt cold."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedCall:
    """A call to the judge that a score will need, as far as it is known beforehand."""

    tokens: int
    """Estimated tokens of its prompt and the answer to it."""

    key: str = ""
    """Its content address; empty where its prompt depends on the reply to another call."""

    cached: bool = False
    """True where the answer is known already."""

    overflows: bool = False
    """True where the prompt will not fit the judge's context."""


@runtime_checkable
class JudgeMetric(Metric, Protocol):
    """A metric that asks a judge and can say beforehand what it will ask."""

    def planned(self, sample: Sample) -> Sequence[PlannedCall]:
        """The calls that `score` would make, in order; as many as `calls` says."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What is still to be done, and what it costs."""

    answers: int
    """Cells that have no answer yet."""

    judge_calls: Mapping[str, int]
    """Calls by metric, before duplicates and known calls are taken off."""

    after_cache: int
    """Calls that will really be made."""

    tokens: int | None
    """Estimated tokens of those calls; ``None`` where a metric cannot tell."""

    overflowing_prompts: int
    """Calls among them whose prompt does not fit the judge's context."""

    minutes: float | None = None
    """Judging time at the measured pace; ``None`` where no pace was measured."""

    answer_minutes: float | None = None
    """Answering time at the pace of earlier runs; ``None`` where a configuration has none."""


def plan(metrics: Sequence[Metric], lacking: Mapping[str, Sequence[Sample]], answers: int) -> Plan:
    """Count the calls that the samples without a score will need.

    Args:
        metrics: Those of the evaluation.
        lacking: For each metric's name, the samples that it has not scored.
        answers: Cells that have no answer yet.
    """
    judge_calls: dict[str, int] = {}
    known: set[str] = set()
    made: list[PlannedCall] = []
    unplanned = 0
    for metric in metrics:
        samples = [sample for sample in lacking[metric.name] if not metric.needs(sample)]
        if calls := sum(metric.calls(sample) for sample in samples):
            judge_calls[metric.name] = calls
        if not isinstance(metric, JudgeMetric):
            unplanned += calls
            continue
        for call in (call for sample in samples for call in metric.planned(sample)):
            if call.cached or call.key in known:
                continue
            made.append(call)
            known |= {call.key} - {""}
    return Plan(
        answers=answers,
        judge_calls=judge_calls,
        after_cache=len(made) + unplanned,
        tokens=None if unplanned else sum(call.tokens for call in made),
        overflowing_prompts=sum(call.overflows for call in made),
        minutes=None if made or unplanned else 0.0,
    )


def seconds_per_call(
    metrics: Sequence[Metric], lacking: Mapping[str, Sequence[Sample]]
) -> float | None:
    """Measured on a few scores of the metric with the fewest calls; ``None`` if none was made.

    Raises:
        ModelUnavailable: If the judge cannot be reached.
    """
    candidates = [
        (metric.calls(sample), metric, sample)
        for metric in metrics
        for sample in lacking[metric.name]
        if not metric.needs(sample) and metric.calls(sample)
    ]
    cheapest = sorted(candidates, key=lambda candidate: candidate[0])[:PROBES]
    paces = []
    with ScoringLoop() as loop:
        for _, metric, sample in cheapest:
            started = time.perf_counter()
            with closing(loop.scores(metric, {sample.id: sample})) as scores:
                made = sum(score.calls for _, score in scores)
            if made:
                paces.append((time.perf_counter() - started) / made)
    return median(paces) if paces else None


def seconds_per_answer(
    runs: Sequence[RunFolder], config: Mapping[str, object], chat_model: str
) -> float | None:
    """As measured in the first of the runs that has answers of this kind; ``None`` if none has.

    Args:
        runs: Earlier runs, the newest first.
        config: Every setting by name.
        chat_model: The model that "auto" stands for, if it is so set.
    """
    for run in runs:
        if run.run.config == config and run.run.models.get("chat_model") == chat_model:
            paces = summarize(run).answer_seconds
            if "answer" in paces:
                return paces.get("retrieve", 0.0) + paces["answer"]
    return None
