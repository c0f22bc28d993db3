"""Which metrics the trust table advises to use, and which answers they misjudge."""

import pytest

from sandbox.evaluation.runs.records import MetricKey
from sandbox.evaluation.trust.advice import NO_METRIC, advise, find_worst_misses, list_scored_cells
from sandbox.evaluation.trust.records import CellSet, TrustTable
from sandbox.evaluation.trust.table import Choices, build_trust_table
from tests.evaluation.trust_cells import cells

LABELS = ["right", "wrong"] * 12
RIGHTS = [place % 2 == 0 for place in range(24)]
GOOD = [0.9 - place / 100 if right else 0.2 + place / 100 for place, right in enumerate(RIGHTS)]


def table_of(cell_set: CellSet) -> TrustTable:
    return build_trust_table(cell_set, Choices(resamples=200))


def misses(good: list[float]) -> tuple[list[str], list[str]] | None:
    table = table_of(cells(LABELS, good=good))
    row = table.metric("good")
    assert row is not None
    missed = find_worst_misses(table, row)
    if missed is None:
        return None
    right, wrong = ([answer.cell.case for answer in kind] for kind in (missed.right, missed.wrong))
    return right, wrong


def test_a_metric_that_separates_is_advised() -> None:
    advice = advise(table_of(cells(LABELS, good=GOOD)))
    assert advice.use == (MetricKey("good"),)
    assert advice.sentence == "Use good: right answers score better than wrong ones."


def test_no_metric_is_advised_where_none_separates() -> None:
    advice = advise(table_of(cells(LABELS, coin=[place // 2 % 3 / 3 for place in range(24)])))
    assert (advice.use, advice.sentence) == ((), NO_METRIC)


def test_a_miss_lies_on_the_wrong_side_of_the_threshold() -> None:
    values = list(GOOD)
    values[2], values[5] = 0.1, 0.95
    assert misses(values) == (["q2"], ["q5"])


def test_the_worst_misses_come_first_and_are_few() -> None:
    values = list(GOOD)
    values[2], values[4], values[5], values[7] = 0.1, 0.2, 0.95, 0.99
    missed = misses(values)
    assert missed == (["q2", "q4", "q22", "q20", "q18"], ["q7", "q5", "q23", "q21", "q19"])


def test_for_a_metric_of_which_less_is_better_a_miss_is_a_right_answer_that_scores_high() -> None:
    values = [1 - value for value in GOOD]
    values[2] = 0.99
    table = table_of(cells(LABELS, noise_sensitivity=values))
    row = table.metric("noise_sensitivity")
    assert row is not None
    missed = find_worst_misses(table, row)
    assert missed is not None
    assert [answer.cell.case for answer in missed.right] == ["q2"]
    assert missed.titles == ("right, but scored high", "wrong, but scored low")


def test_a_perfect_metric_has_no_misses() -> None:
    assert misses(GOOD) == ([], [])


def test_of_a_metric_that_is_the_same_everywhere_nothing_can_be_said() -> None:
    assert misses([0.5] * 24) is None


@pytest.mark.parametrize("label", ["right", "wrong"])
def test_of_one_kind_of_answer_alone_nothing_can_be_said(label: str) -> None:
    table = table_of(cells([label] * 24, good=GOOD))
    row = table.metric("good")
    assert row is not None
    assert find_worst_misses(table, row) is None
    assert len(list_scored_cells(table, MetricKey("good"))) == 24
