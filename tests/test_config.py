import pytest

from sandbox.config import PRESETS, Config, parse_changes, preset, with_changes
from sandbox.errors import ConfigError


def test_the_presets_are_the_six_of_the_published_experiment() -> None:
    settings = {
        name: (config.index, config.top_k, config.prompt) for name, config in PRESETS.items()
    }
    assert settings == {
        "text_k4": ("text", 4, "default"),
        "text_k9": ("text", 9, "default"),
        "caption_k4": ("caption", 4, "default"),
        "ctx_k4": ("context", 4, "default"),
        "ctx_k9": ("context", 9, "default"),
        "ctx_k9_strict": ("context", 9, "strict"),
    }


def test_a_changed_configuration_is_named_after_its_change() -> None:
    assert with_changes(preset("ctx_k9"), {"top_k": 5}).name == "ctx_k9+top_k=5"
    assert with_changes(preset("ctx_k9"), {"top_k": 9}) == preset("ctx_k9")


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"index": "pictures"}, "index is 'pictures'; choose one of text, caption, context"),
        ({"retriever": "magic"}, "retriever is 'magic'; choose one of lexical, dense, hybrid"),
        ({"reranker": "best"}, "reranker is 'best'; choose none, maxsim or st:NAME_OR_PATH"),
        ({"top_k": 51}, "top_k is 51; choose a number from 1 to 50"),
        ({"overlap_characters": 300}, "overlap_characters is 300; choose a number from 0 to 200"),
        ({"prompt": "  "}, "prompt is empty"),
    ],
)
def test_a_value_out_of_range_is_refused_with_what_is_possible(
    changes: dict[str, object], sentence: str
) -> None:
    with pytest.raises(ConfigError) as refused:
        with_changes(Config(), changes)
    assert str(refused.value).startswith(sentence)


def test_settings_are_read_in_the_type_of_their_field() -> None:
    assert parse_changes(["top_k=5", "temperature=0.5", "reranker=none"]) == {
        "top_k": 5,
        "temperature": 0.5,
        "reranker": "none",
    }
