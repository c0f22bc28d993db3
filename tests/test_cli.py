"""The command line as scripts use it: JSON on stdout, one sentence on stderr, exit status."""

import json
from pathlib import Path
from typing import Any

import pytest

from sandbox.cli import main
from tests.conftest import MakePdf
from tests.models.ollama_server import ScriptedOllama, Served

BEDS = "The Cedar clinic opens at 8:15 and has 14 beds."
ALARM = "The cold room alarm is set at eight degrees."
BY_WORDS = ("--set", "retriever=lexical", "--set", "reranker=none", "--set", "index=text")


class Outcome:
    """What one command printed and returned."""

    def __init__(self, status: int, stdout: str, stderr: str) -> None:
        self.status = status
        self.stdout = stdout
        self.stderr = stderr

    @property
    def json(self) -> Any:
        return json.loads(self.stdout)


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Any:
    monkeypatch.chdir(tmp_path)

    def run_command(*arguments: str | Path) -> Outcome:
        monkeypatch.setattr("sys.argv", ["sandbox", *map(str, arguments)])
        with pytest.raises(SystemExit) as end:
            main()
        printed = capsys.readouterr()
        return Outcome(int(end.value.code or 0), printed.out, printed.err)

    return run_command


def test_ingest_reports_every_file_and_one_bad_file_gives_status_1(
    run: Any, make_pdf: MakePdf, tmp_path: Path
) -> None:
    bad = tmp_path / "bad.pdf"
    bad.write_bytes(b"<html>not a pdf</html>")
    outcome = run("ingest", make_pdf(BEDS, ALARM), bad, *BY_WORDS, "--json")
    assert outcome.status == 1
    (document,) = outcome.json["documents"]
    assert document == {
        "document": "made.pdf",
        "pages": 2,
        "chunks": 2,
        "figures": 0,
        "tables": 0,
        "ocr_pages": [],
        "failed_pages": [],
        "warnings": [],
    }
    (refused,) = outcome.json["refused"]
    assert refused["file"] == "bad.pdf"
    assert "bad.pdf" in refused["reason"]
    assert set(outcome.json) == {"documents", "refused", "seconds"}


def test_ingest_of_good_files_gives_status_0(run: Any, make_pdf: MakePdf) -> None:
    assert run("ingest", make_pdf(BEDS), *BY_WORDS, "--json").status == 0


def test_retrieve_only_answers_nothing_and_asks_no_model(run: Any, make_pdf: MakePdf) -> None:
    outcome = run("ask", make_pdf(BEDS, ALARM), "alarm", *BY_WORDS, "--retrieve-only", "--json")
    assert outcome.status == 0
    assert outcome.json["answer"] is None
    (found,) = outcome.json["retrieved"]
    assert (found["rank"], found["document"], found["page"], found["kind"]) == (
        1,
        "made.pdf",
        2,
        "text",
    )
    assert found["legs"]["lexical"]["rank"] == 1
    assert outcome.json["config"]["top_k"] == 9


def test_an_answer_has_the_documented_keys(run: Any, make_pdf: MakePdf) -> None:
    with ScriptedOllama([Served(name="llama3.1:latest")]) as server:
        model = f"chat_model={server.url}/v1#llama3.1"
        outcome = run("ask", make_pdf(BEDS), "How many beds?", *BY_WORDS, "--set", model, "--json")
    assert outcome.status == 0, outcome.stderr
    assert set(outcome.json) >= {
        "question",
        "answer",
        "refused",
        "citations",
        "retrieved",
        "config",
        "models",
        "seconds",
        "tokens",
        "warnings",
    }
    assert outcome.json["answer"]


def test_questions_of_a_file_print_one_json_object_a_line_with_their_ids(
    run: Any, make_pdf: MakePdf, tmp_path: Path
) -> None:
    questions = tmp_path / "questions.jsonl"
    questions.write_text('{"id": "a", "question": "beds"}\n\n{"id": 7, "question": "alarm"}\n')
    outcome = run(
        "ask", make_pdf(BEDS, ALARM), "--questions", questions, *BY_WORDS, "--retrieve-only"
    )
    lines = [json.loads(line) for line in outcome.stdout.splitlines()]
    assert [(line["id"], line["retrieved"][0]["page"]) for line in lines] == [("a", 1), (7, 2)]


def test_a_folder_is_one_corpus(run: Any, make_pdf: MakePdf, tmp_path: Path) -> None:
    make_pdf(BEDS, name="one.pdf")
    make_pdf(ALARM, name="two.PDF")
    outcome = run("ask", tmp_path, "alarm", *BY_WORDS, "--retrieve-only", "--json")
    assert [item["document"] for item in outcome.json["retrieved"]] == ["two.PDF"]


def test_a_name_that_begins_with_a_dash_follows_two_dashes(run: Any, make_pdf: MakePdf) -> None:
    make_pdf(BEDS, name="-rf --help.pdf")
    outcome = run("ask", *BY_WORDS, "--retrieve-only", "--json", "--", "-rf --help.pdf", "beds")
    assert outcome.json["retrieved"][0]["document"] == "-rf --help.pdf"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("ask", "nothing.pdf", "question"), "no file, folder or bundled corpus is called"),
        (
            ("ask", "outbreak-zh", "question", "--config", "best"),
            "no configuration is named 'best'",
        ),
        (("ask", "outbreak-zh", "q", "--set", "top_k=zero"), "top_k must be a whole number"),
        (("ask", "outbreak-zh", "q", "--set", "top_k=0"), "top_k is 0; choose a number from 1"),
        (("ask", "outbreak-zh", "q", "--set", "speed=9"), "'speed=9' is not NAME=VALUE; settings:"),
        (("ask", "outbreak-zh", "--questions", "none.jsonl"), "cannot read the questions in"),
        (("ingest", "nowhere/"), "no file, folder or bundled corpus is called 'nowhere/'"),
    ],
)
def test_a_refused_request_is_one_sentence_and_status_1(
    run: Any, arguments: tuple[str, ...], sentence: str
) -> None:
    outcome = run(*arguments)
    assert outcome.status == 1
    assert outcome.stdout == ""
    assert outcome.stderr.startswith("sandbox: ")
    assert sentence in outcome.stderr
    assert len(outcome.stderr.strip().splitlines()) == 1


def test_a_line_of_the_questions_file_that_is_no_question_is_named(
    run: Any, tmp_path: Path
) -> None:
    questions = tmp_path / "questions.jsonl"
    questions.write_text('{"id": 1, "question": "fine"}\n{"id": 2}\n')
    outcome = run("ask", "outbreak-zh", "--questions", questions)
    assert outcome.status == 1
    assert "line 2 of" in outcome.stderr


@pytest.mark.parametrize(
    "arguments", [("ask", "outbreak-zh"), ("ask",), ("fly",), ("ask", "outbreak-zh", "q", "--fast")]
)
def test_wrong_usage_gives_status_2(run: Any, arguments: tuple[str, ...]) -> None:
    assert run(*arguments).status == 2


def test_doctor_says_which_model_plays_which_role_and_why(run: Any) -> None:
    outcome = run("doctor", "--json")
    assert set(outcome.json) >= {"roles", "servers", "offline"}
    assert set(outcome.json["roles"]) == {
        "chat_model",
        "judge",
        "embedder",
        "captioner",
        "reranker",
    }
    for role in outcome.json["roles"].values():
        assert set(role) == {"model", "source", "reason", "ready", "fix"}
    assert outcome.json["offline"] is True


def test_models_lists_what_can_be_chosen_for_each_role(run: Any) -> None:
    names = {entry["model"] for entry in run("models", "--json").json["models"]}
    assert {"embedded:qwen2.5-0.5b", "embedded:e5-small", "ocr", "maxsim"} <= names


@pytest.mark.parametrize("command", ["app", "ingest", "ask", "models", "doctor"])
def test_every_command_has_help_with_an_example(run: Any, command: str) -> None:
    outcome = run(command, "--help")
    assert outcome.status == 0
    assert f"Example: sandbox {command}" in outcome.stdout
