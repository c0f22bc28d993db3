"""How long an evaluation will take: measured on the judge, and on the answers of earlier runs.

Leaves out how many calls and answers there are (plan.py).
"""

from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from statistics import median

from sandbox.evaluation.metrics.loop import ScoringLoop
from sandbox.evaluation.running.plan import Plan, PlannedScore
from sandbox.evaluation.runs.folder import RunFolder
from sandbox.evaluation.runs.read import read_run
from sandbox.evaluation.runs.records import Family

PROBE_CALLS = 3
"""Calls that are made to measure how long one takes; more only where a single score needs more."""


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
