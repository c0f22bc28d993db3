from pathlib import Path

from sandbox.config import preset
from sandbox.evaluation.runs.folder import create_run
from sandbox.evaluation.runs.labels import new_label
from sandbox.evaluation.runs.outcome import Standing, evaluations, standing
from sandbox.evaluation.runs.records import Cell, Run
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


def test_the_accepted_answers_suggest_a_verdict_where_nobody_labelled() -> None:
    assert standing(CASE, cell("At nine."), ()) == Standing(
        verdict="right", source="suggestion", reason="it holds an accepted answer"
    )


def test_a_label_stands_above_a_suggestion() -> None:
    label = new_label("ctx_k9", "c1", "wrong", labeller="Ana")
    assert standing(CASE, cell("At nine."), [label]) == Standing(
        verdict="wrong", source="label", reason="Ana says wrong"
    )


def test_people_who_disagree_leave_an_answer_unsure() -> None:
    labels = [
        new_label("ctx_k9", "c1", "wrong", labeller="Ana"),
        new_label("ctx_k9", "c1", "right", labeller="Ben"),
    ]
    assert standing(CASE, cell("At nine."), labels) == Standing(
        verdict="unsure",
        source="label",
        reason="people disagree: Ana says wrong; Ben says right",
    )


def test_without_an_answer_nothing_is_said() -> None:
    failed = Cell(configuration="ctx_k9", case="c1", answer=None, failure="cut off")
    assert standing(CASE, failed, ()).verdict is None
    assert standing(CASE, failed, ()).reason == "no answer: cut off"
    assert standing(CASE, None, ()).reason == "not answered yet"


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
    (outcome,) = found[0].outcome()
    assert outcome.counts == {None: 1}
    assert outcome.suggested == 0
    assert not found[0].is_finished
