"""Logistic regression over metrics and overlaps of words and numbers, cross-validated by case.

A metric that costs something takes part where it separates in the cases that are learned from, so
its choice is validated too. The overlaps are free signs of a right answer, too weak for rows of
their own in the table, that help a combination.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log1p

import numpy as np

from sandbox.evaluation.metrics.overlap import terms
from sandbox.evaluation.runs.records import MetricKey, Sample
from sandbox.evaluation.stats.auc import Flags, Floats, Integers, auc, split_error_by_case
from sandbox.evaluation.trust.records import TrustCell
from sandbox.evaluation.trust.resampling import Column, Labels, Resampling
from sandbox.text.citation_marks import strip_citations
from sandbox.text.quantities import find_digits
from sandbox.text.sentences import split_sentences
from sandbox.text.tokenization import tokenize

REPEATS = 5
"""Rounds of cross-validation with other folds; probabilities are averaged."""

MOST_FOLDS = 10
"""Fewer where there are fewer cases."""

CLEAR = 2.0
"""Standard errors from 0.5 at which a metric that costs something takes part."""


def deal_folds(cases: Integers, right: Flags, *, seed: int) -> Integers | None:
    """The fold of each cell, from 0; ``None`` if a class would be missing outside some fold.

    Cases are ordered by their share of right cells, at random among equals, and dealt out in turn,
    so that no case is on both sides and the classes are spread evenly. StratifiedGroupKFold of
    scikit-learn does much the same, but takes 9 seconds for 12,000 cases.
    """
    names, number = np.unique(cases, return_inverse=True)
    rights = np.bincount(number, weights=right)
    sizes = np.bincount(number)
    classes = int((rights > 0).sum()), int((rights < sizes).sum())
    if min(*classes, len(names)) < 2:
        return None
    generator = np.random.default_rng([seed, 3])
    order = np.lexsort((generator.random(len(names)), rights / sizes))
    folds = np.empty(len(names), dtype=np.int64)
    folds[order] = np.arange(len(names)) % min(MOST_FOLDS, len(names))
    by_cell: Integers = folds[number]
    return by_cell


class Learner:
    """A logistic regression that is fitted, and tried on cases it has not seen."""

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

    def predict_unseen(self) -> tuple[Floats, int] | None:
        """Predict each labelled cell from other cases.

        Returns:
            The probability of being right, NaN where there is no label, and the number of folds;
            ``None`` if a class would be missing outside some fold.
        """
        decided = np.flatnonzero(self._labels.decided)
        right, cases = self._labels.right[decided], self._labels.cases[decided]
        total = np.zeros(len(decided))
        count = 0
        for repeat in range(REPEATS):
            folds = deal_folds(cases, right, seed=self._seed + repeat)
            if folds is None:
                return None
            count = int(folds.max()) + 1
            for fold in range(count):
                held = folds == fold
                total[held] += self._predict(decided[~held], decided[held])[0]
        probabilities = np.full(len(self._labels.right), np.nan)
        probabilities[decided] = total / REPEATS
        return probabilities, count

    def predict_all(self) -> tuple[Floats, dict[str, float]]:
        """Probabilities of all cells from the fit on all labelled ones, and its weights."""
        everywhere = np.arange(len(self.values))
        probabilities, weights = self._predict(np.flatnonzero(self._labels.decided), everywhere)
        ordered = sorted(weights.items(), key=lambda item: -abs(item[1]))
        return probabilities, dict(ordered)

    def _predict(self, train: Integers, test: Integers) -> tuple[Floats, dict[str, float]]:
        from sklearn import config_context
        from sklearn.linear_model import LogisticRegression
        from sklearn.pipeline import make_pipeline
        from sklearn.preprocessing import StandardScaler

        chosen = self._choose(train)
        model = make_pipeline(StandardScaler(), LogisticRegression(solver="newton-cholesky"))
        with config_context(assume_finite=True, skip_parameter_validation=True):  # saves a third
            features = _Features(self.values[np.ix_(train, chosen)])
            model.fit(features.of(features.learned), self._labels.right[train])
            asked = features.of(self.values[np.ix_(test, chosen)])
            probabilities: Floats = model.predict_proba(asked)[:, 1]
        names = features.names([self.names[position] for position in chosen])
        return probabilities, dict(zip(names, map(float, model[-1].coef_[0]), strict=True))

    def _choose(self, train: Integers) -> Integers:
        """Take free columns, and those that separate in these cells; at least the best one."""
        values = self.values[train]
        chosen = self._free & ~np.isnan(values).all(axis=0)
        clear = {
            int(position): _clearness(values[:, position], self._labels, train)
            for position in np.flatnonzero(~self._free)
        }
        chosen[[position for position, errors in clear.items() if errors >= CLEAR]] = True
        if not chosen.any():
            chosen[max(clear, key=lambda position: clear[position])] = True
        return np.flatnonzero(chosen)


def measure_overlaps(cells: Sequence[TrustCell]) -> list[Column]:
    """Measure each kind of overlap in every cell; one that is the same everywhere is left out."""
    by_cell = [_measure(cell.sample) if cell.sample else {} for cell in cells]
    columns = []
    for name in dict.fromkeys(name for overlaps in by_cell for name in overlaps):
        values = [overlaps.get(name) for overlaps in by_cell]
        raw = np.array([np.nan if value is None else value for value in values])
        if len(np.unique(raw[~np.isnan(raw)])) > 1:
            failed = np.zeros(len(raw), dtype=np.bool_)
            columns.append(Column(metric=MetricKey(name), raw=raw, failed=failed))
    return columns


class _Features:
    """Each column's values, gaps and ranks, by what is learned from.

    Ranks stand beside the values because a score's meaning seldom grows evenly. A gap becomes the
    median, and is marked in a column of its own. The ranks are not QuantileTransformer's, which
    interpolates between the values that it learned and takes longer.
    """

    def __init__(self, learned: Floats) -> None:
        """Take what is learned from, of shape (cells, columns); each column has some value."""
        from sklearn.impute import SimpleImputer

        self.learned = learned
        self._imputer = SimpleImputer(strategy="median", add_indicator=True).fit(learned)
        self._sorted = [np.sort(column[~np.isnan(column)]) for column in learned.T]

    def of(self, values: Floats) -> Floats:
        """The features of these cells: the columns without gaps, marks of gaps, and ranks."""
        filled = self._imputer.transform(values)
        ranks = [
            sum(np.searchsorted(ordered, column, side) for side in ("left", "right"))
            / (2 * len(ordered))
            for ordered, column in zip(self._sorted, filled.T, strict=False)  # before the marks
        ]
        return np.column_stack([filled, *ranks])

    def names(self, columns: Sequence[str]) -> list[str]:
        """The name of each feature."""
        gaps = [
            f"{columns[position]} is missing" for position in self._imputer.indicator_.features_
        ]
        return [*columns, *gaps, *(f"{column} (rank)" for column in columns)]


def _clearness(values: Floats, labels: Labels, cells: Integers) -> float:
    """Standard errors between the AUC of these cells and 0.5; 0 where there is no AUC."""
    scored = ~np.isnan(values)
    right, cases = labels.right[cells][scored], labels.cases[cells][scored]
    area = auc(values[scored], right) if scored.any() else None
    if area is None:
        return 0.0
    parts = split_error_by_case(values[scored], right, cases)
    error = float(np.sqrt(((parts[0] + parts[1]) ** 2).sum()))
    return abs(area - 0.5) / max(error, 1e-9)


@dataclass(frozen=True, slots=True)
class _Texts:
    """The texts of a sample, and the different words of each."""

    answer: str
    chunks: str
    reference: str
    in_answer: frozenset[str]
    in_chunks: frozenset[str]
    in_reference: frozenset[str]
    in_question: frozenset[str]


def _measure(sample: Sample) -> Mapping[str, float | None]:
    answer = strip_citations(sample.response)
    chunks, reference = "\n".join(sample.retrieved_contexts), sample.reference or ""
    texts = _Texts(
        answer=answer,
        chunks=chunks,
        reference=reference,
        in_answer=frozenset(tokenize(answer)),
        in_chunks=frozenset(tokenize(chunks)),
        in_reference=frozenset(tokenize(reference)),
        in_question=frozenset(tokenize(sample.user_input)),
    )
    return {**(_against_chunks(texts) if chunks else {}), **_against_reference(texts)}


def _against_chunks(texts: _Texts) -> dict[str, float | None]:
    words = [set(tokenize(sentence)) for sentence in split_sentences(texts.answer)]
    shares = [len(sentence & texts.in_chunks) / len(sentence) for sentence in words if sentence]
    new = len(texts.in_answer - texts.in_chunks - texts.in_question)
    return {
        "worst sentence in the chunks": min(shares, default=None),
        "words that are new": -log1p(new),
        "numbers in the chunks": _share_of_numbers(texts.answer, texts.chunks),
    }


def _against_reference(texts: _Texts) -> dict[str, float | None]:
    if not texts.in_reference:
        return {}
    asked = texts.in_reference - texts.in_question
    whole = " ".join(terms(texts.reference))
    return {
        "reference's new words in the answer": (
            len(asked & texts.in_answer) / len(asked) if asked else None
        ),
        "answer's words in the reference": (
            len(texts.in_answer & texts.in_reference) / len(texts.in_answer)
            if texts.in_answer
            else None
        ),
        "reference's numbers in the answer": _share_of_numbers(texts.reference, texts.answer),
        "whole reference in the answer": float(whole in " ".join(terms(texts.answer))),
    }


def _share_of_numbers(text: str, other: str) -> float | None:
    """Share of the text's numbers that the other text holds."""
    numbers = {number.value for number in find_digits(text)}
    there = {number.value for number in find_digits(other)}
    return len(numbers & there) / len(numbers) if numbers else None
