"""Both ways between this project and LangChain.

Ours for theirs: any configuration as a retriever (`retriever`), an index as a vector store
(`vector_store`). Theirs for ours: what a document loader read as a corpus (`read_loader`), any
chain measured on a test set (`evaluate_chain`); chat models and embedders of any kind through
`sandbox.models.add_chat_model` and `add_embedder`, or by name ("langchain:PROVIDER:MODEL").
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import pymupdf
from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import Runnable
from pydantic import ConfigDict

from sandbox.config import Config
from sandbox.errors import ConfigError, CorpusError
from sandbox.evaluation.metrics.catalog import DEFAULT_METRICS
from sandbox.evaluation.runs.folder import RunFolder
from sandbox.evaluation.runs.records import Judging
from sandbox.experiments.experiment import Experiment
from sandbox.files.storage import digest_of, new_folder
from sandbox.library import Sandbox, as_config
from sandbox.models.base import Embedder
from sandbox.progress import OnProgress, finish
from sandbox.records import Answer, Chunk, Corpus, Retrieved
from sandbox.testsets.cases import TestCase

if TYPE_CHECKING:
    from langchain_community.vectorstores import FAISS

ANSWER_KEYS = ("answer", "output", "result", "response")
CONTEXT_KEYS = ("context", "source_documents", "documents", "retrieved_contexts")
"""Where chains put their answer and what it was made from; the first that is there counts."""

PAGE = pymupdf.paper_rect("a4")
TEXT_BOX = PAGE + (56, 56, -56, -56)
"""Page and margins, in points, of documents that have no pages of their own."""


def retriever(sandbox: Sandbox, corpus: Corpus, config: str | Config) -> BaseRetriever:
    """The corpus under that configuration as a LangChain retriever.

    Each LangChain document carries rank, score, page, kind and source in its metadata.
    """
    return _Retriever(sandbox=sandbox, corpus=corpus, config=as_config(config))


def vector_store(sandbox: Sandbox, corpus: Corpus, config: str | Config) -> "FAISS":
    """The vectors of the corpus under that configuration as LangChain's FAISS store.

    Similarity is the cosine. Texts that are added to the store are embedded, but do not become
    part of the corpus.

    Raises:
        ConfigError: If the configuration embeds nothing.
    """
    import faiss
    from langchain_community.docstore.in_memory import InMemoryDocstore
    from langchain_community.vectorstores import FAISS
    from langchain_community.vectorstores.utils import DistanceStrategy

    chosen = as_config(config)
    index = sandbox.index(corpus, chosen)
    vectors = index.vectors()
    if vectors is None:
        raise ConfigError(
            f"{chosen.name} has no vectors; choose retriever=hybrid or retriever=dense"
        )
    searched = faiss.IndexFlatIP(vectors.shape[1])
    searched.add(vectors)
    documents = {chunk.id: _document(chunk) for chunk in index.chunks}
    return FAISS(
        _Embeddings(sandbox.pipeline.models.embedder(chosen.embedder)),
        searched,
        InMemoryDocstore(documents),
        dict(enumerate(documents)),
        distance_strategy=DistanceStrategy.MAX_INNER_PRODUCT,
    )


def read_loader(
    sandbox: Sandbox,
    documents: Iterable[Document],
    name: str,
    *,
    on_progress: OnProgress | None = None,
) -> Corpus:
    """Make a corpus of what a LangChain loader read: `read_loader(sandbox, loader.load(), "wiki")`.

    Each source becomes a PDF of plain text, so that its chunks are shown on a page as those of
    every other document. Each of the loaded documents begins a new page.

    Raises:
        CorpusError: If the documents hold no text.
    """
    texts: dict[str, list[str]] = {}
    for document in documents:
        if document.page_content.strip():
            source = str(document.metadata.get("source", name))
            texts.setdefault(source, []).append(document.page_content)
    if not texts:
        raise CorpusError(f"{name} holds no text; load documents that have some")
    folder = sandbox.store.cache / "loaded" / digest_of(texts)
    if not folder.exists():
        with new_folder(folder) as temporary:
            for number, pages in enumerate(texts.values()):
                _write_pdf(pages, str(temporary / f"{number}.pdf"))
    files = [folder / f"{number}.pdf" for number in range(len(texts))]
    reading = sandbox.pipeline.read(files, names=list(texts))
    return Corpus(name=name, documents=finish(reading, on_progress).as_corpus(name).documents)


def evaluate_chain(
    sandbox: Sandbox,
    chain: Runnable[Any, Any],
    cases: Sequence[TestCase],
    *,
    name: str,
    test_set: str = "test set",
    metrics: Sequence[str] = DEFAULT_METRICS,
    judge: str = "auto",
    on_progress: OnProgress | None = None,
) -> RunFolder:
    """Measure any chain on a test set; its run is labelled, trusted and compared like every other.

    Args:
        sandbox: Where the run is kept, and whose models judge.
        chain: Takes the question as text. It gives the answer as text or message, or a mapping with
            the answer under "answer" (or "output", "result") and the retrieved LangChain documents
            under "context" (or "source_documents").
        cases: The test set; unverified cases are left out.
        name: What the chain is called among configurations.
        test_set: The test set's name, as shown.
        metrics: Names and families.
        judge: The chat model that scores answers.
        on_progress: Called with each step.
    """
    experiment = Experiment(
        corpus=Corpus(name=name, documents=()),
        test_set=test_set,
        cases=tuple(cases),
        configs=(Config(name=name),),
        metrics=tuple(metrics),
        judging=Judging(model=judge),
    )

    def answer(question: str) -> Answer:
        return _answer(question, chain.invoke(question))

    (run,) = finish(sandbox.steps.evaluate_answers(experiment, answer), on_progress)
    return run


class _Retriever(BaseRetriever):
    model_config = ConfigDict(arbitrary_types_allowed=True)

    sandbox: Sandbox
    corpus: Corpus
    config: Config

    def _get_relevant_documents(
        self, query: str, *, run_manager: CallbackManagerForRetrieverRun
    ) -> list[Document]:
        retrieval = self.sandbox.retrieve(self.corpus, query, self.config)
        return [
            _document(item.chunk, rank=item.rank, score=item.score) for item in retrieval.retrieved
        ]


class _Embeddings(Embeddings):
    """One of our embedders for LangChain."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        rows: list[list[float]] = self._embedder.embed_passages(texts).tolist()
        return rows

    def embed_query(self, text: str) -> list[float]:
        row: list[float] = self._embedder.embed_question(text).tolist()
        return row


def _document(chunk: Chunk, **more: object) -> Document:
    return Document(
        id=chunk.id,
        page_content=chunk.text,
        metadata={"source": chunk.document, "page": chunk.page, "kind": chunk.kind, **more},
    )


def _answer(question: str, reply: Any) -> Answer:
    text: Any = reply
    documents: Sequence[Document | str] = ()
    if isinstance(reply, Mapping):
        text = next((reply[key] for key in ANSWER_KEYS if key in reply), None)
        documents = next((reply[key] for key in CONTEXT_KEYS if key in reply), ())
    text = getattr(text, "content", text)  # a message of a chat model
    if not isinstance(text, str):
        raise ConfigError(
            f"the chain gave {type(reply).__name__}; it must give text, or a mapping with"
            f" {ANSWER_KEYS[0]!r}"
        )
    retrieved = tuple(_retrieved(rank, item) for rank, item in enumerate(documents, 1))
    return Answer(question=question, text=text, refused=False, retrieved=retrieved)


def _retrieved(rank: int, item: Document | str) -> Retrieved:
    document = item if isinstance(item, Document) else Document(page_content=item)
    source = str(document.metadata.get("source", ""))
    chunk = Chunk(
        id=document.id or digest_of(document.page_content)[:12],
        document=source,
        document_id=source,
        page=int(document.metadata.get("page", 1)),
        boxes=(),
        text=document.page_content,
    )
    score = float(document.metadata.get("score", 1 / rank))
    return Retrieved(chunk=chunk, rank=rank, score=score, legs={})


def _write_pdf(texts: Sequence[str], path: str) -> None:
    """Plain text as pages, in a font that has every script PyMuPDF brings."""
    writer = pymupdf.DocumentWriter(path)
    for text in texts:
        story = pymupdf.Story()
        for paragraph in text.splitlines():
            story.body.add_paragraph().add_text(paragraph)
        more = True
        while more:
            device = writer.begin_page(PAGE)
            more, _ = story.place(TEXT_BOX)
            story.draw(device)
            writer.end_page()
    writer.close()
