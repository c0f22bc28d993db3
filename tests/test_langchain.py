"""Ours for LangChain, and LangChain's for us."""

from pathlib import Path

import pytest
from langchain_core.documents import Document
from langchain_core.embeddings import DeterministicFakeEmbedding
from langchain_core.language_models import FakeListChatModel
from langchain_core.runnables import RunnableLambda

from sandbox import Config, Sandbox
from sandbox.errors import ConfigError, CorpusError, ModelUnavailable
from sandbox.langchain import evaluate_chain, read_loader, retriever, vector_store
from sandbox.records import Corpus
from sandbox.testsets.cases import TestCase

WORDS = Config(name="words", index="text", retriever="lexical", reranker="none", top_k=2)
MINE = Config(name="mine", index="text", retriever="dense", reranker="none", embedder="mine")
LOADED = [
    Document(page_content="The clinic has 40 beds.", metadata={"source": "clinic.txt"}),
    Document(page_content="Two doctors work at night.", metadata={"source": "clinic.txt"}),
    Document(page_content="港區診所有四十張病床。", metadata={"source": "診所.txt"}),
]
BEDS = TestCase(
    id="beds",
    question="How many beds has the clinic?",
    reference="40",
    accepted_answers=("40",),
    source="text",
    category="facts",
    answerable=True,
    verified=True,
)


@pytest.fixture
def library(tmp_path: Path) -> Sandbox:
    library = Sandbox(tmp_path / "results")
    library.models.add_embedder("mine", DeterministicFakeEmbedding(size=16))
    return library


@pytest.fixture
def corpus(library: Sandbox) -> Corpus:
    return read_loader(library, LOADED, "loaded")


def test_what_a_loader_read_is_a_corpus_of_pages(corpus: Corpus) -> None:
    pages = {document.name: [page.text for page in document.pages] for document in corpus.documents}
    assert [len(texts) for texts in pages.values()] == [2, 1]
    assert "40 beds" in pages["clinic.txt"][0]
    assert "四十張病床" in pages["診所.txt"][0]


def test_a_loader_without_text_is_refused(library: Sandbox) -> None:
    with pytest.raises(CorpusError, match="empty holds no text"):
        read_loader(library, [Document(page_content=" ")], "empty")


def test_a_configuration_is_a_retriever_with_pages_and_scores(
    library: Sandbox, corpus: Corpus
) -> None:
    first = retriever(library, corpus, WORDS).invoke("How many beds?")[0]
    assert first.page_content.strip() == "The clinic has 40 beds."
    assert {"source": "clinic.txt", "page": 1, "rank": 1}.items() <= first.metadata.items()


def test_an_index_is_a_vector_store_with_the_users_own_embedder(
    library: Sandbox, corpus: Corpus
) -> None:
    store = vector_store(library, corpus, MINE)
    text = library.index(corpus, MINE).chunks[1].text
    ((document, similarity),) = store.similarity_search_with_score(text, k=1)
    assert document.page_content == text
    assert similarity == pytest.approx(1.0, abs=1e-5)


def test_a_configuration_without_vectors_makes_no_vector_store(
    library: Sandbox, corpus: Corpus
) -> None:
    with pytest.raises(ConfigError, match="words has no vectors"):
        vector_store(library, corpus, WORDS)


def test_a_chat_model_of_the_users_own_answers(library: Sandbox, corpus: Corpus) -> None:
    library.models.add_chat_model("mine", FakeListChatModel(responses=["It has 40 beds."]))
    config = Config(**{**WORDS.to_dict(), "chat_model": "mine"})
    assert library.ask(corpus, "How many beds?", config).text == "It has 40 beds."


def test_a_chain_is_measured_like_a_configuration(library: Sandbox, corpus: Corpus) -> None:
    search = retriever(library, corpus, WORDS)

    def reply(question: str) -> dict[str, object]:
        return {"answer": "40 beds.", "context": search.invoke(question)}

    chain = RunnableLambda(reply)
    run = evaluate_chain(library, chain, [BEDS], name="my chain", metrics=["no-judge"])
    scores = {metric: score.value for (metric, _), score in run.scores().items()}
    assert run.run.configuration == "my chain"
    assert scores["accepted_answer"] == 1.0
    assert run.cells()["beds"].answer is not None


def test_a_chain_that_gives_no_text_fails_with_its_reason(library: Sandbox) -> None:
    def reply(question: str) -> int:
        return len(question)

    chain = RunnableLambda(reply)
    run = evaluate_chain(library, chain, [BEDS], name="numbers", metrics=["no-judge"])
    assert "the chain gave int" in run.cells()["beds"].failure


def test_a_provider_that_is_not_installed_is_one_sentence(library: Sandbox) -> None:
    with pytest.raises(ModelUnavailable, match="LangChain cannot make langchain:nobody:model"):
        library.models.chat_model("langchain:nobody:model")


def test_a_langchain_model_by_name_is_made_by_its_provider(library: Sandbox) -> None:
    model = library.models.chat_model("langchain:ollama:llama3.1")
    assert type(model.langchain(temperature=0, seed=1, max_tokens=5)).__name__ == "ChatOllama"
    with pytest.raises(ConfigError, match="cannot judge"):
        library.models.judge("langchain:ollama:llama3.1")
