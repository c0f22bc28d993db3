from collections.abc import Sequence
from pathlib import Path

import pytest

from sandbox.config import Config, preset, with_changes
from sandbox.errors import ConfigError, CorpusError
from sandbox.files.storage import Store
from sandbox.models.scripted import ScriptedEmbedder, ScriptedModels
from sandbox.progress import Progress, finish
from sandbox.rag.pipeline import Pipeline, Retrieval
from sandbox.records import Corpus
from tests.conftest import MakePdf

BEDS = "The Cedar clinic opens at 8:15 and has 14 beds."
ALARM = "The cold room alarm is set at eight degrees."


class CountingEmbedder(ScriptedEmbedder):
    """Remembers what it embedded."""

    def __init__(self, name: str = "scripted:words") -> None:
        super().__init__(name=name)
        self.passages: list[str] = []

    def embed_passages(self, texts: Sequence[str]):  # type: ignore[no-untyped-def]  # noqa: ANN201
        self.passages += texts
        return super().embed_passages(texts)


@pytest.fixture
def embedder() -> CountingEmbedder:
    return CountingEmbedder()


@pytest.fixture
def pipeline(store: Store, embedder: CountingEmbedder) -> Pipeline:
    return Pipeline(store, ScriptedModels(lambda system, user: "14 beds [1]", embedders=[embedder]))


def read(pipeline: Pipeline, *files: Path) -> Corpus:
    return finish(pipeline.read(files)).as_corpus("made")


def test_a_pdf_is_read_indexed_and_asked(pipeline: Pipeline, make_pdf: MakePdf) -> None:
    corpus = read(pipeline, make_pdf(BEDS, ALARM))
    config = preset("text_k4")
    index = finish(pipeline.prepare(corpus, config))
    answer = finish(pipeline.stream(index, "How many beds has Cedar?", config))
    assert answer.text == "14 beds [1]"
    assert answer.retrieved[0].chunk.page == 1
    assert answer.models == {
        "embedder": "scripted:words",
        "reranker": "maxsim",
        "chat_model": "scripted:chat",
    }
    assert set(answer.seconds) == {"retrieve", "first_token", "answer"}


def test_an_index_says_what_making_it_took_also_when_it_is_loaded(
    pipeline: Pipeline, make_pdf: MakePdf
) -> None:
    corpus = read(pipeline, make_pdf(BEDS, ALARM))
    made = finish(pipeline.prepare(corpus, preset("text_k4")))
    assert made.seconds is not None
    assert made.seconds > 0
    assert finish(pipeline.prepare(corpus, preset("text_k4"))).seconds == made.seconds


def test_the_retrieval_comes_before_the_answer_is_written(
    pipeline: Pipeline, make_pdf: MakePdf
) -> None:
    corpus = read(pipeline, make_pdf(BEDS))
    index = finish(pipeline.prepare(corpus, preset("text_k4")))
    first, second, *_ = pipeline.stream(index, "beds", preset("text_k4"))
    assert isinstance(first, Retrieval)
    assert second == "14 "


def test_one_bad_file_does_not_stop_the_others(
    pipeline: Pipeline, make_pdf: MakePdf, tmp_path: Path
) -> None:
    bad = tmp_path / "bad.pdf"
    bad.write_bytes(b"not a pdf at all")
    report = finish(pipeline.read([bad, make_pdf(BEDS)]))
    assert [document.name for document in report.documents] == ["made.pdf"]
    assert [refused.file for refused in report.refused] == ["bad.pdf"]
    assert "bad.pdf" in report.refused[0].reason


def test_files_of_the_same_content_and_different_names_stay_two_documents(
    pipeline: Pipeline, make_pdf: MakePdf
) -> None:
    one = make_pdf(BEDS, name="【最終版】.pdf")
    two = one.with_name("最終版.pdf")
    two.write_bytes(one.read_bytes())
    corpus = read(pipeline, one, two)
    index = finish(pipeline.prepare(corpus, preset("text_k4")))
    assert {chunk.document for chunk in index.chunks} == {"【最終版】.pdf", "最終版.pdf"}
    assert len({chunk.id for chunk in index.chunks}) == len(index.chunks)


def test_a_changed_top_k_or_prompt_never_indexes_again(
    pipeline: Pipeline, make_pdf: MakePdf, embedder: CountingEmbedder
) -> None:
    corpus = read(pipeline, make_pdf(BEDS, ALARM))
    finish(pipeline.prepare(corpus, preset("ctx_k4")))
    embedded = len(embedder.passages)
    for name in ("ctx_k9", "ctx_k9_strict"):
        assert list(pipeline.prepare(corpus, preset(name))) == []
    assert len(embedder.passages) == embedded


def test_the_three_indexes_of_a_pdf_share_the_vectors_of_their_text(
    pipeline: Pipeline, make_pdf: MakePdf, embedder: CountingEmbedder
) -> None:
    corpus = read(pipeline, make_pdf(BEDS, ALARM))
    for name in ("text_k4", "caption_k4", "ctx_k4"):
        finish(pipeline.prepare(corpus, preset(name)))
    assert len(embedder.passages) == len(set(embedder.passages)) == 2


def test_another_embedder_makes_another_index_and_says_so(store: Store, make_pdf: MakePdf) -> None:
    models = ScriptedModels(
        embedders=[CountingEmbedder("scripted:a"), CountingEmbedder("scripted:b")]
    )
    pipeline = Pipeline(store, models)
    corpus = read(pipeline, make_pdf(BEDS))
    config = with_changes(preset("text_k4"), {"embedder": "scripted:a"})
    first = finish(pipeline.prepare(corpus, config))
    other = with_changes(config, {"embedder": "scripted:b"})
    messages = [progress.message for progress in pipeline.prepare(corpus, other)]
    assert messages[0] == "indexing made again: embedder was scripted:a and is now scripted:b"
    second = finish(pipeline.prepare(corpus, other))
    assert first.fingerprint != second.fingerprint


def test_a_changed_chunk_size_makes_another_index_and_says_so(
    pipeline: Pipeline, make_pdf: MakePdf
) -> None:
    corpus = read(pipeline, make_pdf(BEDS * 20))
    finish(pipeline.prepare(corpus, preset("text_k4")))
    smaller = with_changes(preset("text_k4"), {"chunk_characters": 100})
    messages = [progress.message for progress in pipeline.prepare(corpus, smaller)]
    assert messages[0] == "indexing made again: chunk_characters was 400 and is now 100"


def test_searching_by_words_alone_needs_no_embedder(
    pipeline: Pipeline, make_pdf: MakePdf, embedder: CountingEmbedder
) -> None:
    config = Config(retriever="lexical", reranker="none", index="text")
    corpus = read(pipeline, make_pdf(BEDS, ALARM))
    index = finish(pipeline.prepare(corpus, config))
    found = pipeline.retrieve(index, "alarm", config)
    assert [item.chunk.page for item in found.retrieved] == [2]
    assert embedder.passages == []


def test_an_empty_question_is_refused_in_one_sentence(
    pipeline: Pipeline, make_pdf: MakePdf
) -> None:
    corpus = read(pipeline, make_pdf(BEDS))
    index = finish(pipeline.prepare(corpus, preset("text_k4")))
    with pytest.raises(ConfigError, match="the question is empty"):
        pipeline.retrieve(index, "  ", preset("text_k4"))


def test_progress_is_told_page_by_page(pipeline: Pipeline, make_pdf: MakePdf) -> None:
    steps = list(pipeline.read([make_pdf(BEDS, ALARM, BEDS)]))
    assert all(isinstance(step, Progress) for step in steps)
    assert steps[-1].total == 3
    assert "page 3 of 3" in steps[-1].message


def test_a_corpus_of_refused_files_cannot_be_opened(pipeline: Pipeline, tmp_path: Path) -> None:
    bad = tmp_path / "bad.pdf"
    bad.write_bytes(b"")
    with pytest.raises(CorpusError, match=r"bad\.pdf"):
        read(pipeline, bad)


def test_the_page_of_a_chunk_is_drawn_as_a_picture(pipeline: Pipeline, make_pdf: MakePdf) -> None:
    corpus = read(pipeline, make_pdf(BEDS))
    index = finish(pipeline.prepare(corpus, preset("text_k4")))
    chunk = index.chunks[0]
    plain = pipeline.page_image(corpus, chunk.document_id, 1, ())
    marked = pipeline.page_image(corpus, chunk.document_id, 1, chunk.boxes)
    assert plain.startswith(b"\x89PNG")
    assert plain != marked
