"""Cells as arrays: resamples of cases, permuted labels, and the intervals and p-values of them.

The case is the unit: cells of one case are not independent. Everything is drawn once and serves all
metrics, so that two of them are compared on the same resamples.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import lgamma, log

import numpy as np

from sandbox.evaluation.metrics.catalog import LOWER_IS_BETTER
from sandbox.evaluation.runs.records import MetricKey
from sandbox.evaluation.stats.auc import (
    Counts,
    Flags,
    Floats,
    Integers,
    Interval,
    auc,
    degrees_of_freedom,
    half_width,
    logit_interval,
    split_into_blocks,
    weighted_aucs,
    within_case_auc,
)
from sandbox.evaluation.trust.records import TrustCell

RESAMPLES = 2000
SEED = 42
LEAST_CELLS = 4
"""Below it no AUC is given."""

DRAWN_AT_ONCE = 1_000_000
"""Cells whose labels are shuffled at a time; another number would change what a seed gives."""

FEWEST_ARRANGEMENTS = 1000
"""If whole cases' labels can be arranged in fewer ways, they are shuffled within the cases too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Labels:
    """The labels of the cells, each array of shape (cells,)."""

    right: Flags
    wrong: Flags
    cases: Integers
    """Number of the cell's case, from 0."""

    systems: Integers
    """Number of the configuration that answered, from 0; all -1 unless it is known of all."""

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


def collect_labels(cells: Sequence[TrustCell]) -> Labels:
    """The labels of the cells, in their order."""
    labels = np.array([cell.label or "" for cell in cells])
    systems = _numbers([cell.system for cell in cells])
    if not all(any(cell.system) for cell in cells):
        systems = np.full(len(cells), -1)
    return Labels(
        right=labels == "right",
        wrong=labels == "wrong",
        cases=_numbers([cell.group for cell in cells]),
        systems=systems,
    )


def collect_scores(metric: MetricKey, cells: Sequence[TrustCell]) -> Column:
    """A metric's scores of the cells, in their order."""
    scores = [cell.scores.get(metric) for cell in cells]
    values = [np.nan if score is None or score.value is None else score.value for score in scores]
    failed = [score is not None and score.value is None and score.applicable for score in scores]
    return Column(
        metric=metric,
        raw=np.array(values, dtype=np.float64),
        failed=np.array(failed, dtype=np.bool_),
        lower_is_better=metric.name in LOWER_IS_BETTER,
    )


def list_metrics(cells: Sequence[TrustCell]) -> tuple[MetricKey, ...]:
    """Every metric that was tried on one of the cells, in order of appearance."""
    return tuple(dict.fromkeys(metric for cell in cells for metric in cell.scores))


def _numbers(values: Sequence[Hashable]) -> Integers:
    numbers: dict[Hashable, int] = {}
    return np.array([numbers.setdefault(value, len(numbers)) for value in values], dtype=np.int64)


class Resampling:
    """Resamples of the cases of labelled cells, and permutations of their labels."""

    def __init__(self, labels: Labels, *, resamples: int = RESAMPLES, seed: int = SEED) -> None:
        """Take the labels; nothing is drawn before it is needed."""
        self.labels = labels
        self.resamples = resamples
        self.seed = seed

    @cached_property
    def weights(self) -> Counts:
        """How often each case is drawn, shape (cases, resamples); cases without labels never."""
        cases = self.labels.cases
        count = int(cases.max()) + 1 if len(cases) else 0
        labelled = np.bincount(cases[self.labels.decided], minlength=count) > 0
        share = labelled / max(1, labelled.sum())
        generator = np.random.default_rng([self.seed, 1])
        drawn = generator.multinomial(int(labelled.sum()), share, size=self.resamples)
        return np.ascontiguousarray(drawn.T, dtype=np.int16)

    @cached_property
    def permuted(self) -> tuple[Flags, Flags]:
        """The labels as permuted, right and wrong, each of shape (cells, resamples)."""
        generator = np.random.default_rng([self.seed, 2])
        labels = self.labels
        codes = labels.right.astype(np.int8) + 2 * labels.wrong.astype(np.int8)
        shuffled = np.zeros((self.resamples, len(codes)), dtype=np.int8)
        for cells in self._exchangeable:
            for block in split_into_blocks(self.resamples, cells.size, most=DRAWN_AT_ONCE):
                rows = shuffled[block]
                order = np.argsort(generator.random((len(rows), len(cells))), axis=1)
                drawn = codes[cells][order]
                if self.shuffles_within:
                    drawn = generator.permuted(drawn, axis=2)
                rows[:, cells.ravel()] = drawn.reshape(len(rows), -1)
        by_cell = np.ascontiguousarray(shuffled.T)
        return by_cell == 1, by_cell == 2

    @cached_property
    def shuffles_within(self) -> bool:
        """True if the labels of answers to one case are exchanged as well.

        That is so where it is not known which system gave which answer, and where exchanging whole
        cases leaves too few arrangements: hardly any two cases have answers of the same systems, or
        all have the same labels.
        """
        if (self.labels.systems < 0).any():
            return True
        codes = self.labels.right + 2 * self.labels.wrong
        shared = sum(cells.size for cells in self._exchangeable if len(cells) > 1)
        if shared < 0.8 * len(codes):
            return True
        arrangements = sum(_log_arrangements(codes[cells]) for cells in self._exchangeable)
        return arrangements < log(FEWEST_ARRANGEMENTS)

    @cached_property
    def _exchangeable(self) -> tuple[Integers, ...]:
        """Positions of cells, each of shape (cases, cells a case): cases with the same systems."""
        order = np.lexsort((self.labels.systems, self.labels.cases))
        starts = np.flatnonzero(np.diff(self.labels.cases[order], prepend=-1))
        groups: dict[bytes, list[Integers]] = {}
        for cells in np.split(order, starts[1:]):
            groups.setdefault(self.labels.systems[cells].tobytes(), []).append(cells)
        return tuple(np.stack(cells) for cells in groups.values() if len(cells[0]))

    def aucs(self, column: Column, also: Flags | None = None) -> Floats:
        """The AUC on every resample of cases, of `also` cells alone; NaN for a single class."""
        cells = self._cells(column, also)
        right, wrong = cells & self.labels.right, cells & self.labels.wrong
        scores, cases = column.oriented, self.labels.cases
        return weighted_aucs(
            scores[right], self.weights[cases[right]], scores[wrong], self.weights[cases[wrong]]
        )

    def auc(self, column: Column, also: Flags | None = None) -> float | None:
        """The AUC; ``None`` for fewer than four cells, one class, or a single value."""
        cells = self._cells(column, also)
        if cells.sum() < LEAST_CELLS:
            return None
        return auc(column.oriented[cells], self.labels.right[cells])

    def auc_within_cases(self, column: Column) -> tuple[float | None, int]:
        """The AUC over pairs of answers to one case, ``None`` where `auc` is, and their number."""
        cells, labels = self._cells(column), self.labels
        within, pairs = within_case_auc(
            column.oriented[cells], labels.right[cells], labels.cases[cells]
        )
        return (None if self.auc(column) is None else within), pairs

    def interval(self, column: Column) -> Interval | None:
        """The interval of the AUC; ``None`` where right or wrong answers are of one case only.

        The bootstrap's standard error, cases resampled, is carried to the logit scale, with
        Student's t for as many degrees of freedom as the cases of both classes warrant
        (Satterthwaite). An AUC of 0 or 1 has no spread; its interval then reaches as far as the
        exact one for a share of so many successes out of so many (cases of the rarer class).
        """
        cells = self._cells(column)
        right, cases = self.labels.right[cells], self.labels.cases[cells]
        fewest = min(len(np.unique(cases[right])), len(np.unique(cases[~right])))
        area = self.auc(column)
        if area is None or fewest < 2:
            return None
        drawn = self.aucs(column)
        drawn = drawn[~np.isnan(drawn)]
        count = len(np.unique(cases))
        error = float(drawn.std() * np.sqrt(count / (count - 1)))
        percentile = [float(value) for value in np.quantile(drawn, [0.025, 0.975])]
        low, high = logit_interval(
            area, error, degrees_of_freedom(column.oriented[cells], right, cases), fewest=fewest
        )
        return Interval(
            low=low,
            high=high,
            standard_error=error,
            percentile_low=percentile[0],
            percentile_high=percentile[1],
        )

    def difference(self, column: Column, other: Column) -> tuple[float, float, float] | None:
        """By how much the AUC of one exceeds the other's on the cells of both, and its interval."""
        both = column.scored & other.scored
        area, other_area = self.auc(column, both), self.auc(other, both)
        if area is None or other_area is None:
            return None
        drawn = self.aucs(column, both) - self.aucs(other, both)
        cases = len(np.unique(self.labels.cases[self._cells(column, both)]))
        if cases < 3:
            return None
        error = float(np.nanstd(drawn)) * float(np.sqrt(cases / (cases - 1)))
        far = half_width(error, cases - 1)
        difference = area - other_area
        return difference, max(-1.0, difference - far), min(1.0, difference + far)

    def p_value(self, column: Column) -> float | None:
        """Of scores and labels having nothing to do with each other; two-sided, never 0."""
        area = self.auc(column)
        if area is None:
            return None
        scored = column.scored
        scores = column.oriented[scored]
        right, wrong = (labelled[scored] for labelled in self.permuted)
        drawn = weighted_aucs(scores, right, scores, wrong)
        return _share_as_far(drawn - 0.5, area - 0.5)

    def missing_p_value(self, column: Column) -> float | None:
        """Of failing to score having nothing to do with being wrong; ``None`` if nothing failed."""
        failed, tried = column.failed, column.failed | column.scored
        right, wrong = self.labels.right, self.labels.wrong
        if not (failed & self.labels.decided).any() or not (column.scored & (right | wrong)).any():
            return None
        if not (right & tried).any() or not (wrong & tried).any():
            return None
        drawn_right, drawn_wrong = self.permuted
        drawn = _shares(drawn_right, failed, tried) - _shares(drawn_wrong, failed, tried)
        observed = _shares(right, failed, tried) - _shares(wrong, failed, tried)
        return _share_as_far(drawn, float(observed))

    def _cells(self, column: Column, also: Flags | None = None) -> Flags:
        cells = column.scored & self.labels.decided
        return cells if also is None else cells & also


def _log_arrangements(vectors: Integers) -> float:
    """Logarithm of the number of different orders of the rows."""
    _, counts = np.unique(vectors, axis=0, return_counts=True)
    return lgamma(len(vectors) + 1) - sum(lgamma(int(count) + 1) for count in counts)


def _shares(labelled: Flags, failed: Flags, tried: Flags) -> Floats:
    """Share of failures among the tried cells with that label, by permutation."""
    with np.errstate(invalid="ignore"):
        shares: Floats = labelled[failed].sum(axis=0) / labelled[tried].sum(axis=0)
    return shares


def _share_as_far(drawn: Floats, observed: float) -> float:
    """Add-one estimate (Phipson and Smyth 2010: permutation p-values should never be zero)."""
    drawn = drawn[~np.isnan(drawn)]
    return float((1 + (np.abs(drawn) >= abs(observed) - 1e-12).sum()) / (1 + len(drawn)))
