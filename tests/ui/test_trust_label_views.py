"""What labelling shows, as functions from records to HTML."""

import re
from dataclasses import replace

import pytest

from sandbox.evaluation.labelling.next_labels import Proposal
from sandbox.evaluation.labelling.session import Labelling
from sandbox.evaluation.runs.cells import CellView
from sandbox.evaluation.runs.folder import RunFolder
from sandbox.evaluation.runs.labels import add_labels, new_label
from sandbox.evaluation.runs.records import Cell
from sandbox.evaluation.runs.suggestions import Suggestion
from sandbox.files.storage import Store
from sandbox.ui.trust.view import done_html, mark, task_html
from tests.evaluation.scripted_runs import answer, case, make_run

MARKUP = "<script>x</script>"


def proposal(text: str = f"It has 7 beds {MARKUP}") -> Proposal:
    asked = case(7, question=f"How many? {MARKUP}")
    cell = CellView(
        run="r1",
        configuration="ctx_k9",
        case=asked,
        answer=answer(asked, "ctx_k9", 7, text=text),
        suggestion=Suggestion(value="right", reason="it holds an accepted answer"),
        scores={},
        labels=(),
    )
    return Proposal(cell=cell, reason="probably right")


def words(html: str) -> str:
    return " ".join(re.sub("<[^>]+>", " ", html).split())


@pytest.fixture
def run(store: Store) -> RunFolder:
    """Four answers, of which the first is labelled right."""
    folder = make_run(store, cases=4)
    for asked in folder.run.cases:
        folder.add_cell(Cell(configuration="text_k4", case=asked.id, answer=answer(asked, "a", 1)))
    add_labels(folder.folder, [new_label("text_k4", "case-1", "right", labeller="me")])
    return folder


def shown(item: Proposal, run: RunFolder, *, second: bool = False, status: str = "") -> str:
    return task_html(item, Labelling([run], second=second), status=status)


def test_an_answer_stands_with_question_reference_suggestion_reason_and_progress(
    run: RunFolder,
) -> None:
    text = words(shown(proposal(), run, status="case-6 is right"))
    assert text.startswith("1 of 4 labelled (1 right, 0 wrong) ctx_k9 · case-7 why this one: ")
    for part in (
        "question How many?",
        "answer It has 7 beds",
        "reference Ward 7 has 7 beds.",
        "suggested right : it holds an accepted answer; it counts once you confirm it",
        "case-6 is right",
    ):
        assert part in text


def test_buttons_say_which_answer_they_are_about_and_their_keys(run: RunFolder) -> None:
    html = shown(proposal(), run)
    assert re.findall("data-key='(.)'", html) == ["r", "w", "u", "s", "z", "q"]
    assert html.count("data-run='r1' data-case='case-7'") == 6


def test_a_label_that_was_given_is_pressed(run: RunFolder) -> None:
    item = proposal()
    labelled = item.cell.with_label(new_label("ctx_k9", "case-7", "wrong", labeller="me"))
    html = shown(replace(item, cell=labelled), run)
    assert re.findall("data-label='([a-z]*)'[^>]*aria-pressed='true'", html) == ["wrong"]


def test_a_second_opinion_sees_neither_suggestion_nor_other_labels(run: RunFolder) -> None:
    item = proposal()
    labelled = item.cell.with_label(new_label("ctx_k9", "case-7", "wrong", labeller="Ada"))
    seen = words(shown(replace(item, cell=labelled), run))
    blind = words(shown(replace(item, cell=labelled), run, second=True))
    assert "Ada says wrong" in seen
    assert "Ada" not in blind
    assert "suggested" not in blind


def test_where_nothing_is_suggested_the_reason_is_said(run: RunFolder) -> None:
    item = proposal()
    unsure = replace(item.cell, suggestion=Suggestion(value="unsure", reason="12 stands there"))
    assert "no suggestion: 12 stands there" in words(shown(replace(item, cell=unsure), run))


def test_an_empty_answer_says_so(run: RunFolder) -> None:
    assert "the answer is empty" in words(shown(proposal(" "), run))


def test_accepted_answers_are_marked_but_not_inside_other_numbers() -> None:
    assert mark("7 of 17", ["7"]) == [("", False), ("7", True), (" of 17", False)]
    assert mark("七起，共41例", ["7起", "七起"])[1:] == [("七起", True), ("，共41例", False)]


def test_accepted_answers_are_marked_in_the_answer_and_in_the_reference(run: RunFolder) -> None:
    html = shown(proposal("It has 7 beds."), run)
    assert "It has <mark>7</mark> beds." in html
    assert "Ward <mark>7</mark> has <mark>7</mark> beds." in html


def test_markup_is_shown_literally(run: RunFolder) -> None:
    assert "<script" not in shown(proposal(), run, status=MARKUP)


def test_when_nothing_is_left_it_says_where_to_go(run: RunFolder) -> None:
    assert "See the table" in words(done_html(Labelling([run])))
    second = words(done_html(Labelling([run], labeller="Ada", second=True)))
    assert second.startswith("0 of 1 that others labelled")
    assert "another person labelled" in second


def test_runs_without_answers_say_where_to_make_some(store: Store) -> None:
    assert "finish them on the Evaluate tab" in words(done_html(Labelling([make_run(store)])))
