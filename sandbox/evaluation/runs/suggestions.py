"""Suggests whether an answer is right, from the strings that its test case accepts.

A suggestion is shown until a person confirms it. It says "unsure" rather than guess: where the
accepted answer is negated, where other numbers stand beside it, or where its number carries another
unit. Labels are given by people only.
"""

import functools
import re
from collections.abc import Sequence
from dataclasses import dataclass

from sandbox.evaluation.runs.records import Right
from sandbox.records import Answer
from sandbox.testsets.cases import TestCase
from sandbox.text.citation_marks import strip_citations
from sandbox.text.languages import CJK
from sandbox.text.quantities import MARK, Number, Reading, read

_NEGATION = re.compile(
    r"(?:\b(?:not|no|never|neither|nor|without|isn't|wasn't|aren't|weren't|doesn't|didn't)\b"
    r"|不是|不为|并非|并不|而非|并未|没有|未达|不到|不足|少于|低于|多于|高于|超过|将近"
    r"|\b(?:more|less|fewer|higher|lower) than\b)[^,，。；;.!?！？]{0,24}$"
)
_HEDGE = re.compile(
    r"\b(?:either|maybe|perhaps|possibly|not sure|unclear)\b|可能|也许|或许|不确定|大概"
    rf"|(?<=[{CJK}{MARK}])或(?=[{CJK}{MARK}])|\bor\b"
)
_BARE_YEAR = re.compile(r"(?<![\d民國国])(?<!國\s)(\d{2,3})\s*年(?![前後后間间齡龄])")


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggestion:
    """What the accepted answers say about an answer, to be confirmed by a person."""

    value: Right
    reason: str
    """One sentence, shown beside the suggestion."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """What a test case says about the right answer."""

    question: str
    reference: str = ""
    accepted_answers: tuple[str, ...] = ()
    answerable: bool = True


def suggest_for(case: TestCase, answer: Answer) -> Suggestion:
    """Right, wrong or unsure for an answer to a test case, with the reason."""
    expected = Expected(
        question=case.question,
        reference=case.reference,
        accepted_answers=case.accepted_answers,
        answerable=case.answerable,
    )
    return suggest(answer.text, expected, refused=answer.refused)


# Takes 5 ms, and lists of runs ask again for the same answers each time they are drawn.
@functools.lru_cache(maxsize=10_000)
def suggest(response: str, expected: Expected, *, refused: bool) -> Suggestion:
    """Right, wrong or unsure, with the reason.

    >>> case = Expected(question="共有幾例？", accepted_answers=("403例",))
    >>> suggest("四百零三例[1]。", case, refused=False).value
    'right'
    >>> suggest("不是403例，是12例。", case, refused=False).value
    'unsure'

    Args:
        response: The answer; citations such as [2] are not read as numbers.
        expected: Its test case.
        refused: Whether the answer says that the material does not hold it.
    """
    if not expected.answerable:
        if refused:
            return Suggestion(value="right", reason="it refuses what the material does not say")
        return Suggestion(value="wrong", reason="it answers what the material does not say")
    answer = _reading(strip_citations(response), expected)
    accepted = [_reading(text, expected) for text in expected.accepted_answers]
    found = [place for wanted in accepted if (place := _find(wanted, answer)) is not None]
    if found:
        return _judge_found(answer, found, expected, refused=refused)
    if refused:
        return Suggestion(value="wrong", reason="it refuses although the material says it")
    if not expected.accepted_answers:
        return Suggestion(value="unsure", reason="the test case accepts no answers to compare")
    return _judge_missing(answer, accepted)


@dataclass(frozen=True, slots=True)
class _Place:
    """Where an accepted answer stands in an answer."""

    start: int
    end: int
    numbers: range
    """Positions of its numbers among those of the answer."""


def _judge_found(
    answer: Reading, found: Sequence[_Place], expected: Expected, *, refused: bool
) -> Suggestion:
    if refused:
        return Suggestion(value="unsure", reason="it refuses and yet holds an accepted answer")
    known = _reading(f"{expected.question}\n{expected.reference}", expected)
    if all(_is_negated(answer, place, known) for place in found):
        return Suggestion(value="unsure", reason="an accepted answer stands there, but negated")
    hedge = _HEDGE.search(answer.shape)
    if hedge and hedge[0] not in known.shape:
        return Suggestion(
            value="unsure",
            reason="an accepted answer stands there, but beside another or a doubt",
        )
    matched = {position for place in found for position in place.numbers}
    rest = [number for position, number in enumerate(answer.numbers) if position not in matched]
    if others := _unknown(rest, [known, *(read(text) for text in expected.accepted_answers)]):
        return Suggestion(
            value="unsure",
            reason="an accepted answer stands there, but so does"
            f" {others[0].written.normalize():f}, which neither question nor reference holds",
        )
    return Suggestion(value="right", reason="it holds an accepted answer")


def _unknown(numbers: Sequence[Number], known: Sequence[Reading]) -> list[Number]:
    """Numbers that none of the texts holds; 1 is left out, it is seldom meant as a number."""
    allowed = [number for reading in known for number in reading.numbers]
    return [
        number
        for number in numbers
        if number.written != 1 and not any(_same(number, other) for other in allowed)
    ]


def _judge_missing(answer: Reading, accepted: Sequence[Reading]) -> Suggestion:
    for wanted in accepted:
        if wanted.numbers and all(
            any(number.is_meant_by(other) for other in answer.numbers) for number in wanted.numbers
        ):
            return Suggestion(
                value="unsure", reason="the number stands there, but not in an accepted form"
            )
    words = [wanted for wanted in accepted if not wanted.numbers]
    if words and not any(_same_writing(wanted, answer) for wanted in words):
        return Suggestion(
            value="unsure", reason="the answer is in another language than the accepted answers"
        )
    return Suggestion(value="wrong", reason="it holds none of the accepted answers")


def _reading(text: str, expected: Expected) -> Reading:
    """The reading of a text; where the test case speaks of 民國, a bare "107年" is such a year."""
    said = (expected.question, expected.reference, *expected.accepted_answers)
    if re.search("民[國国]", " ".join(said)):
        text = _BARE_YEAR.sub(r"民國\1年", text)
    return read(text)


def _find(wanted: Reading, answer: Reading) -> _Place | None:
    """Where the accepted answer stands whole, with equal numbers; the first place."""
    if not wanted.shape:
        return None
    start = answer.shape.find(wanted.shape)
    while start >= 0:
        end = start + len(wanted.shape)
        first = answer.shape.count(MARK, 0, start)
        numbers = range(first, first + len(wanted.numbers))
        equal = all(
            answer.numbers[position].is_meant_by(number)
            for position, number in zip(numbers, wanted.numbers, strict=True)
        )
        if equal and _is_whole(answer.shape, start, end):
            return _Place(start, end, numbers)
        start = answer.shape.find(wanted.shape, start + 1)
    return None


def _is_whole(shape: str, start: int, end: int) -> bool:
    """True unless a Latin word or a code goes on beyond the place."""
    before, after = shape[start - 1 : start], shape[end : end + 1]
    return not (
        (_is_latin(before) and _is_latin(shape[start]))
        or (_is_latin(shape[end - 1]) and _is_latin(after))
    )


def _is_latin(character: str) -> bool:
    return character.isascii() and character.isalnum()


def _is_negated(answer: Reading, place: _Place, known: Reading) -> bool:
    negation = _NEGATION.search(answer.shape[: place.start])
    return bool(negation) and negation[0] not in known.shape  # type: ignore[index]


def _same(number: Number, other: Number) -> bool:
    return number.is_meant_by(other) or number.written == other.written


def _same_writing(wanted: Reading, answer: Reading) -> bool:
    ideographs = re.compile(f"[{CJK}]")
    return bool(ideographs.search(wanted.shape)) == bool(ideographs.search(answer.shape))
