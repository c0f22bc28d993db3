"""Several answers to one question side by side: the words that differ."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from sandbox.text.citation_marks import split_citations
from sandbox.text.languages import CJK

MOST_WORDS = 3000
"""Longer answers are not compared word by word, which would take seconds."""

_WORD = re.compile(rf"[0-9]+(?:[.,][0-9]+)*|[^\W\d_{CJK}]+|\s+|.", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A part of an answer."""

    text: str
    differs: bool
    """True if one of the other answers does not have it there."""


def differing(text: str, others: Sequence[str]) -> tuple[Piece, ...]:
    """An answer in pieces, those marked that another answer lacks; citations never are.

    >>> [piece.text for piece in differing("141 cases in 2019", ["141 cases in 2018"])]
    ['141 cases in ', '2019']

    Args:
        text: The answer.
        others: What it is held against.
    """
    words, positions = _words(text)
    differs = [False] * len(words)
    for other in others:
        for position in _lacking([words[at] for at in positions], other):
            differs[positions[position]] = True
    return _pieces(words, differs)


def _words(text: str) -> tuple[list[str], list[int]]:
    """Everything in order, and the positions of what is compared: neither spaces nor citations."""
    words: list[str] = []
    compared: list[int] = []
    for number, piece in enumerate(split_citations(text)):
        if number % 2:
            words.append(piece)
            continue
        for word in _WORD.findall(piece):
            if not word.isspace():
                compared.append(len(words))
            words.append(word)
    return words, compared


def _lacking(words: Sequence[str], other: str) -> list[int]:
    """Positions of the words that the other answer does not have in the same order."""
    theirs, compared = _words(other)
    against = [theirs[position] for position in compared]
    if not against or len(words) > MOST_WORDS or len(against) > MOST_WORDS:
        return []
    blocks = SequenceMatcher(None, words, against, autojunk=False).get_matching_blocks()
    shared = {at for block in blocks for at in range(block.a, block.a + block.size)}
    return [position for position in range(len(words)) if position not in shared]


def _pieces(words: Sequence[str], differs: Sequence[bool]) -> tuple[Piece, ...]:
    """Neighbors together; a space between two marked words is marked with them."""
    pieces: list[Piece] = []
    for position, (word, marked) in enumerate(zip(words, differs, strict=True)):
        if word.isspace() and 0 < position < len(words) - 1:
            marked = differs[position - 1] and differs[position + 1]
        if pieces and pieces[-1].differs == marked:
            pieces[-1] = Piece(text=pieces[-1].text + word, differs=marked)
        else:
            pieces.append(Piece(text=word, differs=marked))
    return tuple(pieces)
