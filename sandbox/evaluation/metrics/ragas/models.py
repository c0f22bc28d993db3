"""What RAGAS takes for a model: our calls to the judge, our embedder, and stand-ins for a plan.

They are registered with RAGAS's base classes where ragas is imported (judge.py). A small judge that
is free to go on repeats one statement until its reply is cut, so the schema of a reply gives lists
as many places as the text can fill, and a list of verdicts exactly one for each statement.
"""

import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from sandbox.errors import ModelReplyError
from sandbox.evaluation.metric import PlannedCall
from sandbox.evaluation.metrics.judge.calls import JudgeCalls
from sandbox.evaluation.metrics.judge.endpoint import JudgeReply, JudgeRequest
from sandbox.evaluation.metrics.judge.scoring import Scoring

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
    """An embedding model to RAGAS: embeds all texts alike, and for a plan to the same vector."""

    def __init__(self, embed: Callable[[str], Iterable[float]]) -> None:
        """Nothing is embedded yet."""
        self._embed = embed

    def embed_text(self, text: str) -> list[float]:
        """A unit vector."""
        return [float(value) for value in self._embed(text)]

    async def aembed_text(self, text: str) -> list[float]:
        """A unit vector."""
        return self.embed_text(text)

    async def aembed_texts(self, texts: list[str]) -> list[list[float]]:
        """Unit vectors."""
        return [self.embed_text(text) for text in texts]


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


MOST_REPLY_TOKENS = 1024
"""RAGAS's own limit for a reply; one that is cut is asked for once more with twice as many."""

REPLY_TOKENS = 192
"""For a reply's frame and one verdict with its reason."""

ITEM_TOKENS = 96
"""For each further item: a statement and, in a list of verdicts, the reason."""

LEAST_STATEMENTS = 4
STATEMENTS_PER_CLAUSE = 2

GRADES = ("verdict", "attributed", "noncommittal")
"""Fields that RAGAS describes as 0 or 1 but leaves open to any number."""

LISTS = ("statements", "claims", "classifications")
"""Fields that hold at least one item, because the text to be taken apart is not empty."""

CLASSES = ("TP", "FP", "FN")
"""Fields among which answer_correctness shares out the statements; each may stay empty."""

TEXTS = ("answer", "response", "text")
"""Fields of an input that are taken apart into statements."""

_INPUT = "\ninput: "
_CLAUSE_ENDS = re.compile(r"[。！？；，、：!?;:,\n]|\.(?=\s|$)| and ")


def request_for(prompt: str, response_model: type[BaseModel]) -> JudgeRequest:
    """RAGAS's prompt with the schema that its reply must follow."""
    given = _input_of(prompt)
    schema = _narrowed(response_model.model_json_schema(), _places(given))
    items = max(schema_items(schema), 1)
    return JudgeRequest(
        user=_readable(prompt, given),
        max_tokens=min(MOST_REPLY_TOKENS, REPLY_TOKENS + ITEM_TOKENS * (items - 1)),
        schema=schema,
    )


def schema_items(schema: Mapping[str, Any]) -> int:
    """The most items that the lists of a reply can hold."""
    return max((field.get("maxItems", 0) for field in schema["properties"].values()), default=0)


def _input_of(prompt: str) -> dict[str, Any]:
    """What RAGAS has the judge look at, which stands at the end of its prompt; else nothing."""
    _, _, tail = prompt.rpartition(_INPUT)
    try:
        given, _ = json.JSONDecoder().raw_decode(tail)
    except ValueError:
        return {}
    return given if isinstance(given, dict) else {}


def _readable(prompt: str, given: Mapping[str, Any]) -> str:
    """The prompt without escapes: RAGAS writes a Chinese character as six of its own at places."""
    beginning, mark, tail = prompt.rpartition(_INPUT)
    if not given or "\\u" not in tail:
        return prompt
    return f"{beginning}{mark}{json.dumps(given, ensure_ascii=False, indent=4)}\nOutput: "


def _places(given: Mapping[str, Any]) -> tuple[int, int]:
    """The fewest and the most items that a list of the reply can sensibly hold."""
    if statements := given.get("statements"):
        return len(statements), len(statements)
    lists = [value for value in given.values() if isinstance(value, list)]
    if lists:
        return 1, sum(len(value) for value in lists)
    text = max((given[name] for name in TEXTS if name in given), key=len, default="")
    clauses = sum(bool(clause.strip()) for clause in _CLAUSE_ENDS.split(text))
    return 1, LEAST_STATEMENTS + STATEMENTS_PER_CLAUSE * clauses


def _narrowed(schema: Any, places: tuple[int, int], name: str = "") -> Any:
    """The schema with 0 or 1 for grades, and with the places of its lists."""
    if isinstance(schema, list):
        return [_narrowed(item, places) for item in schema]
    if not isinstance(schema, dict):
        return schema
    narrowed = {key: _narrowed(value, places, key) for key, value in schema.items()}
    if name in GRADES and narrowed.get("type") == "integer":
        narrowed["enum"] = [0, 1]
    if narrowed.get("type") == "array" and name in LISTS:
        narrowed |= {"minItems": places[0], "maxItems": places[1]}
    if narrowed.get("type") == "array" and name in CLASSES:
        narrowed["maxItems"] = places[1]
    return narrowed
