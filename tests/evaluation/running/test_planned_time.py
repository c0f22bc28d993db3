"""How long it takes is measured by kind of call, and on earlier runs."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from sandbox.evaluation.metric import Metric, PlannedCall
from sandbox.evaluation.running.plan import (
    Answering,
    PlannedScore,
    answer_time,
    plan,
    planned_scores,
    seconds_per_call,
    timed,
)
from sandbox.evaluation.runs.folder import RunFolder, create_run
from sandbox.evaluation.runs.records import Cell, Family, Sample, Score
from sandbox.files.storage import Store
from tests.evaluation.scripted_runs import answer_scripted, case, plan_run


class Timed:
    """A judged metric of so many calls, whose first score takes longer than the others."""

    def __init__(self, name: str, family: Family, calls: int, seconds: Sequence[float]) -> None:
        self.name = name
        self.family: Family = family
        self.asked: list[str] = []
        self._calls = calls
        self._seconds = list(seconds)

    def needs(self, sample: Sample) -> str:
        return ""

    def calls(self, sample: Sample) -> int:
        return self._calls

    def planned(self, sample: Sample) -> list[PlannedCall]:
        tokens = 1000 if self.family == "ragas" else 100
        cached = sample.case == "known"
        return [PlannedCall(tokens=tokens, cached=cached) for _ in range(self._calls)]

    async def score(self, sample: Sample) -> Score:
        self.asked.append(sample.id)
        seconds = self._seconds.pop(0)
        calls = self._calls if seconds else 0
        return Score(metric=self.name, family=self.family, value=1.0, calls=calls, seconds=seconds)


def scores_of(*metrics: Metric, cases: Sequence[str] = "abcdef") -> tuple[PlannedScore, ...]:
    samples = [Sample(id=one, case=one, user_input="How many?", response="9") for one in cases]
    return planned_scores(metrics, {"text_k4": {metric.name: samples for metric in metrics}})


def test_each_kind_of_call_is_measured_by_itself_and_three_calls_are_made() -> None:
    word = Timed("agrees", "token judge", 1, [0.5])
    written = Timed("context_recall", "ragas", 1, [20.0, 4.0])
    assert seconds_per_call(scores_of(word, written)) == {"ragas": 4.0, "token judge": 0.5}
    assert (len(word.asked), len(written.asked)) == (1, 2)


def test_minutes_are_calls_of_each_kind_at_its_pace() -> None:
    word = Timed("agrees", "token judge", 1, [0.5])
    written = Timed("faithfulness", "ragas", 2, [12.0])
    scores = scores_of(word, written)
    planned = timed(plan(scores, 0), seconds_per_call(scores))
    assert planned.minutes == pytest.approx((6 * 0.5 + 12 * 6.0) / 60)


def test_the_metric_with_the_fewest_calls_of_its_kind_is_measured() -> None:
    few, many = Timed("few", "ragas", 2, [8.0]), Timed("many", "ragas", 9, [])
    assert seconds_per_call(scores_of(many, few)) == {"ragas": 4.0}
    assert len(few.asked) == 1


def test_a_score_of_many_calls_is_measured_where_there_is_no_other() -> None:
    many = Timed("context_precision", "ragas", 9, [18.0])
    assert seconds_per_call(scores_of(many)) == {"ragas": 2.0}


def test_what_is_known_already_measures_nothing() -> None:
    assert seconds_per_call(scores_of(Timed("agrees", "token judge", 1, []), cases=["known"])) == {}
    assert seconds_per_call(()) == {}


def test_a_kind_that_could_not_be_measured_leaves_the_minutes_open() -> None:
    scores = scores_of(Timed("agrees", "token judge", 1, [0.0] * 6))
    assert timed(plan(scores, 0), seconds_per_call(scores)).minutes is None


def answered(store: Store, configuration: str, *, model: str = "ollama:llama3.1") -> RunFolder:
    described = plan_run(configuration, cases=1)
    folder = create_run(store, replace(described, models={"chat_model": model}))
    answer = answer_scripted(case(1), configuration)
    folder.add_cell(Cell(configuration=configuration, case="case-1", answer=answer))
    return folder


def wanted(configuration: str, answers: int = 30) -> Answering:
    return Answering(
        config={"name": configuration, "top_k": 4}, chat_model="ollama:llama3.1", answers=answers
    )


def test_answers_take_as_long_as_in_the_last_run_with_the_same_settings(store: Store) -> None:
    time = answer_time([answered(store, "text_k4")], [wanted("text_k4")])
    assert (time.minutes, time.rests_on) == (1.0, "earlier runs")


def test_settings_that_were_never_run_take_as_long_as_others_of_the_same_chat_model(
    store: Store,
) -> None:
    time = answer_time([answered(store, "text_k4")], [wanted("text_k4"), wanted("ctx_k9")])
    assert time.minutes == 2.0
    assert time.rests_on == (
        "earlier runs; for ctx_k9, runs of other settings with the same chat model"
    )


def test_a_chat_model_that_never_answered_leaves_the_minutes_open_and_says_why(
    store: Store,
) -> None:
    time = answer_time([answered(store, "text_k4", model="other")], [wanted("text_k4")])
    assert time.minutes is None
    assert time.rests_on == "how long ollama:llama3.1 takes to answer is known after its first run"


def test_where_all_is_answered_no_time_is_needed() -> None:
    assert answer_time([], [wanted("text_k4", answers=0)]).minutes == 0.0
