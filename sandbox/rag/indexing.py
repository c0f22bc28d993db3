"""Builds the index of a corpus: captions, chunks and vectors, each made once.

Captions and vectors are cached by content, so the three kinds of index of a PDF share them, and a
changed setting rebuilds only what it changes.
"""

import json
import time
from collections.abc import Generator, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from sandbox.config import Config
from sandbox.documents.reader import READER_VERSION, document_folder
from sandbox.errors import CorpusError
from sandbox.files.storage import Store, digest_of, from_json, to_json, write_text
from sandbox.models.base import Captioner
from sandbox.progress import Progress
from sandbox.rag.chunking import CHUNKER_VERSION, split_document
from sandbox.rag.index import CachedEmbedder, Index, load_index, save_index
from sandbox.records import Caption, Chunk, Corpus, Document
from sandbox.text.tokenization import TOKENIZER_VERSION


@dataclass(frozen=True, slots=True)
class Preparation:
    """How corpora are made searchable under one configuration."""

    store: Store
    config: Config
    embedder: CachedEmbedder | None
    """None where only words are searched."""

    captioner: Captioner | None
    """None where figures are not indexed."""

    def run(self, corpus: Corpus) -> Generator[Progress, None, Index]:
        """The index of a corpus, loaded if it was made before.

        Raises:
            CorpusError: If the documents hold nothing to index.
            ModelError: If the captioner or the embedder fails.
        """
        description = self._describe(corpus)
        folder = self.store.index_folder(digest_of(description))
        if (saved := load_index(folder)) is not None:
            return saved
        if changed := self._what_changed(description):
            yield Progress(
                stage="index", done=0, total=0, message=f"indexing made again: {changed}"
            )
        started = time.perf_counter()
        chunks: list[Chunk] = []
        for document in corpus.documents:
            captions = yield from self._captions(document)
            chunks += self._chunks(document, captions)
        if not any(chunk.indexed_text.strip() for chunk in chunks):
            raise CorpusError(
                f"{corpus.name} holds no text, table or readable figure to index under"
                f" {self.config.name}; choose an index with captions or another document"
            )
        vectors = None
        if self.embedder is not None:
            texts = [chunk.indexed_text for chunk in chunks]
            for done, total in self.embedder.fill(texts):
                message = f"embedding {done} of {total} chunks"
                yield Progress(stage="index", done=done, total=total, message=message)
            vectors = self.embedder.passages(texts)
        seconds = time.perf_counter() - started
        built = Index(chunks, vectors, fingerprint=folder.name, seconds=seconds)
        save_index(built, folder, description)
        write_text(self._newest_description(description), to_json(description))
        return built

    def _describe(self, corpus: Corpus) -> dict[str, Any]:
        """Everything that determines the index."""
        embedder = self.embedder.embedder if self.embedder else None
        return {
            "documents": [[document.id, document.digest] for document in corpus.documents],
            "index": self.config.index,
            "chunk_characters": self.config.chunk_characters,
            "overlap_characters": self.config.overlap_characters,
            "embedder": embedder.name if embedder else "none",
            "embedder_digest": embedder.digest if embedder else "none",
            "captioner": self.captioner.name if self.captioner else "none",
            "captioner_digest": self.captioner.digest if self.captioner else "none",
            "reader_version": READER_VERSION,
            "chunker_version": CHUNKER_VERSION,
            "tokenizer_version": TOKENIZER_VERSION,
        }

    def _what_changed(self, description: Mapping[str, Any]) -> str:
        """What sets the newest index of the same documents apart; empty if there is none."""
        try:
            previous = json.loads(self._newest_description(description).read_text("utf-8"))
        except (OSError, ValueError):
            return ""
        return ", ".join(
            f"{name.replace('_digest', ' weights')} was {previous.get(name)} and is now {value}"
            for name, value in description.items()
            if previous.get(name) != value
            and not (name.endswith("_digest") and _other_name(name, previous, description))
        )

    def _newest_description(self, description: Mapping[str, Any]) -> Path:
        key = digest_of(description["documents"], description["index"])
        return self.store.index_folder(key).with_suffix(".json")

    def _captions(self, document: Document) -> Generator[Progress, None, dict[str, Caption]]:
        """What the captioner reads in each figure, by the figure's image name."""
        if self.captioner is None:
            return {}
        cache = self.store.open_cache("captions")
        folder = document_folder(document, self.store) / "figures"
        figures = [figure for page in document.pages for figure in page.figures]
        captions: dict[str, Caption] = {}
        for number, figure in enumerate(figures, start=1):
            key = digest_of("caption", self.captioner.digest, document.digest, to_json(figure))
            cached = cache.get([key]).get(key)
            if cached is None:
                message = f"reading figure {number} of {len(figures)} in {document.name}"
                yield Progress(stage="caption", done=number, total=len(figures), message=message)
                captions[figure.image] = self.captioner.caption(figure, folder / figure.image)
                cache.put({key: to_json(captions[figure.image]).encode()})
            else:
                captions[figure.image] = from_json(Caption, cached)
        return captions

    def _chunks(self, document: Document, captions: Mapping[str, Caption]) -> Iterator[Chunk]:
        folder = document_folder(document, self.store).relative_to(self.store.cache) / "figures"
        for chunk in split_document(
            document,
            captions,
            index=self.config.index,
            chunk_characters=self.config.chunk_characters,
            overlap_characters=self.config.overlap_characters,
        ):
            yield replace(chunk, image=str(folder / chunk.image)) if chunk.image else chunk


def _other_name(name: str, previous: Mapping[str, Any], description: Mapping[str, Any]) -> bool:
    role = name.removesuffix("_digest")
    return bool(previous.get(role) != description[role])
