"""How often the trust intervals cover the truth, and how often noise is said to separate.

    python -m benchmarks.trust_statistics

Simulated data, no model. Takes some minutes; docs/statistics.md holds what it printed.
"""

import sys
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from sandbox.evaluation.runs.records import MetricKey
from sandbox.evaluation.stats.auc import auc
from sandbox.evaluation.stats.paired import holm
from sandbox.evaluation.trust.resampling import Column, Labels, Resampling

SETS = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """How data are made: normal scores, and labels that depend on a normal ease."""

    cases: int
    answers: int
    """To each case."""

    within: float
    """Correlation within cases of scores, and of ease."""

    separation: float
    """By how many standard deviations right answers score higher."""

    share_right: float = 0.6


COVERAGE = (
    Setting(cases=40, answers=1, within=0, separation=0),
    Setting(cases=40, answers=1, within=0, separation=2, share_right=0.7),
    Setting(cases=40, answers=3, within=0.5, separation=1),
    Setting(cases=40, answers=6, within=0.5, separation=1),
    Setting(cases=20, answers=6, within=0.5, separation=2, share_right=0.7),
    Setting(cases=8, answers=6, within=0.3, separation=1),
    Setting(cases=60, answers=2, within=0.5, separation=2.5, share_right=0.8),
    Setting(cases=100, answers=4, within=0.5, separation=0.5),
)
NOISE = (
    Setting(cases=40, answers=1, within=0, separation=0),
    Setting(cases=20, answers=2, within=0.5, separation=0),
    Setting(cases=10, answers=4, within=0.5, separation=0),
    Setting(cases=8, answers=5, within=0.5, separation=0),
)
METRICS = 12


def simulate(
    setting: Setting, generator: np.random.Generator
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Scores and whether each answer is right."""
    from scipy.stats import norm

    scores, ease = (_correlated(setting, generator) for _ in range(2))
    right = ease < norm.ppf(setting.share_right)
    return scores + setting.separation * right, right


def coverage(setting: Setting) -> str:
    """A row of the table: how often both intervals cover the truth, and how wide ours is."""
    generator = np.random.default_rng(11)
    alone = replace(setting, cases=300_000, answers=1)
    truth = auc(*simulate(alone, generator)) or 0.0
    covered, percentile, width, count = 0, 0, 0.0, 0
    for seed in range(SETS):
        scores, right = simulate(setting, generator)
        interval = Resampling(_labels(setting, right), seed=seed).interval(_column(scores))
        if interval is None:
            continue
        count += 1
        covered += interval.low <= truth <= interval.high
        percentile += interval.percentile_low <= truth <= interval.percentile_high
        width += interval.high - interval.low
    return (
        f"| {setting.cases} x {setting.answers} | {setting.within} | {truth:.2f} |"
        f" {covered / count:.1%} | {percentile / count:.1%} | {width / count:.2f} |"
    )


def false_alarms(setting: Setting) -> str:
    """A row of the table: how often one of twelve columns of noise is said to tell something."""
    generator = np.random.default_rng(7)
    separates = inverted = 0
    for seed in range(SETS):
        _, right = simulate(setting, generator)
        resampling = Resampling(_labels(setting, right), resamples=500, seed=seed)
        columns = [_column(_correlated(setting, generator)) for _ in range(METRICS)]
        adjusted = holm([resampling.p_value(column) or 1.0 for column in columns])
        clear = [column for column, p in zip(columns, adjusted, strict=True) if p <= 0.05]
        intervals = [interval for column in clear if (interval := resampling.interval(column))]
        separates += any(interval.low > 0.5 for interval in intervals)
        inverted += any(interval.high < 0.5 for interval in intervals)
    return (
        f"| {setting.cases} x {setting.answers} | {setting.within} | {separates / SETS:.1%} |"
        f" {inverted / SETS:.1%} |"
    )


def _correlated(setting: Setting, generator: np.random.Generator) -> NDArray[np.float64]:
    shared = generator.normal(size=(setting.cases, 1)) * setting.within**0.5
    own = generator.normal(size=(setting.cases, setting.answers)) * (1 - setting.within) ** 0.5
    values: NDArray[np.float64] = (shared + own).ravel()
    return values


def _labels(setting: Setting, right: NDArray[np.bool_]) -> Labels:
    places = np.arange(len(right))
    return Labels(
        right=right,
        wrong=~right,
        cases=places // setting.answers,
        systems=places % setting.answers,
    )


def _column(scores: NDArray[np.float64]) -> Column:
    failed = np.zeros(len(scores), dtype=np.bool_)
    return Column(metric=MetricKey("simulated"), raw=scores, failed=failed)


def _write(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    _write("| cases x answers | within | AUC | covered | percentile | width |")
    for setting in COVERAGE:
        _write(coverage(setting))
    _write("| cases x answers | within | separates | inverted |")
    for setting in NOISE:
        _write(false_alarms(setting))
