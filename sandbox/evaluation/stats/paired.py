"""Tests and intervals for pairs, the same case under A and under B; p-values of several tests.

Pure functions. The case is the unit; differences are B minus A.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, pi, sqrt
from statistics import NormalDist

import numpy as np

from sandbox.evaluation.stats.auc import Floats, midranks

RESAMPLES = 5000
SEED = 42
ALPHA = 0.05
POWER = 0.8
LEAST_PAIRS = 5
"""Below it no interval is given, as too few resamples differ."""

WILCOXON_EFFICIENCY = 3 / pi
"""Of the signed-rank test against the t-test on normal differences (Hodges and Lehmann 1956)."""

_BLOCK = 2_000_000
"""Differences that are resampled at a time, to fit the memory."""

_DIGITS = 12
"""Differences are rounded to so many, so that 0.3 - 0.2 equals 0.2 - 0.1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PairedTest:
    """The difference of paired scores; each part is ``None`` where it is undefined."""

    n: int
    """Pairs."""

    difference: float | None
    """Mean of B minus A."""

    low: float | None
    high: float | None
    """95 % interval of the mean difference."""

    p: float | None
    effect: float | None
    """Rank-biserial correlation, above 0 where B scores higher."""

    ties: int
    """Pairs without a difference."""

    more_cases: int | None
    """About how many cases more would settle a difference of this size."""


def holm(p_values: Sequence[float]) -> list[float]:
    """The p-values adjusted for their number, so that a false alarm among all stays rare.

    >>> [round(p, 2) for p in holm([0.01, 0.04, 0.03])]
    [0.03, 0.06, 0.06]

    Source:
        Holm (1979), A simple sequentially rejective multiple test procedure. Equal to statsmodels'
        `multipletests`, which collects the process's garbage at each call: 0.05 to 0.4 s.
    """
    order = np.argsort(p_values)
    steps = np.asarray(p_values, np.float64)[order] * np.arange(len(order), 0, -1)
    adjusted = np.empty(len(order))
    adjusted[order] = np.minimum(np.maximum.accumulate(steps), 1.0)
    return adjusted.tolist()


def mcnemar(a_only: int, b_only: int) -> float:
    """The exact two-sided p-value of as many cases flipping either way.

    >>> round(mcnemar(1, 9), 4)
    0.0215

    Source:
        McNemar (1947), Note on the sampling error of the difference between correlated proportions
        or percentages; exact as a sign test.
    """
    from scipy.stats import binomtest

    flipped = a_only + b_only
    return float(binomtest(b_only, flipped).pvalue) if flipped else 1.0


def compare_pairs(a: Sequence[float], b: Sequence[float], *, seed: int = SEED) -> PairedTest:
    """Test one metric's scores under A and under B, in the same order of cases."""
    differences = np.round(np.asarray(b, np.float64) - np.asarray(a, np.float64), _DIGITS)
    bounds = bootstrap_interval(differences, seed=seed)
    return PairedTest(
        n=len(differences),
        difference=float(differences.mean()) if len(differences) else None,
        low=bounds[0] if bounds else None,
        high=bounds[1] if bounds else None,
        p=signed_rank(differences),
        effect=rank_biserial(differences),
        ties=int((differences == 0).sum()),
        more_cases=_estimate_more_cases(differences),
    )


def signed_rank(differences: Floats) -> float | None:
    """Two-sided p-value of Wilcoxon's signed-rank test; ``None`` if no difference is left.

    Zeros are dropped, as Wilcoxon did. Exact up to 50 differences without ties (13 with ties), else
    by the normal approximation corrected for ties, as scipy.stats.wilcoxon chooses.

    Source:
        Wilcoxon (1945), Individual comparisons by ranking methods.
    """
    from scipy.stats import wilcoxon

    nonzero = differences[differences != 0]
    if not len(nonzero):
        return None
    return max(float(wilcoxon(nonzero).pvalue), float(np.finfo(np.float64).tiny))  # never 0


def rank_biserial(differences: Floats) -> float | None:
    """Matched-pairs rank-biserial correlation: share of ranks up minus share of ranks down.

    >>> rank_biserial(np.array([0.1, 0.2, 0.3, -0.4]))
    0.2

    Returns:
        A value in [-1, 1], above 0 where B scores higher, or ``None`` if no difference is left.

    Source:
        Kerby (2014), The simple difference formula: an approach to teaching nonparametric
        correlation. Zeros are dropped, as in the test.
    """
    nonzero = differences[differences != 0]
    if not len(nonzero):
        return None
    ranks = midranks(np.abs(nonzero))
    return float((ranks * np.sign(nonzero)).sum() / ranks.sum())


def bootstrap_interval(differences: Floats, *, seed: int = SEED) -> tuple[float, float] | None:
    """95 % interval of the mean difference, cases resampled.

    The percentiles are set further out by Student's t and the root of n / (n - 1), since the plain
    percentile interval is too narrow with few cases.

    Returns:
        ``None`` for fewer than five pairs, or if all differences are equal.

    Source:
        Hesterberg (2015), What teachers should know about the bootstrap, "expanded percentile".
    """
    from scipy.special import ndtr, stdtrit
    from scipy.stats import bootstrap

    n = len(differences)
    if n < LEAST_PAIRS or (differences == differences[0]).all():
        return None
    tail = float(ndtr(stdtrit(n - 1, ALPHA / 2) * sqrt(n / (n - 1))))
    interval = bootstrap(
        (differences,),
        np.mean,
        n_resamples=RESAMPLES,
        batch=max(1, _BLOCK // n),
        confidence_level=1 - 2 * tail,
        method="percentile",
        rng=np.random.default_rng([seed, n]),
    ).confidence_interval
    return float(interval.low), float(interval.high)


def estimate_more_cases(a_only: int, b_only: int, compared: int) -> int | None:
    """Estimate how many cases more would settle a difference in right and wrong of this size.

    With a two-sided level of 0.05 and a power of 0.8, if flips stay as frequent and as one-sided.

    Returns:
        ``None`` where there is no difference, or it is settled.

    Source:
        Connor (1987), Sample size for testing differences in proportions for the paired-sample
        design.
    """
    if a_only == b_only or not compared or mcnemar(a_only, b_only) <= ALPHA:
        return None
    flips, gap = (a_only + b_only) / compared, abs(a_only - b_only) / compared
    level, power = _quantiles()
    needed = (level * sqrt(flips) + power * sqrt(max(0.0, flips - gap**2))) ** 2 / gap**2
    return max(1, ceil(needed) - compared)


def _estimate_more_cases(differences: Floats) -> int | None:
    """Estimate the same for a metric: a paired t-test's cases by the signed-rank's efficiency."""
    n = len(differences)
    if n < 2 or not differences.any() or not differences.mean():
        return None
    p = signed_rank(differences)
    if p is not None and p <= ALPHA:
        return None
    ratio = float(differences.std(ddof=1)) / abs(float(differences.mean()))
    needed = (sum(_quantiles()) * ratio) ** 2 / WILCOXON_EFFICIENCY
    return max(1, ceil(needed) - n)


def _quantiles() -> tuple[float, float]:
    normal = NormalDist()
    return normal.inv_cdf(1 - ALPHA / 2), normal.inv_cdf(POWER)
