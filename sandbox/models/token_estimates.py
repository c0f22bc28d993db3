"""Bounds on how many tokens a text is, for backends that do not count them.

No tokenizer in use merges across words, so every word is at least one token; Chinese characters
are one to two tokens each in most vocabularies, and at best two or three characters share one.
"""

import math
import re

LATIN_WORD = re.compile(r"[A-Za-z]+")
SIGN = re.compile(r"[0-9]|[^\sA-Za-z0-9\u0080-\U0010ffff]")
OTHER_SCRIPT = re.compile(r"[\u0080-\U0010ffff]")
SPACE_RUN = re.compile(r"\s*\n\s*|\s{2,}")

WORD_LETTERS_PER_TOKEN = 4
OTHER_SCRIPT_TOKENS = 1.5
OTHER_SCRIPT_LEAST_TOKENS = 1 / 3


def estimate_tokens(text: str) -> int:
    """An estimate from above.

    >>> estimate_tokens("Cases rose to 141 in 2019.")
    13
    """
    words = sum(math.ceil(len(word) / WORD_LETTERS_PER_TOKEN) for word in LATIN_WORD.findall(text))
    signs = len(SIGN.findall(text)) + len(SPACE_RUN.findall(text))
    others = len(OTHER_SCRIPT.findall(text))
    return words + signs + math.ceil(others * OTHER_SCRIPT_TOKENS)


def least_tokens(text: str) -> int:
    """A bound from below: fewer tokens than that cannot hold the text.

    >>> least_tokens("Cases rose to 141 in 2019.")
    4
    """
    words = len(LATIN_WORD.findall(text))
    others = len(OTHER_SCRIPT.findall(text))
    return words + math.floor(others * OTHER_SCRIPT_LEAST_TOKENS)
