"""Sentences in the reader's language: English in the code, translations in a gettext catalogue.

The catalogue (`zh_Hant.po`) is read as it is, so nothing has to be compiled after a change; a test
compares it with the code. What comes from documents, models and people is never translated.
"""

import gettext
import io
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Literal

Language = Literal["en", "zh"]

LOCALES: dict[Language, str] = {"en": "en", "zh": "zh_Hant"}
VALUE = "value"
"""The context of words that stand in records, as "both" for text and pictures."""


class Translator:
    """Says the project's sentences in one language."""

    def __init__(self, language: Language) -> None:
        """English, or Chinese as written in Taiwan."""
        self.language = language
        self._catalogue = _catalogue(LOCALES[language])

    @property
    def html_language(self) -> str:
        """The language as HTML names it."""
        return LOCALES[self.language].replace("_", "-")

    def __call__(self, sentence: str, *values: object) -> str:
        """Translate a sentence with its values, which stand in it as {0}, {1} and so on.

        >>> Translator("zh")("{0} of {1}", 3, 4)
        '4 題中 3 題'
        """
        return self._catalogue.gettext(sentence).format(*values)

    def plural(self, one: str, many: str, number: int, *values: object) -> str:
        """Translate a sentence about a number, which stands in it as {0}, further values as {1} on.

        >>> Translator("en").plural("{0} question", "{0} questions", 1)
        '1 question'
        """
        return self._catalogue.ngettext(one, many, number).format(number, *values)

    def name(self, value: object) -> str:
        """Translate a word from a record; one that is not the project's own stays as it is.

        >>> Translator("zh").name("both"), Translator("zh").name("peak year")
        ('文字與圖片', 'peak year')
        """
        return self._catalogue.pgettext(VALUE, str(value))

    def join(self, words: Iterable[str]) -> str:
        """Words in a row, with the comma of the language.

        >>> Translator("en").join(["one", "two"]), Translator("zh").join(["one", "two"])
        ('one, two', 'one、two')
        """
        return self(", ").join(words)


@cache
def _catalogue(locale: str) -> gettext.NullTranslations:
    path = Path(__file__).with_name(f"{locale}.po")
    if not path.exists():
        return gettext.NullTranslations()  # English stands in the code
    # Imported here because it takes longer than the English command line as a whole.
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    compiled = io.BytesIO()
    with path.open("rb") as file:
        write_mo(compiled, read_po(file, locale=locale))
    compiled.seek(0)
    return gettext.GNUTranslations(compiled)
