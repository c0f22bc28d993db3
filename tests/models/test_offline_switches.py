import os
from collections.abc import Iterator
from typing import Any

import pytest
from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langsmith import tracing_context
from langsmith.utils import tracing_is_enabled

from sandbox.models.chat import read_prompt, stream_reply
from sandbox.models.langchain_adapters import LangChainChat
from sandbox.models.offline import SWITCHES, environment, switch_off_connections


def test_every_switch_is_set_whatever_the_environment_said(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in SWITCHES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANGSMITH_TRACING", "true")
    switch_off_connections()
    assert {name: os.environ[name] for name in SWITCHES} == SWITCHES
    assert os.environ["LANGSMITH_TRACING"] == "false"


def test_a_variable_is_put_back_after_it_was_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "0")
    monkeypatch.delenv("RAGAS_DO_NOT_TRACK")
    with environment(HF_HUB_OFFLINE="1", RAGAS_DO_NOT_TRACK="true"):
        assert os.environ["HF_HUB_OFFLINE"] == "1"
    assert os.environ["HF_HUB_OFFLINE"] == "0"
    assert "RAGAS_DO_NOT_TRACK" not in os.environ


TRACED: list[object] = []


class Watched(BaseChatModel):
    """Remembers whether LangSmith records what it is asked."""

    @property
    def _llm_type(self) -> str:
        return "watched"

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **settings: Any,
    ) -> ChatResult:
        TRACED.append(tracing_is_enabled())
        return ChatResult(generations=[ChatGeneration(message=AIMessage("yes"))])

    def _stream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **settings: Any,
    ) -> Iterator[ChatGenerationChunk]:
        TRACED.append(tracing_is_enabled())
        yield ChatGenerationChunk(message=AIMessageChunk(content="yes"))


def test_a_host_that_traces_its_own_chains_does_not_record_the_documents() -> None:
    model = LangChainChat(Watched(), name="watched", context_tokens=4096)
    with tracing_context(enabled=True):
        list(stream_reply(model, "", "Secret?", temperature=0, seed=0, max_tokens=9))
        read_prompt(model, "Secret", "text")
        assert tracing_is_enabled()
    assert TRACED == [False, False]
