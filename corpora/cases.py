"""Test cases in short form, their numbering, and the checks that a PDF really holds what they say.

Leaves out the questions.
"""

import dataclasses
import json
import re
from collections.abc import Iterable, Sequence

import pymupdf

from sandbox.testsets.cases import EvidenceSource, TestCase


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A test case before it has a number."""

    category: str
    text: str
    reference: str
    accepted: Sequence[str] = ()
    source: EvidenceSource = "text"
    pages: Sequence[int] = ()
    quotes: Sequence[str] = ()
    """Evidence in the text layer, which may be a chart's labels; needed where the answer has to be
    worked out."""

    printed: Sequence[str] = ()
    """Evidence that stands only in a picture."""


def in_text(
    pages: Sequence[int], category: str, text: str, reference: str, accepted: str
) -> Question:
    """A question that the text of pages answers; accepted answers are separated by "|"."""
    return Question(
        category=category,
        text=text,
        reference=reference,
        accepted=accepted.split("|"),
        pages=pages,
    )


def in_picture(
    pages: Sequence[int],
    category: str,
    text: str,
    reference: str,
    accepted: Sequence[str],
    printed: Sequence[str],
) -> Question:
    """A question that only a picture answers, with the words and numbers printed in it."""
    return Question(
        category=category,
        text=text,
        reference=reference,
        accepted=accepted,
        source="image",
        pages=pages,
        printed=printed,
    )


def in_chart(pages: Sequence[int], text: str, value: int, unit: str) -> Question:
    """A question that a chart answers whose numbers are in the text layer, in no sentence."""
    return Question(
        category="chart value",
        text=text,
        reference=f"{value}{unit}.",
        accepted=[f"{value}{unit}", str(value)],
        source="image",
        pages=pages,
        quotes=[str(value)],
    )


def unanswerable(text: str, reference: str) -> Question:
    """A question about which the document is silent."""
    return Question(category="unanswerable", text=text, reference=reference, source="none")


def number_cases(questions: Sequence[Question], prefix: str, document: str) -> list[TestCase]:
    """The test cases, with ids in order."""
    return [
        TestCase(
            id=f"{prefix}-{number:02d}",
            question=question.text,
            reference=question.reference,
            accepted_answers=tuple(question.accepted),
            source=question.source,
            category=question.category,
            relevant_pages=tuple(question.pages),
            quotes=tuple(question.quotes),
            answerable=question.source != "none",
            verified=True,
            document=document,
        )
        for number, question in enumerate(questions, start=1)
    ]


def to_lines(cases: Iterable[TestCase]) -> str:
    """JSON Lines, one case a line."""
    return "".join(
        json.dumps(dataclasses.asdict(case), ensure_ascii=False) + "\n" for case in cases
    )


def page_texts(pdf: bytes) -> list[str]:
    """Each page's text layer without white space."""
    with pymupdf.open(stream=pdf, filetype="pdf") as document:
        return [squeeze(page.get_text()) for page in document]


def squeeze(text: str) -> str:
    """A text without white space, as lines break anywhere; numbers beside each other stay apart.

    >>> squeeze("1 歲 14 11.7")
    '1歲14|11.7'
    """
    return re.sub(r"\s+", "", re.sub(r"(?<=\d)\s+(?=\d)", "|", text))


def stands_in(text: str, part: str) -> bool:
    """Whether a text holds a part, not as a piece of a longer number or word.

    >>> stands_in("in 1107", "107"), stands_in("民國107年", "107")
    (False, True)
    """
    part = re.escape(squeeze(part))
    # The text has lost its spaces, so only numbers can be told from longer ones.
    before = r"(?<!\d)(?<!\d[.,])" if part[0].isdigit() else ""
    after = r"(?!\d|[.,]\d)" if part[-1].isdigit() else ""
    return re.search(before + part + after, text, re.IGNORECASE) is not None


def problems(
    questions: Sequence[Question], texts: Sequence[str], pictures: Sequence[str]
) -> list[str]:
    """What is wrong with the questions of a PDF, one sentence each.

    Args:
        questions: All questions about the PDF.
        texts: Each page's text layer without white space.
        pictures: The words drawn in each page's pictures, without white space.
    """
    found = [
        f"asked twice: {question.text}"
        for number, question in enumerate(questions)
        if question.text in {other.text for other in questions[:number]}
    ]
    for question in questions:
        reason = _problem(question, texts, pictures)
        if reason:
            found.append(f"{reason}: {question.text}")
    return found


def _problem(question: Question, texts: Sequence[str], pictures: Sequence[str]) -> str:
    if question.source == "none":
        return "an unanswerable case names evidence" if question.accepted else ""
    if not question.accepted or not question.pages:
        return "no accepted answer or no page"
    on_pages = [texts[page - 1] for page in question.pages]
    drawn = "\n".join(pictures[page - 1] for page in question.pages)
    quotes = question.quotes or ([] if question.printed else [question.accepted[0]])
    if any(not any(stands_in(text, quote) for text in on_pages) for quote in quotes):
        return "the evidence does not stand in the text of its pages"
    if any(not stands_in(drawn, part) for part in question.printed):
        return "the evidence does not stand in the pictures of its pages"
    everything = "\n".join(texts)
    is_picture = question.source == "image" and not question.quotes
    if is_picture and any(stands_in(everything, answer) for answer in question.accepted):
        return "the picture's answer stands in the text"
    return ""
