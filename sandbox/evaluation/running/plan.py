"""What an evaluation will cost, before it starts: calls to the judge, tokens, minutes.

Where an answer is not there yet, the caller hands over a sample with a stand-in for it. Leaves out
what a judge is, how a call is made and how long it takes (time_estimate.py).
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from sandbox.evaluation.metric import JudgedMetric, Metric, PlannedCall, PlanningMetric, PureMetric
from sandbox.evaluation.runs.records import Family, Sample

Lacking = Mapping[str, Mapping[str, Sequence[Sample]]]
"""By configuration and by name of the metric, the samples that have no score yet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedScore:
    """A score that is to be made, and what it will ask the judge."""

    configuration: str
    metric: JudgedMetric
    sample: Sample
    calls: int
    """Calls, before duplicates and known ones are taken off."""

    planned: tuple[PlannedCall, ...] | None
    """The same calls one by one; ``None`` where the metric cannot tell."""

    @property
    def unknown_calls(self) -> int:
        """Calls whose answer is not known already."""
        if self.planned is None:
            return self.calls
        return sum(not call.cached for call in self.planned)


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What is still to be done, and what it costs."""

    answers: int
    """Cells that have no answer yet."""

    judge_calls: Mapping[str, int]
    """Calls by metric, before duplicates and known calls are taken off."""

    judge_calls_by_configuration: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    """The same by configuration and metric."""

    after_cache: int
    """Calls that will really be made."""

    after_cache_by_family: Mapping[Family, int] = field(default_factory=dict)
    """The same by kind of call: verdicts of one token, or RAGAS's written replies."""

    tokens: int | None
    """Estimated tokens of those calls; ``None`` where a metric cannot tell."""

    overflowing_prompts: int
    """Calls among them whose prompt does not fit the judge's context."""

    minutes: float | None = None
    """Judging time at the measured pace; ``None`` where no pace was measured."""

    answer_minutes: float | None = None
    """Answering time at the pace of earlier runs; ``None`` where there are none."""

    answer_pace: str = ""
    """What the answering time rests on, or why there is none."""

    warnings: tuple[str, ...] = ()
    """What is doubtful about the experiment itself, in sentences."""


def planned_scores(metrics: Sequence[Metric], lacking: Lacking) -> tuple[PlannedScore, ...]:
    """The scores that will ask the judge, in the order in which they will be made."""
    return tuple(
        PlannedScore(
            configuration=configuration,
            metric=metric,
            sample=sample,
            calls=calls,
            planned=tuple(metric.planned(sample)) if isinstance(metric, PlanningMetric) else None,
        )
        for metric in metrics
        if not isinstance(metric, PureMetric)
        for configuration, samples in lacking.items()
        for sample in samples[metric.name]
        if not metric.needs(sample) and (calls := metric.calls(sample))
    )


def plan(scores: Sequence[PlannedScore], answers: int) -> Plan:
    """Count the calls of those scores.

    Args:
        scores: Those that are to be made.
        answers: Cells that have no answer yet.
    """
    made: Counter[Family] = Counter()
    tokens = overflowing = 0
    known: set[str] = set()
    for score in scores:
        if score.planned is None:
            made[score.metric.family] += score.calls
        for call in score.planned or ():
            if call.cached or call.key in known:
                continue
            known |= {call.key} - {""}
            made[score.metric.family] += 1
            tokens += call.tokens
            overflowing += call.overflows
    configurations = dict.fromkeys(score.configuration for score in scores)
    return Plan(
        answers=answers,
        judge_calls=_by_metric(scores),
        judge_calls_by_configuration={
            name: _by_metric(score for score in scores if score.configuration == name)
            for name in configurations
        },
        after_cache=made.total(),
        after_cache_by_family=dict(made),
        tokens=None if any(score.planned is None for score in scores) else tokens,
        overflowing_prompts=overflowing,
        minutes=None if made else 0.0,
    )


def _by_metric(scores: Iterable[PlannedScore]) -> dict[str, int]:
    counts: Counter[str] = Counter()
    for score in scores:
        counts[score.metric.name] += score.calls
    return dict(counts)
