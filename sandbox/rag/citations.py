"""Finds the chunks that an answer without citations rests on, by the words they share."""

from collections import Counter
from collections.abc import Sequence

from sandbox.records import Retrieved
from sandbox.text.sentences import split_sentences
from sandbox.text.tokenization import tokenize

ENOUGH = 0.4
"""Share of a sentence's words, by their weight, that a chunk must hold to be its source."""

QUESTION_WEIGHT = 0.02
"""Weight of a word that the question already holds: it says little about the source."""


def match_ranks(answer: str, sent: Sequence[Retrieved], *, question: str = "") -> list[int]:
    """For each sentence of an answer, the rank of the chunk that holds most of its words.

    A word counts by how few of the chunks hold it, a word of the question little; a word that none
    holds counts in full. Sentences of which no chunk holds enough have no source.
    """
    asked = set(tokenize(question))
    terms = {item.rank: set(tokenize(item.chunk.text)) for item in sent}
    frequency = Counter(term for chunk_terms in terms.values() for term in chunk_terms)
    ranks: list[int] = []
    for sentence in split_sentences(answer):
        weights = {
            term: (QUESTION_WEIGHT if term in asked else 1.0) / max(1, frequency[term])
            for term in set(tokenize(sentence))
        }
        total = sum(weights.values())
        held = {
            rank: sum(weight for term, weight in weights.items() if term in chunk_terms)
            for rank, chunk_terms in terms.items()
        }
        best = max(held, key=lambda rank: (held[rank], -rank), default=None)
        if best is not None and total and held[best] / total >= ENOUGH:
            ranks.append(best)
    return list(dict.fromkeys(ranks))
