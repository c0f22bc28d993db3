from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest

from sandbox.errors import ModelError, ModelReplyError, ModelTimeout, ModelUnavailable
from sandbox.models import ollama as ollama_module
from sandbox.models.base import ChatModel
from sandbox.models.chat import ReplyPart, stream_reply
from sandbox.models.langchain_adapters import LangChainChat
from sandbox.models.scripted import ScriptedChat
from sandbox.models.source import Models
from tests.models.ollama_server import ScriptedOllama, Served, Trouble

SYSTEM = "Answer from the material only."
USER = "Which year had most cases?"
LONG_USER = "word " * 2000


def native(server: ScriptedOllama, models: Models) -> ChatModel:
    return models.chat_model("ollama:llama3.1")


def over_http(server: ScriptedOllama, models: Models) -> ChatModel:
    return models.chat_model(f"{server.url}/v1#llama3.1")


def scripted(server: ScriptedOllama, models: Models) -> ChatModel:
    return ScriptedChat(lambda system, user: "The year was 2019.")


def brought(server: ScriptedOllama, models: Models) -> ChatModel:
    own = scripted(server, models).langchain(temperature=0, seed=1, max_tokens=9)
    return LangChainChat(own, name="own", context_tokens=1000)


Backend = Callable[[ScriptedOllama, Models], ChatModel]
every_backend = pytest.mark.parametrize("backend", [native, over_http, scripted, brought])
every_server = pytest.mark.parametrize("backend", [native, over_http])


def ask(model: ChatModel, user: str = USER) -> list[ReplyPart]:
    return list(stream_reply(model, SYSTEM, user, temperature=0.0, seed=42, max_tokens=64))


def failure(model: ChatModel, user: str = USER) -> ModelError:
    with pytest.raises(ModelError) as caught:
        ask(model, user)
    return caught.value


@every_backend
def test_an_answer_arrives_in_pieces(
    backend: Backend, ollama: ScriptedOllama, models: Models
) -> None:
    parts = ask(backend(ollama, models))
    assert [part.text for part in parts] == ["The ", "year ", "was ", "2019.", ""]


@every_backend
def test_the_last_part_alone_carries_the_token_counts(
    backend: Backend, ollama: ScriptedOllama, models: Models
) -> None:
    parts = ask(backend(ollama, models))
    assert [part.prompt_tokens is None for part in parts] == [True, True, True, True, False]
    assert parts[-1].answer_tokens


@every_backend
def test_a_chat_model_says_what_it_is(
    backend: Backend, ollama: ScriptedOllama, models: Models
) -> None:
    model = backend(ollama, models)
    assert model.name
    assert model.digest
    assert model.context_tokens > 0
    assert model.count_tokens(USER) >= 5


@every_server
def test_settings_reach_the_server(
    backend: Backend, ollama: ScriptedOllama, models: Models
) -> None:
    ask(backend(ollama, models))
    path, body = ollama.requests[-1]
    sent = body["options"] if path == "/api/chat" else body
    assert sent["temperature"] == 0.0
    assert sent["seed"] == 42
    assert sent.get("num_predict", sent.get("max_tokens")) == 64
    assert [message["role"] for message in body["messages"]] == ["system", "user"]


def test_the_context_length_is_asked_for_where_a_request_can(
    ollama: ScriptedOllama, models: Models
) -> None:
    ask(models.chat_model("ollama:llama3.1"))
    assert ollama.asked("/api/chat")[0]["options"]["num_ctx"] == 8192


@every_server
def test_a_stopped_server_says_so(backend: Backend, ollama: ScriptedOllama, models: Models) -> None:
    model = backend(ollama, models)
    assert model.context_tokens
    ollama.close()
    error = failure(model)
    assert type(error) is ModelUnavailable
    assert "start its server" in str(error) or "run: ollama serve" in str(error)


@every_server
@pytest.mark.parametrize("trouble", ["cut stream", "quiet end"])
def test_an_answer_that_breaks_off_is_not_taken_for_a_whole_one(
    trouble: Trouble, backend: Backend, ollama: ScriptedOllama, models: Models
) -> None:
    ollama.trouble = trouble
    error = failure(backend(ollama, models))
    assert type(error) is ModelReplyError
    assert "broke off in the middle of its answer" in str(error)


@every_server
def test_an_error_in_the_middle_of_an_answer_is_told(
    backend: Backend, ollama: ScriptedOllama, models: Models
) -> None:
    ollama.trouble = "error in stream"
    error = failure(backend(ollama, models))
    assert "llama runner process has terminated" in str(error)


@every_server
@pytest.mark.parametrize("trouble", ["empty", "not json"])
def test_a_reply_that_is_none_is_refused(
    trouble: Trouble, backend: Backend, ollama: ScriptedOllama, models: Models
) -> None:
    ollama.trouble = trouble
    assert type(failure(backend(ollama, models))) is ModelReplyError


@every_server
def test_too_little_memory_is_told_in_the_servers_words(
    backend: Backend, ollama: ScriptedOllama, models: Models
) -> None:
    model = backend(ollama, models)
    assert model.context_tokens
    ollama.trouble = "no memory"
    error = failure(model)
    assert type(error) is ModelUnavailable
    assert "requires more system memory (5.6 GiB)" in str(error)


def test_a_prompt_that_does_not_fit_is_told_with_both_sizes(
    ollama: ScriptedOllama, models: Models
) -> None:
    error = failure(models.chat_model("ollama:small-window"), LONG_USER)
    assert type(error) is ModelReplyError
    assert str(error) == (
        "the prompt of 2006 tokens does not fit ollama:small-window, which holds 512; choose a "
        "smaller top_k or a model with a larger context"
    )


@pytest.mark.parametrize("name", ["ollama:cuts-silently", "{url}/v1#cuts-silently"])
def test_a_silently_cut_prompt_is_noticed(
    name: str, ollama: ScriptedOllama, models: Models
) -> None:
    error = failure(models.chat_model(name.format(url=ollama.url)), LONG_USER)
    assert type(error) is ModelReplyError
    assert "read only 256 of at least 2005 tokens of the prompt" in str(error)


def test_a_thinking_model_answers_without_thinking_aloud(
    ollama: ScriptedOllama, models: Models
) -> None:
    ollama.models.append(Served(name="thinks:latest", capabilities=("completion", "thinking")))
    ask(models.chat_model("ollama:thinks"))
    assert ollama.asked("/api/chat")[0]["think"] is False


@every_server
def test_probabilities_of_the_first_token_are_given_where_asked_for(
    backend: Backend, ollama: ScriptedOllama, models: Models
) -> None:
    endpoint = models.judge("ollama:llama3.1").openai_endpoint
    native_path = f"{ollama.url}/api/chat"
    address = native_path if backend is native else f"{endpoint.base_url}/chat/completions"
    body = {"model": "llama3.1", "messages": [], "logprobs": True, "top_logprobs": 2}
    reply = httpx.post(address, json=body, trust_env=False).json()
    likely = reply["logprobs"] if backend is native else reply["choices"][0]["logprobs"]["content"]
    assert likely[0]["top_logprobs"][1] == {"token": "other", "logprob": -2.4}


def test_a_slow_server_ends_in_a_time_out(
    ollama: ScriptedOllama, models: Models, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ollama_module, "ANSWER_SECONDS", 0.2)
    model = models.chat_model("ollama:llama3.1")
    assert model.context_tokens
    ollama.trouble = "slow"
    assert type(failure(model)) is ModelTimeout


def test_a_model_removed_since_says_how_to_bring_it_back(
    ollama: ScriptedOllama, models: Models
) -> None:
    model = models.chat_model("ollama:llama3.1")
    assert model.context_tokens
    ollama.models.clear()
    assert str(failure(model)) == "Ollama has no model llama3.1; run: ollama pull llama3.1"


def test_an_answer_can_be_left_early(ollama: ScriptedOllama, models: Models) -> None:
    model = models.chat_model("ollama:llama3.1")
    reply = stream_reply(model, SYSTEM, USER, temperature=0.0, seed=42, max_tokens=64)
    first: Any = next(reply)
    assert isinstance(reply, Iterator)
    reply.close()  # type: ignore[attr-defined]
    assert first.text == "The "
    assert ask(model)[-1].answer_tokens == 4


def test_a_message_without_instructions_has_no_empty_system_part(
    ollama: ScriptedOllama, models: Models
) -> None:
    model = models.chat_model("ollama:llama3.1")
    list(stream_reply(model, "", USER, temperature=0.0, seed=42, max_tokens=64))
    assert [m["role"] for m in ollama.asked("/api/chat")[0]["messages"]] == ["user"]
