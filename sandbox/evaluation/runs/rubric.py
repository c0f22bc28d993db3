"""Reads graded examples, which show the judge what counts as right here before it is asked.

A file of them is JSON Lines or CSV with RAGAS's field names and a label.
"""

from collections.abc import Mapping
from pathlib import Path

from sandbox.errors import InvalidTestSet
from sandbox.evaluation.runs.judging import GradedExample
from sandbox.evaluation.runs.labels import read_label
from sandbox.files.spreadsheets import read_rows

FIELDS = ("user_input", "response", "reference", "retrieved_contexts", "label")


def read_rubric(path: Path) -> tuple[GradedExample, ...]:
    """The examples of a file, in its order.

    Raises:
        InvalidTestSet: If the file cannot be read or holds none, or a line is no graded example;
            the message names file and line.
    """
    found = []
    for number, row in read_rows(path):
        try:
            found.append(_example(row))
        except ValueError as error:
            raise InvalidTestSet(f"{path}, line {number}: {error}") from error
    if not found:
        raise InvalidTestSet(f"{path} holds no graded example; write one a line")
    return tuple(found)


def _example(row: Mapping[str, object]) -> GradedExample:
    if unknown := sorted(row.keys() - set(FIELDS)):
        raise ValueError(f"unknown field {unknown[0]!r}; an example has {', '.join(FIELDS)}")
    label = read_label(row.get("label", ""))
    if label not in ("right", "wrong"):
        raise ValueError("label must be right or wrong, or 1 or 0")
    texts = {name: _text(row, name) for name in ("user_input", "response", "reference")}
    if missing := [name for name in ("user_input", "response") if not texts[name]]:
        raise ValueError(f"{missing[0]} is empty")
    return GradedExample(
        **texts, right=label == "right", retrieved_contexts=_contexts(row.get("retrieved_contexts"))
    )


def _text(row: Mapping[str, object], name: str) -> str:
    value = row.get(name)
    if value is not None and not isinstance(value, str):
        raise ValueError(f"{name} must be text, not {value!r:.60}")
    return (value or "").strip()


def _contexts(value: object) -> tuple[str, ...]:
    """A list of texts; a cell of a spreadsheet is one text."""
    texts = [value] if isinstance(value, str) else value if value is not None else []
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise ValueError("retrieved_contexts must be a list of texts")
    return tuple(text for text in texts if text.strip())
