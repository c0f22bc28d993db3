"""Intervals and p-values, tested on simulated data whose truth is known."""

import numpy as np
import pytest
from statsmodels.stats.multitest import multipletests

from sandbox.evaluation.stats.paired import holm
from sandbox.evaluation.trust.resampling import Resampling
from tests.evaluation.trust_cells import column, correlated, labels


def test_intervals_cover_the_truth_as_often_as_they_say() -> None:
    truth, sets = 0.7602, 500  # the normal distribution function at 1 / sqrt(2)
    generator = np.random.default_rng(1)
    covered = 0
    for seed in range(sets):
        scores, right = correlated(generator, 40, 3, within=0.5, separation=1.0)
        interval = Resampling(labels(right, 3), resamples=300, seed=seed).interval(column(scores))
        assert interval is not None
        covered += interval.low <= truth <= interval.high

    assert 0.93 <= covered / sets <= 0.97


def test_noise_is_seldom_said_to_separate_among_twelve_metrics() -> None:
    sets = 150
    generator = np.random.default_rng(2)
    false_alarms = 0
    for seed in range(sets):
        _, right = correlated(generator, 20, 2, within=0.5, separation=0.0)
        resampling = Resampling(labels(right, 2), resamples=500, seed=seed)
        columns = [
            column(correlated(generator, 20, 2, within=0.5, separation=0.0)[0]) for _ in range(12)
        ]
        adjusted = holm([resampling.p_value(scores) or 1.0 for scores in columns])
        false_alarms += min(adjusted) <= 0.05

    # 5 % of 150 are 7.5; the exact 99 % bound of that is 15.
    assert false_alarms <= 15


def test_p_values_of_noise_are_even() -> None:
    generator = np.random.default_rng(3)
    p_values = []
    for seed in range(200):
        scores, right = correlated(generator, 15, 2, within=0.6, separation=0.0)
        p_values.append(
            Resampling(labels(right, 2), resamples=200, seed=seed).p_value(column(scores))
        )

    below_half = sum(p is not None and p <= 0.5 for p in p_values)
    assert 75 <= below_half <= 125


def test_equal_seeds_give_equal_numbers() -> None:
    scores, right = correlated(np.random.default_rng(4), 20, 2, within=0.5, separation=1.0)
    first, second = (Resampling(labels(right, 2), resamples=200, seed=9) for _ in range(2))

    assert first.interval(column(scores)) == second.interval(column(scores))
    assert first.p_value(column(scores)) == second.p_value(column(scores))


def test_a_p_value_is_never_zero() -> None:
    right = np.arange(40) < 20
    resampling = Resampling(labels(right, 1), resamples=99)

    assert resampling.p_value(column(right.astype(float))) == 0.01


def test_whole_cases_keep_their_labels_together() -> None:
    right = np.array([True, True, False, False, True, False] * 10)
    permuted, _ = Resampling(labels(right, 2), resamples=50).permuted

    pairs = {tuple(pair) for pair in permuted.T.reshape(-1, 2).tolist()}
    assert pairs == {(True, True), (False, False), (True, False)}


def test_answers_of_unknown_systems_are_exchanged_within_their_case() -> None:
    right = np.array([True, False] * 30)  # the right answer stands first every time
    resampling = Resampling(labels(right, 2, known=False), resamples=200)

    # Whole cases alone could not tell: every case has the same labels.
    assert resampling.p_value(column(right + 0.0)) == pytest.approx(1 / 201)


def test_labels_that_differ_by_configuration_alone_are_exchanged_within_cases_too() -> None:
    right = np.array([True, False] * 8)
    resampling = Resampling(labels(right, 2))

    assert resampling.shuffles_within
    # In 2 of 2 ** 8 arrangements the AUC is 0 or 1.
    assert resampling.p_value(column(right + 0.0)) == pytest.approx(2 / 256, abs=0.006)


def test_an_auc_of_one_on_few_cases_has_a_wide_interval() -> None:
    right = np.array([True] * 5 + [False] * 4)
    interval = Resampling(labels(right, 1)).interval(column(np.linspace(1, 0, 9)))

    assert interval is not None
    # Four of four successes: 0.05 ** (1 / 4).
    assert (round(interval.low, 3), interval.high) == (0.473, 1.0)


def test_wrong_answers_of_a_single_case_give_no_interval() -> None:
    right = np.array([True] * 8 + [False] * 2)
    resampling = Resampling(labels(right, 2))
    scores = np.linspace(1, 0, 10)

    assert resampling.auc(column(scores)) == 1.0
    assert resampling.interval(column(scores)) is None


def test_the_difference_of_a_metric_and_itself_is_nothing() -> None:
    scores, right = correlated(np.random.default_rng(4), 20, 2, within=0.5, separation=1.0)

    assert Resampling(labels(right, 2)).difference(column(scores), column(2 * scores)) == (0, 0, 0)


def test_failing_on_wrong_answers_only_is_no_accident() -> None:
    right = np.arange(40) < 20
    scores = np.where(np.arange(40) >= 32, np.nan, 0.5)
    resampling = Resampling(labels(right, 1), resamples=999)

    assert (resampling.missing_p_value(column(scores)) or 1) < 0.01


def test_failing_on_right_and_wrong_answers_alike_is_one() -> None:
    right = np.arange(40) < 20
    scores = np.where(np.arange(40) % 20 < 3, np.nan, 0.5)

    assert Resampling(labels(right, 1), resamples=999).missing_p_value(column(scores)) == 1.0


def test_nothing_failed_so_there_is_nothing_to_test() -> None:
    right = np.arange(8) < 4

    assert Resampling(labels(right, 1)).missing_p_value(column(np.arange(8.0))) is None


@pytest.mark.parametrize(
    ("p_values", "adjusted"),
    [
        # As statsmodels.stats.multitest.multipletests(p_values, method="holm") gives them.
        ([0.01, 0.04, 0.03, 0.005], [0.03, 0.06, 0.06, 0.02]),
        ([0.2, 0.9, 0.5], [0.6, 1.0, 1.0]),
        ([0.03], [0.03]),
        ([], []),
    ],
)
def test_holm_adjusts_as_statsmodels_does(p_values: list[float], adjusted: list[float]) -> None:
    assert holm(p_values) == pytest.approx(adjusted)
    if p_values:
        assert holm(p_values) == pytest.approx(multipletests(p_values, method="holm")[1])
