"""Labelling as a piece of work: what is said is on disk at once and can be taken back."""

import pytest

from sandbox.errors import SandboxError
from sandbox.evaluation.labelling.session import Labelling, SecondOpinions
from sandbox.evaluation.runs.folder import RunFolder
from sandbox.evaluation.runs.labels import read_labels
from sandbox.evaluation.runs.records import Cell
from sandbox.files.storage import Store
from tests.evaluation.scripted_runs import answer, make_run


@pytest.fixture
def run(store: Store) -> RunFolder:
    folder = make_run(store, cases=6)
    for asked in folder.run.cases:
        given = answer(asked, "text_k4", 1)
        folder.add_cell(Cell(configuration="text_k4", case=asked.id, answer=given))
    return folder


def test_a_label_is_on_disk_at_once_and_its_answer_does_not_come_again(run: RunFolder) -> None:
    desk = Labelling([run])
    key = desk.next()[0].cell.key
    desk.label(key, "wrong")
    assert [(one.case, one.value) for one in read_labels(run.folder)] == [(key[1], "wrong")]
    assert key not in [one.cell.key for one in desk.next(6)]
    assert desk.counts.labelled == 1


def test_what_was_taken_back_comes_first_until_something_else_is_said(run: RunFolder) -> None:
    desk = Labelling([run])
    for case in ("case-5", "case-2"):
        desk.label((run.run.id, case), "right")
    assert desk.undo() == (run.run.id, "case-2")
    first, *others = desk.next(6)
    assert (first.cell.case.id, first.reason) == ("case-2", "its label was taken back")
    assert "case-2" not in [one.cell.case.id for one in others]
    desk.skip(first.cell.key)
    assert desk.next(6)[-1].cell.case.id == "case-2"


def test_everything_can_be_taken_back_also_what_was_said_earlier(run: RunFolder) -> None:
    Labelling([run]).label((run.run.id, "case-1"), "right")
    desk = Labelling([run])
    desk.label((run.run.id, "case-2"), "right")
    assert [desk.undo(), desk.undo(), desk.undo()] == [
        (run.run.id, "case-2"),
        (run.run.id, "case-1"),
        None,
    ]
    assert read_labels(run.folder) == ()


def test_another_person_takes_back_only_their_own(run: RunFolder) -> None:
    Labelling([run], labeller="Ada").label((run.run.id, "case-1"), "right")
    assert Labelling([run], labeller="Bo").undo() is None
    assert len(read_labels(run.folder)) == 1


def test_second_opinions_are_counted_among_what_others_labelled(run: RunFolder) -> None:
    first = Labelling([run], labeller="Ada")
    for number in (1, 2, 3):
        first.label((run.run.id, f"case-{number}"), "right")
    second = Labelling([run], labeller="Bo", second=True)
    assert second.second_opinions == SecondOpinions(given=0, wanted=3)
    second.label(second.next()[0].cell.key, "wrong")
    assert second.second_opinions == SecondOpinions(given=1, wanted=3)
    (found,) = second.agreements()
    assert (found.first, found.second, found.agreement.items) == ("Ada", "Bo", 1)


def test_an_answer_that_is_not_there_cannot_be_labelled(run: RunFolder) -> None:
    with pytest.raises(SandboxError, match="has no answer to a case 'case-9'"):
        Labelling([run]).label((run.run.id, "case-9"), "right")
