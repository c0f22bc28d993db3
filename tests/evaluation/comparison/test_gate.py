"""A run held to a baseline: what is held, by which rule, and what cannot be compared."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from sandbox.config import preset
from sandbox.errors import ConfigError, SandboxError
from sandbox.evaluation.comparison.baseline import (
    Baseline,
    BaselineMetric,
)
from sandbox.evaluation.comparison.gate import check_run
from sandbox.evaluation.runs.folder import RunFolder
from sandbox.evaluation.runs.records import Family, Judging
from sandbox.files.storage import Store
from tests.evaluation.compared_runs import (
    CASES,
    answer,
    describe,
    write,
)

Values = Callable[[int], float | None]


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path)


def ranked(
    store: Store,
    name: str,
    values: Values,
    *,
    metric: str = "mrr",
    family: Family = "ranking",
    **changes: Any,
) -> RunFolder:
    """A run of twenty cases with one metric."""
    cases = CASES[:20]
    run = describe(preset("ctx_k9"), cases, id=name, metrics=(metric,), **changes)
    scores = {case.id: values(number) for number, case in enumerate(cases, start=1)}
    answers = {case.id: answer("beds", 1) for case in cases}
    return write(store, run, answers, scores={metric: scores}, family=family)


def held(value: float, *, count: int = 20, **changes: Any) -> BaselineMetric:
    fields: Mapping[str, Any] = {
        "family": "ranking",
        "lower_is_better": False,
        "trusted": False,
        "trust": "",
        "mean": value,
        "n": count,
        "values": {case.id: value for case in CASES[:count]},
        **changes,
    }
    return BaselineMetric(**fields)


def baseline(metrics: Mapping[str, BaselineMetric], **changes: Any) -> Baseline:
    fields: Mapping[str, Any] = {
        "run": "before",
        "configuration": "ctx_k9",
        "corpus": "wards",
        "corpus_digest": "c",
        "test_set": "wards.jsonl",
        "test_set_digest": "t",
        "judge": "",
        "judge_digest": "",
        "models": {},
        "metrics": metrics,
        "created": "2030-01-01T00:00:00+00:00",
        **changes,
    }
    return Baseline(**fields)


def test_nine_tenths_of_the_baseline_hold_it_and_less_does_not(store: Store) -> None:
    before = baseline({"mrr": held(0.8)})
    kept = check_run(ranked(store, "kept", lambda number: 0.72), before)
    assert kept.passed
    assert kept.reasons == ()
    lost = check_run(ranked(store, "lost", lambda number: 0.71), before)
    assert not lost.passed
    assert lost.reasons == ("mrr is 0.710, below 0.720 (baseline 0.800, 20 cases)",)


def test_another_share_can_be_asked_for(store: Store) -> None:
    folder = ranked(store, "now", lambda number: 0.71)
    assert check_run(folder, baseline({"mrr": held(0.8)}), share=0.5).passed
    with pytest.raises(ConfigError, match="share is 1.5; choose a number above 0, up to 1"):
        check_run(folder, baseline({"mrr": held(0.8)}), share=1.5)


def test_where_lower_is_better_a_rise_fails(store: Store) -> None:
    trusted = held(0.1, family="ragas", lower_is_better=True, trusted=True)
    before = baseline({"noise_sensitivity": trusted})
    now = ranked(store, "now", lambda number: 0.2, metric="noise_sensitivity", family="ragas")
    assert check_run(now, before).reasons == (
        "noise_sensitivity is 0.200, above 0.190 (baseline 0.100, 20 cases)",
    )


def test_a_baseline_below_zero_must_be_held_itself(store: Store) -> None:
    before = baseline({"mrr": held(-0.5)})
    assert check_run(ranked(store, "same", lambda number: -0.5), before).passed
    assert not check_run(ranked(store, "less", lambda number: -0.51), before).passed


def test_a_metric_that_stops_scoring_fails_however_good_the_rest(store: Store) -> None:
    now = ranked(store, "now", lambda number: 1.0 if number < 18 else None)
    assert check_run(now, baseline({"mrr": held(0.8)})).reasons == (
        "mrr has a score for only 17 of the baseline's 20 cases",
    )


def test_two_missing_scores_of_twenty_are_let_pass(store: Store) -> None:
    now = ranked(store, "now", lambda number: 0.8 if number < 19 else None)
    assert check_run(now, baseline({"mrr": held(0.8)})).passed


def test_a_metric_that_is_not_there_any_more_fails(store: Store) -> None:
    now = ranked(store, "now", lambda number: 1.0, metric="recall@5")
    (check,) = check_run(now, baseline({"mrr": held(0.8)})).checks
    assert (check.passed, check.now) == (False, None)


def test_an_untrusted_metric_may_fall_and_is_named(store: Store) -> None:
    now = ranked(store, "now", lambda number: 0.8)
    before = baseline({"mrr": held(0.8), "faithfulness": held(0.9, family="ragas")})
    found = check_run(now, before)
    assert found.passed
    assert found.notes == ("not trusted in the baseline, so not checked: faithfulness",)


def test_a_large_fall_of_one_case_is_not_beyond_chance(store: Store) -> None:
    now = ranked(store, "now", lambda number: 0.0 if number < 5 else 0.8)
    before = baseline({"mrr": held(0.8)})
    assert not check_run(now, before).passed
    found = check_run(now, before, rule="significant")
    assert found.passed
    assert (found.checks[0].p, found.checks[0].differing) == (0.125, 4)
    assert found.checks[0].reason.endswith("; 4 cases that differ are too few to show it")


def test_a_small_fall_of_many_cases_is_beyond_chance(store: Store) -> None:
    now = ranked(store, "now", lambda number: 0.79 - number / 1000)
    before = baseline({"mrr": held(0.8)})
    assert check_run(now, before).passed
    found = check_run(now, before, rule="significant")
    assert found.reasons == (
        "mrr is 0.779, baseline 0.800: worse by more than chance (p 1.9e-06 after Holm, 20 cases)",
    )


def test_a_rise_beyond_chance_holds(store: Store) -> None:
    now = ranked(store, "now", lambda number: 0.85)
    assert check_run(now, baseline({"mrr": held(0.8)}), rule="significant").passed


def test_equal_runs_hold_by_significance(store: Store) -> None:
    now = ranked(store, "now", lambda number: 0.8)
    (check,) = check_run(now, baseline({"mrr": held(0.8)}), rule="significant").checks
    assert (check.passed, check.p) == (True, None)
    assert check.reason == "mrr is 0.800, baseline 0.800: equal in all 20 cases"


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"corpus_digest": "x"}, "of another corpus (wards was changed); save a new baseline"),
        ({"test_set": "beds.jsonl", "test_set_digest": "x"}, "another test set (wards.jsonl aga"),
    ],
)
def test_apples_are_not_compared_with_oranges(
    store: Store, changes: dict[str, str], message: str
) -> None:
    now = ranked(store, "now", lambda number: 0.8)
    with pytest.raises(SandboxError) as caught:
        check_run(now, baseline({"mrr": held(0.8)}, **changes))
    assert message in str(caught.value)


def test_another_judge_is_refused_only_where_it_matters(store: Store) -> None:
    now = ranked(store, "now", lambda number: 0.8, judging=Judging(model="two", digest="2"))
    before = baseline({"mrr": held(0.8)}, judge="one", judge_digest="1")
    assert check_run(now, before).passed
    trusted = held(0.8, family="ragas", trusted=True)
    with pytest.raises(SandboxError, match="was scored by one in the baseline and by two in now"):
        check_run(now, replace(before, metrics={"faithfulness": trusted}))


def test_a_baseline_in_which_nothing_may_decide_is_refused(store: Store) -> None:
    now = ranked(store, "now", lambda number: 0.8)
    with pytest.raises(SandboxError, match="nothing in the baseline before may decide"):
        check_run(now, baseline({"faithfulness": held(0.9, family="ragas")}))
