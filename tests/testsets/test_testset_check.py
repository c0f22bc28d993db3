from dataclasses import replace
from typing import Any

from sandbox.records import Block, Box, Corpus, Document, Line, Page
from sandbox.testsets.cases import TestCase
from sandbox.testsets.check import check

CASE = TestCase(
    id="a",
    question="How many pumps?",
    reference="Seven pumps.",
    accepted_answers=("7",),
    source="text",
    category="count",
    verified=True,
)


def kinds(*cases: TestCase, corpus: Corpus | None = None) -> set[str]:
    return {str(doubt.kind) for doubt in check(cases, corpus)} - {
        "few cases",
        "unanswerable",
        "small category",
    }


def sentence(kind: str, *cases: TestCase, corpus: Corpus | None = None) -> str:
    return next(doubt.sentence for doubt in check(cases, corpus) if doubt.kind == kind)


def other(**changes: Any) -> TestCase:
    return replace(CASE, **{"id": "b", "question": "Where are they?", **changes})


def corpus(text: str = "There are seven pumps.") -> Corpus:
    box = Box(page=1, left=0, top=0, right=1, bottom=1)
    block = Block(lines=(Line(text=text, box=box),))
    page = Page(number=1, width=1, height=1, source="text layer", blocks=(block,))
    return Corpus(
        name="plant", documents=(Document(digest="d", name="p.pdf", page_count=1, pages=(page,)),)
    )


def sound() -> list[TestCase]:
    answerable = [other(id=f"a{n}", question=f"How many in {'room' * n}?") for n in range(45)]
    silent = [
        TestCase(
            id=f"n{n}",
            question=f"Who built {n}?",
            reference="It does not say.",
            source="none",
            category="none",
            answerable=False,
            verified=True,
        )
        for n in range(5)
    ]
    return answerable + silent


def test_a_sound_test_set_raises_no_doubt() -> None:
    assert check(sound(), corpus()) == ()


def test_too_few_cases_and_none_unanswerable_say_how_many_to_add() -> None:
    assert sentence("few cases", CASE).endswith("write 49 more to have 50")
    assert sentence("unanswerable", CASE).startswith("no question that the documents do not answer")


def test_unverified_references_are_counted() -> None:
    assert sentence("unverified", other(verified=False)).startswith(
        "none of the 1 references is verified"
    )
    assert sentence("unverified", CASE, other(verified=False)).startswith(
        "1 of the 2 references are not verified"
    )


def test_pages_and_documents_that_do_not_exist_are_named() -> None:
    assert sentence("page", replace(CASE, relevant_pages=(9,)), corpus=corpus()).startswith(
        "a names page 9, but p.pdf has 1"
    )
    assert sentence("page", replace(CASE, document="x.pdf"), corpus=corpus()).startswith(
        "a is about 'x.pdf', which is not in plant"
    )


def test_a_quote_must_stand_in_the_text_but_not_that_of_a_figure() -> None:
    missing = replace(CASE, quotes=("eight pumps",))
    assert kinds(missing, corpus=corpus()) == {"quote"}
    assert kinds(replace(CASE, quotes=("SEVEN  pumps",)), corpus=corpus()) == set()
    assert kinds(replace(missing, source="image"), corpus=corpus()) == set()


def test_questions_that_differ_only_in_writing_are_duplicates() -> None:
    assert kinds(
        replace(CASE, question="哪一年最多？"), other(question=" 哪一年 最多?", reference="7")
    ) == {"duplicate"}


def test_small_categories_are_named() -> None:
    assert "(count)" in sentence("small category", CASE)


def test_accepted_answers_that_contradict_the_case_are_named() -> None:
    silent = replace(CASE, answerable=False, source="none")
    assert sentence("contradiction", silent) == (
        "a is marked unanswerable but accepts '7'; empty its accepted answers or mark it answerable"
    )
    assert "holds none of its accepted answers" in sentence(
        "contradiction", replace(CASE, accepted_answers=("8",))
    )


def test_an_accepted_answer_in_the_question_and_a_missing_one_are_named() -> None:
    assert kinds(replace(CASE, question="Are there 7 or 8 pumps?")) == {"given away"}
    assert kinds(replace(CASE, accepted_answers=())) == {"no accepted answer"}
