"""Citations in an answer: ranks of chunks in brackets, such as [2] or 【1、3-5】."""

import re

_SEPARATOR = r"[,，、;；]"
_DASH = r"[-–—]"
_RANK = r"\d{1,3}"
"""No more digits: [2024] is a year."""

_CITATION = re.compile(
    rf"([\[［【]\s*{_RANK}(?:\s*(?:{_DASH}|{_SEPARATOR})\s*{_RANK})*\s*[\]］】])"
)
_LONGEST_RANGE = 50
"""As many ranks as there can be chunks; a range that claims more is cut."""


def strip_citations(text: str) -> str:
    """The text without its citations, each replaced by a blank.

    >>> strip_citations("It rose [2], then fell [1, 3-4].").split()
    ['It', 'rose', ',', 'then', 'fell', '.']
    """
    return _CITATION.sub(" ", text)


def split_citations(text: str) -> list[str]:
    """The text in pieces: every second one, from position 1, is a citation with its brackets.

    >>> split_citations("It rose [2], then fell【1】")
    ['It rose ', '[2]', ', then fell', '【1】', '']
    """
    return _CITATION.split(text)


def find_cited_ranks(text: str) -> list[int]:
    """The ranks that a text cites, in order of appearance, each once.

    >>> find_cited_ranks("It rose [2], then fell [1, 3-5].")
    [2, 1, 3, 4, 5]
    """
    ranks: list[int] = []
    for citation in _CITATION.findall(text):
        for part in re.split(_SEPARATOR, citation):
            numbers = [int(number) for number in re.findall(_RANK, part)]
            first, last = numbers[0], numbers[-1]
            ranks += range(first, min(last, first + _LONGEST_RANGE) + 1)
    return list(dict.fromkeys(ranks))
