"""Cells as arrays: who is right, which case, and each metric's scores, more being better.

Leaves out statistics.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np

from sandbox.evaluation.metrics.catalog import LOWER_IS_BETTER
from sandbox.evaluation.runs.records import MetricKey
from sandbox.evaluation.stats.auc import Flags, Floats, Integers
from sandbox.evaluation.trust.records import TrustCell


@dataclass(frozen=True, slots=True, kw_only=True)
class Labels:
    """What is said of the cells, each array of shape (cells,)."""

    right: Flags
    wrong: Flags
    cases: Integers
    """Number of the cell's case, from 0."""

    systems: Integers
    """Number of what answered, from 0; all -1 where it is not known for all."""

    @property
    def decided(self) -> Flags:
        """True for a right or wrong cell."""
        return self.right | self.wrong


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One metric's scores, each array of shape (cells,)."""

    metric: MetricKey
    raw: Floats
    """As scored; NaN where there is none."""

    failed: Flags
    """True where there was something to score and it was tried in vain."""

    lower_is_better: bool = False

    @property
    def scored(self) -> Flags:
        """True where there is a score."""
        return ~np.isnan(self.raw)

    @property
    def oriented(self) -> Floats:
        """The scores, turned so that more is better."""
        return -self.raw if self.lower_is_better else self.raw


def label_arrays(cells: Sequence[TrustCell]) -> Labels:
    """The labels of the cells, in their order."""
    labels = np.array([cell.label or "" for cell in cells])
    known = all(any(cell.system) for cell in cells)
    systems = _numbers([cell.system for cell in cells]) if known else np.full(len(cells), -1)
    return Labels(
        right=labels == "right",
        wrong=labels == "wrong",
        cases=_numbers([cell.group for cell in cells]),
        systems=systems,
    )


def column_of(metric: MetricKey, cells: Sequence[TrustCell]) -> Column:
    """What a metric says of the cells, in their order."""
    scores = [cell.scores.get(metric) for cell in cells]
    values = [np.nan if one is None or one.value is None else one.value for one in scores]
    failed = [one is not None and one.value is None and one.applicable for one in scores]
    return Column(
        metric=metric,
        raw=np.array(values, dtype=np.float64),
        failed=np.array(failed, dtype=np.bool_),
        lower_is_better=metric.name in LOWER_IS_BETTER,
    )


def metrics_of(cells: Sequence[TrustCell]) -> tuple[MetricKey, ...]:
    """Every metric that was tried on one of the cells, in order of appearance."""
    return tuple(dict.fromkeys(metric for cell in cells for metric in cell.scores))


def _numbers(values: Sequence[Hashable]) -> Integers:
    known: dict[Hashable, int] = {}
    return np.array([known.setdefault(value, len(known)) for value in values], dtype=np.int64)
