"""Tests for pairs: equal to SciPy, to published examples, and honest about what they cannot say."""

import numpy as np
import pytest
from scipy.stats import binomtest, ttest_rel, wilcoxon

from sandbox.evaluation.stats.paired import (
    bootstrap_interval,
    compare_pairs,
    estimate_more_cases,
    mcnemar,
    rank_biserial,
    signed_rank,
)

DARWIN = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48]
"""Darwin's differences between crossed and self-fertilized plants, in eighths of an inch."""


def test_mcnemar_is_the_exact_sign_test() -> None:
    assert mcnemar(3, 11) == pytest.approx(0.057373046875)  # statsmodels 0.15, exact=True
    assert mcnemar(3, 11) == binomtest(3, 14).pvalue


def test_no_flip_is_no_difference() -> None:
    assert mcnemar(0, 0) == 1.0


def test_five_one_sided_flips_cannot_reach_the_level_and_six_do() -> None:
    assert mcnemar(0, 5) == 0.0625
    assert mcnemar(0, 6) == 0.03125


def test_the_signed_rank_test_is_wilcoxons_on_darwins_plants() -> None:
    assert signed_rank(np.array(DARWIN, float)) == pytest.approx(0.04125976562)


def test_a_p_value_is_never_zero() -> None:
    p_value = signed_rank(np.full(3000, 0.5))
    assert p_value is not None
    assert p_value > 0


def test_equal_pairs_are_dropped_from_the_signed_rank_test() -> None:
    values = np.array([0.0, 0.0, 0.1, 0.2, 0.3, -0.05, 0.4, 0.6])
    assert signed_rank(values) == wilcoxon(values[values != 0]).pvalue


def test_all_equal_pairs_have_no_p_value_no_effect_and_no_interval() -> None:
    compared = compare_pairs([0.5] * 6, [0.5] * 6)
    assert (compared.p, compared.effect, compared.low, compared.difference, compared.ties) == (
        None,
        None,
        None,
        0.0,
        6,
    )


def test_differences_that_only_rounding_tells_apart_are_ties() -> None:
    compared = compare_pairs([0.1, 0.2, 0.3], [0.1 + 0.2 - 0.2, 0.2, 0.3])
    assert compared.ties == 3


def test_the_effect_is_the_share_of_ranks_up_minus_the_share_down() -> None:
    assert rank_biserial(np.array([1.0, 2.0, 3.0, -4.0])) == 0.2
    assert rank_biserial(np.array([1.0, 1.0])) == 1.0


def test_no_interval_is_made_of_four_pairs() -> None:
    assert bootstrap_interval(np.array([0.1, 0.2, 0.3, 0.4])) is None


def test_the_same_seed_gives_the_same_interval() -> None:
    values = np.array(DARWIN, float)
    assert bootstrap_interval(values, seed=7) == bootstrap_interval(values, seed=7)
    assert bootstrap_interval(values, seed=7) != bootstrap_interval(values, seed=8)


def test_the_interval_is_close_to_that_of_student_on_darwins_plants() -> None:
    bounds = bootstrap_interval(np.array(DARWIN, float))
    student = ttest_rel(DARWIN, np.zeros(15)).confidence_interval()
    assert bounds is not None
    assert bounds[0] == pytest.approx(student.low, abs=4)
    assert bounds[1] == pytest.approx(student.high, abs=4)


def test_the_interval_covers_the_true_difference_of_few_cases() -> None:
    generator = np.random.default_rng(3)
    covered = 0
    for seed in range(300):
        interval = bootstrap_interval(generator.choice([-1.0, 0, 0, 1, 1], 20), seed=seed)
        covered += interval is not None and interval[0] <= 0.2 <= interval[1]
    assert covered / 300 > 0.92


def test_a_settled_difference_wants_no_more_cases() -> None:
    assert estimate_more_cases(0, 8, 20) is None
    assert estimate_more_cases(3, 3, 20) is None


def test_the_cases_wanted_settle_a_difference_of_that_size() -> None:
    more = estimate_more_cases(2, 5, 20)
    assert more == 100
    generator = np.random.default_rng(5)
    flips = generator.multinomial(20 + more, [2 / 20, 5 / 20, 13 / 20], size=2000)
    power = np.mean([mcnemar(int(a), int(b)) <= 0.05 for a, b, _ in flips])
    assert 0.73 < power < 0.88
