"""Means say what they rest on."""

import pytest

from sandbox.evaluation.runs.read import read_run, summarize_metric
from sandbox.evaluation.runs.records import Cell, Score
from sandbox.files.storage import Store
from tests.evaluation.scripted_runs import answer_scripted, case, make_run


def score(value: float | None, *, applicable: bool = True, metric: str = "scripted") -> Score:
    return Score(
        metric=metric,
        family="token judge",
        value=value,
        reason="" if value is not None else "cut reply" if applicable else "no reference",
        applicable=applicable,
        calls=2,
        calls_saved=1,
        tokens=30,
        seconds=0.5,
    )


def test_failures_are_counted_and_bound_the_mean_and_what_does_not_apply_does_not() -> None:
    scores = [score(1.0), score(0.5), score(None), score(None, applicable=False)]
    found = summarize_metric("scripted", scores, cells=5)
    assert (found.mean, found.scored, found.of) == (0.75, 2, 5)
    assert (found.failed, found.not_applicable) == (1, 1)
    assert (found.mean_failed_as_0, found.mean_failed_as_1) == (1.5 / 3, 2.5 / 3)
    assert found.reasons == {"cut reply": 1, "no reference": 1}
    assert (found.calls, found.calls_saved, found.tokens, found.seconds) == (8, 4, 120, 2.0)
    assert found.values == (0.5, 1.0)


def test_where_all_failed_there_is_no_mean_but_bounds() -> None:
    found = summarize_metric("scripted", [score(None)], cells=1)
    assert (found.mean, found.mean_failed_as_0, found.mean_failed_as_1) == (None, 0.0, 1.0)


def test_where_nothing_was_tried_there_is_nothing() -> None:
    found = summarize_metric("scripted", [], cells=3)
    assert (found.mean, found.mean_failed_as_0, found.family, found.of) == (None, None, None, 3)


def test_a_length_has_no_upper_bound_to_fail_as() -> None:
    scores = [score(20.0, metric="answer_length"), score(None, metric="answer_length")]
    found = summarize_metric("answer_length", scores, cells=2)
    assert (found.mean_failed_as_0, found.mean_failed_as_1) == (10.0, None)


def test_a_run_is_broken_down_by_source_and_category(store: Store) -> None:
    cases = (case(1), case(2), case(3, source="image"))
    folder = make_run(store, cases=cases)
    for asked, value in zip(cases, (0.0, 0.5, 1.0), strict=True):
        answer = answer_scripted(asked, "text_k4")
        folder.add_cell(Cell(configuration="text_k4", case=asked.id, answer=answer))
        folder.add_score(asked.id, score(value))
    summary = read_run(folder).summary
    means = {(group.by, group.name): group.metrics[0].mean for group in summary.groups}
    assert means == {
        ("source", "image"): 1.0,
        ("source", "text"): 0.25,
        ("category", "even"): 0.5,
        ("category", "odd"): 0.5,
    }
    assert summary.answer_seconds == {"retrieve": 0.5, "answer": 1.5}
    assert summary.answer_tokens == {"prompt": 300, "answer": 30}
    assert summary.seconds == pytest.approx(3 * 2.0 + 3 * 0.5)
    assert (summary.judge_calls, summary.judge_tokens, summary.finished) == (6, 90, True)


def test_a_case_without_an_answer_is_named_with_its_reason(store: Store) -> None:
    folder = make_run(store, cases=2)
    folder.add_cell(
        Cell(configuration="text_k4", case="case-1", answer=None, failure="it timed out")
    )
    summary = read_run(folder).summary
    assert (summary.cells, summary.answered, summary.finished) == (2, 0, False)
    assert summary.failures == {"case-1": "it timed out"}
