"""The report's own sentences in English and Traditional Chinese.

English stands where a sentence is used, its translation in chinese.json beside this file. Leaves
out what comes from documents, models and people, which is never translated.
"""

import functools
import json
from pathlib import Path
from typing import Literal

ReportLanguage = Literal["en", "zh"]

HTML_LANGUAGES: dict[ReportLanguage, str] = {"en": "en", "zh": "zh-Hant"}


class Speaker:
    """Says the report's sentences in one language."""

    def __init__(self, language: ReportLanguage) -> None:
        """English, or Chinese as written in Taiwan."""
        self.language = language

    def __call__(self, english: str, *values: object) -> str:
        """The sentence with its values, which stand in it as {0}, {1} and so on.

        >>> Speaker("zh")("{0} of {1}", 3, 4)
        '4 題中 3 題'

        Raises:
            KeyError: If there is no translation.
        """
        sentence = english if self.language == "en" else _chinese()[english]
        return sentence.format(*values)

    def named(self, names: object) -> str:
        """A word from a record in this language; as it is where it is no word of ours."""
        word = str(names)
        return word if self.language == "en" else _chinese().get(word, word)

    def listed(self, words: "list[str] | tuple[str, ...]") -> str:
        """Words in a row, with the comma of the language."""
        return (", " if self.language == "en" else "、").join(words)


def translated() -> frozenset[str]:
    """Every English sentence that has a translation."""
    return frozenset(_chinese())


@functools.cache
def _chinese() -> dict[str, str]:
    path = Path(__file__).with_name("chinese.json")
    words: dict[str, str] = json.loads(path.read_text(encoding="utf-8"))
    return words
