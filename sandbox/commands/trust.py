"""`sandbox trust`: which metrics tell right answers from wrong ones."""

from pathlib import Path
from typing import Annotated

import typer

from sandbox.commands.options import (
    RESULTS,
    AcceptOption,
    JsonOption,
    JudgeOption,
    OllamaOption,
    ResultsOption,
    show,
    split_names,
)
from sandbox.errors import ConfigError

RunsArgument = Annotated[
    list[str] | None,
    typer.Argument(help='Runs or evaluations by id or its beginning, or "latest".'),
]
ImportedOption = Annotated[
    Path | None, typer.Option("--import", help="Labelled answers of any system: .jsonl or .csv.")
]
CutOption = Annotated[
    float | None, typer.Option(help="Where labels are grades: right from this one on.")
]
MetricsOption = Annotated[
    str, typer.Option(help="Score imported answers with these families and metrics, too.")
]
LimitOption = Annotated[
    int | None, typer.Option(help="Take so many imported cases, the first ones.")
]
FalseAlarmsOption = Annotated[
    float | None,
    typer.Option(help="Choose thresholds that let this share of wrong answers pass at most."),
]
CompareOption = Annotated[
    list[str] | None,
    typer.Option(help="Compare the AUCs of two metrics, as in ONE,OTHER; repeatable."),
]
RetestOption = Annotated[
    int | None, typer.Option(help="Have so many answers judged again, with a temperature.")
]


def trust(
    *,
    runs: RunsArgument = None,
    imported: ImportedOption = None,
    cut: CutOption = None,
    metrics: MetricsOption = "",
    judge: JudgeOption = "auto",
    limit: LimitOption = None,
    accept_suggestions: AcceptOption = False,
    false_alarms: FalseAlarmsOption = None,
    compare: CompareOption = None,
    retest: RetestOption = None,
    results: ResultsOption = RESULTS,
    ollama: OllamaOption = None,
    as_json: JsonOption = False,
) -> None:
    """Say of every metric whether it separates right from wrong answers here."""
    from sandbox.commands.output import terminal
    from sandbox.commands.output.trust import to_json, to_lines
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
    pairs = tuple(_read_pair(text) for text in compare or ())
    choices = Choices(false_alarm_rate=false_alarms, compare=pairs)
    with Sandbox(results, ollama_url=ollama) as sandbox:
        if imported:
            answers = read_answers(imported, cut=cut, limit=limit)
            names = split_names(metrics)
            scoring = sandbox.steps.trust_imported(answers, names, judge=judge, choices=choices)
            table = terminal.watch(scoring)
        else:
            table = sandbox.trust(
                runs or (), accept_suggestions=accept_suggestions, choices=choices
            )
        if retest is not None:
            table = terminal.watch(sandbox.steps.retest(table, retest, judge=judge))
    show(as_json, to_json, to_lines, table)


def _read_pair(text: str) -> tuple[str, str]:
    names = split_names(text)
    if len(names) != 2:
        raise ConfigError(f"--compare {text!r} must name two metrics, as in ONE,OTHER")
    return names[0], names[1]
