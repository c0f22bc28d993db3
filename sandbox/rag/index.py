"""A searchable corpus: its chunks, a BM25 index of their terms and a FAISS index of their vectors.

Saved as JSON Lines and a FAISS file in a folder named after everything that determines them, so a
changed setting, model or code version never loads an old index. Each distinct text is embedded
once; its vector stays in the embeddings cache.
"""

import json
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import faiss
import numpy
from rank_bm25 import BM25Okapi

from sandbox.errors import SandboxError
from sandbox.files.json_lines import append_records, read_records
from sandbox.files.storage import FORMAT, Cache, digest_of, new_folder, to_json
from sandbox.models.base import Embedder
from sandbox.records import Chunk
from sandbox.text.tokenization import tokenize

if TYPE_CHECKING:
    from sandbox.models.base import Vectors

EMBEDDING_BATCH = 16
"""Texts between two steps of progress."""


class Index:
    """Chunks that can be searched by words and, where they were embedded, by meaning."""

    def __init__(
        self,
        chunks: Sequence[Chunk],
        vectors: "Vectors | None" = None,
        *,
        fingerprint: str = "",
        warnings: Sequence[str] = (),
        seconds: float | None = None,
    ) -> None:
        """Index chunks; vectors have shape (len(chunks), dimensions) and rows of unit length."""
        self.seconds = seconds
        """Time to make it once the documents were read; cached vectors and captions take none.
        ``None`` where that is not known."""

        self.chunks = tuple(chunks)
        self.fingerprint = fingerprint
        self.warnings = tuple(warnings)
        terms = [tokenize(chunk.indexed_text) for chunk in self.chunks]
        self._bm25 = _bm25(terms) if any(terms) else None
        self._dense: faiss.IndexFlatIP | None = None
        if vectors is not None and len(self.chunks):
            self._dense = faiss.IndexFlatIP(vectors.shape[1])
            self._dense.add(vectors)

    def lexical_scores(self, question: str) -> "Vectors":
        """BM25 score of every chunk, shape (len(chunks),); 0 where no term is shared."""
        if self._bm25 is None:
            return numpy.zeros(len(self.chunks), numpy.float32)
        return numpy.asarray(self._bm25.get_scores(tokenize(question)), numpy.float32)

    def dense_scores(self, vector: "Vectors") -> "Vectors":
        """Cosine similarity of every chunk to a question's vector, shape (len(chunks),).

        Raises:
            ValueError: If the index has no vectors, or vectors of another length.
        """
        if self._dense is None or self._dense.d != len(vector):
            stored = self._dense.d if self._dense else "no"
            raise ValueError(f"index has {stored} dimensions, the question has {len(vector)}")
        scores, positions = self._dense.search(vector[None, :], len(self.chunks))
        in_order = numpy.empty(len(self.chunks), numpy.float32)
        in_order[positions[0]] = scores[0]
        return in_order

    def vectors(self) -> "Vectors | None":
        """The stored vectors, shape (len(chunks), dimensions)."""
        if self._dense is None:
            return None
        return numpy.asarray(self._dense.reconstruct_n(0, self._dense.ntotal), numpy.float32)


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
        for start in range(0, len(missing), EMBEDDING_BATCH):
            batch = missing[start : start + EMBEDDING_BATCH]
            vectors = self.embedder.embed_passages([text for _, text in batch])
            rows = numpy.ascontiguousarray(vectors, numpy.float32)
            self.cache.put({key: row.tobytes() for (key, _), row in zip(batch, rows, strict=True)})
            yield len(cached) + start + len(batch), len(by_key)

    def _key(self, text: str) -> str:
        return digest_of("passage", self._digest, text)


def save_index(index: Index, folder: Path, description: dict[str, Any]) -> None:
    """Write an index and a description of what it was made from, whole or not at all."""
    with new_folder(folder) as temporary:
        append_records(temporary / "chunks.jsonl", index.chunks)
        if index._dense is not None:
            faiss.write_index(index._dense, str(temporary / "dense.faiss"))
        content = {
            "format": FORMAT,
            "chunks": len(index.chunks),
            "warnings": index.warnings,
            "seconds": index.seconds,
            **description,
        }
        (temporary / "index.json").write_text(to_json(content), encoding="utf-8")


def load_index(folder: Path) -> Index | None:
    """The index saved in a folder; None if there is none or its parts do not fit together."""
    try:
        description = json.loads((folder / "index.json").read_text(encoding="utf-8"))
        chunks = read_records(folder / "chunks.jsonl", Chunk)
        path = folder / "dense.faiss"
        dense = faiss.read_index(str(path)) if path.exists() else None
    except (OSError, ValueError, RuntimeError, SandboxError):
        return None
    # An index of before the count was kept states none.
    is_whole = description.get("chunks", len(chunks)) == len(chunks)
    if description.get("format") != FORMAT or not is_whole:
        return None
    if dense and dense.ntotal != len(chunks):
        return None
    vectors = dense.reconstruct_n(0, dense.ntotal) if dense else None
    return Index(
        chunks,
        vectors,
        fingerprint=folder.name,
        warnings=description.get("warnings", ()),
        seconds=description.get("seconds"),
    )


def _bm25(terms: Sequence[Sequence[str]]) -> BM25Okapi:
    """BM25 whose inverse document frequency is never negative, as small corpora need.

    Source:
        Robertson and Zaragoza (2009), "The Probabilistic Relevance Framework: BM25 and Beyond",
        with the 1 added inside the logarithm as in Lucene.
    """
    bm25 = BM25Okapi(terms)
    frequencies = Counter(term for document in terms for term in set(document))
    bm25.idf = {
        term: math.log(1 + (len(terms) - count + 0.5) / (count + 0.5))
        for term, count in frequencies.items()
    }
    return bm25
