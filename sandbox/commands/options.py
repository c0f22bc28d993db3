"""Options and arguments that several commands share, and how commands print."""

import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any, TypeVarTuple

import typer

from sandbox.config import PRESETS, Config, parse_changes, preset, with_changes

Records = TypeVarTuple("Records")

RESULTS = Path("results")

JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]
ResultsOption = Annotated[Path, typer.Option("--results", help="Folder for caches and runs.")]
OllamaOption = Annotated[
    str | None, typer.Option("--ollama", help="Address of Ollama, if it is not the usual one.")
]
CorpusArgument = Annotated[str, typer.Argument(help="Bundled corpus, folder or PDF.")]
ConfigOption = Annotated[
    str, typer.Option("--config", help=f"Configuration: {', '.join(PRESETS)}.")
]
SetOption = Annotated[
    list[str] | None,
    typer.Option("--set", help="Change one setting of it, as in --set top_k=5; repeatable."),
]
JudgeOption = Annotated[str, typer.Option(help="The chat model that scores answers.")]
HoldoutOption = Annotated[
    bool, typer.Option("--show-holdout", help="Use a hold-out, which is refused otherwise.")
]
AcceptOption = Annotated[
    bool,
    typer.Option(
        "--accept-suggestions", help="Where nobody labelled, take what accepted answers say."
    ),
]


def read_config(name: str, changes: list[str] | None) -> Config:
    """The preset of that name with the settings given by --set."""
    return with_changes(preset(name), parse_changes(changes or []))


def split_names(text: str) -> tuple[str, ...]:
    """Names with commas between them.

    >>> split_names("text_k4, ctx_k9,")
    ('text_k4', 'ctx_k9')
    """
    return tuple(name.strip() for name in text.split(",") if name.strip())


def choose_one(given: Mapping[str, object]) -> str | None:
    """The name of the one option that was given; ``None`` if none was.

    Args:
        given: Options that exclude each other, with their values; ``None`` and ``False`` stand for
            those not given.

    Raises:
        typer.BadParameter: If more than one was.
    """
    chosen = [name for name, value in given.items() if value is not None and value is not False]
    if len(chosen) > 1:
        raise typer.BadParameter(f"choose one of {' and '.join(chosen)}")
    return chosen[0] if chosen else None


def show(
    as_json: bool,
    to_json: Callable[[*Records], dict[str, Any]],
    to_lines: Callable[[*Records], Iterable[str]],
    *records: *Records,
) -> None:
    """Print records as one JSON document or as lines for a person."""
    if as_json:
        print_json(to_json(*records))
    else:
        print_lines(to_lines(*records))


def print_json(content: dict[str, Any]) -> None:
    """One JSON document, on one line of standard output."""
    typer.echo(json.dumps(content, ensure_ascii=False, allow_nan=False))


def print_lines(lines: Iterable[str]) -> None:
    """Results for a person, on standard output."""
    for line in lines:
        typer.echo(line)


def print_notes(lines: Iterable[str]) -> None:
    """Notes and progress, on standard error."""
    for line in lines:
        typer.echo(line, err=True)
