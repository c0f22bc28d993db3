"""Rates of right answers: Wilson's interval and prediction-powered inference."""

import numpy as np
import pytest
from scipy.stats import binomtest

from sandbox.evaluation.stats.rates import correct_rate, wilson

RIGHT = [True, False, True, True, False, True, False, True, True, False, True, True]
PREDICTED = [0.9, 0.2, 0.8, 0.6, 0.4, 0.7, 0.5, 0.9, 0.3, 0.1, 0.8, 0.7]
OTHERS = [0.8, 0.7, 0.9, 0.2, 0.6, 0.4, 0.9, 0.8, 0.7, 0.5, 0.3, 0.9, 0.6, 0.8, 0.7]


@pytest.mark.parametrize(("right", "of"), [(17, 23), (0, 7), (7, 7), (1, 400)])
def test_wilsons_interval_is_that_of_scipy(right: int, of: int) -> None:
    interval = binomtest(right, of).proportion_ci(method="wilson")
    assert wilson(right, of) == pytest.approx((interval.low, interval.high), abs=1e-12)


def test_wilsons_interval_is_that_of_statsmodels() -> None:
    assert wilson(17, 23) == pytest.approx((0.5352999516257462, 0.8745138395501364))


def test_the_corrected_rate_is_that_of_the_package_of_its_authors() -> None:
    corrected = correct_rate(RIGHT, PREDICTED, OTHERS, by="faithfulness")
    assert corrected.rate == pytest.approx(0.73398438)  # ppi-python 0.2.3, ppi_mean_pointestimate
    half = (0.94716798 - 0.52080077) / 2 / 1.959964  # its interval, whose variances divide by n
    assert corrected.standard_error == pytest.approx(half, rel=0.06)
    assert corrected.standard_error > half
    assert (corrected.labelled, corrected.unlabelled, corrected.by) == (12, 15, "faithfulness")


def test_a_worthless_prediction_is_not_relied_on() -> None:
    corrected = correct_rate(RIGHT, [0.5] * 12, [0.5] * 15, by="faithfulness")
    assert corrected.weight == 0.0
    assert corrected.rate == pytest.approx(8 / 12)
    assert corrected.high - corrected.low == pytest.approx(
        wilson(8, 12)[1] - wilson(8, 12)[0], rel=0.06
    )


def test_a_prediction_that_says_the_opposite_is_not_relied_on() -> None:
    corrected = correct_rate(RIGHT, [1 - value for value in PREDICTED], OTHERS, by="faithfulness")
    assert corrected.weight == 0.0


def test_a_good_prediction_narrows_the_interval_and_never_to_a_point() -> None:
    exact = [float(right) for right in RIGHT]
    corrected = correct_rate(RIGHT, exact, [1.0] * 40 + [0.0] * 20, by="faithfulness")
    alone = wilson(8, 12)
    assert 0.15 < corrected.high - corrected.low < alone[1] - alone[0]
    certain = correct_rate([True] * 12, [1.0] * 12, [1.0] * 30, by="faithfulness")
    assert certain.rate == 1.0
    assert certain.low < 0.95


def test_the_corrected_interval_covers_the_rate_and_corrects_a_biased_judge() -> None:
    generator = np.random.default_rng(2)
    covered, rates = 0, []
    for _ in range(400):
        right = generator.random(60) < 0.6
        lenient = np.where(generator.random(60) < 0.4, 1.0, right.astype(float))
        corrected = correct_rate(
            list(right[:25]), list(lenient[:25]), list(lenient[25:]), by="lenient"
        )
        covered += corrected.low <= 0.6 <= corrected.high
        rates.append(corrected.rate)
    assert covered / 400 > 0.92
    assert np.mean(rates) == pytest.approx(0.6, abs=0.01)
