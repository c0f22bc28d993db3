"""Embeds each distinct text once and keeps its vector in the embeddings cache."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy

from sandbox.files.storage import Cache, digest_of
from sandbox.models.base import Embedder

if TYPE_CHECKING:
    from sandbox.models.base import Vectors

BATCH = 16
"""Texts between two steps of progress."""


class CachedEmbedder:
    """An embedder that remembers passages across runs and across the three indexes of a PDF."""

    def __init__(self, embedder: Embedder, cache: Cache) -> None:
        """Wrap an embedder."""
        self.embedder = embedder
        self.cache = cache
        self._digest = embedder.digest
        self._last_question: tuple[str, Vectors] | None = None

    def question(self, text: str) -> "Vectors":
        """One vector of unit length, shape (dimensions,), float32; the last one is kept."""
        if self._last_question is None or self._last_question[0] != text:
            self._last_question = (text, self.embedder.embed_question(text))
        return self._last_question[1]

    def passages(self, texts: Sequence[str]) -> "Vectors":
        """Rows of unit length, shape (len(texts), dimensions), float32."""
        for _ in self.fill(texts):
            pass
        keys = [self._key(text) for text in texts]
        vectors = self.cache.get(list(set(keys)))
        return numpy.vstack([numpy.frombuffer(vectors[key], numpy.float32) for key in keys])

    def fill(self, texts: Sequence[str]) -> Iterator[tuple[int, int]]:
        """Embed what the cache lacks, yielding (done, total) distinct texts after each batch."""
        by_key = {self._key(text): text for text in texts}
        cached = self.cache.get(list(by_key))
        missing = [(key, text) for key, text in by_key.items() if key not in cached]
        for start in range(0, len(missing), BATCH):
            batch = missing[start : start + BATCH]
            vectors = self.embedder.embed_passages([text for _, text in batch])
            rows = numpy.ascontiguousarray(vectors, numpy.float32)
            self.cache.put({key: row.tobytes() for (key, _), row in zip(batch, rows, strict=True)})
            yield len(cached) + start + len(batch), len(by_key)

    def _key(self, text: str) -> str:
        return digest_of("passage", self._digest, text)
