"""`sandbox compare` and `sandbox check` as a person and a program use them."""

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from typer.testing import CliRunner, Result

from sandbox.cli import command_line
from sandbox.errors import SandboxError
from sandbox.evaluation.runs.folder import list_runs
from sandbox.files.storage import Store
from tests.evaluation.compared_runs import CASES, bad, good, score, scored_run


@pytest.fixture
def results(tmp_path: Path) -> Path:
    store = Store(tmp_path / "results")
    for name, right in (("text_k4", bad), ("ctx_k9", good)):
        folder = scored_run(store, name, right)
        for number, case in enumerate(CASES, start=1):
            value = 1.0 if right(number) else 0.25
            folder.add_score(case.id, score("mrr", value, family="ranking"))
    return store.results


def sandbox(results: Path, *arguments: str, typed: str | None = None) -> Result:
    return CliRunner().invoke(command_line, [*arguments, "--results", str(results)], input=typed)


def document(results: Path, *arguments: str) -> dict[str, Any]:
    shown = sandbox(results, *arguments, "--json")
    assert shown.exit_code == 0, shown.output
    return json.loads(shown.stdout)  # type: ignore[no-any-return]


def test_json_holds_the_keys_that_programs_rely_on(results: Path) -> None:
    comparison = document(results, "compare", "first-text_k4", "first-ctx_k9")
    assert comparison["factors"] == [
        {"name": "index", "a": "text", "b": "context"},
        {"name": "top_k", "a": 4, "b": 9},
    ]
    assert comparison["creditable"] is False
    assert [(step["name"], step["factor"], step["run"]) for step in comparison["in_between"]] == [
        ("ctx_k4", "index", None),
        ("text_k9", "top_k", None),
    ]
    assert comparison["in_between"][0]["command"] == (
        "sandbox evaluate --corpus wards --testset wards.jsonl --configs ctx_k4 --metrics"
        " faithfulness"
    )
    labels = comparison["right_wrong"]
    assert {key: labels[key] for key in ("a_only", "b_only", "both", "neither", "p")} == {
        "a_only": 3,
        "b_only": 18,
        "both": 3,
        "neither": 0,
        "p": 3124 / 2**21,
    }
    keys = {"metric", "trusted", "difference", "low", "high", "p", "p_holm"}
    assert all(keys <= set(metric) for metric in comparison["metrics"])
    decides = {metric["metric"]: metric["decides"] for metric in comparison["metrics"]}
    assert (decides["faithfulness"], decides["mrr"]) == (True, True)
    assert comparison["layer"] == {"retrieval": 21, "generation": 3, "same": 0, "unknown": 0}
    assert comparison["verdict"].startswith("B answers more cases right")
    assert len(comparison["flips"]) == 21
    assert [run["config"] for run in comparison["runs"]] == ["text_k4", "ctx_k9"]


def test_a_terminal_shows_verdict_credit_rates_and_faults(results: Path) -> None:
    shown = sandbox(results, "compare", "first-text_k4", "first-ctx_k9")
    assert shown.exit_code == 0
    assert "B answers more cases right: 18 right only in B" in shown.stdout
    assert "nothing can be credited to any single one" in shown.stdout.replace("\n          ", " ")
    assert "run it:  sandbox evaluate --corpus wards" in shown.stdout
    assert "text_k4                0.25 [0.12, 0.45] of 24" in shown.stdout
    assert "18 of 24 answers with a fault" in shown.stdout
    commands = [line for line in shown.stdout.splitlines() if "run it:" in line]
    assert max(len(line) for line in shown.stdout.splitlines() if line not in commands) <= 100


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["first-text_k4", "nowhere"], "there is no run 'nowhere'"),
        (["first-text_k4"], "a comparison needs two different runs"),
        ([], "no run is named"),
    ],
)
def test_what_cannot_be_compared_is_one_sentence(
    results: Path, arguments: list[str], message: str
) -> None:
    shown = sandbox(results, "compare", *arguments)
    assert shown.exit_code == 1
    assert isinstance(shown.exception, SandboxError)
    assert str(shown.exception).startswith(message)


def test_runs_are_listed_named_and_noted(results: Path) -> None:
    sandbox(results, "compare", "first-ctx_k9", "--rename", "For the board")
    sandbox(results, "compare", "first-ctx_k9", "--note", "Ask again")
    runs = document(results, "compare", "--list")["runs"]
    assert [(run["id"], run["name"], run["note"]) for run in runs] == [
        ("first-text_k4", "", ""),
        ("first-ctx_k9", "For the board", "Ask again"),
    ]
    assert (
        "For the board  2030-01-01 00:00 UTC  21 right of 24"
        in sandbox(results, "compare", "--list").stdout
    )


def test_a_run_goes_out_and_comes_back_as_one_file(results: Path, tmp_path: Path) -> None:
    archive = str(tmp_path / "run.zip")
    assert sandbox(results, "compare", "first-ctx_k9", "--export", archive).exit_code == 0
    imported = document(tmp_path / "other", "compare", "--import", archive)
    assert imported["runs"][0]["headline"] == "21 right of 24 labelled"


def test_nothing_is_deleted_without_the_id(results: Path) -> None:
    refused = sandbox(results, "compare", "first-ctx_k9", "--delete")
    assert (refused.exit_code, len(list_runs(Store(results)))) == (1, 2)
    done = sandbox(results, "compare", "first-ctx_k9", "--delete", "--confirm", "first-ctx_k9")
    assert (done.exit_code, done.stdout) == (0, "deleted first-ctx_k9\n")
    assert [folder.run.id for folder in list_runs(Store(results))] == ["first-text_k4"]


def test_two_wishes_at_once_are_wrong_usage(results: Path) -> None:
    shown = sandbox(results, "compare", "first-ctx_k9", "--note", "x", "--rename", "y")
    assert shown.exit_code == 2
    assert "choose one of --rename and --note" in shown.output


def test_a_gate_passes_fails_and_writes_junit(results: Path, tmp_path: Path) -> None:
    path, report = str(tmp_path / "baseline.json"), tmp_path / "report.xml"
    saved = sandbox(results, "check", "first-ctx_k9", "--save-baseline", path)
    assert (saved.exit_code, saved.stdout) == (0, "")
    assert "it will hold faithfulness, mrr" in saved.output
    held = sandbox(results, "check", "latest", "--config", "ctx_k9", "--baseline", path)
    assert held.exit_code == 0
    lost = sandbox(
        results, "check", "first-text_k4", "--baseline", path, "--junit", str(report), "--json"
    )
    assert lost.exit_code == 1
    outcome = json.loads(lost.stdout)
    assert outcome["passed"] is False
    assert outcome["reasons"] == [
        "faithfulness is 0.300, below 0.664 (baseline 0.737, 24 cases)",
        "mrr is 0.438, below 0.816 (baseline 0.906, 24 cases)",
    ]
    suite = ElementTree.parse(report).getroot().find("testsuite")
    assert suite is not None
    assert (suite.get("tests"), suite.get("failures")) == ("2", "2")
    failure = suite.find("testcase/failure")
    assert failure is not None
    assert failure.get("message") == outcome["reasons"][0]


def test_a_run_that_fails_is_no_new_baseline(results: Path, tmp_path: Path) -> None:
    path, new = str(tmp_path / "baseline.json"), tmp_path / "new.json"
    sandbox(results, "check", "first-ctx_k9", "--save-baseline", path)
    arguments = ("--baseline", path, "--save-baseline", str(new))
    assert sandbox(results, "check", "first-text_k4", *arguments).exit_code == 1
    assert not new.exists()
    assert sandbox(results, "check", "first-ctx_k9", *arguments).exit_code == 0
    assert new.exists()


def test_a_gate_needs_something_to_do(results: Path) -> None:
    assert sandbox(results, "check", "first-ctx_k9").exit_code == 2
