"""What an evaluation will cost before it starts: calls to the judge, tokens, minutes.

Where there is no answer yet, the caller hands over a sample with a stand-in for it. Judging time is
measured on a few calls that are made anyway; answering time is that of earlier runs.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from statistics import median

from sandbox.evaluation.metric import JudgedMetric, Metric, PlannedCall, PlanningMetric, PureMetric
from sandbox.evaluation.metrics.loop import ScoringLoop
from sandbox.evaluation.runs.folder import RunFolder
from sandbox.evaluation.runs.read import read_run
from sandbox.evaluation.runs.records import Family, Sample

Lacking = Mapping[str, Mapping[str, Sequence[Sample]]]
"""By configuration and by name of the metric, the samples that have no score yet."""

PROBE_CALLS = 3
"""Calls that are made to measure how long one takes; more only where a single score needs more."""


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


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerTime:
    """How long answering will take."""

    minutes: float | None
    """``None`` where nothing like it was measured."""

    rests_on: str
    """What was measured, or why nothing was."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answering:
    """Answers that are to be made under one configuration."""

    config: Mapping[str, object]
    """Every setting by name."""

    chat_model: str
    """The model that "auto" stands for, if it is so set."""

    answers: int


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


def seconds_per_call(scores: Sequence[PlannedScore]) -> dict[Family, float]:
    """Seconds of one call by kind, measured on scores that are made now; their replies are kept.

    A verdict of one token and a written reply of RAGAS differ by an order of magnitude, so each
    kind is measured by itself: on its scores with the fewest calls, among them on prompts of usual
    length. The quickest counts, because the first one also reads instructions that the others
    share; where only one could be made, the estimate is one from above. A kind is missing where no
    call went well.

    Raises:
        ModelUnavailable: If the judge cannot be reached.
    """
    kinds: dict[Family, list[PlannedScore]] = {}
    for score in scores:
        if score.unknown_calls:
            kinds.setdefault(score.metric.family, []).append(score)
    usual = {kind: median(map(_tokens_per_call, some)) for kind, some in kinds.items()}
    left = PROBE_CALLS
    paces: dict[Family, float] = {}
    longest_first = sorted(kinds, key=lambda kind: -usual[kind])
    with ScoringLoop() as loop:
        for position, kind in enumerate(longest_first, start=1):
            ranked = [(one.unknown_calls, _distance(one, usual[kind]), one) for one in kinds[kind]]
            cheapest = [one for *_, one in sorted(ranked, key=lambda ranking: ranking[:2])]
            reserved = len(longest_first) - position  # a call for each kind that is still to come
            measured, made = _measure(loop, cheapest, left - reserved)
            left -= made
            if measured:
                paces[kind] = min(measured)
    return paces


def timed(planned: Plan, paces: Mapping[Family, float]) -> Plan:
    """The plan with the minutes of judging: calls of each kind at its pace.

    Without minutes where the pace of a kind is not known.
    """
    calls = planned.after_cache_by_family
    if calls.keys() - paces.keys():
        return planned
    seconds = sum(number * paces[kind] for kind, number in calls.items())
    return replace(planned, minutes=seconds / 60)


def answer_time(runs: Sequence[RunFolder], wanted: Sequence[Answering]) -> AnswerTime:
    """At the pace of earlier runs with the same settings, else with the same chat model.

    Args:
        runs: Earlier runs, the newest first.
        wanted: What is to be answered.
    """
    seconds, borrowed = 0.0, []
    for answering in wanted:
        if not answering.answers:
            continue
        model = answering.chat_model
        same_model = [run for run in runs if run.run.models.get("chat_model") == model]
        same = [run for run in same_model if run.run.config == answering.config]
        own = _seconds_per_answer(same)
        pace = own if own is not None else _seconds_per_answer(same_model)
        if pace is None:
            return AnswerTime(
                minutes=None,
                rests_on=f"how long {model} takes to answer is known after its first run",
            )
        borrowed += [] if own is not None else [str(answering.config["name"])]
        seconds += answering.answers * pace
    rests_on = "earlier runs"
    if borrowed:
        rests_on += f"; for {', '.join(borrowed)}, runs of other settings with the same chat model"
    return AnswerTime(minutes=seconds / 60, rests_on=rests_on)


def _by_metric(scores: Iterable[PlannedScore]) -> dict[str, int]:
    counts: Counter[str] = Counter()
    for score in scores:
        counts[score.metric.name] += score.calls
    return dict(counts)


def _measure(
    loop: ScoringLoop, scores: Sequence[PlannedScore], most_calls: int
) -> tuple[list[float], int]:
    """Seconds per call of the first scores, and the calls made: at least one score is tried."""
    paces: list[float] = []
    made = 0
    for number, score in enumerate(scores):
        if number and made + score.unknown_calls > most_calls:
            break
        with closing(loop.scores(score.metric, {score.sample.id: score.sample})) as probes:
            for _, probe in probes:
                made += probe.calls
                if probe.calls and probe.seconds:
                    paces.append(probe.seconds / probe.calls)
    return paces, made


def _seconds_per_answer(runs: Sequence[RunFolder]) -> float | None:
    """As measured in the first of the runs that has answers; ``None`` if none has."""
    for run in runs:
        paces = read_run(run, with_scores=False).summary.answer_seconds
        if "answer" in paces:
            return paces.get("retrieve", 0.0) + paces["answer"]
    return None


def _tokens_per_call(score: PlannedScore) -> float:
    """Mean size of a call; 0 where the metric cannot tell."""
    calls = score.planned or ()
    return sum(call.tokens for call in calls) / max(1, len(calls))


def _distance(score: PlannedScore, usual: float) -> float:
    return abs(_tokens_per_call(score) - usual)
