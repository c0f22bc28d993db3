import time
from collections.abc import Callable
from pathlib import Path

import pytest

from sandbox.errors import ConfigError, ModelUnavailable
from sandbox.models import weights
from sandbox.models.ollama import OllamaChat, OllamaEmbedder
from sandbox.models.openai_chat import EmbeddedChat, HttpChat
from sandbox.models.source import Choice, Models
from tests.models.ollama_server import ScriptedOllama, Served

NOBODY = "http://127.0.0.1:9"


def by_role(choices: tuple[Choice, ...]) -> dict[str, str]:
    return {choice.role: choice.model for choice in choices}


def test_ollama_is_used_where_it_answers_and_has_the_model(models: Models) -> None:
    assert by_role(models.choices()) == {
        "chat_model": "ollama:llama3.1",
        "judge": "embedded:qwen2.5-0.5b",
        "embedder": "ollama:nomic-embed-text",
        "captioner": "ocr",
        "reranker": "maxsim",
    }


def test_a_model_that_sends_prompts_to_the_internet_is_never_chosen(
    ollama: ScriptedOllama, models: Models
) -> None:
    ollama.models[:] = [
        Served(name="llama3.1:latest", remote_host="https://example.org"),
        Served(name="big:120b-cloud"),
    ]
    assert models.choices()[0].model == "embedded:qwen2.5-0.5b"
    with pytest.raises(ModelUnavailable, match="runs on the internet, not on this machine"):
        models.chat_model("ollama:llama3.1")
    with pytest.raises(ModelUnavailable, match="would be sent your documents"):
        models.chat_model("ollama:big:120b-cloud")


def test_auto_fails_with_the_command_where_nothing_is_ready(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("sandbox.models.e5.is_installed", lambda: False)
    with pytest.raises(ModelUnavailable, match=r"no embedder is ready: .*; run: pip install"):
        Models(ollama_url=NOBODY).embedder("auto")


def test_auto_stays_what_it_was_until_told_to_look_again(
    ollama: ScriptedOllama, models: Models
) -> None:
    assert models.chat_model("auto").name == "ollama:llama3.1"
    ollama.models.clear()
    assert models.chat_model("auto").name == "ollama:llama3.1"
    models.refresh()
    assert models.chat_model("auto").name == "embedded:qwen2.5-0.5b"


def test_a_model_is_made_once(models: Models) -> None:
    assert models.chat_model("ollama:llama3.1") is models.chat_model("auto")


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("embedded:qwen2.5-0.5b", EmbeddedChat),
        ("ollama:llama3.1", OllamaChat),
        ("ollama:qwen2.5vl:7b", OllamaChat),
        ("http://127.0.0.1:8000/v1#some/model", HttpChat),
    ],
)
def test_a_name_states_the_source_of_a_chat_model(name: str, kind: type, models: Models) -> None:
    model = models.chat_model(name)
    assert type(model) is kind
    assert model.name == name


def test_an_embedder_on_ollama_is_made_by_name(models: Models) -> None:
    assert type(models.embedder("ollama:nomic-embed-text")) is OllamaEmbedder


@pytest.mark.parametrize(
    "name", ["llama3.1", "", "ollama:", "http://127.0.0.1:8000/v1", "http://#x"]
)
def test_a_malformed_name_of_a_chat_model_is_refused(name: str, models: Models) -> None:
    with pytest.raises(ConfigError):
        models.chat_model(name)


@pytest.mark.parametrize(
    "make",
    [
        lambda models: models.embedder("e5"),
        lambda models: models.captioner("magic"),
        lambda models: models.cross_encoder("bge"),
    ],
)
def test_a_malformed_name_of_another_role_is_refused(
    make: Callable[[Models], object], models: Models
) -> None:
    with pytest.raises(ConfigError):
        make(models)


def test_a_captioner_must_see(models: Models) -> None:
    assert models.captioner("ollama:qwen2.5vl:7b").name == "ollama:qwen2.5vl:7b"
    with pytest.raises(ModelUnavailable, match="sees no pictures; choose a vision model or ocr"):
        models.captioner("ollama:llama3.1")


def test_a_missing_model_file_is_told(models: Models) -> None:
    with pytest.raises(ModelUnavailable, match="there is no such file"):
        models.chat_model("gguf:/nowhere/model.gguf")


def test_a_model_that_ollama_lacks_is_told_with_the_command(models: Models) -> None:
    with pytest.raises(ModelUnavailable, match="^Ollama has no model mistral; run: ollama pull"):
        models.chat_model("ollama:mistral")


def test_a_stopped_ollama_is_told_with_the_command() -> None:
    source = Models(ollama_url=NOBODY)
    with pytest.raises(ModelUnavailable, match="^Ollama is not running; run: ollama serve$"):
        source.chat_model("ollama:llama3.1")
    source.close()


def test_looking_around_never_takes_long(ollama: ScriptedOllama, models: Models) -> None:
    ollama.trouble = "slow"
    started = time.monotonic()
    assert models.choices()[0].source == "embedded"
    assert time.monotonic() - started < 0.9


def test_what_can_be_chosen_is_listed_by_role(models: Models) -> None:
    names: dict[str, list[str]] = {}
    for entry in models.available():
        names.setdefault(entry.role, []).append(entry.model)
    served = [
        "ollama:cuts-silently",
        "ollama:llama3.1",
        "ollama:qwen2.5vl:7b",
        "ollama:small-window",
    ]
    assert names == {
        "chat_model": ["embedded:qwen2.5-0.5b", *served],
        "judge": ["embedded:qwen2.5-0.5b", *served],
        "embedder": ["embedded:e5-small", "ollama:nomic-embed-text"],
        "captioner": ["ocr", "ollama:qwen2.5vl:7b"],
        "reranker": ["maxsim"],
    }


def test_a_server_that_does_not_list_capabilities_is_read_by_family(
    ollama: ScriptedOllama, models: Models
) -> None:
    ollama.lists_capabilities = False
    assert models.choices()[2].model == "ollama:nomic-embed-text"


def test_a_judge_for_other_clients_is_an_address_with_its_own_context(
    ollama: ScriptedOllama, models: Models
) -> None:
    endpoint = models.judge("ollama:small-window").openai_endpoint
    assert (endpoint.base_url, endpoint.model) == (f"{ollama.url}/v1", "small-window")
    assert endpoint.context_tokens == 512
    assert models.judge("ollama:llama3.1").openai_endpoint.context_tokens == 4096


def test_the_weights_file_may_stand_anywhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = tmp_path / "any.gguf"
    given.write_bytes(b"")
    monkeypatch.setenv(weights.PATH_VARIABLE, str(given))
    assert weights.can_be_loaded()
