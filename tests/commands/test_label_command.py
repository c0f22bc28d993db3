"""`sandbox label` as scripts and people use it."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sandbox.cli import main
from sandbox.evaluation.runs.labels import LABELS_FILE
from sandbox.evaluation.runs.records import Cell, Score
from sandbox.files.storage import Store
from tests.evaluation.scripted_runs import answer, lines, make_run

Run = Callable[..., Any]
TEXTS = {
    "text_k4": ["It has 1 bed.", "It has 7 beds.", "It has 3 beds."],
    "ctx_k9": ["It has 1 bed.", "It has 2 beds.", "It has 9 beds."],
}


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """An evaluation of two runs with three answers each, of which one each is wrong."""
    store = Store(tmp_path / "results")
    for configuration, texts in TEXTS.items():
        folder = make_run(store, configuration)
        for asked, text in zip(folder.run.cases, texts, strict=True):
            given = answer(asked, configuration, 1, text=text)
            folder.add_cell(Cell(configuration=configuration, case=asked.id, answer=given))
            score = Score(metric="scripted", family="no judge", value=len(text) / 20)
            folder.add_score(asked.id, score)
    return store


@pytest.fixture
def label(store: Store, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    def run(*arguments: str, expected: int = 0) -> Any:
        monkeypatch.setattr(
            "sys.argv", ["sandbox", "label", *arguments, "--results", str(store.results)]
        )
        with pytest.raises(SystemExit) as end:
            main()
        printed = capsys.readouterr()
        assert int(end.value.code or 0) == expected, printed.err
        if expected:
            assert printed.out == ""
            return printed.err
        return json.loads(printed.out) if "--json" in arguments else printed.out

    return run


def test_next_names_what_to_label_with_everything_to_label_it_by(label: Run) -> None:
    document = label("latest", "--next", "2", "--json")
    first = document["next"][0]
    assert first == {
        "run": "first-ctx_k9",
        "configuration": "ctx_k9",
        "case": "case-3",
        "question": "How many beds has ward 3?",
        "answer": "It has 9 beds.",
        "refused": False,
        "reference": "Ward 3 has 3 beds.",
        "accepted_answers": ["3"],
        "suggestion": "wrong",
        "suggestion_reason": first["suggestion_reason"],
        "reason": first["reason"],
        "chunks": [
            {
                "rank": 1,
                "document": "wards.pdf",
                "page": 1,
                "kind": "text",
                "text": "Ward 1 has 1 beds.",
            }
        ],
    }
    assert first["reason"].startswith("probably wrong")
    assert len(document["next"]) == 2
    assert document["labels"] == {"right": 0, "wrong": 0, "unsure": 0}
    assert (document["labelled"], document["cells"]) == (0, 6)


def test_a_label_is_kept_counted_and_taken_back(label: Run) -> None:
    document = label("first-ctx_k9", "wrong", "--case", "case-3", "--by", "Ada", "--json")
    assert document == {
        "labelled_now": {
            "run": "first-ctx_k9",
            "configuration": "ctx_k9",
            "case": "case-3",
            "label": "wrong",
            "labeller": "Ada",
            "source": "person",
        },
        "labels": {"right": 0, "wrong": 1, "unsure": 0},
        "labelled": 1,
        "cells": 3,
        "accepted_suggestions": 0,
    }
    assert "ctx_k9" not in {
        entry["run"] for entry in label("first", "--next", "9", "--json")["next"]
    }
    document = label("latest", "--undo", "--by", "Ada", "--json")
    assert document["undone"] == {"run": "first-ctx_k9", "case": "case-3"}
    assert document["labelled"] == 0
    assert label("latest", "--undo", "--by", "Ada", "--json")["undone"] is None


def test_the_label_stands_behind_the_runs_as_in_the_help(label: Run) -> None:
    out = label("first-text_k4", "--case", "case-1", "right", "--by", "Ada")
    assert out.splitlines() == [
        "first-text_k4 · case-1: right",
        "1 of 3 answers labelled: 1 right, 0 wrong, 0 unsure",
    ]


def test_undo_takes_back_what_was_said_last_in_whichever_run(label: Run) -> None:
    label("first-text_k4", "--case", "case-1", "right")
    label("first-ctx_k9", "--case", "case-1", "right")
    label("first-text_k4", "--case", "case-2", "wrong")
    assert label("first", "--undo", "--json")["undone"]["case"] == "case-2"


def test_suggestions_are_accepted_only_on_request_and_marked(label: Run, store: Store) -> None:
    label("first-text_k4", "--case", "case-1", "wrong")
    document = label("latest", "--accept-suggestions", "--json")
    assert document["accepted_now"] == 5
    assert document["accepted_suggestions"] == 5
    assert document["labels"] == {"right": 3, "wrong": 3, "unsure": 0}
    sources = [
        json.loads(line)["source"]
        for line in lines(store.results / "runs" / "first-ctx_k9" / LABELS_FILE)
    ]
    assert sources == ["accepted suggestion"] * 3
    assert label("latest", "--accept-suggestions", "--json")["accepted_now"] == 0


@pytest.mark.parametrize("ending", ["csv", "jsonl"])
def test_labels_go_out_and_come_back_with_labeller_and_source(
    label: Run, store: Store, tmp_path: Path, ending: str
) -> None:
    label("first-text_k4", "--case", "case-1", "right", "--by", "安")
    label("first-ctx_k9", "--accept-suggestions")
    file = str(tmp_path / f"labels.{ending}")
    assert label("first", "--export", file, "--json")["exported"] == 4
    for folder in (store.results / "runs").iterdir():
        (folder / LABELS_FILE).unlink()
    document = label("first", "--import", file, "--json")
    assert document["imported"] == 4
    assert (document["labelled"], document["accepted_suggestions"]) == (4, 3)


def test_a_file_with_a_case_that_is_not_there_changes_nothing(
    label: Run, store: Store, tmp_path: Path
) -> None:
    file = tmp_path / "labels.csv"
    file.write_text("configuration,case,label,labeller\ntext_k4,case-1,1,A\ntext_k4,case-8,0,A\n")
    told = label("first", "--import", str(file), expected=1)
    assert told == (
        f"sandbox: {file} labels text_k4 · case-8, to which no run here has an answer\n"
    )
    assert label("first", "--json")["labelled"] == 0


def test_two_labellers_are_compared_with_kappa_and_a_warning(label: Run) -> None:
    for who, verdicts in {
        "Ada": ("right", "wrong", "right"),
        "Bo": ("right", "right", "wrong"),
    }.items():
        for number, verdict in enumerate(verdicts, start=1):
            label("first-ctx_k9", "--case", f"case-{number}", verdict, "--by", who)
    document = label("first", "--agreement", "--json")
    (agreement,) = document["agreements"]
    assert agreement["labellers"] == ["Ada", "Bo"]
    assert agreement["items"] == 3
    assert agreement["kappa"] == pytest.approx(-0.5)
    assert agreement["disagreements"] == ["first-ctx_k9 · case-2", "first-ctx_k9 · case-3"]
    assert "only with kappa -0.50 (below 0.7)" in document["warnings"][0]
    assert "Ada and Bo, label: kappa -0.50 [" in label("first", "--agreement")


def test_a_second_labeller_is_led_to_what_the_first_labelled(label: Run) -> None:
    label("first-text_k4", "--case", "case-2", "right", "--by", "Ada")
    document = label("first", "--next", "5", "--second", "--by", "Bo", "--json")
    assert [(entry["run"], entry["case"]) for entry in document["next"]] == [
        ("first-text_k4", "case-2")
    ]
    assert "Ada" not in json.dumps(document)


def test_without_a_terminal_and_a_wish_it_says_how_far_labelling_has_come(label: Run) -> None:
    assert label("latest") == "0 of 6 answers labelled: 0 right, 0 wrong, 0 unsure\n"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("nothing", "--next", "1"), "there is no run 'nothing' in"),
        (
            ("first", "right", "--case", "case-1"),
            "several runs answer 'case-1'; name one of first-",
        ),
        (("first-ctx_k9", "right", "--case", "x"), "first-ctx_k9 has no answer to a case 'x'"),
        (("first", "--next", "1", "--by", " "), "the labeller has no name"),
        (("first", "--export", "labels.txt"), "labels.txt must end in .jsonl or .csv"),
        (("first", "--import", "none.csv"), "none.csv"),
    ],
)
def test_what_cannot_be_done_is_one_sentence(
    label: Run, arguments: tuple[str, ...], sentence: str
) -> None:
    told = label(*arguments, expected=1)
    assert sentence in told
    assert told.count("\n") == 1


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("first", "--case", "case-1"),
        ("right", "--case", "case-1"),
        ("first", "--next", "0"),
        ("first", "--undo", "--agreement"),
    ],
)
def test_wrong_usage_exits_with_2(label: Run, arguments: tuple[str, ...]) -> None:
    label(*arguments, expected=2)


class Terminal:
    """A person who presses these keys."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, keys: str) -> None:
        pressed = iter(keys)
        monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
        monkeypatch.setattr("click.getchar", lambda: next(pressed))


def test_in_a_terminal_keys_label_skip_undo_and_quit(
    label: Run, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    Terminal(monkeypatch, "wxzscrq")
    out = label("first-ctx_k9", "--by", "Ada")
    assert out.count("How many beds has ward 3?") == 2
    assert "because   probably wrong" in out
    assert "[1] wards.pdf p. 1 text" in out
    assert label("first-ctx_k9", "--json")["labels"] == {"right": 1, "wrong": 0, "unsure": 0}


def test_in_a_terminal_it_ends_when_nothing_is_left(
    label: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    Terminal(monkeypatch, "RRU")
    out = label("first-ctx_k9")
    assert out.endswith(
        "nothing is left to label; 3 of 3 answers labelled: 2 right, 0 wrong, 1 unsure\n"
    )
