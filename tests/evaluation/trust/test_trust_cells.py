from dataclasses import replace
from pathlib import Path

import pytest

from sandbox.evaluation.runs.folder import RunFolder, create_run
from sandbox.evaluation.runs.labels import add_labels, majority, new_label
from sandbox.evaluation.runs.read import read_runs
from sandbox.evaluation.runs.records import Cell, Judging, MetricKey, Right, Score
from sandbox.evaluation.trust.cells import collect_cells
from sandbox.files.storage import Store
from tests.evaluation.scripted_runs import answer_scripted, case, make_run, plan_run


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path)


def answered(folder: RunFolder) -> RunFolder:
    name = folder.run.configuration
    for asked in folder.run.cases:
        folder.add_cell(
            Cell(configuration=name, case=asked.id, answer=answer_scripted(asked, name))
        )
        folder.add_score(asked.id, Score(metric="faithfulness", family="ragas", value=0.5))
        folder.add_score(asked.id, Score(metric="mrr", family="ranking", value=1.0))
    return folder


def label(folder: RunFolder, case_id: str, verdict: Right, by: str = "Ada") -> None:
    add_labels(folder.folder, [new_label(folder.run.configuration, case_id, verdict, labeller=by)])


def test_a_cell_has_its_label_scores_answer_and_chunks(store: Store) -> None:
    folder = answered(make_run(store))
    label(folder, "case-2", "wrong")

    cells = collect_cells(read_runs([folder])).cells

    assert [cell.label for cell in cells] == [None, "wrong", None]
    assert cells[1].scores[MetricKey("faithfulness")].value == 0.5
    assert cells[1].sample is not None
    assert cells[1].sample.reference == "Ward 2 has 2 beds."
    assert cells[1].retrieved == ("wards.pdf-3", "wards.pdf-2")
    assert cells[1].top_k == 4


@pytest.mark.parametrize(
    ("verdicts", "counts"),
    [
        (["right"], "right"),
        (["right", "wrong", "right"], "right"),
        (["right", "wrong"], "unsure"),
        (["wrong", "unsure"], "wrong"),
        (["unsure"], "unsure"),
        ([], None),
    ],
)
def test_the_majority_of_several_people_counts(verdicts: list[Right], counts: Right | None) -> None:
    assert majority(verdicts) == counts


def test_ties_between_people_are_said(store: Store) -> None:
    folder = answered(make_run(store))
    for by, verdict in (("Ada", "right"), ("Ben", "wrong")):
        label(folder, "case-1", verdict, by=by)  # type: ignore[arg-type]
        label(folder, "case-2", "right", by=by)

    cell_set = collect_cells(read_runs([folder]))

    assert [cell.label for cell in cell_set.cells] == ["unsure", "right", None]
    assert cell_set.warnings == (
        "2 answers of first-text_k4 have labels of several people; the majority counts, and 1 ties"
        " count as unsure",
    )


def test_suggestions_count_only_when_they_are_accepted_and_are_said_to(store: Store) -> None:
    folder = answered(make_run(store))
    label(folder, "case-1", "wrong")

    plain = collect_cells(read_runs([folder]))
    accepted = collect_cells(read_runs([folder], accept_suggestions=True))

    assert [cell.label for cell in plain.cells] == ["wrong", None, None]
    assert [cell.label for cell in accepted.cells] == ["wrong", "right", "right"]
    assert [cell.suggested for cell in accepted.cells] == [False, True, True]
    assert accepted.warnings[0].startswith("2 of 3 labels are accepted suggestions")


def test_a_suggestion_that_was_accepted_while_labelling_counts_and_is_said_to(store: Store) -> None:
    folder = answered(make_run(store))
    accepted = new_label("text_k4", "case-1", "wrong", labeller="Ada", source="accepted suggestion")
    add_labels(folder.folder, [accepted])

    cell_set = collect_cells(read_runs([folder]))

    assert [(cell.label, cell.suggested) for cell in cell_set.cells][:2] == [
        ("wrong", True),
        (None, False),
    ]
    assert cell_set.warnings[0].startswith("1 of 1 labels are accepted suggestions")


def test_a_persons_label_outweighs_an_accepted_suggestion(store: Store) -> None:
    folder = answered(make_run(store))
    accepted = new_label("text_k4", "case-1", "wrong", labeller="Ada", source="accepted suggestion")
    add_labels(folder.folder, [accepted])
    label(folder, "case-1", "right", "Bo")

    (cell, *_) = collect_cells(read_runs([folder], accept_suggestions=True)).cells

    assert (cell.label, cell.suggested) == ("right", False)


def test_two_judges_of_equal_answers_are_held_against_the_same_labels(store: Store) -> None:
    small, large = (
        answered(
            create_run(
                store,
                replace(
                    plan_run(evaluation=judge), id=f"{judge}-run", judging=Judging(model=judge)
                ),
            )
        )
        for judge in ("small", "large")
    )
    label(small, "case-1", "right")

    cells = collect_cells(read_runs([small, large])).cells

    assert len(cells) == 3
    assert set(cells[0].scores) == {
        MetricKey("faithfulness", "small"),
        MetricKey("faithfulness", "large"),
        MetricKey("mrr"),
    }
    assert cells[0].label == "right"


def test_a_judge_of_its_own_answers_is_warned_of(store: Store) -> None:
    run = replace(plan_run(), judging=Judging(model="llama"), models={"chat_model": "llama"})
    (warning,) = collect_cells(read_runs([answered(create_run(store, run))])).warnings

    assert warning.startswith("llama judges its own answers in first-text_k4")


def test_a_judge_of_its_own_answers_in_several_runs_is_warned_of_once(store: Store) -> None:
    runs = [
        replace(
            plan_run(name), judging=Judging(model="llama-judge"), models={"chat_model": "llama"}
        )
        for name in ("text_k4", "ctx_k9")
    ]
    (warning,) = collect_cells(
        read_runs([answered(create_run(store, run)) for run in runs])
    ).warnings

    assert warning.startswith("llama-judge judges its own answers in 2 runs")


def test_an_answer_that_failed_is_a_cell_without_a_sample(store: Store) -> None:
    folder = make_run(store, cases=(case(1),))
    folder.add_cell(Cell(configuration="text_k4", case="case-1", answer=None, failure="timeout"))

    (cell,) = collect_cells(read_runs([folder], accept_suggestions=True)).cells

    assert (cell.sample, cell.label) == (None, None)


def test_a_run_without_answers_says_so(store: Store) -> None:
    assert collect_cells(read_runs([make_run(store)])).warnings == (
        "the run first-text_k4 has no answers yet",
    )
