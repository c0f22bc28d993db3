"""Every command and setting stands in the README, has help, and its example runs."""

import dataclasses
import re
import shlex
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from sandbox.cli import command_line
from sandbox.config import PRESETS, Config

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def commands() -> dict[str, Any]:
    """Every command by its name; those of a group as "group command"."""
    found = {}
    for name, command in get_command(command_line).commands.items():  # type: ignore[attr-defined]
        for part, sub_command in getattr(command, "commands", {"": command}).items():
            found[f"{name} {part}".strip()] = sub_command
    return found


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)


@pytest.mark.parametrize("command", commands())
def test_every_command_stands_in_the_readme(command: str) -> None:
    assert f"sandbox {command}" in README


@pytest.mark.parametrize("command", commands())
def test_the_help_of_every_command_shows_an_example(command: str) -> None:
    assert f"Example: sandbox {command} " in f"{commands()[command].epilog} "


@pytest.mark.parametrize("setting", [field.name for field in dataclasses.fields(Config)])
def test_every_setting_stands_in_the_readme(setting: str) -> None:
    assert f"`{setting}`" in README


@pytest.mark.parametrize("name", sorted(PRESETS))
def test_every_preset_is_described_as_it_is(name: str) -> None:
    config = PRESETS[name]
    (row,) = re.findall(rf"^\| `{name}` \|.*$", README, re.MULTILINE)
    assert row.endswith(f"| {config.top_k} | {config.prompt} |")


def test_the_settings_table_states_the_real_defaults() -> None:
    for field in dataclasses.fields(Config):
        if field.name in ("name", "temperature", "seed"):
            continue
        (default,) = re.findall(rf"^\| `{field.name}` \| `?([^|`]*)`? \|", README, re.MULTILINE)
        assert default == str(field.default)


def test_every_example_on_the_command_line_names_real_options() -> None:
    known_commands = commands()
    for line in "".join(blocks("bash")).splitlines():
        if not line.startswith("sandbox "):
            continue
        _, name, *arguments = shlex.split(line)
        command = known_commands.get(name) or known_commands[f"{name} {arguments[0]}"]
        known = {option for parameter in command.params for option in parameter.opts}
        assert {argument for argument in arguments if argument.startswith("--")} <= known


def test_every_file_named_in_the_tree_exists() -> None:
    tree = README.split("## The tree")[1].split("## What")[0]
    for path in re.findall(r"`((?:sandbox|corpora|testsets|benchmarks|docs|tests)/[^`]*)`", tree):
        assert (ROOT / path).exists(), path


def test_every_picture_and_link_inside_the_project_exists() -> None:
    for target in re.findall(r"\]\((?!https?:)([^)#]+)\)", README):
        assert (ROOT / target).exists(), target
