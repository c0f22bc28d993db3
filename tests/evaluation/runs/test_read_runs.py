from pathlib import Path

import pytest

from sandbox.config import preset
from sandbox.evaluation.labelling.session import label_cells
from sandbox.evaluation.runs.cells import CellView
from sandbox.evaluation.runs.folder import create_run, list_runs
from sandbox.evaluation.runs.labels import add_labels, new_label
from sandbox.evaluation.runs.read import evaluations, read_run, read_runs
from sandbox.evaluation.runs.records import Cell, Label, Right, Run
from sandbox.evaluation.trust.cells import collect_cells
from sandbox.files.storage import Store
from sandbox.records import Answer
from sandbox.testsets.cases import TestCase

CASE = TestCase(
    id="c1",
    question="When does the ferry leave?",
    reference="At nine.",
    accepted_answers=("nine",),
    source="text",
    category="times",
    verified=True,
)


def cell(text: str) -> Cell:
    answer = Answer(question=CASE.question, text=text, refused=False, retrieved=())
    return Cell(configuration="ctx_k9", case="c1", answer=answer)


def run(id: str, *, evaluation: str, created: str) -> Run:
    return Run(
        id=id,
        evaluation=evaluation,
        config=preset("ctx_k9").to_dict(),
        corpus="ferry",
        corpus_digest="d",
        test_set="ferry",
        test_set_digest="t",
        cases=(CASE,),
        metrics=(),
        created=created,
    )


def view(store: Store, answer: Cell | None, *labels: Label) -> CellView:
    """The only cell of a run as it is read."""
    folder = create_run(store, run("1-a", evaluation="1", created="2026-01-01T00:00:00+00:00"))
    if answer is not None:
        folder.add_cell(answer)
    add_labels(folder.folder, labels)
    return read_run(folder).cells["c1"]


def labels(*values: Right) -> list[Label]:
    names = ("Ana", "Ben", "Cy")
    return [
        new_label("ctx_k9", "c1", value, labeller=name)
        for name, value in zip(names, values, strict=False)
    ]


def test_the_accepted_answers_suggest_a_label_where_nobody_labelled(tmp_path: Path) -> None:
    found = view(Store(tmp_path), cell("At nine."))
    assert (found.label, found.label_or_suggestion, found.source) == (None, "right", "suggestion")
    assert found.reason == "it holds an accepted answer"


def test_a_label_stands_above_a_suggestion(tmp_path: Path) -> None:
    found = view(Store(tmp_path), cell("At nine."), *labels("wrong"))
    assert (found.label, found.source, found.reason) == ("wrong", "label", "Ana says wrong")


def test_people_who_disagree_equally_leave_an_answer_unsure(tmp_path: Path) -> None:
    found = view(Store(tmp_path), cell("At nine."), *labels("wrong", "right"))
    assert (found.label, found.source) == ("unsure", "label")
    assert found.reason == "people disagree: Ana says wrong; Ben says right"


@pytest.mark.parametrize(
    ("values", "counts", "reason"),
    [
        (
            ("right", "right", "wrong"),
            "right",
            "the majority counts: Ana says right; Ben says right; Cy says wrong",
        ),
        (("right", "unsure"), "right", "Ana says right; Ben says unsure"),
        (("unsure", "wrong"), "wrong", "Ana says unsure; Ben says wrong"),
    ],
)
def test_the_majority_counts_in_the_matrix_as_in_the_trust_table(
    tmp_path: Path, values: tuple[Right, ...], counts: Right, reason: str
) -> None:
    found = view(Store(tmp_path), cell("At nine."), *labels(*values))
    folders = list_runs(Store(tmp_path))
    (trusted,) = collect_cells(read_runs(folders)).cells
    (labelled,) = label_cells(folders)
    assert (found.label_or_suggestion, trusted.label, labelled.label) == (counts,) * 3
    assert found.reason == reason


def test_without_an_answer_nothing_is_said(tmp_path: Path) -> None:
    cut = Cell(configuration="ctx_k9", case="c1", answer=None, failure="cut off")
    failed = view(Store(tmp_path / "failed"), cut)
    assert (failed.label_or_suggestion, failed.source) == (None, "nothing")
    assert failed.reason == "no answer: cut off"
    assert view(Store(tmp_path / "open"), None).reason == "not answered yet"


def test_runs_that_were_started_together_are_one_evaluation_and_the_newest_is_first(
    tmp_path: Path,
) -> None:
    store = Store(tmp_path)
    for id, evaluation, created in (
        ("1-b", "1", "2026-01-01T00:00:00+00:00"),
        ("1-a", "1", "2026-01-01T00:00:00+00:00"),
        ("2-a", "2", "2026-01-02T00:00:00+00:00"),
    ):
        create_run(store, run(id, evaluation=evaluation, created=created))

    found = evaluations(store)

    assert [[one.run.id for one in evaluation.runs] for evaluation in found] == [
        ["2-a"],
        ["1-a", "1-b"],
    ]
    (outcome,) = read_runs(found[0].runs)
    assert outcome.counts == {None: 1}
    assert outcome.suggested == 0
    assert not found[0].is_finished
