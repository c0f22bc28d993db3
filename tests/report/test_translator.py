"""Every sentence has a translation, none is left over, and what has none stays English."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest
from babel.messages.catalog import Message
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po

import sandbox
from sandbox.evaluation.comparison.records import DiagnosisKind, SliceBy
from sandbox.evaluation.runs.records import Right
from sandbox.evaluation.trust.records import TrustWord
from sandbox.records import ChunkKind
from sandbox.report.translator import VALUE, Translator
from sandbox.testsets.cases import EvidenceSource

PACKAGE = Path(sandbox.__file__).parent
KEYWORDS = {"say": None, "plural": (1, 2)}
VALUES = {
    *get_args(DiagnosisKind),
    *get_args(SliceBy),
    *get_args(Right),
    *get_args(TrustWord),
    *get_args(ChunkKind),
    *get_args(EvidenceSource),
    *("answerable", "unanswerable", "en", "zh-Hant", "zh-Hans"),
    *("chat_model", "embedder", "reranker", "captioner"),
} - {"not judged"}
"""Words of records that are shown to a reader."""

with (PACKAGE / "report" / "zh_Hant.po").open("rb") as file:
    MESSAGES: list[Message] = [message for message in read_po(file) if message.id]


def sentences_in_code() -> Iterator[str | tuple[str, ...]]:
    messages = extract_from_dir(PACKAGE, method_map=[("**.py", "python")], keywords=KEYWORDS)
    return (sentence for _, _, sentence, _, _ in messages)


def test_every_sentence_is_translated_and_no_translation_is_left_over() -> None:
    sentences = {message.id for message in MESSAGES if not message.context}
    assert {*sentences_in_code(), ", "} == sentences


def test_every_word_of_a_record_is_translated_and_no_translation_is_left_over() -> None:
    assert {message.id for message in MESSAGES if message.context == VALUE} == VALUES


@pytest.mark.parametrize("message", MESSAGES, ids=lambda message: str(message.id))
def test_a_translation_has_the_same_places_for_values(message: Message) -> None:
    sentences = [message.id] if isinstance(message.id, str) else list(message.id)
    translations = (
        [message.string] if isinstance(message.string, str) else list(message.string or ())
    )
    places = [set(re.findall(r"\{\d\}", text)) for text in sentences + translations]
    assert all(translations)
    assert places == places[:1] * len(places)


def test_a_sentence_without_translation_stays_english() -> None:
    assert Translator("zh")("Nobody translated {0}.", "this") == "Nobody translated this."


def test_one_and_several_are_told_apart() -> None:
    forms = ("{0} question", "{0} questions")
    assert [Translator("en").plural(*forms, number) for number in (1, 2)] == [
        "1 question",
        "2 questions",
    ]
    assert [Translator("zh").plural(*forms, number) for number in (1, 2)] == ["1 題", "2 題"]


def test_names_that_are_no_words_of_ours_stay() -> None:
    assert Translator("zh").name("peak year") == "peak year"
