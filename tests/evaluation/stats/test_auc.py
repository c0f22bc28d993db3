import numpy as np
import pytest

from sandbox.evaluation.stats.auc import auc, split_error_by_case, weighted_aucs, within_case_auc


def test_auc_equals_mann_whitneys_u_with_ties() -> None:
    from scipy.stats import mannwhitneyu

    generator = np.random.default_rng(5)
    for _ in range(50):
        scores = np.round(generator.random(37), 1)
        right = generator.random(37) < 0.4
        u = mannwhitneyu(scores[right], scores[~right]).statistic
        assert auc(scores, right) == pytest.approx(u / (right.sum() * (~right).sum()), abs=1e-12)


def test_one_class_or_one_value_has_no_auc() -> None:
    scores = np.array([0.1, 0.5, 0.9])

    assert auc(scores, np.array([True, True, True])) is None
    assert auc(np.array([0.5, 0.5, 0.5]), np.array([True, False, True])) is None


def test_weights_count_like_repeated_cells() -> None:
    scores = np.array([0.1, 0.4, 0.4, 0.8, 0.3])
    right = np.array([False, True, False, True, True])
    counts = np.array([1, 2, 3, 1, 2], dtype=np.int16)
    repeated = np.repeat(np.arange(5), counts)

    (area,) = weighted_aucs(
        scores[right], counts[right, None], scores[~right], counts[~right, None]
    )

    assert area == auc(scores[repeated], right[repeated])


def test_weightings_may_count_the_same_cell_as_right_or_wrong() -> None:
    scores = np.array([0.1, 0.4, 0.4, 0.8, 0.3])
    generator = np.random.default_rng(6)
    right = generator.permuted(np.tile([[True], [True], [True], [False], [False]], 7), axis=0)

    areas = weighted_aucs(scores, right, scores, ~right)

    assert areas.tolist() == [auc(scores, column) for column in right.T]


def test_a_weighting_with_one_class_has_no_auc() -> None:
    scores = np.array([0.1, 0.2])

    assert np.isnan(weighted_aucs(scores, np.ones((2, 1)), scores, np.zeros((2, 1)))).all()


def test_within_cases_only_answers_to_the_same_question_are_compared() -> None:
    # Easy questions (case 0) score high, but the wrong answer to each scores higher.
    scores = np.array([0.8, 0.9, 0.1, 0.2, 0.5])
    right = np.array([True, False, True, False, True])
    cases = np.array([0, 0, 1, 1, 2])

    assert within_case_auc(scores, right, cases) == (0.0, 2)


def test_within_cases_every_pair_counts_once_and_ties_half() -> None:
    scores = np.array([0.5, 0.5, 0.2, 0.9, 0.1])
    right = np.array([True, False, False, True, False])
    cases = np.array([0, 0, 0, 7, 7])

    # Case 0: a tie and a win; case 7: a win.
    area, pairs = within_case_auc(scores, right, cases)

    assert (round(area or 0, 3), pairs) == (0.833, 3)


def test_within_cases_of_one_class_there_is_no_pair() -> None:
    assert within_case_auc(np.array([1.0, 2.0]), np.array([True, False]), np.array([0, 1])) == (
        None,
        0,
    )


def test_the_parts_of_the_variance_are_delongs_if_every_case_has_one_answer() -> None:
    scores = np.array([0.9, 0.7, 0.4, 0.8, 0.3, 0.2])
    right = np.array([True, True, True, False, False, False])

    of_right, of_wrong = split_error_by_case(scores, right, np.arange(6))

    # Placements of the right ones 1, 2/3, 2/3 and of the wrong ones 1/3, 1, 1 about 7/9, over 3.
    assert (of_right**2).sum() == pytest.approx((4 / 81 + 1 / 81 + 1 / 81) / 9)
    assert (of_wrong**2).sum() == pytest.approx((16 / 81 + 4 / 81 + 4 / 81) / 9)
