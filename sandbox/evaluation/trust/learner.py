"""Logistic regression over metrics, cross-validated by case.

A metric that costs something takes part where it separates in the cases that are learned from, so
its choice is validated too. Leaves out what is made of the probabilities.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from sandbox.evaluation.trust.arrays import Column
from sandbox.evaluation.trust.auc import Flags, Floats, Integers, auc, clustered_parts
from sandbox.evaluation.trust.folds import folds_of
from sandbox.evaluation.trust.records import MetricTrust
from sandbox.evaluation.trust.resampling import Resampling
from sandbox.evaluation.trust.rows import FREE

REPEATS = 5
"""Rounds of cross-validation with other folds; probabilities are averaged."""

CLEAR = 2.0
"""Standard errors from 0.5 at which a metric that costs something takes part."""


class Learner:
    """Fits and validates; keeps the columns as arrays."""

    def __init__(
        self, rows: Sequence[MetricTrust], columns: Mapping[str, Column], resampling: Resampling
    ) -> None:
        self.names = [row.metric for row in rows]
        self.values = np.stack([columns[row.metric].oriented for row in rows], axis=1)
        self.has_gaps = bool(np.isnan(self.values).any())
        self._free = np.array([row.family in FREE for row in rows])
        self._labels = resampling.labels
        self._seed = resampling.seed

    def out_of_fold(self) -> tuple[Floats, int] | None:
        """The probability of being right for each labelled cell, NaN elsewhere; and the folds."""
        decided = np.flatnonzero(self._labels.decided)
        right, cases = self._labels.right[decided], self._labels.cases[decided]
        total = np.zeros(len(decided))
        count = 0
        for repeat in range(REPEATS):
            folds = folds_of(cases, right, seed=self._seed + repeat)
            if folds is None:
                return None
            count = int(folds.max()) + 1
            for fold in range(count):
                held = folds == fold
                total[held] += self._predict(decided[~held], decided[held])[0]
        found = np.full(len(self._labels.right), np.nan)
        found[decided] = total / REPEATS
        return found, count

    def fit_all(self) -> tuple[Floats, dict[str, float]]:
        """Probabilities of all cells from the fit on all labelled ones, and its weights."""
        everywhere = np.arange(len(self.values))
        probabilities, weights = self._predict(np.flatnonzero(self._labels.decided), everywhere)
        ordered = sorted(weights.items(), key=lambda item: -abs(item[1]))
        return probabilities, dict(ordered)

    def _predict(self, train: Integers, test: Integers) -> tuple[Floats, dict[str, float]]:
        from sklearn.linear_model import LogisticRegression

        right = self._labels.right[train]
        chosen = self._chosen(train)
        names, learned, asked = self._features(train, test, chosen)
        model = LogisticRegression(solver="newton-cholesky").fit(learned, right)
        weights = dict(zip(names, map(float, model.coef_[0]), strict=True))
        probabilities: Floats = model.predict_proba(asked)[:, 1]
        return probabilities, weights

    def _chosen(self, train: Integers) -> list[int]:
        """Free columns, and those that separate in what is learned from; at least the best one."""
        right, cases = self._labels.right[train], self._labels.cases[train]
        clear = []
        for position in range(len(self.names)):
            values = self.values[train, position]
            there = ~np.isnan(values)
            clear.append(_clearness(values[there], right[there], cases[there]))
        wanted = self._free | (np.array(clear) >= CLEAR)
        if not wanted.any():
            wanted[int(np.argmax(clear))] = True
        return [int(position) for position in np.flatnonzero(wanted)]

    def _features(
        self, train: Integers, test: Integers, chosen: Sequence[int]
    ) -> tuple[list[str], Floats, Floats]:
        """Standardized; a gap becomes the median of what is learned from, and is marked as one."""
        names, learned, asked = [], [], []
        for position in chosen:
            some, others = self.values[train, position], self.values[test, position]
            gaps = np.isnan(some)
            if gaps.all():
                continue
            middle = np.median(some[~gaps])
            filled = np.where(gaps, middle, some)
            scale = filled.std() or 1.0
            names.append(self.names[position])
            learned.append((filled - filled.mean()) / scale)
            asked.append((np.where(np.isnan(others), middle, others) - filled.mean()) / scale)
            if gaps.any():
                names.append(f"{self.names[position]} is missing")
                learned.append(gaps - gaps.mean())
                asked.append(np.isnan(others) - gaps.mean())
        return names, np.stack(learned, axis=1), np.stack(asked, axis=1)


def _clearness(values: Floats, right: Flags, cases: Integers) -> float:
    """Standard errors between the AUC and 0.5; 0 where there is no AUC."""
    area = auc(values, right) if len(values) else None
    if area is None:
        return 0.0
    parts = clustered_parts(values, right, cases)
    error = float(np.sqrt(((parts[0] + parts[1]) ** 2).sum()))
    return abs(area - 0.5) / max(error, 1e-9)
