"""Drafts test cases with the chat model from pages of the documents, for a person to confirm.

Nothing invented is kept: what a draft's reference says must stand on its page. Every draft is
unverified, so that it enters no score before a person has compared it with the page. Questions
about figures and unanswerable ones are left to a person.
"""

import json
import re
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from sandbox.errors import ConfigError, CorpusError, ModelReplyError
from sandbox.files.storage import digest_of
from sandbox.models.base import ChatModel
from sandbox.models.chat import stream_reply
from sandbox.progress import Progress
from sandbox.records import Corpus
from sandbox.testsets.cases import TestCase
from sandbox.testsets.check import keep_letters, text_with_tables
from sandbox.text.languages import Language, detect_language
from sandbox.text.quantities import read
from sandbox.text.sentences import split_sentences
from sandbox.text.tokenization import tokenize

PROMPTS: dict[Language, str] = {
    "en": (
        "Below is one page of a document. Write {count} questions that this page answers and that"
        " can be understood without seeing it, each about another fact, with a short answer taken"
        " from the page word for word. Name years, places and units in the question. Reply with"
        ' JSON only: [{{"question": "...", "answer": "..."}}]'
    ),
    "zh-Hant": (
        "以下是一份文件的一頁。請寫出 {count} 個這一頁能回答的問題，每題問不同的事實，"
        "不看這一頁也能看懂題目，並附上照抄頁面文字的簡短答案。題目要寫明年份、地點和單位。"
        '只回覆 JSON：[{{"question": "...", "answer": "..."}}]'
    ),
    "zh-Hans": (
        "以下是一份文件的一页。请写出 {count} 个这一页能回答的问题，每题问不同的事实，"
        "不看这一页也能看懂题目，并附上照抄页面文字的简短答案。题目要写明年份、地点和单位。"
        '只回复 JSON：[{{"question": "...", "answer": "..."}}]'
    ),
}
LEAST_LETTERS = 40
"""Letters and digits; a page with fewer is not worth asking the model."""

PER_PAGE = 3
"""Questions asked for on each page."""

TOKENS_PER_DRAFT = 160
"""Room in the reply for one question and its answer as JSON."""

FOUND_SHARE = 0.7
"""Share of the words of a reference that must stand on the page or in the question; the rest are
words that join them into a sentence."""

SHORT_REFERENCE = 24
"""Characters up to which a reference itself serves as the accepted answer."""

LONGEST_REFERENCE = 200
"""Characters; a longer reference is no short answer."""

_ASKING = re.compile(
    r"[?？]|\b(?:what|which|who|whose|when|where|why|how|is|are|was|were|do|does|did)\b"
    r"|[哪誰谁何幾几嗎吗]|什麼|什么|多少|多久"
)
_POINTING = (
    *("this page", "the page", "the passage", "the text", "the document above", "above text"),
    *("這一頁", "這頁", "本頁", "这一页", "这页", "本页", "上文", "以上文字"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftPage:
    """A page to draft from."""

    document: str
    number: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Dropped:
    """A draft that was not kept."""

    page: int
    question: str
    """Empty where the whole page gave nothing."""

    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Drafts:
    """What a model drafted."""

    cases: tuple[TestCase, ...]
    dropped: tuple[Dropped, ...]


def choose_pages(
    corpus: Corpus, numbers: Sequence[int] = (), *, document: str = ""
) -> tuple[DraftPage, ...]:
    """Pages of a corpus with their text and tables; no numbers mean all, no document all of them.

    Raises:
        CorpusError: If no such page holds text.
    """
    pages = tuple(
        DraftPage(document=each.name, number=page.number, text=text)
        for each in corpus.documents
        if document in ("", each.name)
        for page in each.pages
        if not numbers or page.number in numbers
        if len(keep_letters(text := text_with_tables(page))) >= LEAST_LETTERS
    )
    if not pages:
        raise CorpusError(
            f"none of the chosen pages of {document or corpus.name} holds text to ask about;"
            " choose other pages"
        )
    return pages


def parse_page_numbers(text: str) -> tuple[int, ...]:
    """Page numbers as a person writes them; none for an empty text.

    >>> parse_page_numbers("2, 5-7")
    (2, 5, 6, 7)

    Raises:
        ConfigError: If the text holds anything else.
    """
    numbers: list[int] = []
    for part in text.replace("，", ",").replace("、", ",").split(","):
        first, dash, last = part.strip().partition("-")
        if not part.strip():
            continue
        if not first.strip().isdecimal() or (dash and not last.strip().isdecimal()):
            raise ConfigError(f"pages are written as in 2,5-7, not {text!r}")
        numbers += range(int(first), int(last or first) + 1)
    return tuple(numbers)


def draft(
    model: ChatModel,
    pages: Sequence[DraftPage],
    *,
    per_page: int = PER_PAGE,
    existing: Sequence[TestCase] = (),
    seed: int = 42,
) -> Generator[Progress, None, Drafts]:
    """Ask the model for questions, page by page; closing the generator stops it.

    Fewer than `per_page` can usually be kept; questions of `existing` are not asked again.

    Raises:
        ModelError: If the model is not there or does not answer in time.
    """
    seen = {keep_letters(case.question) for case in existing}
    cases: list[TestCase] = []
    dropped: list[Dropped] = []
    for position, page in enumerate(pages):
        yield Progress(
            stage="answer",
            done=position,
            total=len(pages),
            message=f"drafting from page {page.number} of {page.document}, {len(cases)} kept",
        )
        try:
            reply = _ask(model, page, per_page, seed)
        except ModelReplyError as error:
            dropped.append(Dropped(page=page.number, question="", reason=str(error)))
            continue
        pairs = list(read_pairs(reply))
        if not pairs:
            reason = "the reply held no question with an answer as JSON"
            dropped.append(Dropped(page=page.number, question="", reason=reason))
        for question, reference in pairs:
            if reason := _fault(question, reference, page, seen):
                dropped.append(Dropped(page=page.number, question=question, reason=reason))
                continue
            seen.add(keep_letters(question))
            cases.append(_case(question, reference, page))
    return Drafts(cases=tuple(cases), dropped=tuple(dropped))


def read_pairs(reply: str) -> Iterator[tuple[str, str]]:
    """Each question with its answer in a reply.

    Small models put words around the JSON, nest it, or are cut off in it; every whole object is
    used.

    >>> list(read_pairs('Sure: [{"question": "Who?", "answer": "Ann"}, {"ques'))
    [('Who?', 'Ann')]
    """
    decoder = json.JSONDecoder(strict=False)
    place = reply.find("{")
    while place >= 0:
        try:
            value, end = decoder.raw_decode(reply, place)
        except (ValueError, RecursionError):
            end = place + 1
        else:
            yield from _pairs(value)
        place = reply.find("{", end)


def _ask(model: ChatModel, page: DraftPage, per_page: int, seed: int) -> str:
    system = PROMPTS[detect_language(page.text)].format(count=per_page)
    answer_tokens = per_page * TOKENS_PER_DRAFT
    room = model.context_tokens - answer_tokens - model.count_tokens(system) - 32
    text = page.text
    while model.count_tokens(text) > room:
        text = text[: len(text) * 3 // 4]
    parts = stream_reply(model, system, text, temperature=0, seed=seed, max_tokens=answer_tokens)
    return "".join(part.text for part in parts)


def _fault(question: str, reference: str, page: DraftPage, seen: set[str]) -> str:
    """Why a draft cannot be kept; empty if it can."""
    if len(keep_letters(question)) < 4 or not keep_letters(reference):
        return "it has no question or no answer"
    if not _ASKING.search(question.lower()):
        return "it is not a question"
    if len(reference) > LONGEST_REFERENCE:
        return f"its answer is longer than {LONGEST_REFERENCE} characters"
    if any(words in question.lower() for words in _POINTING):
        return "its question points to a page that a reader of the question does not see"
    if keep_letters(question) in seen:
        return "the same question is there already"
    if keep_letters(reference) in keep_letters(question):
        return "its question gives the answer away"
    given = f"{page.text}\n{question}"
    given_numbers = read(given).numbers
    for number in read(reference).numbers:
        if not any(number.is_meant_by(other) for other in given_numbers):
            return f"the number {number.written:f} of its answer is not on the page"
    words = _words(reference)
    missing = words - _words(given)
    if words and 1 - len(missing) / len(words) < FOUND_SHARE:
        return f"its answer is not on the page ({', '.join(sorted(missing)[:4])})"
    return ""


def _case(question: str, reference: str, page: DraftPage) -> TestCase:
    short = reference.rstrip("。.")
    return TestCase(
        id=f"draft-{digest_of(page.document, page.number, question)[:8]}",
        question=question,
        reference=reference,
        accepted_answers=(short,) if len(short) <= SHORT_REFERENCE else (),
        source="text",
        category="draft",
        relevant_pages=(page.number,),
        quotes=(_quote(question, reference, page),),
        document=page.document,
    )


def _quote(question: str, reference: str, page: DraftPage) -> str:
    """The sentence or table row of the page that shares most with the answer, then the question."""
    answer, asked, numbers = _words(reference), _words(question), read(reference).numbers

    def shared(sentence: str) -> tuple[int, int, int]:
        words, there = _words(sentence), read(sentence).numbers
        shared_numbers = sum(
            any(number.is_meant_by(other) for other in there) for number in numbers
        )
        return shared_numbers, len(answer & words), len(asked & words)

    return max(filter(keep_letters, split_sentences(page.text)), key=shared)


def _words(text: str) -> set[str]:
    """Words and pairs of ideographs; numbers are compared by value elsewhere."""
    return {term for term in tokenize(text) if len(term) > 1 and not term[0].isdigit()}


def _pairs(value: Any) -> Iterator[tuple[str, str]]:
    if isinstance(value, list):
        for item in value:
            yield from _pairs(item)
    elif isinstance(value, dict):
        question = value.get("question", value.get("問題", value.get("问题")))
        answer = value.get("answer", value.get("reference", value.get("答案")))
        if isinstance(question, str) and isinstance(answer, str | int | float):
            yield question.strip(), str(answer).strip()
        else:
            for item in value.values():
                yield from _pairs(item)
