"""The index terms of a text, and how many tokens it is to a model.

Latin words, numbers and codes stay whole; Chinese and Japanese are cut into single characters and
bigrams, because they have no blanks; both Chinese scripts meet in one form. Stop words stay in: an
inverse document frequency that is never negative makes them harmless.
"""

import functools
import itertools
import re
import unicodedata
from math import ceil, floor

import snowballstemmer

from sandbox.text.languages import CJK, HANGUL, KANA, fold_for_search
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

_LATIN_WORD = re.compile(r"[A-Za-z]+")
_SIGN = re.compile(r"[0-9]|[^\sA-Za-z0-9\u0080-\U0010ffff]")
_OTHER_SCRIPT = re.compile(r"[\u0080-\U0010ffff]")
_SPACE_RUN = re.compile(r"\s*\n\s*|\s{2,}")

# No tokenizer in use merges across words, so every word is at least one token; Chinese characters
# are one to two tokens each in most vocabularies, and at best two or three characters share one.
_WORD_LETTERS_PER_TOKEN = 4
_OTHER_SCRIPT_TOKENS = 1.5
_OTHER_SCRIPT_LEAST_TOKENS = 1 / 3


def tokenize(text: str) -> list[str]:
    """Index terms of a text, in order, with repetitions.

    >>> tokenize("PM2.5 於 2019 年：1,030 例")
    ['pm2.5', '于', '2019', '年', '1030', '例']
    >>> tokenize("freeze-dried vaccines")
    ['freeze-dried', 'freez', 'dri', 'vaccin']
    """
    folded = fold_for_search(unicodedata.normalize("NFKC", text)).lower()
    terms: list[str] = []
    for match in _PIECES.finditer(folded):
        if match["syllabic"]:
            terms += _characters_and_bigrams(match["syllabic"])
        elif match["number"]:
            terms.append(match["number"].replace(",", ""))
        else:
            terms += _word_and_parts(match["word"])
    return terms


def estimate_embedding_tokens(text: str) -> int:
    """Upper estimate of a text's tokens in a multilingual embedder or reranker.

    One for each Chinese, Japanese or Korean character and for every three other characters.
    """
    syllabic = len(re.findall(f"[{_SYLLABIC}]", text))
    return syllabic + ceil((len(text) - syllabic) / 3)


def estimate_tokens(text: str) -> int:
    """Tokens of a text in a chat model, estimated from above.

    >>> estimate_tokens("Cases rose to 141 in 2019.")
    13
    """
    words = sum(ceil(len(word) / _WORD_LETTERS_PER_TOKEN) for word in _LATIN_WORD.findall(text))
    signs = len(_SIGN.findall(text)) + len(_SPACE_RUN.findall(text))
    others = len(_OTHER_SCRIPT.findall(text))
    return words + signs + ceil(others * _OTHER_SCRIPT_TOKENS)


def estimate_least_tokens(text: str) -> int:
    """The fewest tokens in which a chat model can read a text.

    >>> estimate_least_tokens("Cases rose to 141 in 2019.")
    4
    """
    words = len(_LATIN_WORD.findall(text))
    others = len(_OTHER_SCRIPT.findall(text))
    return words + floor(others * _OTHER_SCRIPT_LEAST_TOKENS)


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
