"""Runs compared as a whole: who may decide, what is said, and about what is kept silent."""

from dataclasses import replace
from pathlib import Path

import pytest

from sandbox.errors import SandboxError
from sandbox.evaluation.comparison.compare import compare_named, compare_runs
from sandbox.evaluation.comparison.records import Comparison
from sandbox.evaluation.runs.folder import RunFolder
from sandbox.evaluation.runs.labels import add_labels, new_label
from sandbox.evaluation.runs.read import read_runs
from sandbox.files.storage import Store
from tests.evaluation.compared_runs import CASES, bad, good, score, scored_run


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path)


def compare(*folders: RunFolder) -> Comparison:
    return compare_runs(read_runs(folders))


def test_labels_decide_first(store: Store) -> None:
    found = compare(scored_run(store, "ctx_k4", bad), scored_run(store, "ctx_k9", good))
    (pair,) = found.pairs
    labels = pair.right_wrong
    assert (labels.both, labels.a_only, labels.b_only, labels.neither) == (3, 3, 18, 0)
    assert labels.p == labels.p_holm == 3124 / 2**21
    assert pair.better == "b"
    assert pair.conclusion == (
        "B answers more cases right: 18 right only in B, 3 only in A (exact McNemar p 0.0015)."
    )
    assert [flip.case.id for flip in pair.flips if flip.better == "a"] == [
        "case-8",
        "case-16",
        "case-24",
    ]


def test_a_trusted_metric_decides_where_labels_do_not(store: Store) -> None:
    found = compare(scored_run(store, "ctx_k4", bad), scored_run(store, "ctx_k9", good, labelled=4))
    (pair,) = found.pairs
    metric = pair.metrics[0]
    assert metric.metric == "faithfulness"
    assert (metric.trusted, metric.decides, metric.n) == (True, True, 24)
    assert pair.right_wrong.p_holm == 0.25
    assert pair.conclusion.startswith("B is better by faithfulness (+0.44, p ")


def test_an_untrusted_metric_decides_nothing_however_large_its_difference(store: Store) -> None:
    folders = [
        scored_run(store, "ctx_k4", good, values=lambda number, right: number % 3 / 10),
        scored_run(store, "ctx_k9", good, values=lambda number, right: 0.7 + number % 3 / 10),
    ]
    found = compare(*folders)
    (pair,) = found.pairs
    (metric,) = pair.metrics
    assert (metric.trusted, metric.decides, pair.better) == (False, False, None)
    assert metric.difference == pytest.approx(0.7)
    assert metric.p_holm is not None
    assert metric.p_holm < 0.001
    assert pair.conclusion == (
        "The labels do not tell these two apart, and no metric is trusted here."
    )


def test_equal_runs_are_not_told_apart_and_more_cases_are_named(store: Store) -> None:
    def other(number: int) -> bool:
        return number not in (1, 8, 9, 16)

    found = compare(scored_run(store, "ctx_k4", good), scored_run(store, "ctx_k9", other))
    (pair,) = found.pairs
    assert pair.better is None
    assert pair.conclusion.startswith("No trusted metric tells these two apart; about ")
    assert "would settle a difference of this size" in pair.conclusion
    assert pair.right_wrong.sentence.endswith("with fewer than 6 flips this test cannot reach 0.05")


def test_without_labels_nothing_is_said_of_the_answers_but_ranking_is(store: Store) -> None:
    folders = [
        scored_run(store, "ctx_k4", bad, labelled=0, family="ranking"),
        scored_run(store, "ctx_k9", good, labelled=0, family="ranking"),
    ]
    found = compare(*folders)
    (pair,) = found.pairs
    assert pair.right_wrong.p is None
    assert pair.right_wrong.uncounted == 24
    assert pair.better is None
    assert "nothing can be said about the answers" in pair.conclusion
    assert "Retrieval is better in B by faithfulness" in pair.conclusion
    assert found.quality == "faithfulness"


def test_suggestions_count_only_where_they_are_accepted(store: Store) -> None:
    folders = [
        scored_run(store, "ctx_k4", bad, labelled=0),
        scored_run(store, "ctx_k9", good, labelled=0),
    ]
    for folder in folders:
        label = new_label(
            folder.run.configuration,
            "case-1",
            "wrong" if folder is folders[0] else "right",
            labeller="Ada",
            source="accepted suggestion",
        )
        add_labels(folder.folder, [label])
    (pair,) = compare_runs(read_runs(folders)).pairs
    assert (pair.right_wrong.compared, pair.right_wrong.suggested) == (1, 1)
    (all_of_them,) = compare_runs(read_runs(folders, accept_suggestions=True)).pairs
    assert (all_of_them.right_wrong.compared, all_of_them.right_wrong.suggested) == (24, 24)


def test_a_persons_label_goes_before_an_accepted_suggestion(store: Store) -> None:
    folder = scored_run(store, "ctx_k4", good)
    label = new_label("ctx_k4", "case-1", "wrong", labeller="Bo", source="accepted suggestion")
    add_labels(folder.folder, [label])
    (pair,) = compare(folder, scored_run(store, "ctx_k9", good)).pairs
    assert pair.cases[0].a.label_or_suggestion == "right"
    assert pair.cases[0].a.source == "label"


def test_word_overlap_decides_where_the_labels_trust_it_and_no_run_scored_it(store: Store) -> None:
    found = compare(scored_run(store, "ctx_k4", bad), scored_run(store, "ctx_k9", good))
    (overlap,) = [one for one in found.pairs[0].metrics if one.metric == "reference_overlap"]
    assert (overlap.family, overlap.trusted, overlap.n, overlap.better) == (
        "no judge",
        True,
        24,
        "b",
    )


def test_scores_of_two_judges_are_not_compared(store: Store) -> None:
    found = compare(
        scored_run(store, "ctx_k4", bad, judge="one"),
        scored_run(store, "ctx_k9", good, judge="two"),
    )
    (pair,) = found.pairs
    metric = pair.metrics[0]
    assert (metric.n, metric.p) == (0, None)
    assert metric.note == "scored by different judges; evaluate both with one"
    assert metric.trust.startswith("separates")


def test_each_further_run_is_compared_with_the_first_and_adjusted(store: Store) -> None:
    found = compare(
        scored_run(store, "ctx_k4", bad),
        scored_run(store, "ctx_k9", good),
        scored_run(store, "text_k4", good),
    )
    assert [(pair.a, pair.b) for pair in found.pairs] == [
        ("first-ctx_k4", "first-ctx_k9"),
        ("first-ctx_k4", "first-text_k4"),
    ]
    first, second = (pair.right_wrong for pair in found.pairs)
    assert first.p == second.p == 3124 / 2**21
    assert first.p_holm == second.p_holm == 2 * 3124 / 2**21


def test_only_common_cases_are_compared(store: Store) -> None:
    found = compare(
        scored_run(store, "ctx_k4", bad), scored_run(store, "ctx_k9", good, cases=CASES[:12])
    )
    assert len(found.cases) == 12
    assert found.warnings[0] == "only the 12 cases that all runs ask are compared, of up to 24"


def test_runs_without_a_common_case_are_refused_in_one_sentence(store: Store) -> None:
    folders = [
        scored_run(store, "ctx_k4", bad, cases=CASES[:5]),
        scored_run(store, "ctx_k9", good, cases=CASES[5:]),
    ]
    with pytest.raises(SandboxError, match="have no case in common; compare runs of one test set"):
        compare(*folders)


def test_equal_ids_of_other_questions_are_different_test_sets(store: Store) -> None:
    other = [replace(one, question="How many doctors?") for one in CASES]
    with pytest.raises(SandboxError, match="of different test sets: case 'case-1' asks another"):
        compare(scored_run(store, "ctx_k4", bad), scored_run(store, "ctx_k9", good, cases=other))


def test_a_run_is_not_compared_with_itself(store: Store) -> None:
    folder = scored_run(store, "ctx_k4", bad)
    with pytest.raises(SandboxError, match="needs two different runs"):
        compare(folder, folder)


def test_length_decides_nothing_even_where_right_answers_are_longer(store: Store) -> None:
    folders = [scored_run(store, "ctx_k4", bad), scored_run(store, "ctx_k9", good)]
    for folder, right in zip(folders, (bad, good), strict=True):
        for number, asked in enumerate(CASES, start=1):
            value = 20.0 + 30 * right(number)
            folder.add_score(asked.id, score("answer_length", value, family="no judge"))
    (pair,) = compare(*folders).pairs
    (length,) = [one for one in pair.metrics if one.metric == "answer_length"]
    assert (length.trusted, length.decides) == (False, False)
    assert length.trust == "a longer answer is no better one"


def test_a_comparison_is_the_same_every_time(store: Store) -> None:
    folders = [scored_run(store, "ctx_k4", bad), scored_run(store, "ctx_k9", good)]
    assert compare(*folders).pairs == compare(*folders).pairs


def test_runs_are_named_and_what_lies_between_them_is_looked_for(store: Store) -> None:
    scored_run(store, "text_k4", bad)
    scored_run(store, "ctx_k9", good)
    scored_run(store, "ctx_k4", good)
    found = compare_named(store, ["first-text_k4", "first-ctx_k9"])
    assert [(one.config.name, one.run) for one in found.pairs[0].difference.in_between] == [
        ("ctx_k4", "first-ctx_k4"),
        ("text_k9", None),
    ]
