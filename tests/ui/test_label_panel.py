"""What labelling shows, as functions from records to HTML."""

import re
from dataclasses import replace

from sandbox.evaluation.accepted import Suggestion
from sandbox.evaluation.label_cells import LabelCell, LabelCounts
from sandbox.evaluation.label_queue import Proposal
from sandbox.evaluation.labels import new_label
from sandbox.ui.label_panel import done_html, marked_html, task_html
from tests.evaluation.scripted_runs import answer, case

MARKUP = "<script>x</script>"
COUNTS = LabelCounts(cells=4, right=1, wrong=0, unsure=0, accepted=0)


def proposal(text: str = f"It has 7 beds {MARKUP}") -> Proposal:
    asked = case(7, question=f"How many? {MARKUP}")
    cell = LabelCell(
        run="r1",
        configuration="ctx_k9",
        case=asked,
        answer=answer(asked, "ctx_k9", 7, text=text),
        suggestion=Suggestion(verdict="right", reason="it holds an accepted answer"),
        scores={},
        labels=(),
    )
    return Proposal(cell=cell, reason="probably right")


def words(html: str) -> str:
    return " ".join(re.sub("<[^>]+>", " ", html).split())


def shown(one: Proposal, *, blind: bool = False, said: str = "") -> str:
    return task_html(one, COUNTS, labeller="me", blind=blind, said=said)


def test_an_answer_stands_with_question_reference_suggestion_reason_and_progress() -> None:
    text = words(shown(proposal(), said="case-6 is right"))
    assert text.startswith("1 of 4 labelled (1 right, 0 wrong) ctx_k9 · case-7 why this one: ")
    for part in (
        "question How many?",
        "answer It has 7 beds",
        "reference Ward 7 has 7 beds.",
        "suggested right : it holds an accepted answer; it counts once you confirm it",
        "case-6 is right",
    ):
        assert part in text


def test_buttons_say_which_answer_they_are_about_and_their_keys() -> None:
    html = shown(proposal())
    assert re.findall("data-key='(.)'", html) == ["r", "w", "u", "s", "z", "q"]
    assert html.count("data-run='r1' data-case='case-7'") == 6


def test_a_label_that_was_given_is_pressed() -> None:
    one = proposal()
    labelled = one.cell.with_label(new_label("ctx_k9", "case-7", "wrong", labeller="me"))
    html = shown(replace(one, cell=labelled))
    assert re.findall("data-verdict='([a-z]*)'[^>]*aria-pressed='true'", html) == ["wrong"]


def test_a_second_opinion_sees_neither_suggestion_nor_other_labels() -> None:
    one = proposal()
    said = one.cell.with_label(new_label("ctx_k9", "case-7", "wrong", labeller="Ada"))
    seen = words(shown(replace(one, cell=said)))
    blind = words(shown(replace(one, cell=said), blind=True))
    assert "Ada says wrong" in seen
    assert "Ada" not in blind
    assert "suggested" not in blind


def test_an_empty_answer_says_so() -> None:
    assert "the answer is empty" in words(shown(proposal(" ")))


def test_accepted_answers_are_marked_but_not_inside_other_numbers() -> None:
    assert marked_html("7 of 17", ["7"]) == "<mark>7</mark> of 17"
    assert marked_html("七起，共41例", ["7起", "七起"]) == "<mark>七起</mark>，共41例"


def test_markup_is_shown_literally() -> None:
    assert "<script" not in shown(proposal(), said=MARKUP)


def test_when_nothing_is_left_it_says_where_to_go() -> None:
    assert "See the table" in words(done_html(COUNTS, second=False))
    assert "another person labelled" in words(done_html(COUNTS, second=True))
    empty = LabelCounts(cells=0, right=0, wrong=0, unsure=0, accepted=0)
    assert "finish them on the Evaluate tab" in words(done_html(empty, second=False))
