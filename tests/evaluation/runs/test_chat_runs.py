"""Answers judged while chatting become labelled cells and test cases."""

from dataclasses import replace

from sandbox.evaluation.labelling.session import label_cells
from sandbox.evaluation.runs.chat import Chatted, add_case, case_of, keep_label
from sandbox.evaluation.runs.folder import CHATTED, find_runs
from sandbox.evaluation.runs.read import evaluations
from sandbox.files.storage import Store
from sandbox.records import Answer
from sandbox.testsets.cases import load
from tests.evaluation.scripted_runs import answer, case, make_run


def chatted(given: Answer, *, top_k: int = 4, corpus: str = "wards") -> Chatted:
    return Chatted(
        corpus=corpus,
        corpus_digest=f"digest of {corpus}",
        config={"name": "text_k4", "top_k": top_k},
        answer=given,
    )


def given(number: int, text: str = "It has beds.") -> Answer:
    return replace(answer(case(number), "text_k4", number, 9, text=text), citations=(1,))


def test_judged_answers_collect_in_one_run_with_their_labels(store: Store) -> None:
    keep_label(store, chatted(given(1)), "right", labeller="me")
    keep_label(store, chatted(given(2)), "wrong", labeller="me")
    (run,) = find_runs(store, [CHATTED])
    cells = label_cells([run])
    assert [(cell.case.question, cell.label) for cell in cells] == [
        ("How many beds has ward 1?", "right"),
        ("How many beds has ward 2?", "wrong"),
    ]
    assert [cell.case.reference for cell in cells] == ["", ""]


def test_other_settings_or_another_corpus_are_another_run(store: Store) -> None:
    keep_label(store, chatted(given(1)), "right", labeller="me")
    keep_label(store, chatted(given(1), top_k=9), "right", labeller="me")
    keep_label(store, chatted(given(1), corpus="clinics"), "right", labeller="me")
    assert len(find_runs(store, [CHATTED])) == 3


def test_the_same_question_keeps_its_latest_answer_and_label(store: Store) -> None:
    keep_label(store, chatted(given(1, "12.")), "right", labeller="me")
    keep_label(store, chatted(given(1, "13.")), "wrong", labeller="me")
    (cell,) = label_cells(find_runs(store, [CHATTED]))
    assert (cell.text, cell.label) == ("13.", "wrong")


def test_chats_are_no_evaluation_and_never_the_latest(store: Store) -> None:
    make_run(store)
    keep_label(store, chatted(given(1)), "right", labeller="me")
    assert [one.id for one in evaluations(store)] == ["first"]
    assert [one.run.evaluation for one in find_runs(store, ["latest"])] == ["first"]


def test_a_question_becomes_an_unverified_case_with_the_cited_pages(store: Store) -> None:
    folder = store.results / "testsets"
    assert add_case(folder, case_of(given(3))) == 1
    assert add_case(folder, case_of(given(4), "wrong")) == 2
    first, second = load(folder / "from-chat.jsonl")
    assert (first.question, first.reference) == ("How many beds has ward 3?", "It has beds.")
    assert (first.relevant_pages, first.document, first.verified) == ((3,), "wards.pdf", False)
    assert second.reference == "(to be corrected) It has beds."


def test_the_same_question_is_added_once(store: Store) -> None:
    assert add_case(store.results, case_of(given(3))) == 1
    assert add_case(store.results, case_of(given(3, "Twelve."))) == 1
    (only,) = load(store.results / "from-chat.jsonl")
    assert only.reference == "Twelve."


def test_a_refusal_becomes_an_unanswerable_case(store: Store) -> None:
    refusal = replace(given(3, "The material does not say."), refused=True, citations=())
    add_case(store.results, case_of(refusal))
    (only,) = load(store.results / "from-chat.jsonl")
    assert (only.source, only.answerable, only.relevant_pages) == ("none", False, ())
