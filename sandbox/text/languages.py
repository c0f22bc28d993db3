"""Detects the language and script of a text, and converts between the Chinese scripts.

OpenCC tells Traditional and Simplified Chinese apart and converts them. A document's own text is
never converted where a person sees it: only the search copy of a text is, and the answer, which
should be in the question's script.
"""

import functools
import re
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    import opencc

Language = Literal["en", "zh-Hant", "zh-Hans"]

CJK = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
KANA = "\u3040-\u30ff\u31f0-\u31ff"
HANGUL = "\uac00-\ud7af"
WIDE = f"\u3000-\u30ff{CJK}\uff00-\uffef"
"""What is printed as wide as two Latin letters: ideographs, kana and their punctuation."""

_IDEOGRAPHS = re.compile(f"[{CJK}]")

_LATIN_WORDS = re.compile(r"[A-Za-z]{2,}")


def detect_language(text: str) -> Language:
    """The language of a question: Chinese in one of its scripts, or English for all else.

    >>> detect_language("哪一年病例最多？"), detect_language("这一年有多少")
    ('zh-Hant', 'zh-Hans')
    """
    ideographs = len(_IDEOGRAPHS.findall(text))
    if ideographs == 0 or ideographs < len(_LATIN_WORDS.findall(text)):
        return "en"
    return "zh-Hans" if _is_simplified(text) else "zh-Hant"


def convert_to_script(text: str, language: Language) -> str:
    """Chinese text in the script of that language; other text unchanged.

    >>> convert_to_script("服务器在周五更新", "zh-Hant")
    '伺服器在週五更新'
    """
    if not _IDEOGRAPHS.search(text):
        return text
    if language == "zh-Hant":
        if _is_simplified(text):
            return _convert("s2twp", text)
        return "".join(c if _is_in_big5(c) else _convert("s2t", c) for c in text)
    if language == "zh-Hans":
        return _convert("tw2sp", text)
    return text


def fold_for_search(text: str) -> str:
    """Simplified characters and mainland terms, so that both scripts' words meet in one form.

    >>> fold_for_search("伺服器") == fold_for_search("服务器")
    True
    """
    return _convert("tw2sp", text) if _IDEOGRAPHS.search(text) else text


def _is_simplified(text: str) -> bool:
    """True if more characters are proper to Simplified than to Traditional Chinese."""
    simplified = sum(a != b for a, b in zip(text, _convert("s2t", text), strict=False))
    traditional = sum(a != b for a, b in zip(text, _convert("t2s", text), strict=False))
    return simplified > traditional


def _is_in_big5(character: str) -> bool:
    """True for characters in use with Traditional Chinese, and for all that are no ideographs."""
    try:
        character.encode("big5")
    except UnicodeEncodeError:
        return not _IDEOGRAPHS.match(character)
    return True


def _convert(conversion: str, text: str) -> str:
    converted: str = _converter(conversion).convert(text)
    return converted


@functools.cache
def _converter(name: str) -> "opencc.OpenCC":
    import opencc

    return opencc.OpenCC(name)
