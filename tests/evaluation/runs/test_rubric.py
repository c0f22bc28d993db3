"""Graded examples of one's own are read, and a bad line is named."""

from pathlib import Path

import pytest

from sandbox.errors import InvalidTestSet
from sandbox.evaluation.labelling.files import read_rubric
from sandbox.evaluation.runs.records import GradedExample

LINE = '{"user_input": "How many?", "response": "Nine.", "reference": "Nine.", "label": "right"}'


def written(tmp_path: Path, text: str, name: str = "rubric.jsonl") -> Path:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


def test_an_example_has_ragas_field_names_and_a_label(tmp_path: Path) -> None:
    text = LINE + '\n{"user_input": "幾區？", "response": "八", "retrieved_contexts": ["九區。"], '
    found = read_rubric(written(tmp_path, text + '"label": 0}\n'))
    assert found == (
        GradedExample(user_input="How many?", response="Nine.", right=True, reference="Nine."),
        GradedExample(
            user_input="幾區？", response="八", right=False, retrieved_contexts=("九區。",)
        ),
    )


def test_a_spreadsheet_is_read_too(tmp_path: Path) -> None:
    text = "user_input;response;retrieved_contexts;label\nHow many?;Eight.;There are nine.;wrong\n"
    (found,) = read_rubric(written(tmp_path, text, "rubric.csv"))
    assert (found.right, found.reference, found.retrieved_contexts) == (
        False,
        "",
        ("There are nine.",),
    )


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("{", "line 2: not JSON"),
        ('{"user_input": "How many?", "response": "9"}', "line 2: label must be right or wrong"),
        (LINE.replace("right", "maybe"), "line 2: label must be right or wrong, or 1 or 0"),
        (LINE.replace("How many?", " "), "line 2: user_input is empty"),
        (LINE.replace('"Nine."', "null", 1), "line 2: response is empty"),
        (LINE.replace('"Nine."', "9", 1), "line 2: response must be text, not 9"),
        (LINE.replace("reference", "refrence"), "line 2: unknown field 'refrence'"),
        (LINE[:-1] + ', "retrieved_contexts": [1]}', "line 2: retrieved_contexts must be a list"),
    ],
)
def test_a_bad_line_is_named(tmp_path: Path, line: str, fault: str) -> None:
    with pytest.raises(InvalidTestSet, match=rf"rubric.jsonl, {fault}"):
        read_rubric(written(tmp_path, f"{LINE}\n{line}\n"))


def test_a_file_without_an_example_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidTestSet, match=r"rubric.jsonl holds no graded example"):
        read_rubric(written(tmp_path, "\n"))


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(InvalidTestSet, match=r"there is no file .*nothing.jsonl"):
        read_rubric(tmp_path / "nothing.jsonl")
