"""Cells for tests of the trust statistics: labels and scores without answers behind them."""

from collections.abc import Mapping, Sequence
from typing import cast

import numpy as np
from numpy.typing import NDArray

from sandbox.evaluation.runs.records import Family, MetricKey, Right, Sample, Score
from sandbox.evaluation.trust.records import CellSet, TrustCell
from sandbox.evaluation.trust.resampling import Column, Labels


def score(
    metric: str,
    value: float | None,
    *,
    family: Family = "ragas",
    applicable: bool = True,
    granularity: int | None = None,
) -> Score:
    return Score(
        metric=metric,
        family=family,
        value=value,
        reason="the reply was no JSON",
        applicable=applicable,
        granularity=granularity,
        calls=2,
        tokens=300,
        seconds=1.5,
    )


def cell(
    verdict: Right | None,
    scores: Mapping[str, float | None],
    *,
    case: str = "q1",
    configuration: str = "text_k4",
    sample: Sample | None = None,
) -> TrustCell:
    return TrustCell(
        run=configuration,
        configuration=configuration,
        case=case,
        label=verdict,
        scores={MetricKey(name): score(name, value) for name, value in scores.items()},
        sample=sample,
    )


def cells(verdicts: Sequence[object], **values: Sequence[float | None]) -> CellSet:
    """A case of its own for each verdict, with the values of each metric."""
    return CellSet(
        cells=tuple(
            cell(
                cast(Right | None, verdict),
                {metric: by_cell[position] for metric, by_cell in values.items()},
                case=f"q{position}",
            )
            for position, verdict in enumerate(verdicts)
        )
    )


def labels(right: NDArray[np.bool_], per_case: int, *, known: bool = True) -> Labels:
    """Labels of so many answers a case; without `known` nothing tells the systems apart."""
    count = len(right)
    systems = np.arange(count) % per_case if known else np.full(count, -1)
    return Labels(right=right, wrong=~right, cases=np.arange(count) // per_case, systems=systems)


def column(values: NDArray[np.float64], *, lower_is_better: bool = False) -> Column:
    return Column(
        metric=MetricKey("metric"),
        raw=values,
        failed=np.isnan(values),
        lower_is_better=lower_is_better,
    )


def correlated(
    generator: np.random.Generator,
    cases: int,
    per_case: int,
    *,
    within: float,
    separation: float,
    share_right: float = 0.6,
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Scores and labels that are both correlated within cases; scores are normal."""
    from scipy.stats import norm

    shape = (cases, per_case)
    scores, ease = (
        generator.normal(size=(cases, 1)) * within**0.5
        + generator.normal(size=shape) * (1 - within) ** 0.5
        for _ in range(2)
    )
    right = ease < norm.ppf(share_right)
    return (scores + separation * right).ravel(), right.ravel()
