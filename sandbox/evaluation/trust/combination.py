"""Several metrics as one: a logistic regression, judged only on cases it has not seen.

`learner.py` says which metrics take part.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from sandbox.evaluation.runs.records import MetricKey, Score
from sandbox.evaluation.stats.auc import Flags, Floats
from sandbox.evaluation.trust.cells import FREE
from sandbox.evaluation.trust.decisions import Significance
from sandbox.evaluation.trust.learner import Learner, measure_overlaps
from sandbox.evaluation.trust.records import (
    Combination,
    Cost,
    Difference,
    MetricTrust,
    TrustCell,
    TrustTable,
)
from sandbox.evaluation.trust.resampling import Column, Resampling
from sandbox.evaluation.trust.rows import compare_metrics, compute_row

COMBINED = MetricKey("combined")
CIRCULAR = MetricKey("accepted_answer")
"""The metric that makes suggestions; where these count as labels, it only knows itself."""

LEAST_OF_A_CLASS = 10
"""Labels of the rarer kind below which nothing is learned."""

LEAST_COVERAGE = 0.5
"""Share of the labelled cells that a metric must score to take part."""

GAPS_NOTE = (
    "a missing score is replaced by the median of what is learned from, and marked as missing in a"
    " column of its own"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Combined:
    """The row of the combination and its making, or the reason why there is none."""

    row: MetricTrust | None = None
    combination: Combination | None = None
    reason: str = ""


def list_values(table: TrustTable, metric: MetricKey) -> Sequence[float | None]:
    """A metric's scores by cell; those of the combination are kept apart, as no cell has them."""
    if metric == COMBINED and table.combination is not None:
        return table.combination.probabilities
    scores = [cell.scores.get(metric) for cell in table.cells]
    return [None if score is None else score.value for score in scores]


def combine(
    rows: Sequence[MetricTrust],
    columns: Mapping[MetricKey, Column],
    cells: Sequence[TrustCell],
    resampling: Resampling,
) -> Combined:
    """Combine the metrics that score enough of the labelled cells."""
    usable = [row for row in rows if _is_usable(row, cells)]
    if reason := _explain_lack(usable, resampling):
        return Combined(reason=reason)
    overlaps = measure_overlaps(cells)
    learner = Learner(
        [*(columns[row.metric] for row in usable), *overlaps],
        [*(row.family in FREE for row in usable), *(True for _ in overlaps)],
        resampling,
    )
    unseen = learner.predict_unseen()
    if unseen is None:
        return Combined(reason="each kind of label must come from at least two cases")
    probabilities, folds = unseen
    column = Column(metric=COMBINED, raw=probabilities, failed=np.zeros(len(cells), dtype=np.bool_))
    row = _make_row(column, cells, resampling, usable)
    against = _compare_with_best(usable, {**columns, COMBINED: column}, resampling)
    if against is not None and not against.is_better:
        row = replace(row, notes=(*row.notes, f"not clearly better than {against.other} alone"))
    return Combined(row=row, combination=_describe(learner, column, against, folds, cells))


def _explain_lack(usable: Sequence[MetricTrust], resampling: Resampling) -> str:
    labels = resampling.labels
    rarer = min(int(labels.right.sum()), int(labels.wrong.sum()))
    if rarer < LEAST_OF_A_CLASS:
        return (
            f"it needs {LEAST_OF_A_CLASS} right and {LEAST_OF_A_CLASS} wrong labels; there are"
            f" {rarer} of the rarer kind"
        )
    return "" if len(usable) > 1 else "there are not two metrics with different values to combine"


def _compare_with_best(
    usable: Sequence[MetricTrust], columns: Mapping[MetricKey, Column], resampling: Resampling
) -> Difference | None:
    """Compare with the best row, baselines included, whichever way it points."""
    best = max(usable, key=lambda row: max(row.auc or 0, 1 - (row.auc or 0)))
    flipped = (best.auc or 0) < 0.5
    return compare_metrics((COMBINED, best.metric), columns, resampling, flipped=flipped)


def _describe(
    learner: Learner,
    column: Column,
    against: Difference | None,
    folds: int,
    cells: Sequence[TrustCell],
) -> Combination:
    everywhere, weights = learner.predict_all()
    filled = np.where(column.scored, column.raw, everywhere)
    right = np.array([cell.label == "right" for cell in cells])
    return Combination(
        weights=weights,
        against_best=against,
        probabilities=[
            None if cell.sample is None and not cell.scores else float(value)
            for cell, value in zip(cells, filled, strict=True)
        ],
        calibration_error=_calibration_error(column.raw[column.scored], right[column.scored]),
        folds=folds,
        notes=(GAPS_NOTE,) if learner.has_gaps else (),
    )


def _is_usable(row: MetricTrust, cells: Sequence[TrustCell]) -> bool:
    """Not if it made the labels itself."""
    circular = row.metric == CIRCULAR and any(cell.suggested for cell in cells)
    return row.auc is not None and (row.coverage or 0) >= LEAST_COVERAGE and not circular


def _make_row(
    column: Column,
    cells: Sequence[TrustCell],
    resampling: Resampling,
    parts: Sequence[MetricTrust],
) -> MetricTrust:
    """The row by the out-of-fold AUC alone: an adjusted p-value has no place here."""
    scored = [
        replace(
            cell,
            scores={
                COMBINED: Score(
                    metric=COMBINED.name,
                    family="combined",
                    value=None if np.isnan(value) else float(value),
                    reason="not labelled",
                    applicable=False,
                    calls=0,
                )
            },
        )
        for cell, value in zip(cells, column.raw, strict=True)
    ]
    row = compute_row(column, scored, resampling, Significance(p=None, p_holm=0.0, tests=1))
    area = f"{row.auc:.2f} [{row.auc_low:.2f}, {row.auc_high:.2f}]" if row.auc_low else "undefined"
    return replace(
        row,
        p_holm=None,
        trust="noise" if row.trust == "inverted" else row.trust,
        reason=f"logistic regression over {len(parts)} metrics and free signs, on unseen cases:"
        f" AUC {area}",
        cost=Cost(
            calls=sum(part.cost.calls or 0.0 for part in parts),
            seconds=sum(part.cost.seconds or 0.0 for part in parts),
            tokens=sum(part.cost.tokens or 0.0 for part in parts),
        ),
    )


def _calibration_error(probabilities: Floats, right: Flags) -> float:
    """Mean distance of probability and share right over five groups of like probability."""
    groups = np.array_split(np.argsort(probabilities, kind="stable"), min(5, len(right)))
    gaps = [abs(float(probabilities[cells].mean() - right[cells].mean())) for cells in groups]
    return float(np.average(gaps, weights=[len(cells) for cells in groups]))
