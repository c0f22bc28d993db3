"""`sandbox trust`: which metrics know right from wrong answers."""

from pathlib import Path
from typing import Annotated

import typer

from sandbox.commands.options import (
    RESULTS,
    AcceptOption,
    JsonOption,
    OllamaOption,
    ResultsOption,
    print_json,
    print_lines,
)
from sandbox.errors import ConfigError


def trust(
    *,
    runs: Annotated[
        list[str] | None,
        typer.Argument(help='Runs or evaluations by id or its beginning, or "latest".'),
    ] = None,
    imported: Annotated[
        Path | None,
        typer.Option("--import", help="Labelled answers of any system: .jsonl or .csv."),
    ] = None,
    cut: Annotated[
        float | None, typer.Option(help="Where labels are grades: right from this one on.")
    ] = None,
    metrics: Annotated[
        str, typer.Option(help="Score imported answers with these families and metrics, too.")
    ] = "",
    judge: Annotated[str, typer.Option(help="The chat model that scores answers.")] = "auto",
    limit: Annotated[
        int | None, typer.Option(help="Take so many imported cases, the first ones.")
    ] = None,
    accept_suggestions: AcceptOption = False,
    false_alarms: Annotated[
        float | None,
        typer.Option(help="Choose thresholds that let this share of wrong answers pass at most."),
    ] = None,
    compare: Annotated[
        list[str] | None,
        typer.Option(help="Compare the AUCs of two metrics, as in ONE,OTHER; repeatable."),
    ] = None,
    retest: Annotated[
        int | None, typer.Option(help="Have so many answers judged again, with a temperature.")
    ] = None,
    results: ResultsOption = RESULTS,
    ollama: OllamaOption = None,
    as_json: JsonOption = False,
) -> None:
    """Say of every metric whether it separates right from wrong answers here."""
    from sandbox.commands.output import terminal
    from sandbox.commands.output import trust as report
    from sandbox.evaluation.trust.imports import read_answers
    from sandbox.evaluation.trust.table import Choices
    from sandbox.library import Sandbox

    if bool(runs) == bool(imported):
        raise ConfigError('name runs, "latest", or a file with --import: one of them')
    if runs and (metrics or cut is not None or limit is not None):
        raise ConfigError(
            "--metrics, --cut and --limit are for imported answers; a run is scored by: sandbox"
            " evaluate"
        )
    choices = Choices(
        false_alarm_rate=false_alarms, compare=tuple(_pair(text) for text in compare or ())
    )
    with Sandbox(results, ollama_url=ollama) as sandbox:
        if imported:
            answers = read_answers(imported, cut=cut, limit=limit)
            table = terminal.watch(
                sandbox.steps.trust_imported(answers, _names(metrics), judge=judge, choices=choices)
            )
        else:
            table = sandbox.trust(
                runs or (), accept_suggestions=accept_suggestions, choices=choices
            )
        if retest is not None:
            table = terminal.watch(sandbox.steps.retest(table, retest, judge=judge))
    if as_json:
        print_json(report.document(table))
    else:
        print_lines(report.lines(table))


def _names(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(",") if name.strip())


def _pair(text: str) -> tuple[str, str]:
    names = _names(text)
    if len(names) != 2:
        raise ConfigError(f"--compare {text!r} must name two metrics, as in ONE,OTHER")
    return names[0], names[1]
