from collections.abc import Callable

import numpy
import pytest
from langchain_core.embeddings import Embeddings

from sandbox.errors import ModelReplyError, ModelUnavailable
from sandbox.models.base import Embedder
from sandbox.models.e5 import E5Embedder
from sandbox.models.langchain_adapters import LangChainEmbedder
from sandbox.models.scripted import ScriptedEmbedder
from sandbox.models.source import Models
from tests.models.ollama_server import ScriptedOllama


class OwnEmbeddings(Embeddings):
    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return [[float(len(text)), 2.0] for text in texts]

    def embed_query(self, text: str) -> list[float]:
        return [float(len(text)), 2.0]


def on_ollama(models: Models) -> Embedder:
    return models.embedder("ollama:nomic-embed-text")


def scripted(models: Models) -> Embedder:
    return ScriptedEmbedder()


def brought(models: Models) -> Embedder:
    return LangChainEmbedder(OwnEmbeddings(), name="own", max_tokens=100)


def embedded(models: Models) -> Embedder:
    return E5Embedder()


every_embedder = pytest.mark.parametrize(
    "make", [on_ollama, scripted, brought, pytest.param(embedded, marks=pytest.mark.model)]
)
Make = Callable[[Models], Embedder]


@every_embedder
def test_vectors_have_unit_length(make: Make, models: Models) -> None:
    texts = [f"passage number {number}" for number in range(20)]
    vectors = make(models).embed_passages(texts)
    assert vectors.shape[0] == 20
    assert vectors.dtype == numpy.float32
    assert numpy.allclose(numpy.linalg.norm(vectors, axis=1), 1.0, atol=1e-5)


@every_embedder
def test_a_question_is_one_vector_of_the_passages_dimensions(make: Make, models: Models) -> None:
    embedder = make(models)
    question = embedder.embed_question("哪一年病例最多？")
    assert question.shape == embedder.embed_passages(["一篇"]).shape[1:]
    assert question.dtype == numpy.float32
    assert abs(float(question @ question) - 1.0) < 1e-5


@every_embedder
def test_no_texts_give_no_vectors(make: Make, models: Models) -> None:
    assert len(make(models).embed_passages([])) == 0


@every_embedder
def test_an_embedder_says_what_it_is(make: Make, models: Models) -> None:
    embedder = make(models)
    assert embedder.name
    assert embedder.digest
    assert embedder.max_tokens >= 100


def test_nomic_gets_the_words_it_was_trained_with(ollama: ScriptedOllama, models: Models) -> None:
    embedder = models.embedder("ollama:nomic-embed-text")
    embedder.embed_passages(["a passage"])
    embedder.embed_question("a question")
    assert [body["input"] for body in ollama.asked("/api/embed")] == [
        ["search_document: a passage"],
        ["search_query: a question"],
    ]


def test_the_digest_of_an_ollama_embedder_covers_weights_and_prefixes(models: Models) -> None:
    assert on_ollama(models).digest == "0a109f422b47|search_document: |search_query: "


def test_a_text_longer_than_the_model_reads_is_told_in_the_log(
    ollama: ScriptedOllama, models: Models, caplog: pytest.LogCaptureFixture
) -> None:
    vectors = on_ollama(models).embed_passages(["word " * 3000])
    assert vectors.shape == (1, 3)
    assert "embedded in part" in caplog.text
    assert [body["truncate"] for body in ollama.asked("/api/embed")] == [False, True]


def test_a_chat_model_does_not_embed(models: Models) -> None:
    with pytest.raises(ModelUnavailable, match="does not support embeddings"):
        models.embedder("ollama:llama3.1").embed_question("a question")


def test_missing_vectors_are_noticed(ollama: ScriptedOllama, models: Models) -> None:
    embedder = on_ollama(models)
    ollama.trouble = "empty"
    with pytest.raises(ModelReplyError, match="did not give one vector a text"):
        embedder.embed_passages(["a passage"])


def test_a_vector_without_direction_is_refused() -> None:
    class Nothing(OwnEmbeddings):
        def embed_query(self, text: str) -> list[float]:
            return [0.0, 0.0]

    with pytest.raises(ModelReplyError, match="without a direction"):
        LangChainEmbedder(Nothing(), name="own", max_tokens=9).embed_question("a question")


def test_a_question_finds_the_passage_that_shares_its_words() -> None:
    embedder = ScriptedEmbedder()
    passages = embedder.embed_passages(["cases in 2019", "the harbor at night", "麻疹病例"])
    assert int((passages @ embedder.embed_question("how many cases in 2019?")).argmax()) == 0
    assert int((passages @ embedder.embed_question("麻疹")).argmax()) == 2


@pytest.mark.model
def test_the_embedded_embedder_crosses_languages_and_survives_odd_characters() -> None:
    embedder = E5Embedder()
    passages = embedder.embed_passages(
        ["2019 年病例最多，共 141 例。", "The harbor\0at \ud800night."]
    )
    question = embedder.embed_question("Which year had the most cases?")
    assert int((passages @ question).argmax()) == 0
