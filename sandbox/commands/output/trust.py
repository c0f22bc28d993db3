"""The trust table, as JSON for programs and as lines for a terminal of 100 columns."""

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from sandbox.commands.output.terminal import wrap
from sandbox.evaluation.runs.records import MetricKey
from sandbox.evaluation.trust.advice import Misses, advise, find_worst_misses
from sandbox.evaluation.trust.records import (
    Difference,
    MetricTrust,
    Repeatability,
    Threshold,
    TrustTable,
)
from sandbox.progress import format_duration

NAME_WIDTH = 24
CARRYING = 6
"""Columns of a combination that are named, those of the largest weight."""


def to_json(table: TrustTable) -> dict[str, Any]:
    """What `sandbox trust --json` prints."""
    advice = advise(table)
    return {
        "use": list(map(str, advice.use)),
        "summary": advice.sentence,
        "metrics": [_metric(row, table) for row in table.metrics],
        "labels": {
            "right": table.n_right,
            "wrong": table.n_wrong,
            "unsure": table.n_unsure,
            "suggested": table.n_suggested,
        },
        "cells": len(table.cells),
        "cases": table.n_cases,
        "warnings": list(table.warnings),
        "judges": list(table.judges),
        "combination": _combination(table),
        "no_combination": table.no_combination,
        "differences": [_difference(difference) for difference in table.differences],
        "repeatability": [
            {**asdict(row), "metric": str(row.metric)} for row in table.repeatability
        ],
        "resamples": table.resamples,
        "seed": table.seed,
    }


def to_lines(table: TrustTable) -> Iterator[str]:
    """A row for each metric, and below it why."""
    advice = advise(table)
    yield _labels(table)
    yield from wrap(advice.sentence)
    yield ""
    yield (
        f"{'metric':<{NAME_WIDTH}} {'right':>7} {'wrong':>7} {'gap':>7}  {'AUC [95 %]':<16}"
        f" {'within':>6}  {'cost':<14} verdict"
    )
    for row in table.metrics:
        yield from _row(row)
    yield from _combined(table)
    for metric in advice.use:
        yield from _misses(table, metric)
    for difference in table.differences:
        yield from wrap(_difference_line(difference))
    for repeated in table.repeatability:
        yield from wrap(_repeatability_line(repeated))
    for warning in table.warnings:
        yield from wrap(f"note: {warning}")


def _labels(table: TrustTable) -> str:
    decided = table.n_right + table.n_wrong
    parts = [
        f"{decided} of {len(table.cells)} answers labelled"
        f" ({table.n_right} right, {table.n_wrong} wrong), {table.n_cases} cases"
    ]
    if table.n_unsure:
        parts.append(f"{table.n_unsure} unsure, left out")
    if table.n_suggested:
        parts.append(f"{table.n_suggested} of them accepted suggestions")
    return "; ".join(parts)


def _row(row: MetricTrust) -> Iterator[str]:
    name = f"{row.metric} (base)" if row.is_baseline else str(row.metric)
    if len(name) > NAME_WIDTH:
        yield name
        name = ""
    means = " ".join(
        f"{_number(value, signed=signed):>7}"
        for value, signed in ((row.mean_right, False), (row.mean_wrong, False), (row.gap, True))
    )
    area = "-" if row.auc is None else f"{row.auc:.2f} {_interval(row.auc_low, row.auc_high)}"
    within = "-" if row.auc_within_case is None else f"{row.auc_within_case:.2f}"
    yield (f"{name:<{NAME_WIDTH}} {means}  {area:<16} {within:>6}  {_cost(row):<14} {row.trust}")
    yield from wrap(f"    {row.reason}", hanging=6)
    for note in row.notes:
        if note not in row.reason:
            yield from wrap(f"    {note}", hanging=6)
    if row.threshold is not None:
        yield from wrap(f"    {_threshold_line(row.threshold)}", hanging=6)


def _interval(low: float | None, high: float | None) -> str:
    return "" if low is None or high is None else f"[{low:.2f}, {high:.2f}]"


def _number(value: float | None, *, signed: bool) -> str:
    if value is None:
        return "-"
    digits = 0 if abs(value) >= 100 else 1 if abs(value) >= 10 else 2
    return f"{value:+.{digits}f}" if signed else f"{value:.{digits}f}"


def _cost(row: MetricTrust) -> str:
    cost = row.cost
    if cost.calls is None and cost.seconds is None:
        return "unknown"
    if not cost.calls and (cost.seconds or 0) < 0.05:
        return "free"
    calls = "" if not cost.calls else f"{cost.calls:.3g} calls"
    seconds = "" if cost.seconds is None else _format_seconds(cost.seconds)
    return " ".join(filter(None, [calls, seconds]))


def _format_seconds(seconds: float) -> str:
    """Seconds of one score: with a digit where they are few."""
    return f"{seconds:.1f} s" if seconds < 10 else format_duration(seconds)


def _threshold_line(threshold: Threshold) -> str:
    side = ">=" if threshold.at_least else "<="
    return (
        f"threshold {side} {threshold.value:.3g} ({threshold.rule}): {threshold.true_rate:.0%} of"
        f" the right and {threshold.false_rate:.0%} of the wrong answers pass; on unseen cases"
        f" {threshold.accuracy:.0%} are judged as labelled (always the same:"
        f" {threshold.accuracy_always:.0%})"
    )


def _combined(table: TrustTable) -> Iterator[str]:
    combination = table.combination
    if combination is None:
        yield from wrap(f"no combination: {table.no_combination}")
        return
    weights = list(combination.weights.items())[:CARRYING]
    carried = ", ".join(f"{name} {weight:+.2f}" for name, weight in weights)
    rest = len(combination.weights) - len(weights)
    more = f", and {rest} more" if rest else ""
    yield from wrap(
        f"combined is carried by (log-odds for one standard deviation) {carried}{more}", hanging=2
    )
    if combination.against_best is not None:
        yield from wrap(_difference_line(combination.against_best))
    for note in combination.notes:
        yield from wrap(note)


def _misses(table: TrustTable, metric: MetricKey) -> Iterator[str]:
    """The answers that a metric worth using misjudges most."""
    row = table.row(metric)
    misses = find_worst_misses(table, row) if row else None
    if misses is None:
        return
    if not misses.right and not misses.wrong:
        yield f"{metric}: no misses, every labelled answer is on its side"
    for title, answers in zip(misses.titles, (misses.right, misses.wrong), strict=True):
        misjudged = [f"{answer.name} {_number(answer.value, signed=False)}" for answer in answers]
        if misjudged:
            yield from wrap(f"{metric}: {title}: {', '.join(misjudged)}")


def _difference_line(row: Difference) -> str:
    turned = " taken upside down" if row.flipped else ""
    uncertain = "is worse" if row.high < 0 else "is not clearly better or worse"
    better = "is better" if row.is_better else uncertain
    return (
        f"{row.metric} {better} than {row.other}{turned}: AUC {row.auc:.2f} against"
        f" {row.other_auc:.2f}, difference {row.difference:+.3f} [{row.low:+.3f}, {row.high:+.3f}],"
        f" {row.cells} answers"
    )


def _repeatability_line(row: Repeatability) -> str:
    if row.sd is None or row.flip_rate is None:
        return f"{row.metric} could not be repeated: {row.reason}"
    failed = f", {row.failed} gave no score" if row.failed else ""
    return (
        f"{row.metric} repeated on {row.repeated} answers: standard deviation {row.sd:.3f},"
        f" {row.flip_rate:.0%} change sides of {row.threshold:.3g}{failed}"
    )


def _metric(row: MetricTrust, table: TrustTable) -> dict[str, Any]:
    """The row, flat; keys of the cost by cell."""
    flat = asdict(row)
    missing, cost, trust = flat.pop("missing"), flat.pop("cost"), flat.pop("trust")
    flat["notes"] = list(row.notes)
    against = row.against_baseline
    return {
        **flat,
        "metric": str(row.metric),
        "verdict": trust,
        "gap": row.gap,
        "coverage": row.coverage,
        "against_baseline": None if against is None else _difference(against),
        "n_missing": missing["count"],
        "missing_p": missing["p"],
        "missing": missing,
        "worst_misses": _misses_to_json(find_worst_misses(table, row)),
        **{f"{name}_per_cell": value for name, value in cost.items()},
    }


def _misses_to_json(misses: Misses | None) -> dict[str, Any] | None:
    if misses is None:
        return None
    return {
        kind: [
            {
                "run": answer.cell.run,
                "configuration": answer.cell.configuration,
                "case": answer.cell.case,
                "value": answer.value,
            }
            for answer in answers
        ]
        for kind, answers in (("right", misses.right), ("wrong", misses.wrong))
    }


def _difference(row: Difference) -> dict[str, Any]:
    names = {"metric": str(row.metric), "other": str(row.other)}
    return {**asdict(row), **names, "is_better": row.is_better}


def _combination(table: TrustTable) -> dict[str, Any] | None:
    if table.combination is None:
        return None
    combination = table.combination
    against = combination.against_best
    return {
        "weights": dict(combination.weights),
        "against_best": None if against is None else _difference(against),
        "calibration_error": combination.calibration_error,
        "folds": combination.folds,
        "notes": list(combination.notes),
        "probabilities": [
            {"case": cell.case, "configuration": cell.configuration, "probability": probability}
            for cell, probability in zip(table.cells, combination.probabilities, strict=True)
        ],
    }
