"""`sandbox trust` from a file and from runs, as JSON and as lines."""

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from sandbox.cli import command_line
from sandbox.errors import SandboxError
from sandbox.evaluation.runs.folder import RunFolder
from sandbox.evaluation.runs.labels import add_labels, new_label
from sandbox.evaluation.runs.records import Cell, Score
from sandbox.files.storage import Store
from tests.evaluation.scripted_runs import answer, make_run
from tests.models.ollama_server import ScriptedOllama, Served

KEYS = {
    "metric",
    "family",
    "mean_right",
    "mean_wrong",
    "gap",
    "n_right",
    "n_wrong",
    "auc",
    "auc_low",
    "auc_high",
    "p",
    "p_holm",
    "auc_within_case",
    "coverage",
    "verdict",
    "reason",
    "seconds_per_cell",
    "tokens_per_cell",
}


@pytest.fixture
def answers(tmp_path: Path) -> Path:
    """Forty answers; `judge` knows right from wrong, `coin` does not."""
    path = tmp_path / "answers.jsonl"
    rows = [
        {
            "user_input": f"How many beds has ward {place}?",
            "response": f"{place} beds.",
            "label": int(place % 2 == 0),
            "judge": (0.8 if place % 2 == 0 else 0.3) + place / 200,
            "coin": (place // 2) % 5 / 5,
        }
        for place in range(40)
    ]
    path.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    return path


def run_command(*arguments: object) -> str:
    result = CliRunner().invoke(command_line, ["trust", *map(str, arguments)])
    if isinstance(result.exception, SandboxError):
        raise result.exception
    assert result.exit_code == 0, result.output
    return result.stdout


def as_json(*arguments: object) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(run_command(*arguments, "--json"))
    return document


def test_json_has_the_promised_keys(answers: Path) -> None:
    document = as_json("--import", answers)

    assert document["labels"] == {"right": 20, "wrong": 20, "unsure": 0, "suggested": 0}
    assert (document["cells"], document["cases"], document["warnings"]) == (40, 40, [])
    assert all(set(row) >= KEYS for row in document["metrics"])
    verdicts = {row["metric"]: row["verdict"] for row in document["metrics"]}
    assert (verdicts["judge"], verdicts["coin"]) == ("separates", "noise")


def test_lines_fit_a_terminal_and_give_reasons(answers: Path) -> None:
    lines = run_command("--import", answers).splitlines()

    assert max(map(len, lines)) <= 100
    assert lines[0] == "40 of 40 answers labelled (20 right, 20 wrong), 40 cases"
    (judge,) = [line for line in lines if line.startswith("judge ")]
    assert judge.split()[1:4] == ["0.90", "0.40", "+0.50"]
    assert judge.endswith("separates")
    assert any(line.startswith("    threshold >= ") for line in lines)


def test_two_columns_are_compared(answers: Path) -> None:
    (difference,) = as_json("--import", answers, "--compare", "judge,coin")["differences"]

    assert (difference["metric"], difference["other"], difference["is_better"]) == (
        "judge",
        "coin",
        True,
    )


def test_imported_answers_are_scored_by_more_metrics(answers: Path) -> None:
    document = as_json("--import", answers, "--metrics", "refusal")

    assert "refusal" in {row["metric"] for row in document["metrics"]}


def test_imported_answers_are_judged_once_and_again_only_for_a_retest(
    answers: Path, tmp_path: Path
) -> None:
    judge = ("--metrics", "answers_the_question", "--limit", "6", "--results", tmp_path)
    with ScriptedOllama([Served(name="llama3.1:latest")], reply=lambda _: "yes") as served:
        judged = (*judge, "--judge", f"{served.url}/v1#llama3.1", "--import", answers)
        first = as_json(*judged)
        asked = len(served.asked("/v1/chat/completions"))
        as_json(*judged)
        again = len(served.asked("/v1/chat/completions"))
        retested = as_json(*judged, "--retest", 2)
        bodies = served.asked("/v1/chat/completions")[again:]

    row = next(row for row in first["metrics"] if row["metric"] == "answers_the_question")
    assert (row["family"], row["coverage"], asked, again) == ("token judge", 1.0, 6, 6)
    assert [body["temperature"] for body in bodies] == [0.7, 0.7]
    (repeated,) = retested["repeatability"]
    assert (repeated["repeated"], repeated["flip_rate"], repeated["sd"]) == (2, 0.0, 0.0)


def test_a_run_is_judged_by_its_labels(tmp_path: Path) -> None:
    folder = labelled_run(tmp_path)
    document = as_json("latest", "--results", tmp_path)

    assert document["labels"] == {"right": 6, "wrong": 6, "unsure": 1, "suggested": 0}
    assert (document["cells"], document["cases"]) == (16, 12)
    row = next(row for row in document["metrics"] if row["metric"] == "faithfulness")
    assert (row["auc"], row["tokens_per_cell"], row["seconds_per_cell"]) == (1.0, 20.0, 0.25)
    again = as_json(folder.run.id[:6], "--results", tmp_path)
    assert [row["auc"] for row in again["metrics"]] == [row["auc"] for row in document["metrics"]]


def test_accepted_suggestions_are_counted_apart(tmp_path: Path) -> None:
    labelled_run(tmp_path)
    document = as_json("latest", "--accept-suggestions", "--results", tmp_path)

    assert document["labels"]["suggested"] == 3
    assert "3 of 15 labels are accepted suggestions" in document["warnings"][0]


@pytest.mark.parametrize("arguments", [(), ("latest", "--import", "answers.jsonl")])
def test_runs_or_a_file_are_named_but_not_both(arguments: tuple[str, ...]) -> None:
    with pytest.raises(SandboxError, match="one of them"):
        run_command(*arguments)


def test_what_is_only_for_imported_answers_is_refused_for_runs(tmp_path: Path) -> None:
    with pytest.raises(SandboxError, match="are for imported answers"):
        run_command("latest", "--metrics", "refusal", "--results", tmp_path)


def test_a_comparison_names_two_metrics(answers: Path) -> None:
    with pytest.raises(SandboxError, match="must name two metrics"):
        run_command("--import", answers, "--compare", "judge")


def labelled_run(results: Path) -> RunFolder:
    """Sixteen cases: six right, six wrong, one unsure, three that nobody labelled."""
    folder = make_run(Store(results), cases=16, metrics=("faithfulness",))
    for place, case in enumerate(folder.run.cases):
        right = place % 2 == 0
        text = "" if right else "It has 99 beds."
        given = answer(case, "text_k4", place + 1, text=text)
        folder.add_cell(Cell(configuration="text_k4", case=case.id, answer=given))
        value = (0.8 if right else 0.2) + place / 100
        score = Score(
            metric="faithfulness", family="ragas", value=value, calls=2, tokens=20, seconds=0.25
        )
        folder.add_score(case.id, score)
        if place <= 12:
            verdict = "unsure" if place == 12 else "right" if right else "wrong"
            add_labels(
                folder.folder,
                [new_label("text_k4", case.id, verdict, labeller="Ada")],  # type: ignore[arg-type]
            )
    return folder


def test_the_advice_and_the_worst_misses_are_printed(answers: Path) -> None:
    lines = run_command("--import", answers)
    assert "Use judge: right answers score better than wrong ones." in lines
    assert "judge: no misses, every labelled answer is on its side" in lines
    document = as_json("--import", answers)
    assert document["use"] == ["judge"]
    assert document["summary"] == (
        "Use judge: right answers score better than wrong ones."
        " combined knows right from wrong, too."
    )
    misses = {row["metric"]: row["worst_misses"] for row in document["metrics"]}
    assert misses["judge"] == {"right": [], "wrong": []}
    assert misses["coin"]["right"][0] == {
        "run": "",
        "configuration": "",
        "case": "How many beds has ward 0?",
        "value": 0.0,
    }


def test_columns_with_a_word_in_brackets_are_metrics_of_their_own(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    rows = [
        {
            "user_input": f"How many beds has ward {place}?",
            "response": f"{place} beds.",
            "label": place % 2,
            "bleu (sacre)": (place * 7) % 11 / 11,
            "bleu (nltk)": (place * 5) % 11 / 11,
            "noise_sensitivity (mine)": place % 2,
        }
        for place in range(40)
    ]
    path.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")

    document = as_json("--import", path)
    metrics = {row["metric"]: row for row in document["metrics"]}
    assert {"bleu (sacre)", "bleu (nltk)"} <= metrics.keys()
    assert document["differences"] == []
    assert metrics["noise_sensitivity (mine)"]["auc"] == 1.0

    compared = as_json("--import", path, "--compare", "bleu (sacre),bleu (nltk)")["differences"]
    assert [(row["metric"], row["other"]) for row in compared] == [("bleu (sacre)", "bleu (nltk)")]
