from collections.abc import Generator
from dataclasses import replace

import numpy as np
import pytest

from sandbox.errors import ConfigError
from sandbox.evaluation.runs.records import Family, MetricKey, Sample, Score
from sandbox.evaluation.trust.cells import add_scores
from sandbox.evaluation.trust.records import CellSet, TrustCell, TrustTable
from sandbox.evaluation.trust.retest import find_judge, list_repeatable, retest
from sandbox.evaluation.trust.table import Choices, build_trust_table
from sandbox.progress import finish
from tests.evaluation.scripted_runs import ScriptedMetric
from tests.evaluation.trust_cells import cell, cells

FAST = Choices(resamples=400)


def two_halves(generator: np.random.Generator, count: int = 200) -> CellSet:
    """Right if the sum of two scores is high: each alone knows half of it."""
    first, second = generator.normal(size=(2, count))
    right = first + second + generator.normal(size=count) * 0.3 > 0
    verdicts = ["right" if is_right else "wrong" for is_right in right]
    return cells(verdicts, first=list(first), second=list(second))


def test_two_halves_know_more_together() -> None:
    table = build_trust_table(two_halves(np.random.default_rng(1)), FAST)
    combined, single = table.metric("combined"), table.metric("first")

    assert table.metrics[0] == combined
    assert combined is not None
    assert single is not None
    assert (combined.auc or 0) > 0.95 > 0.9 > (single.auc or 0)
    assert table.combination is not None
    assert table.combination.against_best is not None
    assert table.combination.against_best.is_better
    assert set(list(table.combination.weights)[:2]) <= {
        "first",
        "second",
        "first (rank)",
        "second (rank)",
    }
    assert table.combination.calibration_error < 0.1


def test_noise_does_not_become_knowledge_by_combination() -> None:
    generator = np.random.default_rng(2)
    verdicts = ["right" if is_right else "wrong" for is_right in generator.random(60) < 0.5]
    noise = {f"noise_{number}": list(generator.random(60)) for number in range(8)}
    combined = build_trust_table(cells(verdicts, **noise), FAST).metric("combined")

    assert combined is not None
    assert (combined.auc or 1) < 0.65
    assert combined.trust != "separates"


def test_unlabelled_cells_get_a_probability_and_gaps_are_said() -> None:
    answers = two_halves(np.random.default_rng(3), 80).cells
    hidden = tuple(
        replace(answer, label=None if place < 10 else answer.label)
        for place, answer in enumerate(answers)
    )
    gap = Score(metric="first", family="ragas", value=None, reason="no JSON")
    gaps = (replace(hidden[0], scores={**hidden[0].scores, MetricKey("first"): gap}), *hidden[1:])
    combination = build_trust_table(CellSet(cells=gaps), FAST).combination

    assert combination is not None
    assert len(combination.probabilities) == 80
    assert all(value is not None and 0 < value < 1 for value in combination.probabilities)
    assert len(combination.notes) == 1


def test_few_labels_are_not_combined() -> None:
    table = build_trust_table(two_halves(np.random.default_rng(4), 12), FAST)

    assert table.combination is None
    assert table.no_combination.startswith("it needs 10 right and 10 wrong labels")


def answered(value: float, family: Family = "token judge") -> TrustTable:
    """Forty answers that were all scored so."""
    answers: list[TrustCell] = []
    for place in range(40):
        sample = Sample(id=f"{place}", case=f"q{place}", user_input="Why?", response=f"{place}")
        answer = cell("right" if place < 20 else "wrong", {}, case=f"q{place}", sample=sample)
        score = Score(metric="scripted", family=family, value=value + place / 1000)
        answers.append(replace(answer, scores={MetricKey("scripted"): score}))
    return build_trust_table(CellSet(cells=tuple(answers)), FAST)


def test_a_judge_that_says_the_same_again_has_no_spread() -> None:
    table = answered(0.3)
    metric = ScriptedMetric(lambda sample: 0.3 + int(sample.response) / 1000)
    (again,) = finish(retest(table, [metric], 12))

    assert list_repeatable(table) == ("scripted",)
    assert (again.repeated, again.flip_rate, again.sd, again.failed) == (12, 0.0, 0.0, 0)
    assert len(metric.asked) == 12


def test_flips_spread_and_failures_of_a_repetition_are_counted() -> None:
    metric = ScriptedMetric(lambda sample: None if int(sample.response) % 2 else 0.7)
    (again,) = finish(retest(answered(0.3), [metric], 40))

    assert (again.repeated, again.flip_rate, again.failed, again.threshold) == (20, 1.0, 20, 0.5)
    # Differences of about 0.38, half of their mean square, rooted.
    assert 0.26 < (again.sd or 0) < 0.28


def test_only_the_judge_that_scored_the_answers_is_asked_again() -> None:
    table = answered(0.3)

    assert find_judge(table, "auto") == "auto"
    assert find_judge(replace(table, judges=("small",)), "auto") == "small"
    with pytest.raises(ConfigError, match="scored by small; say whose"):
        find_judge(replace(table, judges=("small",)), "large")
    with pytest.raises(ConfigError, match="scored by small and large"):
        find_judge(replace(table, judges=("small", "large")), "auto")


def test_of_two_judges_one_is_repeated() -> None:
    answers = tuple(
        replace(
            answer,
            scores={MetricKey("scripted", "small"): score, MetricKey("scripted", "large"): score},
        )
        for answer in answered(0.3).cells
        for score in [
            replace(answer.scores[MetricKey("scripted")], value=0.4 + int(answer.case[1:]) / 100)
        ]
    )
    table = build_trust_table(CellSet(cells=answers, judges=("small", "large")), FAST)
    (again,) = finish(retest(table, [ScriptedMetric(lambda _: 0.4)], 5, judge="large"))

    assert list_repeatable(table, "large") == ("scripted",)
    assert (again.metric, again.repeated) == (MetricKey("scripted", "large"), 5)
    assert [(pair.metric, pair.difference) for pair in table.differences] == [
        (MetricKey("scripted", "small"), 0)
    ]


def test_a_metric_without_scores_cannot_be_repeated() -> None:
    (again,) = finish(retest(answered(0.3), [ScriptedMetric(name="other")], 5))

    assert (again.repeated, again.sd) == (0, None)
    assert again.reason == "no answer has a score of it that could be repeated"


def test_imported_answers_are_scored_where_they_lack_a_score() -> None:
    table = answered(0.3)
    lacking = (replace(table.cells[0], scores={}), *table.cells[1:])
    metric = ScriptedMetric(lambda sample: 0.9)
    work: Generator[object, None, tuple[TrustCell, ...]] = add_scores(lacking, [metric])
    scored = finish(work)

    assert scored[0].scores[MetricKey("scripted")].value == 0.9
    assert metric.asked == ["0"]
