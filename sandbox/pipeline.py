"""Read, prepare, retrieve, answer: the building tower's one front, used by app and command line.

Long work yields `Progress` and returns its result. Leaves out which models exist: they come from
the `ModelSource` that a front end hands over.
"""

import time
from collections.abc import Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from sandbox.answering import stream_answer
from sandbox.chunking import CHUNKER_VERSION, split_document
from sandbox.config import Config
from sandbox.documents.reader import READER_VERSION, document_folder, read_document
from sandbox.embeddings import CachedEmbedder
from sandbox.errors import ConfigError, CorpusError
from sandbox.index import Index, load_index, save_index
from sandbox.models.base import Captioner, ModelSource
from sandbox.records import (
    Answer,
    Box,
    Caption,
    Chunk,
    Corpus,
    Document,
    Figure,
    Progress,
    ReadReport,
    RefusedFile,
    Retrieved,
)
from sandbox.retrieval import Rerank, best_sentence_scores, retrieve
from sandbox.storage import Store, digest_of, from_json, to_json
from sandbox.tokenization import TOKENIZER_VERSION


@dataclass(frozen=True, slots=True, kw_only=True)
class Retrieval:
    """What was found for a question, before anything is answered."""

    question: str
    retrieved: tuple[Retrieved, ...]
    models: Mapping[str, str]
    seconds: float
    warnings: tuple[str, ...] = ()


class Pipeline:
    """Everything between a PDF and an answer, with one store and one source of models."""

    def __init__(self, store: Store, models: ModelSource) -> None:
        """Nothing is read, started or written yet."""
        self.store = store
        self.models = models

    def read(
        self, files: Sequence[Path], *, names: Sequence[str] | None = None
    ) -> Generator[Progress, None, ReadReport]:
        """Read PDFs; a file that cannot be read is refused and the others go on.

        Args:
            files: The PDFs.
            names: How to call each, where a file's own name is not what the user chose.
        """
        started = time.perf_counter()
        documents: dict[str, Document] = {}
        refused: list[RefusedFile] = []
        for file, name in zip(files, names or [file.name for file in files], strict=True):
            try:
                document = yield from read_document(file, self.store, name=name)
            except CorpusError as error:
                refused.append(RefusedFile(file=name, reason=str(error)))
            else:
                documents[document.id] = document
        return ReadReport(
            documents=tuple(documents.values()),
            refused=tuple(refused),
            seconds=time.perf_counter() - started,
        )

    def prepare(self, corpus: Corpus, config: Config) -> Generator[Progress, None, Index]:
        """Make the corpus searchable under a configuration, or load what was made before.

        Raises:
            CorpusError: If the documents hold nothing to index.
            ModelError: If a captioner or embedder is needed and fails.
        """
        embedder = self._embedder(config)
        captioner = self.models.captioner(config.captioner) if config.index != "text" else None
        description = self._describe(corpus, config, captioner, embedder)
        folder = self.store.index_folder(digest_of(description))
        if (saved := load_index(folder)) is not None:
            return saved
        chunks: list[Chunk] = []
        for document in corpus.documents:
            captions = yield from self._captions(document, captioner)
            chunks += self._chunks(document, captions, config)
        if not any(chunk.indexed_text.strip() for chunk in chunks):
            raise CorpusError(f"{corpus.name} holds no text, table or readable figure to index")
        vectors = None
        if embedder is not None:
            texts = [chunk.indexed_text for chunk in chunks]
            for done, total in embedder.fill(texts):
                yield Progress(
                    stage="index", done=done, total=total, message=f"embedding {done} of {total}"
                )
            vectors = embedder.passages(texts)
        built = Index(chunks, vectors, fingerprint=folder.name)
        save_index(built, folder, description)
        return built

    def retrieve(self, searched: Index, question: str, config: Config) -> Retrieval:
        """The chunks for a question, best first.

        Raises:
            ConfigError: If the question is empty.
            ModelError: If an embedder or reranker is needed and fails.
        """
        if not question.strip():
            raise ConfigError("the question is empty; type one")
        started = time.perf_counter()
        embedder = self._embedder(config)
        retrieved = retrieve(
            searched,
            question,
            config,
            embedder=embedder,
            rerank=self._reranker(config, embedder),
        )
        roles = {
            "embedder": embedder.embedder.name if embedder else "",
            "reranker": "" if config.reranker == "none" else config.reranker,
            "captioner": "" if config.index == "text" else config.captioner,
        }
        return Retrieval(
            question=question,
            retrieved=retrieved,
            models={role: name for role, name in roles.items() if name},
            seconds=time.perf_counter() - started,
            warnings=searched.warnings,
        )

    def stream(
        self, searched: Index, question: str, config: Config
    ) -> Generator[Retrieval | str, None, Answer]:
        """Yield the retrieval, then the answer so far; return the whole answer."""
        retrieval = self.retrieve(searched, question, config)
        yield retrieval
        model = self.models.chat_model(config.chat_model)
        answer = yield from stream_answer(question, retrieval.retrieved, config, model)
        return replace(
            answer,
            models={**retrieval.models, **answer.models},
            seconds={"retrieve": retrieval.seconds, **answer.seconds},
            warnings=(*retrieval.warnings, *answer.warnings),
        )

    def page_image(
        self,
        corpus: Corpus,
        document_id: str,
        page: int,
        boxes: Sequence[Box],
        *,
        width_pixels: int = 900,
    ) -> bytes:
        """A page as PNG with boxes highlighted."""
        from sandbox.documents.render import render_page

        document = next(known for known in corpus.documents if known.id == document_id)
        pdf = document_folder(document, self.store) / "source.pdf"
        return render_page(pdf, page, boxes, width_pixels=width_pixels)

    def figure_path(self, chunk: Chunk) -> Path:
        """Where the image of a figure's chunk lies."""
        return self.store.cache / chunk.image

    def _embedder(self, config: Config) -> CachedEmbedder | None:
        if config.retriever == "lexical" and config.reranker != "maxsim":
            return None
        return CachedEmbedder(
            self.models.embedder(config.embedder), self.store.open_cache("embeddings")
        )

    def _reranker(self, config: Config, embedder: CachedEmbedder | None) -> Rerank | None:
        if config.reranker == "none":
            return None
        if config.reranker == "maxsim" and embedder is not None:
            return lambda question, texts: best_sentence_scores(question, texts, embedder)
        return self.models.cross_encoder(config.reranker).scores

    def _describe(
        self,
        corpus: Corpus,
        config: Config,
        captioner: Captioner | None,
        embedder: CachedEmbedder | None,
    ) -> dict[str, object]:
        return {
            "documents": [[document.id, document.digest] for document in corpus.documents],
            "settings": config.index_settings,
            "captioner": captioner.digest if captioner else None,
            "embedder": embedder.embedder.digest if embedder else None,
            "versions": [READER_VERSION, CHUNKER_VERSION, TOKENIZER_VERSION],
        }

    def _captions(
        self, document: Document, captioner: Captioner | None
    ) -> Generator[Progress, None, dict[str, Caption]]:
        """What the captioner reads in each figure, by the figure's image name."""
        if captioner is None:
            return {}
        cache = self.store.open_cache("captions")
        folder = document_folder(document, self.store) / "figures"
        figures = list(_figures(document))
        captions: dict[str, Caption] = {}
        for number, figure in enumerate(figures, start=1):
            key = digest_of("caption", captioner.digest, document.digest, to_json(figure))
            known = cache.get([key]).get(key)
            if known is None:
                yield Progress(
                    stage="caption",
                    done=number,
                    total=len(figures),
                    message=f"reading figure {number} of {len(figures)} in {document.name}",
                )
                caption = captioner.caption(figure, folder / figure.image)
                cache.put({key: to_json(caption).encode()})
            else:
                caption = from_json(Caption, known)
            captions[figure.image] = caption
        return captions

    def _chunks(
        self, document: Document, captions: Mapping[str, Caption], config: Config
    ) -> Iterable[Chunk]:
        folder = document_folder(document, self.store).relative_to(self.store.cache) / "figures"
        for chunk in split_document(
            document,
            captions,
            index=config.index,
            chunk_characters=config.chunk_characters,
            overlap_characters=config.overlap_characters,
        ):
            yield replace(chunk, image=str(folder / chunk.image)) if chunk.image else chunk


def _figures(document: Document) -> Iterable[Figure]:
    return (figure for page in document.pages for figure in page.figures)
