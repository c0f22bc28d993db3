"""Answers with what is suggested and said of them."""

import pytest

from sandbox.errors import SandboxError
from sandbox.evaluation.labelling.session import (
    LabelCounts,
    Labelling,
    find_cell,
    label_cells,
)
from sandbox.evaluation.runs.cells import CellView
from sandbox.evaluation.runs.folder import RunFolder
from sandbox.evaluation.runs.labels import add_labels, new_label
from sandbox.evaluation.runs.records import Cell, LabelSource, Right, Score
from sandbox.files.storage import Store
from tests.evaluation.scripted_runs import answer, case, make_run

TEXTS = {"case-1": "It has 1 bed.", "case-2": "It has 7 beds.", "case-3": ""}


@pytest.fixture
def run(store: Store) -> RunFolder:
    """Three answers and a failure: one suggested right, one wrong, one with nothing to compare."""
    cases = (case(1), case(2), case(3, accepted_answers=()), case(4))
    folder = make_run(store, cases=cases)
    for asked in cases[:3]:
        text = TEXTS[asked.id] or "Perhaps."
        given = answer(asked, "text_k4", 1, text=text)
        folder.add_cell(Cell(configuration="text_k4", case=asked.id, answer=given))
    folder.add_cell(Cell(configuration="text_k4", case="case-4", answer=None, failure="cut"))
    folder.add_score("case-1", Score(metric="m", family="no judge", value=0.5))
    folder.add_score("case-2", Score(metric="m", family="no judge", value=None, reason="cut"))
    return folder


def say(
    run: RunFolder,
    case: str,
    verdict: Right,
    who: str = "me",
    source: LabelSource = "person",
) -> None:
    add_labels(run.folder, [new_label("text_k4", case, verdict, labeller=who, source=source)])


def verdicts(run: RunFolder) -> list[str | None]:
    return [cell.label for cell in label_cells([run])]


def test_every_answer_has_its_suggestion_and_scores_and_failures_are_left_out(
    run: RunFolder,
) -> None:
    cells = label_cells([run])
    assert [(one.case.id, one.suggestion.value, dict(one.values)) for one in cells] == [
        ("case-1", "right", {"m": 0.5}),
        ("case-2", "wrong", {}),
        ("case-3", "unsure", {}),
    ]


def test_people_who_disagree_leave_it_unsure_and_outweigh_an_accepted_suggestion(
    run: RunFolder,
) -> None:
    say(run, "case-1", "right")
    say(run, "case-1", "wrong", "Ada")
    say(run, "case-2", "wrong", source="accepted suggestion")
    say(run, "case-2", "right", "Ada")
    assert verdicts(run) == ["unsure", "right", None]


def test_counts_tell_accepted_suggestions_apart(run: RunFolder) -> None:
    say(run, "case-1", "right")
    say(run, "case-2", "wrong", source="accepted suggestion")
    assert Labelling([run]).counts == LabelCounts(cells=3, right=1, wrong=1, unsure=0, accepted=1)


def test_suggestions_are_accepted_only_where_nobody_labelled_and_unsure_is_none(
    run: RunFolder,
) -> None:
    say(run, "case-1", "wrong")
    assert Labelling([run], labeller="Ada").accept_suggestions() == 1
    assert [(one.case, one.value, one.labeller, one.source) for one in run.labels()] == [
        ("case-1", "wrong", "me", "person"),
        ("case-2", "wrong", "Ada", "accepted suggestion"),
    ]


def test_a_case_that_no_run_or_several_answer_is_one_sentence(run: RunFolder) -> None:
    cells = label_cells([run])
    assert find_cell(cells, "case-2").case.id == "case-2"
    with pytest.raises(SandboxError, match="first-text_k4 has no answer to a case 'case-4'"):
        find_cell(cells, "case-4")
    with pytest.raises(SandboxError, match="several runs answer 'case-1'; name one of"):
        find_cell([*cells, *cells], "case-1")


def test_a_new_label_of_the_same_person_replaces_the_old_one(run: RunFolder) -> None:
    cell: CellView = label_cells([run])[0]
    for verdict in ("right", "wrong"):
        cell = cell.with_label(new_label("text_k4", "case-1", verdict, labeller="me"))
    assert [label.value for label in cell.labels] == ["wrong"]
