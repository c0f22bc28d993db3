"""Several metrics as one: a logistic regression, judged only on cases it has not seen.

Free metrics always take part; one that costs something takes part where it separates in the part of
the cases that the regression learns from, so that its choice is validated too. Leaves out how the
result is shown.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from sandbox.evaluation.records import Score
from sandbox.evaluation.trust.arrays import Column
from sandbox.evaluation.trust.auc import Flags, Floats
from sandbox.evaluation.trust.comparisons import compare_columns
from sandbox.evaluation.trust.findings import Combination, Cost
from sandbox.evaluation.trust.learner import Learner
from sandbox.evaluation.trust.records import MetricTrust, TrustCell
from sandbox.evaluation.trust.resampling import Resampling
from sandbox.evaluation.trust.rows import Significance, row_of

COMBINED = "combined"
LEAST_OF_A_CLASS = 10
"""Labels of the rarer kind below which nothing is learned."""

LEAST_COVERAGE = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Combined:
    """A row and what it is made of, or the reason why there is none."""

    row: MetricTrust | None = None
    combination: Combination | None = None
    reason: str = ""


def combine(
    rows: Sequence[MetricTrust],
    columns: Mapping[str, Column],
    cells: Sequence[TrustCell],
    resampling: Resampling,
) -> Combined:
    """The combination of the columns that could serve it."""
    labels = resampling.labels
    rarer = min(int(labels.right.sum()), int(labels.wrong.sum()))
    usable = [row for row in rows if _is_usable(row)]
    if rarer < LEAST_OF_A_CLASS:
        return Combined(
            reason=f"a combination needs {LEAST_OF_A_CLASS} right and {LEAST_OF_A_CLASS} wrong"
            f" labels; there are {rarer} of the rarer kind"
        )
    if len(usable) < 2:
        return Combined(reason="there are not two metrics with different values to combine")
    learner = Learner(usable, columns, resampling)
    found = learner.out_of_fold()
    if found is None:
        return Combined(reason="each kind of label must come from at least two cases")
    probabilities, folds = found
    column = Column(
        metric=COMBINED,
        raw=probabilities,
        failed=np.zeros(len(cells), dtype=np.bool_),
    )
    row = _row(column, cells, resampling, usable)
    best = max(usable, key=lambda one: max(one.auc or 0, 1 - (one.auc or 0)))
    against = compare_columns(
        [(COMBINED, best.metric)],
        {**columns, COMBINED: column},
        resampling,
        flipped=(best.auc or 0) < 0.5,
    )
    everywhere, weights = learner.fit_all()
    combination = Combination(
        weights=weights,
        against_best=against[0] if against else None,
        probabilities=[
            None if cell.sample is None and not cell.scores else float(value)
            for cell, value in zip(
                cells, np.where(np.isnan(probabilities), everywhere, probabilities), strict=True
            )
        ],
        calibration_error=_calibration_error(
            probabilities[labels.decided], labels.right[labels.decided]
        ),
        folds=folds,
        notes=_notes(learner),
    )
    if combination.against_best is not None and not combination.against_best.is_better:
        said = f"not clearly better than {best.metric} alone"
        row = replace(row, notes=(*row.notes, said))
    return Combined(row=row, combination=combination)


def _is_usable(row: MetricTrust) -> bool:
    return row.auc is not None and row.values > 1 and (row.coverage or 0) >= LEAST_COVERAGE


def _row(
    column: Column,
    cells: Sequence[TrustCell],
    resampling: Resampling,
    used: Sequence[MetricTrust],
) -> MetricTrust:
    """Only its out-of-fold AUC says something: an adjusted p-value has no place here."""
    scored = [
        replace(
            cell,
            scores={
                COMBINED: Score(
                    metric=COMBINED,
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
    row = row_of(column, scored, resampling, Significance(p=None, p_holm=0.0, tests=1))
    area = f"{row.auc:.2f} [{row.auc_low:.2f}, {row.auc_high:.2f}]" if row.auc_low else "undefined"
    return replace(
        row,
        p_holm=None,
        verdict="noise" if row.verdict == "inverted" else row.verdict,
        reason=f"logistic regression over {len(used)} metrics, out of fold by case: AUC {area}",
        cost=Cost(
            calls=sum(one.cost.calls or 0.0 for one in used),
            seconds=sum(one.cost.seconds or 0.0 for one in used),
            tokens=sum(one.cost.tokens or 0.0 for one in used),
        ),
    )


def _calibration_error(probabilities: Floats, right: Flags) -> float:
    groups = np.array_split(np.argsort(probabilities, kind="stable"), min(5, len(right)))
    gaps = [abs(float(probabilities[some].mean() - right[some].mean())) for some in groups]
    return float(np.average(gaps, weights=[len(some) for some in groups]))


def _notes(learner: Learner) -> tuple[str, ...]:
    if not learner.has_gaps:
        return ()
    return (
        "a missing score is replaced by the median of what is learned from, and marked as missing"
        " in a column of its own",
    )
