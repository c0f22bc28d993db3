"""Read, prepare, retrieve, answer: the one entrance to everything between a PDF and an answer.

Long work yields `Progress` and returns its result. Models come from the `ModelSource` that a front
end hands over.
"""

import time
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from sandbox.config import Config
from sandbox.documents.reader import SOURCE_FILE, document_folder, read_document
from sandbox.errors import ConfigError, CorpusError
from sandbox.files.storage import Store
from sandbox.models.base import ModelSource
from sandbox.progress import Progress, ReadReport, RefusedFile
from sandbox.rag.answering import read_ahead, stream_answer
from sandbox.rag.index import CachedEmbedder, Index
from sandbox.rag.indexing import Preparation
from sandbox.rag.retrieval import Rerank, retrieve, score_best_sentences
from sandbox.records import Answer, Box, Chunk, Corpus, Document, Retrieved


@dataclass(frozen=True, slots=True, kw_only=True)
class Retrieval:
    """The chunks retrieved for a question, before anything is answered."""

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

        `names` replace the files' own where the user chose others.
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
        captioner = self.models.captioner(config.captioner) if config.index != "text" else None
        preparation = Preparation(self.store, config, self._embedder(config), captioner)
        return (yield from preparation.run(corpus))

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

    def warm_up(
        self, config: Config, searched: Index | None = None, questions: Sequence[str] = ()
    ) -> Generator[Progress, None, None]:
        """Start the chat model before the first question, and let it read likely prompts.

        Reading is what takes a processor long; an embedded model keeps what it read, so that the
        answer to one of these questions begins at once.

        Raises:
            ModelError: If the model cannot be started.
        """
        yield Progress(stage="models", done=0, total=0, message="starting the chat model")
        model = self.models.chat_model(config.chat_model)
        model.langchain(temperature=config.temperature, seed=config.seed, max_tokens=1)
        if searched is None or not model.keeps_prompts:
            return
        for number, question in enumerate(questions, start=1):
            message = f"reading ahead for example question {number} of {len(questions)}"
            yield Progress(stage="models", done=number, total=len(questions), message=message)
            retrieved = self.retrieve(searched, question, config).retrieved
            read_ahead(question, retrieved, config, model)

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

        document = next(each for each in corpus.documents if each.id == document_id)
        pdf = document_folder(document, self.store) / SOURCE_FILE
        return render_page(pdf, page, boxes, width_pixels=width_pixels)

    def folders(self, corpus: Corpus) -> tuple[Path, ...]:
        """Where each document of a corpus lies in the store."""
        return tuple(document_folder(document, self.store) for document in corpus.documents)

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
            return lambda question, texts: score_best_sentences(question, texts, embedder)
        return self.models.cross_encoder(config.reranker).scores
