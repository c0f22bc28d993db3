import json
from collections.abc import Callable

import pytest

from sandbox.errors import ConfigError, CorpusError
from sandbox.models.scripted import ScriptedChat
from sandbox.progress import Progress
from sandbox.records import Block, Box, Corpus, Document, Line, Page
from sandbox.testsets.cases import TestCase
from sandbox.testsets.drafts import DraftPage, Drafts, choose_pages, draft, parse_page_numbers

PAGE = DraftPage(
    document="report.pdf",
    number=3,
    text="The water works. In 2024 the company delivered 63.9 million cubic meters of water."
    " Most of it went to households in Eastfen.",
)
GOOD = {
    "question": "How much water did the company deliver in 2024?",
    "answer": "63.9 million cubic meters",
}


def run(reply: str | Callable[[str, str], str], *pages: DraftPage, **options: object) -> Drafts:
    answer = reply if callable(reply) else lambda _system, _user: reply
    work = draft(ScriptedChat(answer), pages or (PAGE,), **options)  # type: ignore[arg-type]
    while True:
        try:
            assert isinstance(next(work), Progress)
        except StopIteration as end:
            drafts: Drafts = end.value
            return drafts


def reasons(*drafts: object, **options: object) -> list[str]:
    return [one.reason for one in run(json.dumps(drafts), **options).dropped]


def test_a_draft_names_its_page_and_quote_and_is_not_verified() -> None:
    (case,) = run(json.dumps([GOOD])).cases
    assert (case.question, case.reference) == (GOOD["question"], GOOD["answer"])
    assert (case.document, case.relevant_pages, case.source) == ("report.pdf", (3,), "text")
    assert case.quotes == ("In 2024 the company delivered 63.9 million cubic meters of water.",)
    assert (case.answerable, case.verified) == (True, False)


@pytest.mark.parametrize(
    "reply",
    [
        f"Here you are:\n```json\n{json.dumps([GOOD], indent=1)}\n```\nDone.",
        json.dumps({"questions": [GOOD]}),
        json.dumps(GOOD) + "\n" + json.dumps({"question": "Which"})[:-3],
        "[" + json.dumps(GOOD) + ', {"question": "Where did mos',
        "{not json} " + json.dumps(GOOD),
    ],
)
def test_json_is_found_in_whatever_the_model_says(reply: str) -> None:
    assert len(run(reply).cases) == 1


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"answer": "64.9 million"}, "the number 64.9 of its answer is not on the page"),
        ({"answer": "By a dragon"}, "its answer is not on the page (by, dragon)"),
        ({"answer": ""}, "it has no question or no answer"),
        ({"question": "6. Deliveries of water"}, "it is not a question"),
        ({"answer": "water " * 40}, "its answer is longer than 200 characters"),
        (
            {"question": "What does the page say of water?"},
            "its question points to a page that a reader of the question does not see",
        ),
        (
            {"question": "Did most go to households in Eastfen?", "answer": "Eastfen"},
            "its question gives the answer away",
        ),
    ],
)
def test_what_is_invented_or_useless_is_dropped_with_its_reason(
    change: dict[str, str], reason: str
) -> None:
    assert reasons({**GOOD, **change}) == [reason]


def test_a_question_that_is_there_already_is_dropped() -> None:
    (case,) = run(json.dumps([GOOD])).cases
    said = "the same question is there already"
    assert reasons(GOOD, GOOD) == [said]
    assert reasons({**GOOD, "question": GOOD["question"].upper()}, existing=(case,)) == [said]


def test_a_reply_without_json_drops_the_page_and_the_next_one_goes_on() -> None:
    second = DraftPage(document="report.pdf", number=4, text=PAGE.text)
    drafts = run(
        lambda _system, user: json.dumps([GOOD]) if "second" in user else "I cannot.",
        PAGE,
        DraftPage(document="report.pdf", number=4, text=f"second {second.text}"),
    )
    assert [case.relevant_pages for case in drafts.cases] == [(4,)]
    assert [(one.page, one.reason) for one in drafts.dropped] == [
        (3, "the reply held no question with an answer as JSON")
    ]


def test_a_chinese_page_is_asked_in_chinese_and_numerals_are_compared() -> None:
    asked: list[str] = []

    def reply(system: str, _user: str) -> str:
        asked.append(system)
        return json.dumps([{"question": "113年共有幾例病例？", "answer": "403例"}])

    page = DraftPage(
        document="a.pdf", number=1, text="民國113年全市共有四百零三例確定病例。多數為成人。"
    )
    (case,) = run(reply, page).cases
    assert asked[0].startswith("以下是一份文件的一頁。請寫出 3 個")
    assert case.quotes == ("民國113年全市共有四百零三例確定病例。",)
    assert case.accepted_answers == ("403例",)


def test_a_long_page_is_cut_to_what_the_model_reads() -> None:
    lengths: list[int] = []

    def reply(_system: str, user: str) -> str:
        lengths.append(len(user))
        return "[]"

    work = draft(
        ScriptedChat(reply, context_tokens=1200),
        [DraftPage(document="a.pdf", number=1, text="word " * 9000)],
    )
    list(work)
    assert 0 < lengths[0] < 6000


def corpus() -> Corpus:
    box = Box(page=1, left=0, top=0, right=1, bottom=1)

    def page(number: int, text: str) -> Page:
        block = Block(lines=(Line(text=text, box=box),))
        return Page(number=number, width=1, height=1, source="text layer", blocks=(block,))

    pages = (page(1, PAGE.text), page(2, "Contents"), page(3, PAGE.text))
    return Corpus(
        name="plant", documents=(Document(digest="d", name="p.pdf", page_count=3, pages=pages),)
    )


def test_pages_are_chosen_by_number_and_those_without_text_are_left_out() -> None:
    assert [page.number for page in choose_pages(corpus())] == [1, 3]
    assert [page.number for page in choose_pages(corpus(), [3, 9])] == [3]
    with pytest.raises(CorpusError, match="none of the chosen pages of plant holds text"):
        choose_pages(corpus(), [2])


def test_existing_cases_are_not_changed() -> None:
    case = TestCase(id="a", question="q", reference="r", source="text", category="c")
    assert len(run(json.dumps([GOOD]), existing=(case,)).cases) == 1


def test_page_numbers_are_written_as_numbers_and_ranges() -> None:
    assert parse_page_numbers("") == ()
    assert parse_page_numbers("2, 5-7，9") == (2, 5, 6, 7, 9)
    with pytest.raises(ConfigError, match="as in 2,5-7, not 'iv'"):
        parse_page_numbers("iv")
