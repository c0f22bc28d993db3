"""RAGAS's prompt as a request to the judge: what its reply may look like, and how long it may be.

A small judge that is free to go on repeats one statement until its reply is cut. So lists get as
many places as the text that is taken apart can fill, and a list of verdicts exactly one for each
statement. Leaves out who is asked.
"""

import json
import re
from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel

from sandbox.evaluation.metrics.judge.endpoint import JudgeRequest

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
