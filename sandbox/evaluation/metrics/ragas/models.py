"""What RAGAS takes for a model: our calls to the judge, our embedder, and stand-ins for a plan.

They are registered with RAGAS's base classes where ragas is imported (judge.py).
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from sandbox.errors import ModelReplyError
from sandbox.evaluation.metric import PlannedCall
from sandbox.evaluation.metrics.judge.calls import JudgeCalls
from sandbox.evaluation.metrics.judge.endpoint import JudgeReply, JudgeRequest
from sandbox.evaluation.metrics.judge.scoring import Scoring
from sandbox.evaluation.metrics.ragas.requests import request_for
from sandbox.models.base import Embedder

Output = TypeVar("Output", bound=BaseModel)

USUAL_REPLY_TOKENS = 120
"""What a reply has as a rule, for a plan."""

PLACEHOLDER = "(a statement that the judge will have found in the answer)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """A reply as RAGAS understood it."""

    request: JudgeRequest
    reply: JudgeReply
    content: Mapping[str, Any]

    @property
    def is_empty(self) -> bool:
        """Whether it holds no statement, no question and no verdict."""
        texts = (value for value in self.content.values() if isinstance(value, str | list))
        return "verdict" not in self.content and not any(texts)


class Asks:
    """A language model to RAGAS: asks the judge for one score."""

    def __init__(self, scoring: Scoring) -> None:
        """Nothing is asked yet."""
        self._scoring = scoring
        self.judged: list[Judged] = []

    def generate(self, prompt: str, response_model: type[Output]) -> Output:
        """RAGAS's metrics never call this.

        Raises:
            NotImplementedError: Always.
        """
        raise NotImplementedError("the judge is asked asynchronously")

    async def agenerate(self, prompt: str, response_model: type[Output]) -> Output:
        """The judge's reply as that model.

        Raises:
            ModelError: If there is none, or it does not fit the model.
        """
        request = request_for(prompt, response_model)
        reply = await self._scoring.ask(request)
        output = _parsed(reply, response_model)
        content = output.model_dump()
        self.judged.append(Judged(request=request, reply=reply, content=content))
        return output


class Plans:
    """A language model to RAGAS: notes what would be asked, and asks nothing."""

    def __init__(self, judge_calls: JudgeCalls) -> None:
        """Nothing is noted yet."""
        self._judge_calls = judge_calls
        self.calls: list[PlannedCall] = []

    def generate(self, prompt: str, response_model: type[Output]) -> Output:
        """RAGAS's metrics never call this.

        Raises:
            NotImplementedError: Always.
        """
        raise NotImplementedError("the judge is asked asynchronously")

    async def agenerate(self, prompt: str, response_model: type[Output]) -> Output:
        """The known reply, else a stand-in."""
        request = request_for(prompt, response_model)
        certain = PLACEHOLDER not in prompt
        planned = self._judge_calls.plan(request, reply_tokens=USUAL_REPLY_TOKENS, certain=certain)
        self.calls.append(planned)
        known = self._judge_calls.known(request) if planned.cached else None
        if known is not None and not known.cut:
            return _parsed(known, response_model)
        schema = response_model.model_json_schema()
        return response_model.model_validate(_stand_in(schema, schema.get("$defs", {})))


class Embeds:
    """An embedding model to RAGAS: our embedder, both texts embedded alike."""

    def __init__(self, embedder: Embedder) -> None:
        """Nothing is embedded yet."""
        self._embedder = embedder

    def embed_text(self, text: str) -> list[float]:
        """A unit vector."""
        return [float(value) for value in self._embedder.embed_question(text)]

    async def aembed_text(self, text: str) -> list[float]:
        """A unit vector."""
        return self.embed_text(text)

    async def aembed_texts(self, texts: list[str]) -> list[list[float]]:
        """Unit vectors."""
        return [self.embed_text(text) for text in texts]


class NoEmbeds:
    """An embedding model to RAGAS, for a plan."""

    def embed_text(self, text: str) -> list[float]:
        """The same for every text."""
        return [1.0]

    async def aembed_text(self, text: str) -> list[float]:
        """The same for every text."""
        return [1.0]

    async def aembed_texts(self, texts: list[str]) -> list[list[float]]:
        """The same for every text."""
        return [[1.0] for _ in texts]


def _parsed(reply: JudgeReply, response_model: type[Output]) -> Output:
    """The reply's JSON, with or without a fence around it."""
    start, end = reply.text.find("{"), reply.text.rfind("}")
    try:
        content = json.loads(reply.text[start : end + 1])
        return response_model.model_validate(_without_repeats(content))
    except ValidationError as error:
        place = ".".join(str(part) for part in error.errors()[0]["loc"])
        raise ModelReplyError(
            f"the judge's reply lacks what was asked: {place}: {error.errors()[0]['msg']}"
        ) from error
    except ValueError as error:
        raise ModelReplyError(f"the judge's reply is not JSON: {error}") from error


def _without_repeats(content: Any) -> Any:
    """A statement that the judge wrote twice counts once."""
    if not isinstance(content, dict):
        return content
    return {
        key: _once(value) if isinstance(value, list) else value for key, value in content.items()
    }


def _once(items: list[Any]) -> list[Any]:
    """Texts without repeats and blanks; other items as they are."""
    texts = [item.strip() for item in items if isinstance(item, str)]
    if len(texts) < len(items):
        return items
    return list(dict.fromkeys(text for text in texts if text))


def _stand_in(schema: Mapping[str, Any], definitions: Mapping[str, Any]) -> Any:
    """A value that fits the schema."""
    if "$ref" in schema:
        return _stand_in(definitions[schema["$ref"].rsplit("/", 1)[-1]], definitions)
    if schema.get("type") == "array":
        return [_stand_in(schema["items"], definitions)]
    if schema.get("type") == "integer":
        return 1
    if schema.get("type") == "object":
        fields = schema["properties"].items()
        return {name: _stand_in(field, definitions) for name, field in fields}
    return PLACEHOLDER
