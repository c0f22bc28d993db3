"""Options that several commands share, and how commands print."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any

import typer

from sandbox.config import PRESETS, Config, parse_changes, preset, with_changes

JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]
ResultsOption = Annotated[Path, typer.Option("--results", help="Folder for caches and runs.")]
OllamaOption = Annotated[
    str | None, typer.Option("--ollama", help="Address of Ollama, if it is not the usual one.")
]
ConfigOption = Annotated[
    str, typer.Option("--config", help=f"Configuration: {', '.join(PRESETS)}.")
]
SetOption = Annotated[
    list[str] | None,
    typer.Option("--set", help="Change one setting of it, as in --set top_k=5; repeatable."),
]
HoldoutOption = Annotated[
    bool, typer.Option("--show-holdout", help="Use a hold-out, which is refused otherwise.")
]
AcceptOption = Annotated[
    bool,
    typer.Option(
        "--accept-suggestions", help="Where nobody labelled, take what accepted answers say."
    ),
]
RESULTS = Path("results")


def read_config(name: str, changes: list[str] | None) -> Config:
    """The preset of that name with the settings given by --set."""
    return with_changes(preset(name), parse_changes(changes or []))


def print_json(content: dict[str, Any]) -> None:
    """One JSON document, on one line of standard output."""
    typer.echo(json.dumps(content, ensure_ascii=False, allow_nan=False))


def print_lines(lines: Iterable[str]) -> None:
    """Results for a person, on standard output."""
    for line in lines:
        typer.echo(line)


def say(lines: Iterable[str]) -> None:
    """Notes and progress, on standard error."""
    for line in lines:
        typer.echo(line, err=True)
