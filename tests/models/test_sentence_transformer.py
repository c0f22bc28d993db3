import json
from pathlib import Path

import numpy
import pytest

from sandbox.errors import ModelUnavailable
from sandbox.models.sentence_transformer import (
    CrossEncoderReranker,
    SentenceTransformerEmbedder,
    find_folder,
    folder_digest,
)

WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "cases", "year", "harbor", "2019"]


def make_model(folder: Path, *, scoring: bool) -> Path:
    """A tiny BERT with random weights, as transformers writes one."""
    from transformers import (
        BertConfig,
        BertForSequenceClassification,
        BertModel,
        BertTokenizer,
        set_seed,
    )

    set_seed(1)
    folder.mkdir()
    (folder / "vocab.txt").write_text("\n".join(WORDS))
    BertTokenizer(vocab=str(folder / "vocab.txt")).save_pretrained(folder)
    config = BertConfig(
        vocab_size=len(WORDS),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=16,
        max_position_embeddings=64,
    )
    config.num_labels = 1
    kind = BertForSequenceClassification if scoring else BertModel
    kind(config).save_pretrained(folder)
    return folder


def make_folder(folder: Path, architecture: str) -> Path:
    folder.mkdir()
    (folder / "config.json").write_text(json.dumps({"architectures": [architecture]}))
    return folder


@pytest.mark.model
def test_a_folder_of_weights_embeds(tmp_path: Path) -> None:
    embedder = SentenceTransformerEmbedder(f"st:{make_model(tmp_path / 'tiny', scoring=False)}")
    vectors = embedder.embed_passages(["cases 2019", "harbor"])
    question = embedder.embed_question("cases 2019")
    assert vectors.shape == (2, 16)
    assert vectors.dtype == numpy.float32
    assert int((vectors @ question).argmax()) == 0
    assert abs(float(question @ question) - 1.0) < 1e-5
    assert embedder.max_tokens == 64
    assert len(embedder.embed_passages([])) == 0


@pytest.mark.model
def test_a_folder_of_a_cross_encoder_reranks(tmp_path: Path) -> None:
    reranker = CrossEncoderReranker(f"st:{make_model(tmp_path / 'tiny', scoring=True)}")
    scores = reranker.scores("cases year", ["cases 2019", "harbor", "cases 2019"])
    assert len(scores) == 3
    assert scores[0] == pytest.approx(scores[2], abs=1e-5)
    assert scores[0] != pytest.approx(scores[1], abs=1e-9)
    assert reranker.scores("cases", []) == []


def test_weights_that_are_not_here_are_told_without_a_look_up() -> None:
    with pytest.raises(ModelUnavailable) as caught:
        SentenceTransformerEmbedder("st:nobody/nothing")
    assert str(caught.value) == (
        "the weights of st:nobody/nothing are not on this disk; give a folder "
        "(st:/PATH/TO/MODEL), or fetch them once where there is a network with: "
        "hf download nobody/nothing"
    )


def test_a_short_name_is_one_of_the_library() -> None:
    with pytest.raises(ModelUnavailable, match="hf download sentence-transformers/no-such-model$"):
        CrossEncoderReranker("st:no-such-model")


@pytest.mark.parametrize("name", ["st:", "st:/nowhere", "st:./nowhere", "st:~/nowhere"])
def test_a_path_that_leads_nowhere_is_told(name: str) -> None:
    with pytest.raises(ModelUnavailable, match=r"there is no such folder"):
        find_folder(name)


def test_a_folder_without_a_model_is_told(tmp_path: Path) -> None:
    with pytest.raises(ModelUnavailable, match=r"it has no config\.json"):
        find_folder(f"st:{tmp_path}")


@pytest.mark.parametrize("name", ["st:a/b/c", "st:a b", "st:" + "x" * 200])
def test_an_impossible_name_is_not_on_this_disk(name: str) -> None:
    with pytest.raises(ModelUnavailable, match="are not on this disk"):
        find_folder(name)


def test_an_embedder_is_not_used_as_a_reranker(tmp_path: Path) -> None:
    folder = make_folder(tmp_path / "model", "BertModel")
    with pytest.raises(ModelUnavailable, match="is not a reranker; choose a CrossEncoder"):
        CrossEncoderReranker(f"st:{folder}")


def test_a_reranker_is_not_used_as_an_embedder(tmp_path: Path) -> None:
    folder = make_folder(tmp_path / "model", "BertForSequenceClassification")
    with pytest.raises(ModelUnavailable, match="is a reranker; choose an embedder"):
        SentenceTransformerEmbedder(f"st:{folder}")


def test_a_folder_with_broken_settings_is_told(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text("{")
    with pytest.raises(ModelUnavailable, match="cannot be loaded as a model"):
        CrossEncoderReranker(f"st:{tmp_path}")


@pytest.mark.model
def test_a_folder_without_weights_is_told_when_they_are_needed(tmp_path: Path) -> None:
    embedder = SentenceTransformerEmbedder(f"st:{make_folder(tmp_path / 'model', 'BertModel')}")
    with pytest.raises(ModelUnavailable, match="cannot be loaded as a sentence-transformers model"):
        embedder.embed_question("cases")


def test_the_digest_changes_with_the_weights(tmp_path: Path) -> None:
    folder = make_folder(tmp_path / "model", "BertModel")
    (folder / "model.safetensors").write_bytes(b"one")
    before = folder_digest(folder)
    (folder / "model.safetensors").write_bytes(b"two")
    assert folder_digest(folder) != before
    (folder / "model.safetensors").write_bytes(b"one")
    (folder / "README.md").write_text("changes nothing")
    assert folder_digest(folder) == before
