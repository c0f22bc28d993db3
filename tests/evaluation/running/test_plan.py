"""The cost of an evaluation is known before it starts."""

from collections.abc import Sequence

from sandbox.evaluation.metric import Metric
from sandbox.evaluation.running.plan import Plan, plan, planned_scores
from sandbox.evaluation.runs.records import Sample
from tests.evaluation.scripted_runs import PlannedMetric, ScriptedMetric


def sample(case: str, response: str = "There are nine.") -> Sample:
    return Sample(id=f"{case}/{response}", case=case, user_input="How many?", response=response)


def plan_of(metric: Metric, samples: Sequence[Sample], answers: int = 0) -> Plan:
    return plan(planned_scores([metric], {"text_k4": {metric.name: samples}}), answers)


def test_equal_and_known_calls_are_counted_but_not_made() -> None:
    samples = [sample("a"), sample("a", "Nine."), sample("b"), sample("known")]
    found = plan_of(PlannedMetric(), samples, 4)
    assert found.judge_calls == {"scripted": 8}
    assert found.after_cache == 2 + 4
    assert found.after_cache_by_family == {"token judge": 6}
    assert found.tokens == 2 * 100 + 4 * 10
    assert (found.overflowing_prompts, found.minutes, found.answers) == (0, None, 4)


def test_calls_are_counted_by_configuration_too() -> None:
    metrics = [PlannedMetric(name="one"), PlannedMetric(name="two")]
    two, none = [sample("a"), sample("b")], [sample("a", " ")]
    lacking = {"text_k4": {"one": two, "two": two[:1]}, "ctx_k9": {"one": none, "two": two}}
    found = plan(planned_scores(metrics, lacking), 0)
    assert found.judge_calls == {"one": 4, "two": 6}
    assert found.judge_calls_by_configuration == {
        "text_k4": {"one": 4, "two": 2},
        "ctx_k9": {"two": 4},
    }


def test_prompts_that_do_not_fit_are_counted() -> None:
    assert plan_of(PlannedMetric(), [sample("a", "x" * 1001), sample("b")]).overflowing_prompts == 1


def test_what_cannot_be_scored_costs_nothing() -> None:
    found = plan_of(PlannedMetric(), [sample("a", " ")])
    assert (found.judge_calls, found.after_cache, found.minutes) == ({}, 0, 0.0)


def test_a_metric_that_cannot_plan_leaves_the_tokens_open() -> None:
    found = plan_of(ScriptedMetric(), [sample("a")])
    assert (found.after_cache, found.tokens) == (2, None)
