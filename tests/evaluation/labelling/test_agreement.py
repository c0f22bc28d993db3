import random
from collections.abc import Sequence

import pytest

from sandbox.evaluation.labelling.agreement import (
    Agreement,
    measure_agreement,
    measure_label_agreement,
)
from sandbox.evaluation.runs.records import Right


def of_table(table: Sequence[Sequence[int]]) -> Agreement:
    pairs = [
        (str(row), str(column))
        for row, counts in enumerate(table)
        for column, count in enumerate(counts)
        for _ in range(count)
    ]
    names = [str(number) for number in range(len(pairs))]
    return measure_agreement("label", names, [a for a, _ in pairs], [b for _, b in pairs])


@pytest.mark.parametrize(
    ("table", "kappa", "low", "high"),
    [
        # Output of SAS PROC FREQ with AGREE, as quoted in the tests of statsmodels.
        ([[0, 4, 1], [0, 8, 0], [0, 1, 5]], 0.4842, 0.2137, 0.7547),
        # Fleiss, Cohen and Everitt (1969): kappa 0.429, standard error 0.0537.
        ([[106, 10, 4], [22, 28, 10], [2, 12, 6]], 0.4286, 0.3233, 0.5338),
        # The R package vcd, data SexualFun: kappa 0.1293, standard error 0.0686.
        ([[7, 7, 2, 3], [2, 8, 3, 7], [1, 5, 4, 9], [2, 8, 9, 14]], 0.1293, -0.0051, 0.2638),
    ],
)
def test_published_tables_are_reproduced(
    table: list[list[int]], kappa: float, low: float, high: float
) -> None:
    found = of_table(table)
    assert (found.kappa, found.low, found.high) == pytest.approx((kappa, low, high), abs=6e-5)


def test_kappa_equals_that_of_scikit_learn() -> None:
    from sklearn.metrics import cohen_kappa_score

    chance = random.Random(7)
    for size in (2, 5, 30, 200):
        first = [chance.choice(["right", "wrong", "unsure"]) for _ in range(size - 1)] + ["right"]
        second = [a if chance.random() < 0.7 else "wrong" for a in first[:-1]] + ["wrong"]
        found = measure_agreement("label", [str(n) for n in range(size)], first, second)
        assert found.kappa == pytest.approx(cohen_kappa_score(first, second))


def test_the_interval_covers_the_true_kappa() -> None:
    chance = random.Random(11)
    covered = 0
    for _ in range(300):
        truth = [chance.random() < 0.6 for _ in range(150)]
        first = [str(t if chance.random() < 0.9 else not t) for t in truth]
        second = [str(t if chance.random() < 0.9 else not t) for t in truth]
        found = measure_agreement("label", [str(n) for n in range(150)], first, second)
        assert found.low is not None
        assert found.high is not None
        # observed 0.82, each says yes with probability 0.58
        true_kappa = (0.82 - (0.58**2 + 0.42**2)) / (1 - (0.58**2 + 0.42**2))
        covered += found.low <= true_kappa <= found.high
    assert 0.92 <= covered / 300 <= 0.98


def test_kappa_is_undefined_when_both_know_one_class_only() -> None:
    found = measure_agreement("label", ["a", "b"], ["right", "right"], ["right", "right"])
    assert (found.kappa, found.low, found.high) == (None, None, None)
    assert found.reason.startswith("both say 'right' every time")


def test_kappa_is_undefined_without_items() -> None:
    found = measure_agreement("label", [], [], [])
    assert (found.kappa, found.observed) == (None, None)
    assert found.reason == "the two have no item in common"


def test_full_agreement_has_no_interval_and_says_what_is_still_possible() -> None:
    found = measure_agreement("label", list("abcdefghij"), list("rrrrrwwwww"), list("rrrrrwwwww"))
    assert (found.kappa, found.low) == (1.0, None)
    assert found.reason == (
        "they agree on all 10, where the interval has no width; up to 30% disagreement is still"
        " possible"
    )


def test_one_person_with_a_single_class_has_kappa_zero() -> None:
    assert measure_agreement("label", list("abcd"), list("rrrr"), list("rwrw")).kappa == 0


def test_low_agreement_is_warned_about() -> None:
    low = of_table([[10, 5], [5, 10]])
    assert low.warning.startswith("two people agree on label only with kappa 0.33 (below 0.7)")
    assert of_table([[10, 0], [1, 10]]).warning == ""


def test_labels_are_compared_cell_by_cell() -> None:
    first: dict[tuple[str, str], Right] = {("text_k4", case): "right" for case in "abc"}
    second: dict[tuple[str, str], Right] = {
        ("text_k4", "a"): "right",
        ("text_k4", "b"): "wrong",
        ("text_k9", "c"): "wrong",
    }
    found = measure_label_agreement(first, second)
    assert (found.items, found.observed, found.disagreements) == (2, 0.5, ("text_k4 · b",))
