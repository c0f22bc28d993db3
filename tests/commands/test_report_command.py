"""`sandbox report` on the command line, and the same in one call of the library."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from sandbox.cli import command_line
from sandbox.errors import ConfigError, SandboxError
from sandbox.files.storage import Store
from sandbox.library import Sandbox
from sandbox.report.writing import ReportOptions
from tests.report.stakeholder_runs import make_reported


@pytest.fixture(autouse=True)
def _runs(store: Store) -> None:
    make_reported(store, "text_k4", right=1)
    make_reported(store, "ctx_k9", right=7)


def run_command(store: Store, *arguments: object) -> str:
    words = ["report", *map(str, arguments), "--results", str(store.results)]
    result = CliRunner().invoke(command_line, words)
    if isinstance(result.exception, SandboxError):
        raise result.exception
    assert result.exit_code == 0, result.output
    return result.stdout


def test_json_says_what_was_written(store: Store, tmp_path: Path) -> None:
    target = tmp_path / "deep" / "report.html"
    told = json.loads(run_command(store, "latest", "--out", target, "--json"))
    assert set(told) == {"file", "bytes", "runs", "warnings"}
    assert told["file"] == str(target)
    assert told["bytes"] == target.stat().st_size
    assert told["runs"] == ["first-ctx_k9", "first-text_k4"]


def test_markdown_in_chinese_with_a_question_of_ones_own(store: Store, tmp_path: Path) -> None:
    target = tmp_path / "report.md"
    run_command(store, "first", "--out", target, "--language", "zh", "--question", "要不要讀圖？")
    text = target.read_text(encoding="utf-8")
    assert text.startswith("# 要不要讀圖？\n")
    assert "--language zh --question '要不要讀圖？'" in text


def test_the_first_run_named_is_compared_with(store: Store, tmp_path: Path) -> None:
    target = tmp_path / "report.md"
    run_command(store, "first-text_k4", "first-ctx_k9", "--out", target)
    assert "### text_k4 → ctx_k9" in target.read_text(encoding="utf-8")


def test_a_folder_is_refused_before_anything_is_read(store: Store, tmp_path: Path) -> None:
    with pytest.raises(SandboxError, match="is a folder; name a file"):
        run_command(store, "no-such-run", "--out", tmp_path)


def test_an_unknown_ending_is_refused(store: Store, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"must end in .html or .md"):
        run_command(store, "latest", "--out", tmp_path / "report.pdf")


def test_a_place_that_cannot_be_written_is_one_sentence(store: Store, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(SandboxError, match=r"cannot be written: .*; choose another place"):
        run_command(store, "latest", "--out", tmp_path / "file" / "report.html")


def test_the_library_gives_the_text(store: Store) -> None:
    with Sandbox(store.results) as sandbox:
        told = sandbox.report(["latest"], ReportOptions(language="zh"))
    assert told.text.startswith("<!doctype html>\n<html lang='zh-Hant'>")
