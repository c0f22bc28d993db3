"""`sandbox ingest`: read and index PDFs."""

from typing import TYPE_CHECKING, Annotated

import typer

from sandbox.commands.options import (
    RESULTS,
    ConfigOption,
    JsonOption,
    OllamaOption,
    ResultsOption,
    SetOption,
    print_json,
    print_lines,
    read_config,
    say,
)
from sandbox.config import DEFAULT_PRESET

if TYPE_CHECKING:
    from sandbox.rag.index import Index


def ingest(
    files: Annotated[list[str], typer.Argument(help="PDFs, folders or bundled corpora.")],
    *,
    config: ConfigOption = DEFAULT_PRESET,
    changes: SetOption = None,
    results: ResultsOption = RESULTS,
    ollama: OllamaOption = None,
    as_json: JsonOption = False,
) -> None:
    """Read and index PDFs; one that cannot be read does not stop the others."""
    from sandbox.commands.output import machine, terminal
    from sandbox.library import Sandbox
    from sandbox.records import Corpus

    chosen = read_config(config, changes)
    index: Index | None = None
    with Sandbox(results, ollama_url=ollama) as sandbox:
        report = terminal.watch(sandbox.steps.read(*files))
        if report.documents:
            corpus = Corpus(name=", ".join(files), documents=report.documents)
            index = terminal.watch(sandbox.steps.index(corpus, chosen))
    if as_json:
        print_json(machine.read_report(report, index))
        say(refused.reason for refused in report.refused)
    else:
        print_lines(terminal.read_report(report, index))
    if report.refused:
        raise typer.Exit(1)
