"""The document about the gate names real commands and real options, and its workflow is YAML."""

import re
import shlex
from pathlib import Path

import pytest
from typer.main import get_command

from sandbox.cli import command_line

DOCUMENT = (Path(__file__).resolve().parent.parent / "docs" / "ci.md").read_text(encoding="utf-8")
LINES = re.findall(r"^(?:\s*- run: )?(sandbox .*)$", DOCUMENT, re.MULTILINE)


@pytest.mark.parametrize("line", LINES)
def test_a_documented_command_has_the_options_it_is_given(line: str) -> None:
    _, name, *arguments = shlex.split(line)
    command = get_command(command_line).commands[name]  # type: ignore[attr-defined]
    known = {option for parameter in command.params for option in parameter.opts}
    assert {argument for argument in arguments if argument.startswith("--")} <= known


def test_the_document_shows_commands_for_both_sides_of_the_gate() -> None:
    assert [line for line in LINES if "--save-baseline" in line]
    assert [line for line in LINES if "--baseline" in line]


def test_the_workflow_checks_after_it_evaluates() -> None:
    yaml = pytest.importorskip("yaml", reason="pip install pyyaml")
    (block,) = re.findall(r"```yaml\n(.*?)```", DOCUMENT, re.DOTALL)
    steps = yaml.safe_load(block)["jobs"]["gate"]["steps"]
    commands = [step["run"].split()[1] for step in steps if step.get("run", "").startswith("sand")]
    assert commands == ["evaluate", "check", "compare"]
