"""Answers of other systems, with the traps of the programs that write them."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from sandbox.errors import ConfigError, InvalidTestSet
from sandbox.evaluation.runs.records import MetricKey
from sandbox.evaluation.trust.imports import read_answers
from sandbox.evaluation.trust.records import CellSet


def write(folder: Path, *rows: Mapping[str, object], name: str = "answers.jsonl") -> Path:
    path = folder / name
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def row(**changes: object) -> dict[str, object]:
    return {
        "user_input": "How many wards?",
        "retrieved_contexts": ["There are nine wards."],
        "response": "Nine.",
        "reference": "There are nine wards.",
        "label": 1,
        **changes,
    }


def read_csv(folder: Path, text: str, **options: float) -> CellSet:
    path = folder / "answers.csv"
    path.write_text(text, encoding="utf-8")
    return read_answers(path, **options)  # type: ignore[arg-type]


def test_a_row_becomes_a_cell(tmp_path: Path) -> None:
    path = write(tmp_path, row(case="wards", configuration="ours", faithfulness=0.25))
    (cell,) = read_answers(path).cells

    assert (cell.case, cell.configuration, cell.label) == ("wards", "ours", "right")
    assert cell.sample is not None
    assert cell.sample.retrieved_contexts == ("There are nine wards.",)
    assert cell.sample.reference == "There are nine wards."
    assert (
        cell.scores[MetricKey("faithfulness")].value,
        cell.scores[MetricKey("faithfulness")].family,
    ) == (
        0.25,
        "imported",
    )


@pytest.mark.parametrize(
    ("label", "verdict"),
    [
        ("right", "right"),
        ("Wrong", "wrong"),
        ("TRUE", "right"),
        (True, "right"),
        (False, "wrong"),
        (0, "wrong"),
        ("1", "right"),
        ("1.0", "right"),
        ("unsure", "unsure"),
        (None, None),
        ("", None),
        (float("nan"), None),
    ],
)
def test_labels_are_read_however_they_are_written(
    tmp_path: Path, label: object, verdict: str | None
) -> None:
    (cell,) = read_answers(write(tmp_path, row(label=label))).cells

    assert cell.label == verdict


def test_grades_need_a_cut_and_get_it(tmp_path: Path) -> None:
    path = write(tmp_path, *(row(label=grade, response=f"{grade}") for grade in (1, 2, 3, 4)))

    with pytest.raises(ConfigError, match="grades from 1 to 4.*--cut 3"):
        read_answers(path)
    assert [cell.label for cell in read_answers(path, cut=3).cells] == [
        "wrong",
        "wrong",
        "right",
        "right",
    ]


def test_a_cut_that_parts_nothing_is_warned_of(tmp_path: Path) -> None:
    path = write(tmp_path, row(label=2), row(label=3, response="Ten."))

    assert read_answers(path, cut=9).warnings == (
        "the cut 9 makes every answer wrong: grades go from 2 to 3",
    )


def test_a_label_that_is_no_label_names_its_line(tmp_path: Path) -> None:
    with pytest.raises(InvalidTestSet, match="line 2: the label 'maybe'"):
        read_answers(write(tmp_path, row(), row(label="maybe")))


@pytest.mark.parametrize(
    "written",
    [
        '"[""first, and"", ""second""]"',
        "\"['first, and', 'second']\"",
        "\"[{'text': 'first, and'}, {'text': 'second'}]\"",
        "\"['first, and'\n 'second']\"",
    ],
)
def test_contexts_in_a_csv_cell_are_a_list_again(tmp_path: Path, written: str) -> None:
    text = f"user_input,response,label,contexts\nWhy?,Because.,1,{written}\n"
    (cell,) = read_csv(tmp_path, text).cells

    assert cell.sample is not None
    assert cell.sample.retrieved_contexts == ("first, and", "second")


def test_chunks_may_be_long(tmp_path: Path) -> None:
    text = f"user_input,response,label,contexts\nWhy?,Because.,1,{'x' * 200_000}\n"
    (cell,) = read_csv(tmp_path, text).cells

    assert cell.sample is not None
    assert len(cell.sample.retrieved_contexts[0]) == 200_000


def test_a_context_that_is_one_text_stays_one(tmp_path: Path) -> None:
    text = "user_input,response,label,retrieved_contexts\nWhy?,Because.,1,[1] shows a table\n"
    (cell,) = read_csv(tmp_path, text).cells

    assert cell.sample is not None
    assert cell.sample.retrieved_contexts == ("[1] shows a table",)


@pytest.mark.parametrize("missing", ["", "NaN", "nan", "null", "None", "N/A"])
def test_a_missing_score_is_none_with_a_reason(tmp_path: Path, missing: str) -> None:
    text = f"user_input,response,label,metric\nWhy?,A,1,0.5\nHow?,B,0,{missing}\n"
    scores = [cell.scores[MetricKey("metric")] for cell in read_csv(tmp_path, text).cells]

    assert [score.value for score in scores] == [0.5, None]
    assert scores[1].reason == "the score is empty in the file"
    assert scores[1].applicable


def test_nan_and_infinity_in_json_are_no_scores(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    lines = [json.dumps(row(response=f"{value}", metric=value)) for value in (0.5, 1.0)]
    lines.append(json.dumps(row(response="x", metric=float("nan"))))
    lines.append(json.dumps(row(response="y", metric=float("inf"))))
    path.write_text("\n".join(lines), encoding="utf-8")

    scores = [cell.scores[MetricKey("metric")] for cell in read_answers(path).cells]
    assert [score.value for score in scores] == [0.5, 1.0, None, None]
    assert scores[3].reason == "the score is inf is not a finite number"


def test_a_column_of_words_is_left_out_and_said(tmp_path: Path) -> None:
    cell_set = read_answers(write(tmp_path, row(metric=0.5, comment="good", id=7)))

    assert set(cell_set.cells[0].scores) == {MetricKey("metric")}
    assert cell_set.warnings == ("columns without numbers are left out: comment",)


def test_pandas_row_numbers_are_no_metric_and_make_no_row_another(tmp_path: Path) -> None:
    text = "Unnamed: 0,user_input,response,label\n0,Why?,A,1\n1,Why?,A,1\n"
    cell_set = read_csv(tmp_path, text)

    assert len(cell_set.cells) == 1
    assert cell_set.cells[0].scores == {}
    assert cell_set.warnings == ("1 rows stand in the file twice and count once",)


def test_answers_to_one_question_are_one_case_unless_cases_are_named(tmp_path: Path) -> None:
    unnamed = read_answers(write(tmp_path, row(response="A"), row(response="B")))
    named = read_answers(write(tmp_path, row(case="a", response="A"), row(case="b", response="A")))

    assert len({cell.group for cell in unnamed.cells}) == 1
    assert len({cell.group for cell in named.cells}) == 2


def test_different_labels_of_one_answer_are_votes(tmp_path: Path) -> None:
    votes = [row(label=label, labeller=by) for by, label in (("a", 1), ("b", 1), ("c", 0))]
    tied = [row(label=label, response="Eight.") for label in (1, 0)]
    cell_set = read_answers(write(tmp_path, *votes, *tied))

    assert [cell.label for cell in cell_set.cells] == ["right", "unsure"]
    assert "2 answers stand in the file with several labels each" in cell_set.warnings[0]


def test_a_conversation_becomes_lines_and_its_language_is_that_of_the_last(tmp_path: Path) -> None:
    turns = [
        {"role": "user", "content": "How many wards?"},
        {"role": "assistant", "content": "Nine."},
        {"role": "user", "content": "其中有多少張病床？"},
    ]
    (cell,) = read_answers(write(tmp_path, row(user_input=turns))).cells

    assert cell.sample is not None
    assert cell.sample.user_input == (
        "user: How many wards?\nassistant: Nine.\nuser: 其中有多少張病床？"
    )
    assert cell.sample.language == "zh-Hant"


def test_names_of_older_ragas_are_understood(tmp_path: Path) -> None:
    old = {"question": "Why?", "answer": "So.", "ground_truth": "So.", "label": "wrong"}
    (cell,) = read_answers(write(tmp_path, old)).cells

    assert cell.sample is not None
    assert (cell.sample.user_input, cell.sample.response, cell.sample.reference) == (
        "Why?",
        "So.",
        "So.",
    )


def test_a_limit_takes_whole_cases(tmp_path: Path) -> None:
    rows = [row(case=name, response=text) for name in ("a", "b", "c") for text in ("A", "B")]
    cell_set = read_answers(write(tmp_path, *rows), limit=2)

    assert [cell.case for cell in cell_set.cells] == ["a", "a", "b", "b"]
    with pytest.raises(ConfigError, match="limit is 0"):
        read_answers(write(tmp_path, *rows), limit=0)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([], "holds no answer"),
        ([{"user_input": "Why?", "label": 1}], "has no column 'response'"),
        ([{"response": "So.", "label": 1}], "has no column 'user_input'"),
        ([row(), row(user_input="")], "line 2: user_input is empty"),
    ],
)
def test_a_file_without_what_it_needs_says_what(
    tmp_path: Path, rows: list[dict[str, object]], message: str
) -> None:
    with pytest.raises(InvalidTestSet, match=message):
        read_answers(write(tmp_path, *rows))


def test_answers_without_a_label_are_read_and_counted(tmp_path: Path) -> None:
    cell_set = read_answers(write(tmp_path, {"user_input": "Why?", "response": "So."}))

    assert [cell.label for cell in cell_set.cells] == [None]
    assert cell_set.warnings == ("1 rows have no label",)


def test_other_names_of_the_columns_are_understood_and_never_overwrite_each_other(
    tmp_path: Path,
) -> None:
    written = {"question": "Why?", "answer": "So.", "gold": "So.", "human": "right", "query": "x"}
    (cell,) = read_answers(write(tmp_path, written)).cells

    assert cell.sample is not None
    assert (cell.sample.user_input, cell.sample.reference) == ("Why?", "So.")
    assert cell.label == "right"
