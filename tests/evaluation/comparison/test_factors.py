"""What differs between two runs, and what a difference can be credited to."""

from dataclasses import replace
from typing import Any

from sandbox.config import Config, preset, with_changes
from sandbox.evaluation.comparison.factors import (
    Factor,
    compare_configurations,
    version_differences,
)
from sandbox.evaluation.runs.records import Judging, Run
from tests.evaluation.compared_runs import describe
from tests.evaluation.scripted_runs import case

CASES = [case(1), case(2)]


def run(config: Config | str, **changes: Any) -> Run:
    return describe(preset(config) if isinstance(config, str) else config, CASES, **changes)


def names(a: Run, b: Run) -> list[str]:
    return [factor.name for factor in compare_configurations(a, b).factors]


def changed(**changes: Any) -> Config:
    return with_changes(preset("ctx_k9"), changes)


def test_one_factor_is_credited() -> None:
    found = compare_configurations(run("ctx_k4"), run("ctx_k9"))
    assert found.factors == (Factor(name="top_k", a=4, b=9),)
    assert found.is_creditable
    assert found.sentence == "only top_k (4 → 9) differs, so a difference can be credited to it"
    assert found.in_between == ()


def test_equal_configurations_have_no_factor_and_no_credit() -> None:
    found = compare_configurations(run("ctx_k9"), run(changed(name="again")))
    assert found.factors == ()
    assert not found.is_creditable


def test_other_versions_are_named() -> None:
    a = run("ctx_k9", environment={"numpy": "2.3", "python": "3.11"})
    b = run("ctx_k9", environment={"numpy": "2.4", "python": "3.11", "ragas": "0.4.3"})
    assert version_differences(a, b) == ("numpy (2.3 → 2.4)", "ragas (- → 0.4.3)")


def test_two_factors_name_the_presets_in_between() -> None:
    found = compare_configurations(run("text_k4"), run("ctx_k9"))
    assert [one.config for one in found.in_between] == [preset("ctx_k4"), preset("text_k9")]
    assert [one.factor for one in found.in_between] == ["index", "top_k"]
    assert found.missing == (preset("ctx_k4"), preset("text_k9"))
    assert not found.is_creditable
    assert found.sentence == (
        "2 factors differ: index (text → context), top_k (4 → 9); nothing can be credited to any"
        " single one; missing in between: ctx_k4, text_k9"
    )


def test_three_factors_have_three_steps_of_one_factor_each() -> None:
    found = compare_configurations(run("text_k4"), run("ctx_k9_strict"))
    assert [one.config.name for one in found.in_between] == [
        "ctx_k4",
        "text_k9",
        "text_k4+prompt=strict",
    ]


def test_a_run_in_between_is_found_where_it_has_the_same_cases_and_documents() -> None:
    a, b = run("text_k4"), run("ctx_k9")
    others = [
        run("text_k9", id="other-documents", corpus_digest="x"),
        describe(preset("text_k9"), CASES[:1], id="fewer-cases"),
        run(with_changes(preset("text_k9"), {"name": "mine"}), id="there"),
    ]
    found = compare_configurations(a, b, others)
    assert [(one.config.name, one.run) for one in found.in_between] == [
        ("ctx_k4", None),
        ("text_k9", "there"),
    ]
    assert found.missing == (preset("ctx_k4"),)
    assert found.sentence.endswith("missing in between: ctx_k4; already run: text_k9 (there)")


def test_settings_without_effect_are_no_factor() -> None:
    assert names(run("text_k4"), run(with_changes(preset("text_k4"), {"captioner": "x"}))) == []
    assert names(run("ctx_k9"), run(changed(seed=7))) == []
    lexical = {"retriever": "lexical", "reranker": "none"}
    assert (
        names(
            run(changed(**lexical), models={}), run(changed(**lexical, embedder="st:x"), models={})
        )
        == []
    )
    assert names(run(changed(**lexical)), run(changed(**lexical, candidates=9))) == []


def test_settings_with_effect_are_factors() -> None:
    assert names(run("ctx_k9"), run(changed(captioner="ollama:x"))) == ["captioner"]
    assert names(run(changed(temperature=0.5)), run(changed(temperature=0.5, seed=7))) == ["seed"]
    assert names(run("ctx_k9"), run(changed(candidates=9))) == ["candidates"]


def test_auto_is_the_model_that_it_stood_for() -> None:
    embedded = {"chat_model": "embedded:small", "embedder": "embedded:e5"}
    named = run(changed(chat_model="embedded:small", embedder="embedded:e5"), models=embedded)
    assert names(run("ctx_k9", models=embedded), named) == []
    larger = run("ctx_k9", models={**embedded, "chat_model": "ollama:large"})
    assert names(run("ctx_k9", models=embedded), larger) == ["chat_model"]


def test_judge_documents_and_cases_are_factors() -> None:
    judging = Judging(model="one", digest="1")
    a = run("ctx_k9", judging=judging)
    assert names(a, run("ctx_k9", judging=Judging(model="other", digest="2"))) == ["judge"]
    assert names(a, run("ctx_k9", judging=replace(judging, judgements=3))) == ["judgements"]
    assert names(run("ctx_k9"), run("ctx_k9", corpus_digest="x")) == ["corpus"]
    relabelled = describe(preset("ctx_k9"), [case(1), case(2, reference="None.")])
    assert names(run("ctx_k9"), relabelled) == ["test set"]


def test_a_longer_list_of_the_same_cases_is_no_factor() -> None:
    assert names(run("ctx_k9"), describe(preset("ctx_k9"), CASES[:1], test_set_digest="x")) == []


def test_a_setting_and_another_corpus_leave_the_setting_to_be_run_on_the_first_corpus() -> None:
    found = compare_configurations(run("ctx_k4"), run("ctx_k9", corpus_digest="x"))
    assert not found.is_creditable
    assert found.missing == (preset("ctx_k9"),)


def test_a_value_that_is_impossible_alone_is_no_step() -> None:
    small = changed(chunk_characters=100)
    large = changed(chunk_characters=800, overlap_characters=300)
    found = compare_configurations(run(small), run(large))
    assert [one.factor for one in found.in_between] == ["chunk_characters"]


def test_runs_whose_configuration_is_unknown_here_are_still_compared() -> None:
    a = replace(run("ctx_k9"), config={"name": "old", "top_k": 4, "magic": 1})
    b = replace(run("ctx_k9"), config={"name": "new", "top_k": 9, "index": "text"})
    found = compare_configurations(a, b)
    assert [factor.name for factor in found.factors] == ["index", "top_k"]
    assert found.in_between == ()
