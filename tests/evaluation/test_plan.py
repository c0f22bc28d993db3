"""The cost of an evaluation is known before it starts."""

from sandbox.evaluation.plan import plan, seconds_per_call
from sandbox.evaluation.records import Sample
from tests.evaluation.scripted_runs import PlannedMetric, ScriptedMetric


def sample(case: str, response: str = "There are nine.") -> Sample:
    return Sample(id=f"{case}/{response}", case=case, user_input="How many?", response=response)


def test_equal_and_known_calls_are_counted_but_not_made() -> None:
    samples = [sample("a"), sample("a", "Nine."), sample("b"), sample("known")]
    found = plan([PlannedMetric()], {"scripted": samples}, 4)
    assert found.judge_calls == {"scripted": 8}
    assert found.after_cache == 2 + 4
    assert found.tokens == 2 * 100 + 4 * 10
    assert (found.overflowing_prompts, found.minutes, found.answers) == (0, None, 4)


def test_prompts_that_do_not_fit_are_counted() -> None:
    found = plan([PlannedMetric()], {"scripted": [sample("a", "x" * 1001), sample("b")]}, 0)
    assert found.overflowing_prompts == 1


def test_what_cannot_be_scored_costs_nothing() -> None:
    found = plan([PlannedMetric()], {"scripted": [sample("a", " ")]}, 0)
    assert (found.judge_calls, found.after_cache, found.minutes) == ({}, 0, 0.0)


def test_a_metric_that_cannot_plan_leaves_the_tokens_open() -> None:
    found = plan([ScriptedMetric()], {"scripted": [sample("a")]}, 0)
    assert (found.after_cache, found.tokens) == (2, None)


def test_the_pace_is_measured_on_three_scores() -> None:
    metric = PlannedMetric()
    samples = [sample(str(number)) for number in range(10)]
    pace = seconds_per_call([metric], {"scripted": samples})
    assert pace is not None
    assert len(metric.asked) == 3


def test_without_a_call_there_is_no_pace() -> None:
    assert seconds_per_call([ScriptedMetric()], {"scripted": []}) is None
