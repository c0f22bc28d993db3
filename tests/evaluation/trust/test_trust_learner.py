"""What the combination learns, and how cases are dealt out to be learned from."""

from dataclasses import replace

import numpy as np

from sandbox.evaluation.runs.records import MetricKey
from sandbox.evaluation.trust.learner import Learner, deal_folds
from sandbox.evaluation.trust.resampling import Column, Resampling
from tests.evaluation.trust_cells import column, labels

RIGHT = np.arange(60) % 3 > 0


def learner(*columns: Column, free: bool = True) -> Learner:
    """Over 30 cases of two answers each."""
    return Learner(columns, [free] * len(columns), Resampling(labels(RIGHT, 2)))


def test_no_case_is_in_two_folds_and_every_fold_has_both_classes() -> None:
    cases = np.arange(60) // 2
    folds = deal_folds(cases, RIGHT, seed=1)

    assert folds is not None
    assert all(len(set(folds[cases == case])) == 1 for case in range(30))
    assert all(set(RIGHT[folds == fold]) == {True, False} for fold in range(10))


def test_a_class_of_one_case_alone_cannot_be_dealt_out() -> None:
    cases = np.arange(60) // 2

    assert deal_folds(cases, cases > 0, seed=1) is None


def test_a_column_of_the_labels_is_learned_on_unseen_cases() -> None:
    noise = np.random.default_rng(1).normal(size=60)
    unseen = learner(column(RIGHT + noise / 10), column(noise)).predict_unseen()

    assert unseen is not None
    probabilities, folds = unseen
    assert folds == 10
    assert ((probabilities > 0.5) == RIGHT).all()


def test_a_gap_is_filled_and_marked_by_a_feature_of_its_own() -> None:
    values = RIGHT.astype(np.float64)
    values[:6] = np.nan
    probabilities, weights = learner(column(values)).predict_all()

    assert sorted(weights) == ["metric", "metric (rank)", "metric is missing"]
    assert not np.isnan(probabilities).any()


def test_a_column_without_a_value_in_what_is_learned_from_takes_no_part() -> None:
    lone = np.full(60, np.nan)
    lone[:2] = 0.0, 1.0  # a single case, which one fold of ten learns nothing of
    unseen = learner(column(RIGHT.astype(np.float64)), column(lone)).predict_unseen()

    assert unseen is not None
    assert ((unseen[0] > 0.5) == RIGHT).all()


def test_of_costly_columns_of_noise_only_the_clearest_takes_part() -> None:
    generator = np.random.default_rng(8)
    noise = [
        replace(column(generator.random(60)), metric=MetricKey(name)) for name in ("one", "two")
    ]
    _, weights = learner(*noise, free=False).predict_all()

    assert len(weights) == 2  # its values and its ranks
