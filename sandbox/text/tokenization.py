"""One tokenizer for index and question, and an estimate of a text's length in model tokens.

Latin words, numbers and codes stay whole; Chinese and Japanese are cut into single characters and
bigrams, because they have no blanks; both Chinese scripts meet in one form. Leaves out stop words:
an inverse document frequency that is never negative makes them harmless.
"""

import functools
import itertools
import re
import unicodedata
from math import ceil

import snowballstemmer

from sandbox.text.languages import CJK, HANGUL, KANA, search_form
from sandbox.text.quantities import GROUPED

TOKENIZER_VERSION = 1
"""Stored with every index; raised when the same text would give other tokens."""

_SYLLABIC = CJK + KANA + HANGUL
_WORD = rf"[^\W_{_SYLLABIC}]"
_PIECES = re.compile(
    rf"(?P<syllabic>[{_SYLLABIC}]+)"
    rf"|(?P<number>{GROUPED}(?:\.\d+)?(?!\w))"
    rf"|(?P<word>{_WORD}+(?:[.\-_/:'’@+]{_WORD}+)*)"
)
_PARTS = re.compile(rf"{_WORD}+")


def tokenize(text: str) -> list[str]:
    """Index terms of a text, in order, with repetitions.

    >>> tokenize("PM2.5 於 2019 年：1,030 例")
    ['pm2.5', '于', '2019', '年', '1030', '例']
    >>> tokenize("freeze-dried vaccines")
    ['freeze-dried', 'freez', 'dri', 'vaccin']
    """
    folded = search_form(unicodedata.normalize("NFKC", text)).lower()
    terms: list[str] = []
    for match in _PIECES.finditer(folded):
        if match["syllabic"]:
            terms += _characters_and_bigrams(match["syllabic"])
        elif match["number"]:
            terms.append(match["number"].replace(",", ""))
        else:
            terms += _word_and_parts(match["word"])
    return terms


def embedding_tokens(text: str) -> int:
    """Upper estimate of a text's tokens in a multilingual embedder or reranker.

    One for each Chinese, Japanese or Korean character and for every three other characters.
    """
    syllabic = len(re.findall(f"[{_SYLLABIC}]", text))
    return syllabic + ceil((len(text) - syllabic) / 3)


def _characters_and_bigrams(run: str) -> list[str]:
    return [*run, *(first + second for first, second in itertools.pairwise(run))]


def _word_and_parts(word: str) -> list[str]:
    parts = _PARTS.findall(word)
    if len(parts) == 1:
        return [_stem(word)]
    whole = word.replace("’", "'").removesuffix("'s")
    if all(part.isdigit() for part in parts) or len(word) <= 5:
        return [whole]
    return [whole, *(_stem(part) for part in parts if len(part) > 1)]


@functools.lru_cache(maxsize=100_000)
def _stem(word: str) -> str:
    if not word.isascii() or not word.isalpha():
        return word
    return str(snowballstemmer.stemmer("english").stemWord(word))
