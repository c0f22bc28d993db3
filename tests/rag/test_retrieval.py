import json
import math
from pathlib import Path

import numpy
import pytest
from rank_bm25 import BM25Okapi

from sandbox.config import Config
from sandbox.files.storage import Store
from sandbox.models.scripted import ScriptedEmbedder
from sandbox.rag.index import CachedEmbedder, Index, load_index, save_index
from sandbox.rag.retrieval import (
    reciprocal_rank_fusion,
    retrieve,
    score_best_sentences,
    standardize,
)
from sandbox.records import Chunk, Retrieved
from sandbox.text.tokenization import tokenize

TEXTS = (
    "東澤區通報登革熱四百零三例。",
    "腸病毒停課以七日為原則。",
    "積水容器未清除者處罰鍰三千元。",
    "The cold room alarm is set at 8 degrees.",
)


def chunks(texts: tuple[str, ...] = TEXTS) -> list[Chunk]:
    return [
        Chunk(id=str(page), document="a.pdf", document_id="a", page=page, boxes=(), text=text)
        for page, text in enumerate(texts, start=1)
    ]


@pytest.fixture
def embedder(store: Store) -> CachedEmbedder:
    return CachedEmbedder(ScriptedEmbedder(), store.open_cache("embeddings"))


@pytest.fixture
def index(embedder: CachedEmbedder) -> Index:
    return Index(chunks(), embedder.passages(TEXTS))


def config(**changes: object) -> Config:
    return Config(**{"reranker": "none", "top_k": 4, **changes})  # type: ignore[arg-type]


def pages(found: tuple[Retrieved, ...]) -> list[int]:
    return [item.chunk.page for item in found]


def test_ranks_count_from_one_and_two_votes_beat_one() -> None:
    fused = reciprocal_rank_fusion([["x", "a", "y"], ["b", "c", "y"]])
    assert fused[0] == ("y", 2 / 63)
    assert fused[1] == ("x", 1 / 61)


def test_an_item_absent_from_a_ranking_gets_no_vote_from_it() -> None:
    assert reciprocal_rank_fusion([["a"], ["b", "c"]]) == [
        ("a", 1 / 61),
        ("b", 1 / 61),
        ("c", 1 / 62),
    ]


def test_an_item_listed_twice_counts_once_at_its_first_place() -> None:
    assert dict(reciprocal_rank_fusion([["a", "a", "b"]])) == {"a": 1 / 61, "b": 1 / 62}


def test_a_ranking_of_weight_zero_has_no_say() -> None:
    assert reciprocal_rank_fusion([["a"], ["b"]], weights=[1, 0]) == [("a", 1 / 61)]


def test_weights_decide_between_opposite_rankings() -> None:
    fused = reciprocal_rank_fusion([["a", "b"], ["b", "a"]], weights=[0.1, 0.9])
    assert [item for item, _ in fused] == ["b", "a"]


def test_one_weight_for_each_ranking_is_required() -> None:
    with pytest.raises(ValueError, match="zip"):
        reciprocal_rank_fusion([["a"]], weights=[1, 2])


def test_equal_scores_standardize_to_zeros() -> None:
    assert standardize([2.0, 2.0]).tolist() == [0.0, 0.0]


def test_a_chinese_question_scores_the_right_chunk_above_zero_and_first(index: Index) -> None:
    for question, page in (("東澤區有多少登革熱病例？", 1), ("停課幾天", 2), ("罰鍰", 3)):
        first = retrieve(index, question, config(retriever="lexical"))[0]
        assert (first.chunk.page, first.legs["lexical"].rank) == (page, 1)
        assert first.legs["lexical"].score > 0


def test_words_that_are_in_every_chunk_never_count_against_a_chunk() -> None:
    same = Index(chunks(("pump one", "pump two", "pump three")))
    assert (same.lexical_scores("pump") > 0).all()


def test_a_question_that_shares_no_word_retrieves_nothing_by_words(index: Index) -> None:
    assert retrieve(index, "xylophone", config(retriever="lexical")) == ()


def test_a_leg_without_hits_has_no_vote_in_the_fusion(
    index: Index, embedder: CachedEmbedder
) -> None:
    dense = retrieve(index, "xylophone", config(retriever="dense"), embedder=embedder)
    hybrid = retrieve(index, "xylophone", config(retriever="hybrid"), embedder=embedder)
    assert pages(hybrid) == pages(dense)
    assert all("lexical" not in item.legs for item in hybrid)


def test_every_leg_shows_rank_and_score(index: Index, embedder: CachedEmbedder) -> None:
    first = retrieve(
        index,
        "alarm degrees",
        config(retriever="hybrid", reranker="maxsim"),
        embedder=embedder,
        rerank=lambda question, texts: score_best_sentences(question, texts, embedder),
    )[0]
    assert sorted(first.legs) == ["dense", "fused", "lexical", "reranker"]
    assert first.legs["fused"].score == pytest.approx(2 / 61)


def test_top_k_and_candidates_limit_what_is_returned(
    index: Index, embedder: CachedEmbedder
) -> None:
    found = retrieve(index, "alarm", config(retriever="dense", top_k=2), embedder=embedder)
    assert [item.rank for item in found] == [1, 2]
    narrow = config(retriever="dense", candidates=1)
    assert len(retrieve(index, "alarm", narrow, embedder=embedder)) == 1


def test_a_reranker_of_ones_own_decides_the_order(index: Index, embedder: CachedEmbedder) -> None:
    found = retrieve(
        index,
        "alarm",
        config(retriever="dense", reranker="st:some-model"),
        embedder=embedder,
        rerank=lambda question, texts: [float(text == TEXTS[2]) for text in texts],
    )
    assert pages(found)[0] == 3
    assert found[0].score == 1.0


def test_two_documents_with_the_same_text_stay_two() -> None:
    twice = Index(chunks(("same text", "same text", "something else")))
    assert len(retrieve(twice, "same", config(retriever="lexical"))) == 2


def test_the_best_sentence_of_a_text_is_its_score(embedder: CachedEmbedder) -> None:
    whole, single = score_best_sentences(
        "alarm at 8", ["Unrelated words. alarm at 8", "alarm at 8"], embedder
    )
    assert whole == pytest.approx(single) == pytest.approx(1.0, abs=1e-5)


@pytest.mark.parametrize(
    "question", ["登革熱四百例", "alarm at 8 degrees", "of the the", "nothing"]
)
def test_word_scores_are_those_of_bm25_with_a_frequency_that_is_never_negative(
    question: str,
) -> None:
    texts = (*TEXTS, "The alarm of the ward.", "The ward, the ward, the ward of wards.")

    class Reference(BM25Okapi):  # type: ignore[misc]  # rank_bm25 is not annotated
        def _calc_idf(self, nd: dict[str, int]) -> None:
            for term, count in nd.items():
                self.idf[term] = math.log(1 + (self.corpus_size - count + 0.5) / (count + 0.5))

    reference = Reference([tokenize(text) for text in texts]).get_scores(tokenize(question))
    scores = Index(chunks(texts)).lexical_scores(question)
    assert scores.tolist() == reference.astype(numpy.float32).tolist()


def test_a_saved_index_is_loaded_as_it_was(index: Index, tmp_path: Path) -> None:
    save_index(index, tmp_path / "saved", {"embedder": "scripted"})
    loaded = load_index(tmp_path / "saved")
    assert loaded is not None
    assert loaded.chunks == index.chunks
    vectors, before = loaded.vectors(), index.vectors()
    assert vectors is not None
    assert before is not None
    assert numpy.array_equal(vectors, before)


def test_an_index_whose_parts_do_not_fit_is_not_loaded(index: Index, tmp_path: Path) -> None:
    save_index(index, tmp_path / "saved", {})
    lines = (tmp_path / "saved" / "chunks.jsonl").read_text().splitlines(keepends=True)
    (tmp_path / "saved" / "chunks.jsonl").write_text("".join(lines[:-1]))
    assert load_index(tmp_path / "saved") is None
    assert load_index(tmp_path / "missing") is None


def test_an_index_of_words_that_lost_a_chunk_is_not_loaded(tmp_path: Path) -> None:
    save_index(Index(chunks()), tmp_path / "saved", {})
    path = tmp_path / "saved" / "chunks.jsonl"
    path.write_text(path.read_text()[:-5])
    assert load_index(tmp_path / "saved") is None


def test_an_index_that_states_no_count_of_chunks_is_loaded(tmp_path: Path) -> None:
    save_index(Index(chunks()), tmp_path / "saved", {})
    path = tmp_path / "saved" / "index.json"
    description = json.loads(path.read_text())
    assert description.pop("chunks") == 4
    path.write_text(json.dumps(description))
    loaded = load_index(tmp_path / "saved")
    assert loaded is not None
    assert loaded.chunks == tuple(chunks())


def test_vectors_of_another_length_are_refused_and_never_compared(index: Index) -> None:
    with pytest.raises(ValueError, match="dimensions"):
        index.dense_scores(numpy.ones(3, numpy.float32))


def test_a_text_is_embedded_once(store: Store) -> None:
    embedder = CachedEmbedder(ScriptedEmbedder(), store.open_cache("embeddings"))
    assert list(embedder.fill(["one", "two", "one"])) == [(2, 2)]
    assert list(embedder.fill(["two", "one"])) == []
