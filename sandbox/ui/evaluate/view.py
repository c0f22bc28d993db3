"""What the Evaluate tab shows: the choice, the plan, the result, and what a click in it opens."""

from collections.abc import Mapping, Sequence

from markupsafe import Markup

from sandbox.config import Config
from sandbox.evaluation.metrics.catalog import LOWER_IS_BETTER
from sandbox.evaluation.running.plan import Plan
from sandbox.evaluation.runs.cells import CellView
from sandbox.evaluation.runs.read import MetricSummary, RunSummary, RunView
from sandbox.evaluation.runs.records import Right, Score
from sandbox.markup.formats import count, number
from sandbox.markup.templates import render
from sandbox.progress import format_duration
from sandbox.testsets.cases import TestCase
from sandbox.ui.parts.progress import sentence_html

LABELS: tuple[Right, ...] = ("right", "wrong", "unsure")
STAGES = {"retrieve": "retrieval", "first_token": "first word", "answer": "answer"}


def plan_html(plan: Plan) -> Markup:
    """What an evaluation will cost."""
    return render(
        "ui/evaluate/plan.html#plan",
        plan=plan,
        calls=sum(plan.judge_calls.values()),
        answering=_minutes(plan.answer_minutes),
        judging=_minutes(plan.minutes),
    )


def warnings_html(warnings: Sequence[str]) -> Markup:
    """What is doubtful about an experiment."""
    return render("ui/evaluate/plan.html#warnings", sentences=warnings)


def unfinished_html(views: Sequence[RunView]) -> str:
    """What an unfinished evaluation has, and that it can go on; empty for a finished one."""
    summaries = [view.summary for view in views]
    if all(summary.finished for summary in summaries):
        return ""
    answered = sum(summary.answered + len(summary.failures) for summary in summaries)
    cells = sum(summary.cells for summary in summaries)
    return sentence_html(
        f"this evaluation is not finished: {answered} of {cells} answers are there; Resume goes on "
        "from there",
        alarming=True,
    )


def choice_html(configs: Sequence[Config], metrics: Sequence[str]) -> Markup:
    """The configurations that will be measured, and with how many metrics."""
    return render(
        "ui/evaluate/plan.html#choice",
        configurations=[config.name for config in configs],
        metrics=len(metrics),
    )


def cases_html(cases: Sequence[TestCase]) -> str:
    """How many cases there are, and how many of them count."""
    verified = sum(case.verified for case in cases)
    unverified = len(cases) - verified
    left_out = f", {unverified} unverified are left out" if unverified else ""
    return sentence_html(f"{count(verified, 'verified case')}{left_out}", alarming=not verified)


def result_html(views: Sequence[RunView], doubts: Mapping[str, str] | None = None) -> Markup:
    """The whole result of an evaluation, or what to do where there is none.

    `doubts` says why a metric may not decide; ``None`` where the labels do not say.
    """
    return render(
        "ui/evaluate/result.html",
        views=views,
        doubts=doubts,
        failures=_failures(views),
        families=_families(views),
        costs=_costs([view.summary for view in views]),
        judges_itself=any(view.run.is_self_judged for view in views),
        lower_is_better=LOWER_IS_BETTER,
        counts=_counts,
        describe=describe,
        find_metric=find_metric,
    )


def detail_html(view: RunView, *, show: str, metric: str = "", case: str = "") -> str:
    """What was clicked: a "metric", a "cell" or a "score"; empty where there is no such thing."""
    summary = find_metric(view.summary.metrics, metric)
    cell = view.cells.get(case)
    if show == "metric" and summary is not None:
        scores = [(view.case(id), score) for id, score in view.scores_of(metric).items()]
        return render(
            "ui/evaluate/detail.html#metric",
            view=view,
            summary=summary,
            scores=sorted(scores, key=lambda scored: _worst_first(scored[1])),
        )
    if show == "cell" and cell is not None:
        return render("ui/evaluate/detail.html#cell", cell=cell, label=describe(cell))
    if show == "score" and cell is not None and summary is not None:
        score = cell.scores.get(metric)
        cost = _cost(score) if score else ""
        values = {"cell": cell, "metric": metric, "score": score, "cost": cost}
        return render("ui/evaluate/detail.html#score", **values)
    return ""


def describe(cell: CellView) -> str:
    """Right or wrong in words, and who says so."""
    if cell.label_or_suggestion is None:
        return cell.reason
    by = "suggested" if cell.is_suggested else "labelled"
    return f"{cell.label_or_suggestion}, {by}: {cell.reason}"


def find_metric(metrics: Sequence[MetricSummary], name: str) -> MetricSummary | None:
    """One metric among those measured."""
    return next((summary for summary in metrics if summary.metric == name), None)


def _minutes(minutes: float | None) -> str:
    return "" if minutes is None else format_duration(60 * minutes)


def _counts(view: RunView) -> str:
    counts = view.counts
    return " · ".join(f"{counts[label]} {label}" for label in LABELS if counts.get(label)) or "–"


def _failures(views: Sequence[RunView]) -> Mapping[str, Sequence[str]]:
    """Where there is no answer or no score, by reason."""
    places: dict[str, list[str]] = {}
    for view in views:
        failures = view.summary.failures
        reasons = [(case, f"no answer: {reason}") for case, reason in failures.items()]
        reasons += [
            (case, f"no {metric}: {score.reason}")
            for (metric, case), score in view.scores.items()
            if score.value is None and score.applicable and case not in failures
        ]
        for case, reason in reasons:
            places.setdefault(reason, []).append(f"{view.run.configuration}/{case}")
    return places


def _families(views: Sequence[RunView]) -> Mapping[str, Sequence[str]]:
    """The metrics of all runs by family, each once."""
    family_of: dict[str, str] = {}
    for view in views:
        for summary in view.summary.metrics:
            family_of[summary.metric] = family_of.get(summary.metric) or summary.family or ""
    families: dict[str, list[str]] = {}
    for metric, family in family_of.items():
        families.setdefault(family or "not scored yet", []).append(metric)
    return families


def _costs(summaries: Sequence[RunSummary]) -> Mapping[str, Sequence[str]]:
    """Seconds and tokens of each configuration, row by row."""
    rows: dict[str, list[str]] = {}
    for stage, name in STAGES.items():
        seconds = [summary.answer_seconds.get(stage) for summary in summaries]
        rows[f"seconds to {name}, mean"] = [
            "–" if value is None else f"{value:.2f}" for value in seconds
        ]
    for kind in ("prompt", "answer"):
        tokens = [summary.answer_tokens.get(kind) for summary in summaries]
        rows[f"{kind} tokens"] = ["–" if value is None else f"{value:,}" for value in tokens]
    rows["judge calls"] = [f"{summary.judge_calls:,}" for summary in summaries]
    rows["judge calls saved"] = [f"{summary.judge_calls_saved:,}" for summary in summaries]
    rows["judge tokens"] = [f"{summary.judge_tokens:,}" for summary in summaries]
    rows["answering and scoring"] = [format_duration(summary.seconds) for summary in summaries]
    return rows


def _cost(score: Score) -> str:
    parts = [] if score.granularity is None else [f"made of {count(score.granularity, 'verdict')}"]
    if score.standard_deviation is not None:
        parts.append(
            f"standard deviation of {len(score.judgements)} judgements "
            f"{number(score.standard_deviation)}"
        )
    if score.calls or score.calls_saved:
        parts.append(f"{count(score.calls, 'judge call')}, {score.calls_saved} saved")
        parts.append(f"{score.tokens:,} tokens")
    return " · ".join([*parts, f"{score.seconds:.2f} s"])


def _worst_first(score: Score) -> tuple[int, float]:
    """Failures, then the scores from low to high, then what does not apply."""
    if score.value is not None:
        return (1, score.value)
    return (0, 0.0) if score.applicable else (2, 0.0)
