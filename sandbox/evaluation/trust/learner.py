"""Logistic regression over metrics, cross-validated by case.

A metric that costs something takes part where it separates in the cases that are learned from, so
its choice is validated too. Leaves out what is made of the probabilities.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from sandbox.evaluation.stats.auc import Flags, Floats, Integers, auc, clustered_parts
from sandbox.evaluation.stats.folds import folds_of
from sandbox.evaluation.trust.arrays import Column
from sandbox.evaluation.trust.resampling import Resampling

REPEATS = 5
"""Rounds of cross-validation with other folds; probabilities are averaged."""

CLEAR = 2.0
"""Standard errors from 0.5 at which a metric that costs something takes part."""


class Learner:
    """Fits and validates; keeps the columns as arrays."""

    def __init__(
        self, columns: Sequence[Column], free: Sequence[bool], resampling: Resampling
    ) -> None:
        """Take the columns, and which of them cost nothing."""
        self.names = [str(column.metric) for column in columns]
        self.values = np.stack([column.oriented for column in columns], axis=1)
        self.has_gaps = bool(np.isnan(self.values).any())
        self._free = np.array(free)
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
        """Each column standardized, its ranks, and its gaps, by what is learned from."""
        names, learned, asked = [], [], []
        for position in chosen:
            feature = _Feature.of(self.values[train, position])
            if feature is None:
                continue
            name = self.names[position]
            some, others = self.values[train, position], self.values[test, position]
            for kind in ("", " (rank)", " is missing")[: 2 + feature.has_gaps]:
                names.append(name + kind)
                learned.append(feature.standardized(some, kind))
                asked.append(feature.standardized(others, kind))
        return names, np.stack(learned, axis=1), np.stack(asked, axis=1)


@dataclass(frozen=True, slots=True)
class _Feature:
    """What is known of a column from the cases that are learned from.

    Ranks stand beside the values because a score's meaning seldom grows evenly.
    """

    ordered: Floats
    middle: float
    has_gaps: bool
    centers: dict[str, tuple[float, float]]
    """Mean and standard deviation by kind."""

    @classmethod
    def of(cls, values: Floats) -> "_Feature | None":
        gaps = np.isnan(values)
        if gaps.all():
            return None
        ordered = np.sort(values[~gaps])
        plain = cls(ordered, float(np.median(ordered)), bool(gaps.any()), {})
        kinds = {kind: plain._raw(values, kind) for kind in ("", " (rank)", " is missing")}
        centers = {kind: (float(of.mean()), float(of.std()) or 1.0) for kind, of in kinds.items()}
        return replace(plain, centers=centers)

    def standardized(self, values: Floats, kind: str) -> Floats:
        center, scale = self.centers[kind]
        return (self._raw(values, kind) - center) / scale

    def _raw(self, values: Floats, kind: str) -> Floats:
        gaps = np.isnan(values)
        if kind == " is missing":
            return gaps.astype(np.float64)
        filled = np.where(gaps, self.middle, values)
        if not kind:
            return filled
        below, up_to = (np.searchsorted(self.ordered, filled, side) for side in ("left", "right"))
        ranks: Floats = (below + up_to) / (2 * len(self.ordered))
        return ranks


def _clearness(values: Floats, right: Flags, cases: Integers) -> float:
    """Standard errors between the AUC and 0.5; 0 where there is no AUC."""
    area = auc(values, right) if len(values) else None
    if area is None:
        return 0.0
    parts = clustered_parts(values, right, cases)
    error = float(np.sqrt(((parts[0] + parts[1]) ** 2).sum()))
    return abs(area - 0.5) / max(error, 1e-9)
