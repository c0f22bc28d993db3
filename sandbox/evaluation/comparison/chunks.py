"""The chunks behind several answers: which the model was shown, and which are the same.

Ids of chunks count within one index, and another index counts others, so chunks are joined by what
they say and where.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from sandbox.records import Answer, Chunk, Retrieved


@dataclass(frozen=True, slots=True, kw_only=True)
class AlignedChunk:
    """One chunk with its place in every column."""

    chunk: Chunk
    places: tuple[Retrieved | None, ...]
    """As each column retrieved it; ``None`` where it did not."""

    @property
    def is_shared(self) -> bool:
        """True if every column has it."""
        return all(self.places)


def align(columns: Sequence[Sequence[Retrieved]]) -> tuple[AlignedChunk, ...]:
    """The chunks of all columns, each once, in the order of their best rank."""
    rows: dict[tuple[str, int, str, str], list[Retrieved | None]] = {}
    for position, column in enumerate(columns):
        for item in column:
            places = rows.setdefault(_key(item.chunk), [None] * len(columns))
            places[position] = places[position] or item
    aligned = [
        AlignedChunk(chunk=next(filter(None, places)).chunk, places=tuple(places))
        for places in rows.values()
    ]
    return tuple(sorted(aligned, key=_ranks))


def shown(answer: Answer) -> tuple[str, ...]:
    """The texts of the chunks that the model was shown, in order."""
    return tuple(item.chunk.sent_text for item in answer.retrieved if is_sent(answer, item))


def is_sent(answer: Answer, item: Retrieved) -> bool:
    """True if the model was shown the chunk; an answer that does not say was shown all."""
    return not answer.sent or item.rank in answer.sent


def _key(chunk: Chunk) -> tuple[str, int, str, str]:
    """By the document's name, which a new edition keeps while its digest changes."""
    return chunk.document, chunk.page, chunk.kind, chunk.text


def _ranks(row: AlignedChunk) -> tuple[int, ...]:
    """Ranks in ascending order; columns that lack the chunk count as last."""
    ranks = sorted(item.rank for item in row.places if item)
    return (*ranks, *(10**6 for _ in range(len(row.places) - len(ranks))))
