"""`sandbox evaluate` as scripts use it."""

import json
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pymupdf
import pytest

from sandbox.cli import main
from tests.evaluation.judge_server import by_schema
from tests.evaluation.scripted_runs import lines
from tests.models.ollama_server import ScriptedOllama, Served

BY_WORDS = ("--set", "retriever=lexical", "--set", "reranker=none", "--set", "index=text")
METRICS = "recall@1,mrr,accepted_answer,answer_length,refusal"
CASES: tuple[tuple[str, str, str, list[str], list[int]], ...] = (
    ("beds", "How many beds has the Cedar clinic?", "14 beds.", ["14"], [1]),
    ("alarm", "At which temperature is the alarm set?", "Eight degrees.", ["8 degrees"], [2]),
    ("mayor", "Who is the mayor?", "The material does not say.", [], []),
    ("draft", "Who wrote this?", "Nobody checked.", ["nobody"], [1]),
)

JUDGED = {
    "ContextRecallOutput": {
        "classifications": [{"statement": "14 beds.", "reason": "it says so", "attributed": 1}]
    }
}
"""What the judge replies to RAGAS's context_recall."""

Run = Callable[..., tuple[int, Any, str]]


@pytest.fixture
def served() -> Any:
    with ScriptedOllama(
        [Served(name="llama3.1:latest")], reply=lambda messages: "It has 14 beds."
    ) as server:
        yield server


@pytest.fixture(scope="module")
def read_once(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A PDF, and the cache that all tests read it from."""
    folder = tmp_path_factory.mktemp("clinic")
    with pymupdf.open() as document:
        for text in (
            "The Cedar clinic opens at 8:15 and has 14 beds.",
            "The alarm is at 8 degrees.",
        ):
            document.new_page().insert_text((60, 60), text)
        document.save(folder / "clinic.pdf")
    (folder / "cache").mkdir()
    return folder / "clinic.pdf", folder / "cache"


@pytest.fixture
def command(
    served: ScriptedOllama,
    read_once: tuple[Path, Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> list[str]:
    """The command that all tests give, in a folder with the PDF's test set."""
    monkeypatch.chdir(tmp_path)
    pdf, cache = read_once
    (tmp_path / "results").mkdir()
    (tmp_path / "results" / "cache").symlink_to(cache)
    test_set = tmp_path / "clinic.jsonl"
    with test_set.open("w", encoding="utf-8") as file:
        for id, question, reference, accepted, pages in CASES:
            described = {
                "id": id,
                "question": question,
                "reference": reference,
                "accepted_answers": accepted,
                "source": "text" if pages else "none",
                "category": "fact",
                "relevant_pages": pages,
                "answerable": bool(pages),
                "verified": id != "draft",
            }
            file.write(json.dumps(described) + "\n")

    model = f"chat_model={served.url}/v1#llama3.1"
    return ["evaluate", "--corpus", str(pdf), "--testset", str(test_set), "--json"] + [
        "--configs",
        "text_k4,text_k9",
        "--metrics",
        METRICS,
        *BY_WORDS,
        "--set",
        model,
    ]


@pytest.fixture
def evaluate(
    command: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Run:
    def run(*arguments: str, expected: int = 0) -> tuple[int, Any, str]:
        monkeypatch.setattr("sys.argv", ["sandbox", *command, *arguments])
        with pytest.raises(SystemExit) as end:
            main()
        printed = capsys.readouterr()
        assert int(end.value.code or 0) == expected, printed.err
        return expected, json.loads(printed.out) if printed.out else None, printed.err

    return run


def test_each_configuration_has_a_run_with_the_documented_keys(evaluate: Run) -> None:
    _, document, _ = evaluate()
    assert [entry["cells"] for entry in document["runs"]] == [3, 3]
    entry = document["runs"][0]
    assert set(entry) >= {
        "id",
        "config",
        "cells",
        "metrics",
        "seconds",
        "judge_calls",
        "judge_calls_saved",
        "tokens",
    }
    assert set(entry["metrics"]) == set(METRICS.split(","))
    accepted = entry["metrics"]["accepted_answer"]
    assert {key: accepted[key] for key in ("mean", "scored", "of")} == {
        "mean": 1 / 3,
        "scored": 3,
        "of": 3,
    }
    recall = entry["metrics"]["recall@1"]
    assert (recall["mean"], recall["scored"], recall["of"], recall["not_applicable"]) == (
        1,
        2,
        3,
        1,
    )
    assert recall["mean_failed_as_0"] == 1.0


def test_a_run_keeps_what_making_its_index_took(evaluate: Run, tmp_path: Path) -> None:
    _, document, _ = evaluate()
    for entry in document["runs"]:
        (path,) = tmp_path.rglob(f"runs/{entry['id']}/run.json")
        assert json.loads(path.read_text(encoding="utf-8"))["index_seconds"] > 0


def test_unverified_cases_are_never_asked(evaluate: Run, served: ScriptedOllama) -> None:
    evaluate()
    asked = json.dumps(served.asked("/v1/chat/completions"))
    assert "Who is the mayor?" in asked
    assert "Who wrote this?" not in asked


def test_limit_takes_the_first_cases(evaluate: Run) -> None:
    _, document, _ = evaluate("--limit", "1")
    assert [entry["cells"] for entry in document["runs"]] == [1, 1]


def test_a_dry_run_answers_nothing_and_says_what_is_to_be_done(
    evaluate: Run, served: ScriptedOllama, tmp_path: Path
) -> None:
    _, document, _ = evaluate("--dry-run")
    assert document == {
        "answers": 6,
        "judge_calls": {},
        "judge_calls_by_configuration": {},
        "after_cache": 0,
        "after_cache_by_family": {},
        "tokens": 0,
        "overflowing_prompts": 0,
        "minutes": 0.0,
        "answer_minutes": None,
        "answer_pace": f"how long {served.url}/v1#llama3.1 takes to answer is known after its "
        "first run",
        "warnings": [],
    }
    assert served.asked("/v1/chat/completions") == []
    assert not (tmp_path / "results" / "runs").exists()


def test_a_chat_model_that_goes_away_stops_and_resume_goes_on_with_the_same_runs(
    evaluate: Run, served: ScriptedOllama, tmp_path: Path
) -> None:
    def reply(messages: list[dict[str, Any]]) -> str:
        if len(served.asked("/v1/chat/completions")) == 3:
            served.models.clear()
        return "It has 14 beds."

    served.reply = reply
    _, _, told = evaluate(expected=1)
    assert "with --resume goes on" in told
    assert told.splitlines()[-1].startswith("sandbox: ")
    served.models.append(Served(name="llama3.1:latest"))
    served.reply = lambda messages: "It has 14 beds."
    before = {path.name: len(lines(path)) for path in tmp_path.glob("results/runs/*/answers.jsonl")}
    assert before == {"answers.jsonl": 3}
    _, document, _ = evaluate("--resume")
    assert [entry["finished"] for entry in document["runs"]] == [True, True]
    assert len(list(tmp_path.glob("results/runs/*/run.json"))) == 2
    assert len(served.asked("/v1/chat/completions")) == 7


def test_a_second_evaluation_without_resume_is_a_new_one(evaluate: Run, tmp_path: Path) -> None:
    evaluate()
    _, planned, _ = evaluate("--dry-run")
    assert planned["answers"] == 6
    assert planned["answer_minutes"] > 0
    evaluate()
    assert len(list(tmp_path.glob("results/runs/*/run.json"))) == 4


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--metrics", "recal"), "no metric is named 'recal'"),
        (("--metrics", ","), "no metric is chosen"),
        (("--configs", "best"), "no configuration is named 'best'"),
        (("--configs", "text_k4,text_k4"), "two configurations are called"),
        (("--configs", ","), "no configuration is chosen"),
        (("--judgements", "0"), "judgements is 0; choose a number from 1"),
        (("--rubric", "nothing.csv"), "there is no file nothing.csv"),
        (("--rubric", "clinic.jsonl"), "clinic.jsonl, line 1: unknown field"),
        (("--limit", "0"), "limit is 0; choose a number from 1"),
        (("--testset", "nothing.jsonl"), "there is no test set at nothing.jsonl"),
        (("--testset", "outbreak-zh"), "is about 'outbreak-zh.pdf', which is not in the corpus"),
    ],
)
def test_a_refused_evaluation_is_one_sentence(
    evaluate: Run, arguments: tuple[str, ...], sentence: str
) -> None:
    _, document, told = evaluate(*arguments, expected=1)
    assert document is None
    assert sentence in told.splitlines()[-1]


def test_a_judge_scores_the_answers_and_a_rerun_asks_it_nothing(
    evaluate: Run, served: ScriptedOllama
) -> None:
    served.reply = lambda messages: "Yes"
    judge = ("--judge", f"{served.url}/v1#llama3.1", "--metrics", "mrr,agrees_with_reference")
    _, planned, _ = evaluate(*judge, "--dry-run")
    assert planned["judge_calls"] == {"agrees_with_reference": 6}
    assert planned["after_cache"] == 3
    assert planned["tokens"] > 0
    assert planned["minutes"] > 0
    _, document, _ = evaluate(*judge)
    first, second = document["runs"]
    assert first["metrics"]["agrees_with_reference"]["scored"] == 3
    assert (first["judge_calls"], second["judge_calls"], second["judge_calls_saved"]) == (3, 0, 3)
    _, document, _ = evaluate(*judge)
    assert [entry["judge_calls"] for entry in document["runs"]] == [0, 0]


def test_a_judge_that_is_not_there_is_said_before_the_first_answer(
    evaluate: Run, served: ScriptedOllama
) -> None:
    _, _, told = evaluate(
        "--metrics", "token-judge", "--judge", "http://127.0.0.1:9/v1#judge", expected=1
    )
    assert "http://127.0.0.1:9/v1#judge" in told.splitlines()[-1]
    assert served.asked("/v1/chat/completions") == []


def judging(served: ScriptedOllama, metrics: str, *more: str) -> tuple[str, ...]:
    """Options that let the second model of the server judge, and its replies."""
    written = by_schema(JUDGED)

    def reply(messages: list[dict[str, Any]]) -> str:
        prompt = messages[-1]["content"]
        if '"title": "' in prompt:
            return written(messages)
        return "yes" if "Reply yes or no" in prompt else "It has 14 beds."

    served.reply = reply
    served.models.append(Served(name="qwen2.5:latest", modelfile="num_ctx 16384"))
    return ("--judge", f"{served.url}/v1#qwen2.5", "--metrics", metrics, *more)


def asked_of_the_judge(served: ScriptedOllama) -> list[dict[str, Any]]:
    bodies = served.asked("/v1/chat/completions")
    return [body for body in bodies if body["model"] == "qwen2.5"]


def test_both_kinds_of_judge_are_planned_at_a_measured_pace_and_then_run(
    evaluate: Run, served: ScriptedOllama
) -> None:
    judge = judging(served, "agrees_with_reference,context_recall")
    _, planned, _ = evaluate(*judge, "--dry-run")
    assert planned["judge_calls"] == {"agrees_with_reference": 6, "context_recall": 6}
    by_configuration = planned["judge_calls_by_configuration"]
    assert [name[:7] for name in by_configuration] == ["text_k4", "text_k9"]
    each = {"agrees_with_reference": 3, "context_recall": 3}
    assert list(by_configuration.values()) == [each, each]
    assert sum(planned["after_cache_by_family"].values()) == planned["after_cache"]
    assert planned["minutes"] > 0
    probes = asked_of_the_judge(served)
    assert len(probes) == 3
    assert [body for body in probes if "response_format" in body]
    assert [body for body in probes if "logprobs" in body]
    _, document, told = evaluate(*judge)
    for run in document["runs"]:
        assert run["finished"]
        assert {name: entry["mean"] for name, entry in run["metrics"].items()} == {
            "agrees_with_reference": 1.0,
            "context_recall": 1.0,
        }
        assert run["metrics"]["context_recall"]["scored"] == 3
    assert document["runs"][0]["tokens"] > document["runs"][0]["judge_tokens"] > 0
    assert "judges its own answers" not in told


def test_a_judge_that_goes_away_in_the_middle_is_one_sentence_and_resume_goes_on(
    evaluate: Run, served: ScriptedOllama, tmp_path: Path
) -> None:
    judge = judging(served, "agrees_with_reference,answers_the_question,complete")
    whole = served.reply

    def reply(messages: list[dict[str, Any]]) -> str:
        if len(asked_of_the_judge(served)) == 5:
            served.models.pop()
        return whole(messages)

    served.reply = reply
    _, document, told = evaluate(*judge, expected=1)
    assert document is None
    assert "with --resume goes on" in told
    assert told.splitlines()[-1].startswith("sandbox: ")
    kept = sum(len(lines(path)) for path in tmp_path.glob("results/runs/*/scores.jsonl"))
    assert 0 < kept < 18
    answers = len(served.asked("/v1/chat/completions")) - len(asked_of_the_judge(served))
    judge = judging(served, "agrees_with_reference,answers_the_question,complete")
    _, planned, _ = evaluate(*judge, "--resume", "--dry-run")
    assert planned["answers"] == 0
    _, document, _ = evaluate(*judge, "--resume")
    assert [run["finished"] for run in document["runs"]] == [True, True]
    assert len(list(tmp_path.glob("results/runs/*/run.json"))) == 2
    later = len(served.asked("/v1/chat/completions")) - len(asked_of_the_judge(served))
    assert later == answers


def test_judging_can_be_repeated_and_only_the_same_number_is_gone_on_with(
    evaluate: Run, served: ScriptedOllama, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    judge = judging(served, "agrees_with_reference", "--judgements", "3", "--limit", "1")
    _, planned, _ = evaluate(*judge, "--dry-run")
    assert planned["judge_calls"] == {"agrees_with_reference": 6}
    _, document, _ = evaluate(*judge)
    run = document["runs"][0]
    assert run["judgements"] == {"agrees_with_reference": {"beds": [1.0, 1.0, 1.0]}}
    entry = run["metrics"]["agrees_with_reference"]
    assert (entry["mean"], entry["judgements"], entry["judgements_failed"]) == (1.0, 3, 0)
    assert entry["standard_deviation"] == 0.0
    settings = {(body["temperature"], body["seed"]) for body in asked_of_the_judge(served)}
    assert settings == {(0.7, 1), (0.7, 2), (0.7, 3)}
    described = [json.loads(path.read_text()) for path in tmp_path.glob("results/runs/*/run.json")]
    assert {run["judgements"] for run in described} == {3}
    for path in tmp_path.glob("results/runs/*/scores.jsonl"):
        path.unlink()
    evaluate(*judge[:-4], "--limit", "1", "--resume")
    assert "there is no unfinished evaluation of this plan" in caplog.text
    evaluate(*judge, "--resume")
    assert len(list(tmp_path.glob("results/runs/*/run.json"))) == 4


def test_graded_examples_reach_the_judge_and_are_part_of_the_plan(
    evaluate: Run, served: ScriptedOllama, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    rubric = tmp_path / "rubric.jsonl"
    example = {"user_input": "Whose?", "response": "Rowan.", "reference": "Alder.", "label": 0}
    rubric.write_text(json.dumps(example) + "\n", encoding="utf-8")
    judge = judging(served, "agrees_with_reference", "--rubric", str(rubric), "--limit", "1")
    _, planned, _ = evaluate(*judge, "--dry-run")
    assert planned["warnings"] == ["all graded examples have the same label; give some of both"]
    evaluate(*judge)
    assert all("Rowan." in body["messages"][-1]["content"] for body in asked_of_the_judge(served))
    for path in tmp_path.glob("results/runs/*/scores.jsonl"):
        path.unlink()
    rubric.write_text(json.dumps({**example, "label": 1}) + "\n", encoding="utf-8")
    evaluate(*judge, "--resume")
    assert "there is no unfinished evaluation of this plan" in caplog.text


def test_a_judge_that_answers_too_is_named_with_the_others_on_this_machine(
    evaluate: Run, served: ScriptedOllama, caplog: pytest.LogCaptureFixture
) -> None:
    served.models.append(Served(name="qwen2.5:latest"))
    served.reply = lambda messages: "yes"
    both = ("--set", "chat_model=ollama:llama3.1", "--judge", "ollama:llama3.1")
    options = (*both, "--ollama", served.url, "--metrics", "complete")
    _, planned, _ = evaluate(*options, "--dry-run")
    (warning,) = planned["warnings"]
    assert warning.startswith("ollama:llama3.1 judges its own answers, which it may prefer")
    assert "ollama:qwen2.5" in warning
    evaluate(*options)
    assert "judges its own answers" in caplog.text


def test_a_hold_out_is_refused_until_it_is_asked_for(
    evaluate: Run, served: ScriptedOllama, tmp_path: Path
) -> None:
    holdout = tmp_path / "clinic.holdout.jsonl"
    holdout.write_bytes((tmp_path / "clinic.jsonl").read_bytes())
    _, document, told = evaluate("--testset", str(holdout), expected=1)
    assert document is None
    assert "clinic.holdout.jsonl is a hold-out" in told.splitlines()[-1]
    assert "--show-holdout" in told.splitlines()[-1]
    assert served.asked("/v1/chat/completions") == []
    _, document, _ = evaluate("--testset", str(holdout), "--show-holdout", "--limit", "1")
    assert [run["finished"] for run in document["runs"]] == [True, True]


def test_ctrl_c_ends_the_command_and_resume_goes_on(
    command: list[str], evaluate: Run, served: ScriptedOllama, tmp_path: Path
) -> None:
    waiting, gone_on = threading.Event(), threading.Event()

    def reply(messages: list[dict[str, Any]]) -> str:
        if len(served.asked("/v1/chat/completions")) == 3:
            waiting.set()
            gone_on.wait(60)
        return "It has 14 beds."

    served.reply = reply
    run = [sys.executable, "-m", "sandbox.cli", *command]
    with subprocess.Popen(
        run, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as program:
        assert waiting.wait(60)
        program.send_signal(signal.SIGINT)
        printed, told = program.communicate(timeout=60)
    gone_on.set()
    assert (program.returncode, printed) == (130, "")
    assert told.splitlines()[-1] == (
        "stopped; what is done is kept, the same command with --resume goes on"
    )
    kept = [len(lines(path)) for path in tmp_path.glob("results/runs/*/answers.jsonl")]
    assert kept == [2]
    _, document, _ = evaluate("--resume")
    assert [entry["finished"] for entry in document["runs"]] == [True, True]
    assert len(served.asked("/v1/chat/completions")) == 3 + 4
