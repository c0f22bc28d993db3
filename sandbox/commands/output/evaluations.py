"""Runs and plans of evaluations, new and past, as JSON for programs and as lines for a terminal."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from sandbox.evaluation.metrics.catalog import LOWER_IS_BETTER
from sandbox.evaluation.running.plan import Plan
from sandbox.evaluation.runs.history import PastRun
from sandbox.evaluation.runs.read import GroupSummary, MetricSummary, RunSummary
from sandbox.progress import format_duration


def runs_to_json(summaries: Sequence[RunSummary]) -> dict[str, Any]:
    """What `sandbox evaluate` measured, one entry for each configuration."""
    return {"runs": [_run(summary) for summary in summaries]}


def plan_to_json(plan: Plan) -> dict[str, Any]:
    """What `sandbox evaluate --dry-run` found."""
    return asdict(plan)


def runs_to_lines(summaries: Sequence[RunSummary]) -> Iterator[str]:
    """A table of means, one line a metric, one column a configuration; then notes on each run."""
    metrics = list(dict.fromkeys(row.metric for run in summaries for row in run.metrics))
    names = {metric: _describe_direction(metric) for metric in metrics}
    width = max(map(len, names.values()), default=0)
    yield "  ".join([" " * width, *(f"{run.configuration:>20.20}" for run in summaries)])
    for metric, name in names.items():
        means = [
            next((_mean(row) for row in run.metrics if row.metric == metric), "")
            for run in summaries
        ]
        yield "  ".join([f"{name:<{width}}", *(f"{mean:>20}" for mean in means)])
    for run in summaries:
        yield from _run_to_lines(run)


def _run_to_lines(run: RunSummary) -> Iterator[str]:
    yield f"{run.id}: {run.answered} of {run.cells} answered, {format_duration(run.seconds)}"
    yield from (f"  {case}: {failure}" for case, failure in run.failures.items())
    for row in run.metrics:
        for reason, count in row.reasons.items():
            yield f"  {row.metric}: {count} without a score: {reason}"
    for row in run.metrics:
        if row.standard_deviation is not None:
            yield (
                f"  {row.metric}: {row.judgements} judgements, {row.judgements_failed} failed; the"
                f" mean standard deviation within an answer is {row.standard_deviation:.2f}"
            )


def plan_to_lines(plan: Plan) -> Iterator[str]:
    """What it would cost, in sentences."""
    yield f"{plan.answers} answers to make{_answering(plan)}"
    yield from (f"{metric}: {calls} judge calls" for metric, calls in plan.judge_calls.items())
    for configuration, calls in plan.judge_calls_by_configuration.items():
        by_metric = ", ".join(f"{metric} {number}" for metric, number in calls.items())
        yield f"  {configuration}: {sum(calls.values())} ({by_metric})"
    tokens = "" if plan.tokens is None else f", about {plan.tokens} tokens"
    minutes = "" if plan.minutes is None else f", about {format_duration(60 * plan.minutes)}"
    yield f"{plan.after_cache} judge calls after known and equal ones{tokens}{minutes}"
    if plan.overflowing_prompts:
        yield f"{plan.overflowing_prompts} prompts do not fit the judge's context"
    yield from (f"note: {warning}" for warning in plan.warnings)


def _answering(plan: Plan) -> str:
    if not plan.answers:
        return ""
    if plan.answer_minutes is None:
        return f"; {plan.answer_pace}"
    return f", about {format_duration(60 * plan.answer_minutes)} as in {plan.answer_pace}"


def _describe_direction(metric: str) -> str:
    return f"{metric} (lower is better)" if metric in LOWER_IS_BETTER else metric


def _mean(summary: MetricSummary) -> str:
    mean = "-" if summary.mean is None else f"{summary.mean:.2f}"
    return f"{mean} ({summary.scored} of {summary.of})"


def _run(summary: RunSummary) -> dict[str, Any]:
    return {
        "id": summary.id,
        "config": dict(summary.config),
        "cells": summary.cells,
        "answered": summary.answered,
        "finished": summary.finished,
        "failures": dict(summary.failures),
        "metrics": {row.metric: _metric(row) for row in summary.metrics},
        "groups": [_group(group) for group in summary.groups],
        "seconds": round(summary.seconds, 3),
        "answer_seconds": {
            stage: round(seconds, 3) for stage, seconds in summary.answer_seconds.items()
        },
        "judge_calls": summary.judge_calls,
        "judge_calls_saved": summary.judge_calls_saved,
        "tokens": sum(summary.answer_tokens.values()) + summary.judge_tokens,
        "answer_tokens": dict(summary.answer_tokens),
        "judge_tokens": summary.judge_tokens,
        "judgements": {metric: dict(values) for metric, values in summary.judgements.items()},
    }


def _metric(summary: MetricSummary) -> dict[str, Any]:
    return {
        "mean": summary.mean,
        "lower_is_better": summary.metric in LOWER_IS_BETTER,
        "scored": summary.scored,
        "of": summary.of,
        "failed": summary.failed,
        "not_applicable": summary.not_applicable,
        "mean_failed_as_0": summary.mean_failed_as_0,
        "mean_failed_as_1": summary.mean_failed_as_1,
        "judgements": summary.judgements,
        "judgements_failed": summary.judgements_failed,
        "standard_deviation": summary.standard_deviation,
        "reasons": dict(summary.reasons),
    }


def _group(group: GroupSummary) -> dict[str, Any]:
    return {
        "by": group.by,
        "name": group.name,
        "cells": group.cells,
        "metrics": {
            row.metric: {**_metric(row), "values": list(row.values)} for row in group.metrics
        },
    }


def history_to_json(runs: Sequence[PastRun]) -> dict[str, Any]:
    """What `sandbox compare --list --json` prints."""
    return {
        "runs": [
            {
                "id": past.run.id,
                "name": past.about.name,
                "note": past.about.note,
                "evaluation": past.run.evaluation,
                "created": past.run.created,
                "corpus": past.run.corpus,
                "test_set": past.run.test_set,
                "config": past.run.configuration,
                "judge": past.run.judge,
                "cases": len(past.run.cases),
                "answered": past.answered,
                "finished": past.finished,
                "right": past.right,
                "wrong": past.wrong,
                "headline": past.headline,
                "chat": past.is_chat,
            }
            for past in runs
        ]
    }


def history_to_lines(runs: Sequence[PastRun]) -> Iterator[str]:
    """Two lines a run, its note below."""
    if not runs:
        yield "no run yet; make one with: sandbox evaluate"
    for past in runs:
        run = past.run
        judge = f", judged by {run.judge}" if run.judge else ""
        yield f"{past.name}  {run.started}  {past.headline}"
        named = f" ({run.id})" if past.about.name else ""
        yield f"  {run.corpus}, {run.configuration}, {len(run.cases)} cases{judge}{named}"
        yield from (f"  {line}" for line in past.about.note.splitlines())
