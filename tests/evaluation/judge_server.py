"""A judge for tests: the scripted Ollama server, answering RAGAS by the schema that it asks for."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from sandbox.evaluation.runs.records import Sample
from sandbox.text.tokenization import estimate_tokens
from tests.models.ollama_server import ScriptedOllama, Served

MODELS = [
    Served(name="llama3.1:latest", modelfile="num_ctx 8192"),
    Served(name="cuts-silently:latest", modelfile="num_ctx 512", overflow="cut"),
]
Reply = Callable[[list[dict[str, Any]]], str]


@dataclass(frozen=True)
class Endpoint:
    base_url: str
    model: str
    context_tokens: int


@dataclass
class ScriptedJudge:
    """A judge at the scripted server."""

    server: ScriptedOllama
    model: str = "llama3.1"
    digest: str = "46e0c10c039e"
    context_tokens: int = 8192
    counted: list[str] = field(default_factory=list)

    @property
    def name(self) -> str:
        return f"ollama:{self.model}"

    @property
    def openai_endpoint(self) -> Endpoint:
        return Endpoint(f"{self.server.url}/v1", self.model, self.context_tokens)

    def count_tokens(self, text: str) -> int:
        self.counted.append(text)
        return estimate_tokens(text)


def asked(server: ScriptedOllama) -> list[dict[str, Any]]:
    """The bodies of all calls to the judge."""
    return server.asked("/v1/chat/completions")


def by_schema(replies: Mapping[str, object]) -> Reply:
    """Replies by the title of the schema that stands in RAGAS's prompt."""

    def reply(messages: list[dict[str, Any]]) -> str:
        prompt = messages[-1]["content"]
        for title, content in replies.items():
            if f'"title": "{title}"' in prompt:
                return content if isinstance(content, str) else json.dumps(content)
        raise ValueError(f"nothing is scripted for {prompt[:100]}")

    return reply


def sample(**changes: Any) -> Sample:
    fields: dict[str, Any] = {
        "id": "a",
        "case": "a",
        "user_input": "How many wards does Qingze have?",
        "response": "It has nine wards.",
        "retrieved_contexts": ("Qingze is divided into nine wards.", "The harbor is green."),
        "reference": "Nine.",
    }
    return Sample(**(fields | changes))
