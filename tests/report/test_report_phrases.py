"""Every sentence of the report has a translation, and none is left over."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest

import sandbox.report
from sandbox.evaluation.comparison.records import DiagnosisKind, SliceBy
from sandbox.evaluation.runs.records import Right
from sandbox.evaluation.trust.records import TrustVerdict
from sandbox.records import ChunkKind
from sandbox.report.phrases import Speaker, translated
from sandbox.testsets.cases import EvidenceSource

WORDS = {
    *get_args(DiagnosisKind),
    *get_args(SliceBy),
    *get_args(Right),
    *get_args(TrustVerdict),
    *get_args(ChunkKind),
    *get_args(EvidenceSource),
    *("answerable", "unanswerable", "en", "zh-Hant", "zh-Hans"),
    *("chat_model", "embedder", "reranker", "captioner"),
} - {"not judged"}


def said() -> Iterator[str]:
    folder = Path(sandbox.report.__file__).parent
    for file in sorted(folder.glob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in ("say", "self.say"):
                sentence = node.args[0]
                assert isinstance(sentence, ast.Constant), f"{file}, line {node.lineno}"
                yield str(sentence.value)


def test_every_sentence_is_translated_and_no_translation_is_left_over() -> None:
    assert {*said(), *WORDS} == translated()


@pytest.mark.parametrize("sentence", sorted(translated()))
def test_a_translation_has_the_same_places_for_values(sentence: str) -> None:
    places = set(re.findall(r"\{\d\}", sentence))
    values = tuple(f"{{{place}}}" for place in range(9))
    assert set(re.findall(r"\{\d\}", Speaker("zh")(sentence, *values))) == places


def test_a_sentence_without_translation_is_an_error() -> None:
    with pytest.raises(KeyError):
        Speaker("zh")("Nobody translated this.")


def test_names_that_are_no_words_of_ours_stay() -> None:
    assert Speaker("zh").named("peak year") == "peak year"
