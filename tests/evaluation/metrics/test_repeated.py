"""A repeated judgement: the median counts, the spread and the failures are kept."""

import asyncio
from collections.abc import Iterator

import pytest

from sandbox.errors import ModelReplyError, ModelUnavailable
from sandbox.evaluation.metrics.judge.calls import JudgeCalls
from sandbox.evaluation.metrics.judge.token_metrics import token_metrics
from sandbox.evaluation.metrics.repeated import RepeatedMetric, sampled, samplings
from sandbox.evaluation.runs.records import Sample, Score
from sandbox.files.storage import Store
from tests.evaluation.judge_server import MODELS, ScriptedJudge, asked, sample
from tests.evaluation.scripted_runs import PlannedMetric, ScriptedMetric
from tests.models.ollama_server import ScriptedOllama


class Opinion(PlannedMetric):
    """Says one value, or fails with a reason."""

    def __init__(self, said: float | str) -> None:
        def value(_: Sample) -> float:
            if isinstance(said, str):
                raise ModelReplyError(said)
            return said

        super().__init__(value)


def score_of(*said: float | str) -> Score:
    metric = RepeatedMetric(metrics=tuple(Opinion(one) for one in said))
    return asyncio.run(metric.score(sample()))


def test_the_value_is_the_median_and_all_values_are_kept() -> None:
    score = score_of(0.5, 1.0, 0.0)
    assert (score.value, score.judgements) == (0.5, (0.5, 1.0, 0.0))
    assert score.standard_deviation == 0.5
    assert score.reason == "median of 3 judgements: 0.50, 1.00, 0.00"
    assert (score.calls, score.tokens, score.seconds) == (6, 60, 0.75)
    assert [verdict.judgement for verdict in score.detail] == [1, 2, 3]


def test_failures_are_counted_with_their_reason_and_left_out_of_the_median() -> None:
    score = score_of(0.25, "cut", 0.75, "cut")
    assert (score.value, score.judgements) == (0.5, (0.25, None, 0.75, None))
    assert score.reason == (
        "median of 2 judgements: 0.25, 0.75; 2 of 4 judgements failed: cut (2×)"
    )


def test_where_all_failed_there_is_no_value() -> None:
    score = score_of("cut", "not JSON")
    assert (score.value, score.applicable, score.standard_deviation) == (None, True, None)
    assert score.reason == "2 of 2 judgements failed: cut; not JSON"


def test_a_judge_that_is_gone_stops_the_run() -> None:
    metric = RepeatedMetric(metrics=(Opinion(0.5), Gone()))
    with pytest.raises(ModelUnavailable):
        asyncio.run(metric.score(sample()))


class Gone(PlannedMetric):
    """Cannot be reached."""

    async def score(self, sample: Sample) -> Score:
        raise ModelUnavailable("the judge is not running; start it")


def test_calls_multiply() -> None:
    metric = RepeatedMetric(metrics=(Opinion(1), Opinion(1), Opinion(1)))
    assert metric.calls(sample()) == 3 * ScriptedMetric().calls(sample())
    assert len(metric.planned(sample())) == 6
    assert metric.needs(sample(response=" ")) == "the answer is empty"


@pytest.fixture
def server() -> Iterator[ScriptedOllama]:
    with ScriptedOllama(MODELS, reply=lambda messages: "Yes") as server:
        yield server


def test_each_judgement_is_drawn_with_a_temperature_and_a_seed_of_its_own_and_cached(
    server: ScriptedOllama, store: Store
) -> None:
    calls = JudgeCalls(ScriptedJudge(server), store)
    metrics = [
        next(
            metric
            for metric in token_metrics(sampled(calls, sampling))
            if metric.name == "agrees_with_reference"
        )
        for sampling in samplings(3)
    ]
    repeated = RepeatedMetric(metrics=tuple(metrics))
    score = asyncio.run(repeated.score(sample()))
    settings = {(body["temperature"], body["seed"]) for body in asked(server)}
    assert settings == {(0.7, 1), (0.7, 2), (0.7, 3)}
    assert (score.calls, score.calls_saved) == (3, 0)
    again = asyncio.run(repeated.score(sample()))
    assert (again.calls, again.calls_saved, again.value) == (0, 3, score.value)
    assert all(call.cached for call in repeated.planned(sample()))
