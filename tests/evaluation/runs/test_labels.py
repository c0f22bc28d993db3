import json
from pathlib import Path

import pytest

from sandbox.errors import InvalidTestSet, SandboxError
from sandbox.evaluation.labelling.files import export_labels, import_labels, read_rubric
from sandbox.evaluation.runs.labels import (
    LABELS_FILE,
    add_labels,
    new_label,
    read_labels,
    undo_label,
)
from sandbox.evaluation.runs.records import Label, Right
from sandbox.evaluation.trust.imports import read_labels as read_imported


def label(case: str, verdict: Right, who: str = "first_reader") -> Label:
    return new_label("text_k4", case, verdict, labeller=who)


def said(folder: Path) -> list[tuple[str, str, str]]:
    return [(one.case, one.value, one.labeller) for one in read_labels(folder)]


def test_a_run_without_labels_has_none(tmp_path: Path) -> None:
    assert read_labels(tmp_path) == ()
    assert undo_label(tmp_path, "first_reader") is None


def test_the_latest_label_of_a_person_counts_and_people_stay_apart(tmp_path: Path) -> None:
    add_labels(
        tmp_path, [label("a", "right"), label("a", "wrong", "second_reader"), label("a", "unsure")]
    )
    assert said(tmp_path) == [("a", "wrong", "second_reader"), ("a", "unsure", "first_reader")]


def test_undo_takes_back_the_last_label_and_the_one_before_counts_again(tmp_path: Path) -> None:
    add_labels(tmp_path, [label("a", "right"), label("b", "right"), label("a", "wrong")])
    taken = undo_label(tmp_path, "first_reader")
    assert taken is not None
    assert (taken.case, taken.value) == ("a", "wrong")
    assert said(tmp_path) == [("a", "right", "first_reader"), ("b", "right", "first_reader")]
    undo_label(tmp_path, "first_reader")
    undo_label(tmp_path, "first_reader")
    assert undo_label(tmp_path, "first_reader") is None
    assert said(tmp_path) == []


def test_undo_leaves_the_labels_of_others(tmp_path: Path) -> None:
    add_labels(tmp_path, [label("a", "right"), label("b", "wrong", "second_reader")])
    undo_label(tmp_path, "first_reader")
    assert said(tmp_path) == [("b", "wrong", "second_reader")]


def test_lines_are_only_ever_added(tmp_path: Path) -> None:
    add_labels(tmp_path, [label("a", "right")])
    before = (tmp_path / LABELS_FILE).read_bytes()
    undo_label(tmp_path, "first_reader")
    assert (tmp_path / LABELS_FILE).read_bytes().startswith(before)


def test_a_torn_last_line_is_dropped_and_does_not_spoil_the_next(tmp_path: Path) -> None:
    add_labels(tmp_path, [label("a", "right")])
    with (tmp_path / LABELS_FILE).open("a") as file:
        file.write('{"configuration": "te')
    assert said(tmp_path) == [("a", "right", "first_reader")]
    add_labels(tmp_path, [label("b", "wrong")])
    assert said(tmp_path) == [("a", "right", "first_reader"), ("b", "wrong", "first_reader")]


def test_a_line_that_is_no_label_is_named(tmp_path: Path) -> None:
    (tmp_path / LABELS_FILE).write_text('{"a": 1}\n')
    with pytest.raises(SandboxError, match="line 1 of"):
        read_labels(tmp_path)


@pytest.mark.parametrize("ending", ["jsonl", "csv"])
def test_exported_labels_come_back(tmp_path: Path, ending: str) -> None:
    labels = (label("a", "right"), label("=b", "wrong", "安"))
    export_labels(labels, tmp_path / f"labels.{ending}")
    assert [
        (one.configuration, one.case, one.value, one.labeller)
        for one in import_labels(tmp_path / f"labels.{ending}")
    ] == [("text_k4", "a", "right", "first_reader"), ("text_k4", "=b", "wrong", "安")]


def test_ones_and_zeros_are_labels_and_a_missing_labeller_is_given(tmp_path: Path) -> None:
    file = tmp_path / "labels.csv"
    file.write_text("case;label\na;1\nb;0\n")
    assert [(one.case, one.value, one.labeller) for one in import_labels(file, labeller="c")] == [
        ("a", "right", "c"),
        ("b", "wrong", "c"),
    ]


def test_a_label_that_is_none_is_named_with_its_line(tmp_path: Path) -> None:
    file = tmp_path / "labels.csv"
    file.write_text("case,label,labeller\na,perhaps,c\n")
    with pytest.raises(InvalidTestSet) as caught:
        import_labels(file)
    assert str(caught.value) == f"{file}, line 2: label must be right, wrong or unsure"


def test_a_line_on_disk_calls_the_label_a_verdict_as_ever(tmp_path: Path) -> None:
    line = {
        "configuration": "text_k4",
        "case": "a",
        "verdict": "wrong",
        "labeller": "Ada",
        "source": "person",
        "time": "2030-01-01T00:00:00+00:00",
    }
    (tmp_path / "labels.jsonl").write_text(json.dumps(line) + "\n", encoding="utf-8")
    (old,) = read_labels(tmp_path)
    assert old.value == "wrong"
    add_labels(tmp_path, [old])
    written = (tmp_path / "labels.jsonl").read_text(encoding="utf-8").splitlines()
    assert json.loads(written[1]) == line


def test_every_reader_of_labels_knows_the_same_words(tmp_path: Path) -> None:
    labels, examples = tmp_path / "labels.csv", tmp_path / "rubric.csv"
    words = ("correct", "YES", "1", "incorrect", "no", "false")
    expected = ["right"] * 3 + ["wrong"] * 3
    labels.write_text("case,label\n" + "".join(f"a,{word}\n" for word in words))
    examples.write_text("user_input,response,label\n" + "".join(f"q,a,{word}\n" for word in words))
    assert [label.value for label in import_labels(labels, labeller="c")] == expected
    assert [example.right for example in read_rubric(examples)] == [True] * 3 + [False] * 3
    numbered = list(enumerate(words, start=2))
    assert read_imported(labels, numbered, cut=None)[0] == expected
