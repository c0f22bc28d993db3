"""The share of right answers: from labels alone, and from labels and a prediction."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np

LEAST_LABELLED = 10
"""Labels below which no rate is corrected: its variance would be a guess."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectedRate:
    """The share of right answers over labelled and unlabelled ones, by prediction and labels."""

    rate: float
    low: float
    high: float
    """95 % interval."""

    standard_error: float
    labelled: int
    unlabelled: int
    by: str
    """The trusted metric that predicts, or "combined"."""

    weight: float
    """How far the prediction is relied on: 0 not at all, 1 as if it were exact."""


def wilson(right: float, of: float) -> tuple[float, float]:
    """95 % interval of a share; both counts may be effective ones, with a fraction.

    >>> [round(bound, 3) for bound in wilson(8, 10)]
    [0.49, 0.943]

    Source:
        Wilson (1927), Probable inference, the law of succession, and statistical inference.
    """
    from statsmodels.stats.proportion import proportion_confint

    low, high = proportion_confint(right, of, method="wilson")
    return float(low), float(high)


def correct_rate(
    right: Sequence[bool],
    predicted: Sequence[float],
    predicted_unlabelled: Sequence[float],
    *,
    by: str,
) -> CorrectedRate:
    r"""Estimate the share right over all answers, by a prediction that the labels correct.

    With labels Y, predictions f on the n labelled and f' on the N unlabelled answers, the rate is
    :math:`\bar Y + w (\bar f' - \bar f)`; the weight :math:`w = Cov(Y, f) / ((1 + n/N) Var(f))`
    makes its variance :math:`Var(Y - w f) / n + w^2 Var(f') / N` smallest. It is unbiased whatever
    the prediction is worth, as long as the labelled answers are like the others.

    Args:
        right: The labels.
        predicted: The prediction for each labelled answer, of any scale.
        predicted_unlabelled: The prediction for each other answer.
        by: Name of what predicts.

    Source:
        Angelopoulos, Duchi and Zrnic (2023), PPI++: Efficient Prediction-Powered Inference,
        arXiv:2311.01453, for a mean, with the weight kept in [0, 1]. The interval is Wilson's with
        the number of answers that would give the same standard error (Kish 1965, Survey Sampling),
        since that of the normal distribution is far too narrow for rates near 0 and 1.
    """
    labels, checked = np.asarray(right, np.float64), np.asarray(predicted, np.float64)
    unchecked = np.asarray(predicted_unlabelled, np.float64)
    n, rest = len(labels), len(unchecked)
    spread = float(np.concatenate([checked, unchecked]).var(ddof=1))
    shared = float(np.cov(labels, checked, ddof=0)[0, 1])  # as in the package ppi-python
    weight = min(1.0, max(0.0, shared / ((1 + n / rest) * spread))) if spread else 0.0
    rate = float(labels.mean() + weight * (unchecked.mean() - checked.mean()))
    residual = float((labels - weight * checked).var(ddof=1))
    error = sqrt(residual / n + weight**2 * float(unchecked.var(ddof=min(1, rest - 1))) / rest)
    rate = min(1.0, max(0.0, rate))
    effective = _effective(rate, error, most=n + weight * rest)
    low, high = wilson(rate * effective, effective)
    return CorrectedRate(
        rate=rate,
        low=low,
        high=high,
        standard_error=error,
        labelled=n,
        unlabelled=rest,
        by=by,
        weight=weight,
    )


def _effective(rate: float, error: float, *, most: float) -> float:
    """How many labelled answers would give that error; a prediction counts at most as a label."""
    variance = rate * (1 - rate)
    return min(most, variance / error**2) if error and variance else most
