import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from sandbox.cli import command_line
from sandbox.errors import InvalidTestSet
from sandbox.testsets.cases import TEST_SETS_FOLDER, load

BUNDLED = TEST_SETS_FOLDER / "outbreak-zh.jsonl"


def run(*arguments: str) -> str:
    result = CliRunner().invoke(command_line, ["testset", *arguments], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_bundled_test_set_goes_to_a_spreadsheet_and_back(folder: Path) -> None:
    run("export", "outbreak-zh", "cases.csv", "--names", "ragas")
    run("import", "cases.csv", "mine.jsonl")
    assert load(folder / "mine.jsonl") == load(BUNDLED)


def test_doubts_are_sentences_and_json(folder: Path) -> None:
    (folder / "cases.csv").write_text("question,reference\nWho?,Ann\n")
    run("import", "cases.csv", "mine.jsonl")
    assert "write 49 more" in run("check", "mine.jsonl")
    report = json.loads(run("check", "mine.jsonl", "--json"))
    assert (report["cases"], report["verified"]) == (1, 0)
    assert "unverified" in {doubt["kind"] for doubt in report["doubts"]}


def test_a_hold_out_is_put_aside_and_not_shown(folder: Path) -> None:
    parts = json.loads(run("split", "annual-en", "--into", "parts", "--json"))
    file = parts["holdout"]["file"]
    assert parts["holdout"]["cases"] + parts["development"]["cases"] == 100
    for command in (["check", file], ["export", file, "out.csv"]):
        with pytest.raises(InvalidTestSet, match="is a hold-out"):
            run(*command)
        run(*command, "--show-holdout")


def test_two_people_are_compared(folder: Path) -> None:
    (folder / "a.csv").write_text("case,label\na,1\nb,0\nc,1\n")
    (folder / "b.csv").write_text("case,label\na,1\nb,0\nc,0\n")
    assert run("agree", "a.csv", "b.csv").startswith("label: kappa 0.40 [")
    report = json.loads(run("agree", "a.csv", "b.csv", "--json"))
    assert report["agreements"][0]["disagreements"] == [" · c"]
    assert report["warnings"] != []
