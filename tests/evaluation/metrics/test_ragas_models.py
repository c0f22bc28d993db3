"""What a judge may reply to RAGAS's prompts."""

import json

from pydantic import BaseModel

from sandbox.evaluation.metrics.ragas.models import request_for, schema_items


class Statements(BaseModel):
    statements: list[str]


class Judgement(BaseModel):
    statement: str
    reason: str
    verdict: int


class Judgements(BaseModel):
    statements: list[Judgement]


class Classes(BaseModel):
    TP: list[str]
    FP: list[str]


class Grade(BaseModel):
    reason: str
    verdict: int


def prompt_with(given: dict[str, object]) -> str:
    asked = json.dumps(given, ensure_ascii=False, indent=4)
    return f"Do it.\nExample 1\nInput: {{}}\ninput: {asked}\nOutput: "


def field(prompt: str, model: type[BaseModel], name: str) -> dict[str, object]:
    schema = request_for(prompt, model).schema
    assert schema is not None
    properties = schema["properties"]
    assert isinstance(properties, dict)
    found = properties[name]
    assert isinstance(found, dict)
    return found


def test_an_answer_is_taken_apart_into_as_many_statements_as_its_clauses_can_hold() -> None:
    asked = prompt_with({"question": "?", "answer": "民國107年最多，有164例。"})
    assert field(asked, Statements, "statements")["maxItems"] == 4 + 2 * 2


def test_a_decimal_point_ends_no_clause() -> None:
    asked = prompt_with({"question": "?", "answer": "It rose by 28.3 percent. It fell in May."})
    assert field(asked, Statements, "statements")["maxItems"] == 4 + 2 * 2


def test_every_statement_gets_exactly_one_verdict() -> None:
    asked = prompt_with({"context": "x", "statements": ["a", "b", "c"]})
    found = field(asked, Judgements, "statements")
    assert (found["minItems"], found["maxItems"]) == (3, 3)


def test_a_class_of_statements_may_be_empty_and_holds_at_most_all_of_them() -> None:
    asked = prompt_with({"question": "?", "answer": ["a"], "ground_truth": ["a", "b"]})
    found = field(asked, Classes, "FP")
    assert (found.get("minItems"), found["maxItems"]) == (None, 3)


def test_a_verdict_is_yes_or_no() -> None:
    assert field(prompt_with({"question": "?"}), Grade, "verdict")["enum"] == [0, 1]


def test_a_reply_with_more_places_may_be_longer_but_not_longer_than_ragas_allows() -> None:
    lengths = [
        request_for(prompt_with({"statements": ["a"] * count}), Judgements).max_tokens
        for count in (1, 3, 40)
    ]
    assert lengths == [192, 384, 1024]


def test_chinese_reaches_the_judge_as_characters_not_as_escapes() -> None:
    asked = 'Do it.\ninput: {\n    "context": "\\u9ebb\\u75b9",\n    "statements": []\n}\nOutput: '
    assert '"context": "麻疹"' in request_for(asked, Judgements).user


def test_a_prompt_of_another_shape_is_passed_on_as_it_is() -> None:
    request = request_for("Say something about \\u9ebb.", Statements)
    assert request.user == "Say something about \\u9ebb."
    assert schema_items(request.schema or {}) == 4
