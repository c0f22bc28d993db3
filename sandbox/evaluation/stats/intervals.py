"""Intervals of an AUC, and p-values adjusted for how many there are.

Leaves out how resamples are drawn (resampling.py).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, log

import numpy as np

from sandbox.evaluation.stats.auc import Flags, Floats, Integers, clustered_parts


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """A 95 % interval of an AUC."""

    low: float
    high: float
    standard_error: float
    percentile_low: float
    percentile_high: float
    """The plain percentile interval, which is too narrow with few cases or near 0 and 1."""


def holm(p_values: Sequence[float]) -> list[float]:
    """The p-values adjusted for how many there are, so that a false alarm among all stays rare.

    >>> [round(p, 2) for p in holm([0.01, 0.04, 0.03])]
    [0.03, 0.06, 0.06]

    Source:
        Holm (1979), A simple sequentially rejective multiple test procedure.
    """
    order = np.argsort(p_values, kind="stable")
    factors = len(p_values) - np.arange(len(p_values))
    adjusted = np.minimum(1.0, np.maximum.accumulate(np.array(p_values)[order] * factors))
    found = np.empty(len(p_values))
    found[order] = adjusted
    return [float(value) for value in found]


def degrees_of_freedom(scores: Floats, right: Flags, cases: Integers) -> float:
    """Those of the AUC's variance, which is a sum over cases with right and with wrong cells.

    Source:
        Satterthwaite (1946), An approximate distribution of estimates of variance components.
    """
    of_right, of_wrong = clustered_parts(scores, right, cases)
    parts = [float((part**2).sum()) for part in (of_right, of_wrong)]
    counts = [len(np.unique(cases[some])) for some in (right, ~right)]
    divisor = sum(part**2 / max(1, n - 1) for part, n in zip(parts, counts, strict=True))
    return max(1.0, sum(parts) ** 2 / divisor) if divisor else float(max(1, min(counts) - 1))


def logit_interval(
    area: float, error: float, freedom: float, *, fewest: int
) -> tuple[float, float]:
    """The interval of an AUC whose logit is nearly normal.

    Args:
        area: The AUC.
        error: Its standard error.
        freedom: Degrees of freedom of that.
        fewest: Cases of the rarer class, for an AUC without spread.
    """
    if area in (0.0, 1.0) or error == 0:
        far = 1 - 0.05 ** (1 / fewest)
        return max(0.0, area - far), min(1.0, area + far)
    center = log(area / (1 - area))
    far = reach(error / (area * (1 - area)), freedom)
    return 1 / (1 + exp(min(700.0, far - center))), 1 / (1 + exp(max(-700.0, -center - far)))


def reach(error: float, freedom: float) -> float:
    """How far a 95 % interval reaches to each side, by Student's t."""
    from scipy.special import stdtrit

    return float(stdtrit(freedom, 0.975)) * error
