"""The trust table: a published one again, trust, and what must never make a number."""

import threading
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from sandbox.errors import ConfigError
from sandbox.evaluation.runs.records import MetricKey, Sample
from sandbox.evaluation.trust.cells import add_baselines
from sandbox.evaluation.trust.records import CellSet, Cost, MetricTrust, Threshold, TrustTable
from sandbox.evaluation.trust.table import Choices, build_trust_table
from tests.evaluation.trust_cells import cell, cells, score

FAST = Choices(resamples=400)
RIGHT_THEN_WRONG = ["right"] * 20 + ["wrong"] * 20


def row(table: TrustTable, metric: str = "faithfulness") -> MetricTrust:
    trust_row = table.metric(metric)
    assert trust_row is not None
    return trust_row


def spread(mean: float, count: int, width: float = 0.1) -> list[float]:
    """Values with exactly that mean."""
    offsets = np.linspace(-width, width, count)
    return [float(value) for value in mean + offsets]


def test_the_published_table_comes_out_again() -> None:
    """Six configurations on eight questions, 48 cells, of which some judgements failed."""
    means = {
        "faithfulness": (0.841, 0.400),
        "answer_relevancy": (0.708, 0.300),
        "context_precision": (0.795, 0.800),
        "context_recall": (0.864, 0.900),
    }
    right, wrong = 30, 18
    columns: dict[str, list[float | None]] = {
        metric: [*spread(of_right, right), *spread(of_wrong, wrong)]
        for metric, (of_right, of_wrong) in means.items()
    }
    verdicts = ["right"] * right + ["wrong"] * wrong
    answers = cells(verdicts, **columns).cells
    by_case = [
        replace(answer, case=f"q{place % 8}", run=f"c{place // 8}", configuration=f"c{place // 8}")
        for place, answer in enumerate(answers)
    ]
    table = build_trust_table(CellSet(cells=tuple(by_case)))

    rows = {metric: row(table, metric) for metric in means}
    assert {metric: round(metric_row.gap or 0, 3) for metric, metric_row in rows.items()} == {
        "faithfulness": 0.441,
        "answer_relevancy": 0.408,
        "context_precision": -0.005,
        "context_recall": -0.036,
    }
    assert {(metric_row.n_right, metric_row.n_wrong) for metric_row in rows.values()} == {(30, 18)}
    assert round(rows["faithfulness"].mean_right or 0, 3) == 0.841
    assert (table.n_right, table.n_wrong, table.n_cases) == (30, 18, 8)


def test_a_metric_that_knows_separates_and_one_that_does_not_is_noise() -> None:
    generator = np.random.default_rng(1)
    noise = [float(value) for value in generator.random(40)]
    table = build_trust_table(
        cells(RIGHT_THEN_WRONG, good=spread(0.7, 20, 0.3) + spread(0.3, 20, 0.3), noise=noise),
        FAST,
    )

    assert row(table, "good").trust == "separates"
    assert row(table, "noise").trust == "noise"
    metrics = [str(metric_row.metric) for metric_row in table.metrics]
    assert metrics.index("good") < metrics.index("noise")


def test_a_metric_that_likes_wrong_answers_is_inverted() -> None:
    table = build_trust_table(
        cells(RIGHT_THEN_WRONG, faithfulness=spread(0.3, 20) + spread(0.6, 20)), FAST
    )

    assert row(table).trust == "inverted"
    assert row(table).auc == 0.0
    assert row(table).threshold is None


def test_where_lower_is_better_the_auc_is_turned_and_the_means_are_not() -> None:
    table = build_trust_table(
        cells(RIGHT_THEN_WRONG, noise_sensitivity=spread(0.2, 20) + spread(0.6, 20)), FAST
    )
    metric = row(table, "noise_sensitivity")

    assert (metric.trust, metric.auc, round(metric.gap or 0, 3)) == ("separates", 1.0, -0.4)
    assert any("lower is better" in note for note in metric.notes)
    assert metric.threshold is not None
    assert not metric.threshold.at_least
    assert 0.3 < metric.threshold.value < 0.5


def test_few_labels_ask_for_more_and_say_which() -> None:
    values = [0.9, 0.5, 0.8, 0.7, 0.6, 0.4, 0.55, 0.65]
    table = build_trust_table(cells(["right"] * 6 + ["wrong"] * 2, faithfulness=values), FAST)

    assert row(table).trust == "not enough labels"
    assert row(table).reason.startswith("label about ")
    assert "of them wrong" in row(table).reason


@pytest.mark.parametrize(("last", "warned"), [("wrong", True), (None, False)])
def test_where_every_answer_is_labelled_more_labels_need_more_questions(
    last: str | None, warned: bool
) -> None:
    verdicts = ["right", "right", "right", "wrong", "wrong", last]
    table = build_trust_table(cells(verdicts, faithfulness=[0.9, 0.8, 0.7, 0.6, 0.5, 0.4]), FAST)

    assert ("need answers to further questions" in " ".join(table.warnings)) == warned


def test_where_one_kind_is_rare_more_of_it_is_asked_for() -> None:
    generator = np.random.default_rng(5)
    values = [float(value) for value in generator.random(103)]
    metric = row(
        build_trust_table(cells(["right"] * 100 + ["wrong"] * 3, faithfulness=values), FAST)
    )

    words = metric.reason.split()
    more, rarer = int(words[2]), int(words[6])
    assert words[3:6] + words[7:10] == ["more,", "at", "least", "of", "them", "wrong;"]
    assert rarer <= more <= 3 * rarer


def test_the_metric_that_made_the_labels_is_not_judged_by_them() -> None:
    values = [1.0] * 20 + [0.0] * 20
    answers = cells(RIGHT_THEN_WRONG, accepted_answer=values).cells
    suggested = tuple(replace(answer, suggested=True) for answer in answers)
    metric = row(build_trust_table(CellSet(cells=suggested), FAST), "accepted_answer")

    assert (metric.trust, metric.threshold) == ("not enough labels", None)
    assert metric.reason.startswith("it made the suggestions")


@pytest.mark.parametrize(
    ("verdicts", "values", "reason"),
    [
        (["right"] * 12, list(np.linspace(0, 1, 12)), "all 12 labelled answers with a score are"),
        (["right", "wrong", "right"], [0.1, 0.2, 0.3], "only 3 labelled answers have a score"),
        (["right", "wrong"] * 2, [0.5] * 4, "it is the same in all 4 labelled answers"),
        (["right", "wrong"] * 4, [None] * 8, "no labelled answer has a score; 8 times: the reply"),
        ([None] * 6, [0.1, 0.2, 0.3, 0.4, 0.5, 0.6], "no answer is labelled right or wrong"),
        (["unsure"] * 6, [0.1, 0.2, 0.3, 0.4, 0.5, 0.6], "no answer is labelled right or wrong"),
    ],
)
def test_what_cannot_be_computed_is_none_with_a_reason(
    verdicts: list[object], values: list[float | None], reason: str
) -> None:
    metric = row(build_trust_table(cells(verdicts, faithfulness=values), FAST))

    assert (metric.auc, metric.auc_low, metric.auc_high, metric.p, metric.p_holm) == (None,) * 5
    assert metric.trust == "not enough labels"
    assert reason in metric.reason


def test_a_metric_that_is_always_the_same_is_noise_once_there_are_labels() -> None:
    table = build_trust_table(cells(RIGHT_THEN_WRONG, context_recall=[1.0] * 40), FAST)
    metric = row(table, "context_recall")

    assert (metric.trust, metric.auc, metric.saturation) == ("noise", None, 1.0)
    assert "it is 1.0 in 100% of the labelled answers" in metric.notes


def test_no_cells_make_an_empty_table() -> None:
    table = build_trust_table(CellSet(cells=()))

    assert (table.metrics, table.n_right, table.n_cases) == ((), 0, 0)
    assert table.warnings == (
        "no answer is labelled right or wrong; label some with: sandbox label",
    )


def test_missing_scores_are_counted_and_never_turn_the_sign() -> None:
    # The scores that are there favor right answers; half of the right ones failed.
    values: list[float | None] = [*spread(0.7, 10), *[None] * 10, *spread(0.4, 20)]
    metric = row(build_trust_table(cells(RIGHT_THEN_WRONG, faithfulness=values), FAST))

    assert (metric.auc, round(metric.gap or 0, 2)) == (1.0, 0.3)
    assert (metric.n_right, metric.n_wrong, metric.missing.count) == (10, 20, 10)
    assert metric.coverage == 0.75
    assert (metric.missing.share_right, metric.missing.share_wrong) == (0.5, 0.0)
    assert (metric.missing.p or 1) < 0.01
    # Half of the right answers below all wrong ones: half of the pairs are lost.
    assert (metric.missing.auc_if_worst, metric.missing.auc_if_best) == (0.5, 1.0)
    assert any("failing goes with being right" in note for note in metric.notes)
    assert any("the failures decide" in note for note in metric.notes)


def test_the_means_bounds_put_failures_at_both_ends() -> None:
    values: list[float | None] = [0.5] * 20 + [0.25] * 10 + [None] * 10
    metric = row(build_trust_table(cells(RIGHT_THEN_WRONG, faithfulness=values), FAST))

    assert (metric.missing.mean_if_worst, metric.missing.mean_if_best) == (0.3125, 0.5625)


def test_what_does_not_apply_is_no_failure() -> None:
    answers = cells(RIGHT_THEN_WRONG, recall=spread(0.7, 20) + spread(0.4, 20)).cells
    silent = score("recall", None, applicable=False)
    changed = tuple(
        replace(answer, scores={MetricKey("recall"): silent}) if place % 10 == 0 else answer
        for place, answer in enumerate(answers)
    )
    metric = row(build_trust_table(CellSet(cells=changed), FAST), "recall")

    assert (metric.coverage, metric.missing.count, metric.n_not_applicable) == (1.0, 0, 4)


def test_unsure_labels_are_counted_and_left_out() -> None:
    verdicts = [*RIGHT_THEN_WRONG, "unsure", "unsure"]
    values = spread(0.7, 20) + spread(0.4, 20) + [0.0, 1.0]
    table = build_trust_table(cells(verdicts, faithfulness=values), FAST)

    assert (table.n_right, table.n_wrong, table.n_unsure) == (20, 20, 2)
    assert row(table).auc == 1.0


def test_a_metric_no_better_than_length_is_said_to_be() -> None:
    table = _with_answers(lambda place, right: 10 if right else 40 + place)
    length = row(table, "answer_length")

    assert (length.trust, length.auc, length.is_baseline) == ("inverted", 0.0, True)
    against = row(table).against_baseline
    assert against is not None
    assert (str(against.other), against.flipped, against.is_better) == (
        "answer_length",
        True,
        False,
    )
    assert "no better than answer_length, taken upside down" in row(table).reason


def test_a_metric_that_beats_the_baselines_is_not() -> None:
    table = _with_answers(lambda place, right: 10 + place % 7)

    against = row(table).against_baseline
    assert against is not None
    assert against.is_better
    assert "no better" not in row(table).reason


def test_coverage_is_a_baseline_of_its_own() -> None:
    values: list[float | None] = [*spread(0.5, 20), *spread(0.5, 10), *[None] * 10]
    metric = row(build_trust_table(cells(RIGHT_THEN_WRONG, faithfulness=values), FAST), "coverage")

    assert (metric.is_baseline, metric.auc, metric.mean_right, metric.mean_wrong) == (
        True,
        0.75,
        1.0,
        0.5,
    )


def test_the_threshold_is_checked_on_unseen_cases() -> None:
    values = spread(0.8, 20, 0.1) + spread(0.3, 20, 0.1)
    threshold = row(build_trust_table(cells(RIGHT_THEN_WRONG, faithfulness=values), FAST)).threshold

    assert threshold is not None
    assert replace(threshold, value=round(threshold.value, 2)) == Threshold(
        value=0.55,
        at_least=True,
        rule="Youden's index",
        true_rate=1.0,
        false_rate=0.0,
        accuracy=1.0,
        accuracy_always=0.5,
        folds=10,
    )


def test_a_false_alarm_rate_moves_the_threshold_up() -> None:
    generator = np.random.default_rng(3)
    values = [float(value) for value in generator.normal(0.7, 0.2, 20)]
    values += [float(value) for value in generator.normal(0.3, 0.2, 20)]
    cell_set = cells(RIGHT_THEN_WRONG, faithfulness=values)
    usual = row(build_trust_table(cell_set, FAST)).threshold
    strict = row(build_trust_table(cell_set, replace(FAST, false_alarm_rate=0.0))).threshold

    assert usual is not None
    assert strict is not None
    assert strict.false_rate == 0.0
    assert strict.value >= usual.value


def test_a_metric_is_compared_with_another_on_request() -> None:
    values = spread(0.7, 20, 0.3) + spread(0.3, 20, 0.3)
    cell_set = cells(RIGHT_THEN_WRONG, small=values, large=values)
    table = build_trust_table(cell_set, replace(FAST, compare=(("small", "large"),)))

    (difference,) = table.differences
    assert (difference.difference, difference.low, difference.high, difference.cells) == (
        0.0,
        0.0,
        0.0,
        40,
    )
    with pytest.raises(ConfigError, match="no answer has a score of 'larger'"):
        build_trust_table(cell_set, replace(FAST, compare=(("small", "larger"),)))


def test_a_configuration_that_returns_every_chunk_is_named() -> None:
    answers = cells(RIGHT_THEN_WRONG, context_recall=[1.0] * 36 + [0.5] * 4).cells
    chunks = tuple(f"chunk {number}" for number in range(9))
    whole = tuple(replace(answer, retrieved=chunks, top_k=9) for answer in answers)
    metric = row(build_trust_table(CellSet(cells=whole), FAST), "context_recall")

    assert metric.trust == "noise"
    assert metric.reason.endswith(
        ": it is 1.0 in 90% of the labelled answers, text_k4's top_k 9 returns all 9 chunks, so it"
        " cannot separate"
    )


def test_scores_of_zero_from_two_statements_are_pointed_out() -> None:
    coarse = [cell("right" if place < 10 else "wrong", {}, case=f"q{place}") for place in range(20)]
    values = [0.5, 1.0] * 5 + [0.0] * 10
    scored = tuple(
        replace(
            answer, scores={MetricKey("faithfulness"): score("faithfulness", value, granularity=2)}
        )
        for answer, value in zip(coarse, values, strict=True)
    )
    metric = row(build_trust_table(CellSet(cells=scored), FAST))

    assert metric.verdicts_per_score == 2
    assert any(
        "10 of 10 scores of 0 come from at most 2 statements" in note for note in metric.notes
    )


def test_the_cost_of_known_calls_is_what_made_ones_cost() -> None:
    answers = cells(RIGHT_THEN_WRONG, faithfulness=spread(0.5, 40)).cells
    saved = replace(score("faithfulness", 0.5), calls=0, calls_saved=2, tokens=0, seconds=0.0)
    half = tuple(
        replace(answer, scores={MetricKey("faithfulness"): saved}) if place % 2 else answer
        for place, answer in enumerate(answers)
    )
    metric = row(build_trust_table(CellSet(cells=half), FAST))

    assert metric.cost == Cost(calls=2, seconds=1.5, tokens=300)


def _with_answers(length: Callable[[int, bool], int]) -> TrustTable:
    """A metric that errs now and then, and answers as long as the function says."""
    answers = []
    for place, verdict in enumerate(RIGHT_THEN_WRONG):
        right = verdict == "right"
        value = (0.7 if right else 0.4) + 0.3 * (place % 10 == 0) * (-1 if right else 1)
        text = "a" * length(place, right)
        sample = Sample(id=str(place), case=str(place), user_input="Why?", response=text)
        scores = {"faithfulness": value + place / 1000}
        answers.append(cell("right" if right else "wrong", scores, case=f"q{place}", sample=sample))
    return build_trust_table(CellSet(cells=tuple(answers)), FAST)


def test_counting_words_starts_no_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threading.Thread, "start", lambda thread: pytest.fail("a thread started"))
    sample = Sample(id="1", case="q1", user_input="How many?", response="nine", reference="Nine")
    (scored,) = add_baselines([replace(cell("right", {}), sample=sample)])
    assert scored.scores[MetricKey("reference_overlap")].value == 1.0
    assert scored.scores[MetricKey("answer_length")].value == 4.0
