"""The command line: every command reads its input, makes one library call and shows the record.

Results go to standard output (one JSON document with --json), progress and notes to standard
error. Exit status: 0 done, 1 refused or failed with one sentence, 2 wrong usage.
"""

import json
import logging
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sandbox.config import DEFAULT_PRESET, PRESETS, Config, parse_changes, preset, with_changes
from sandbox.errors import ConfigError, SandboxError

if TYPE_CHECKING:
    from sandbox.index import Index
    from sandbox.library import Sandbox

command_line = typer.Typer(
    name="sandbox",
    help="Set up RAG on your own PDFs, offline, with every retrieved chunk visible.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

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
RESULTS = Path("results")


@command_line.callback()
def _common(
    verbose: Annotated[bool, typer.Option("--verbose", help="Log each stage to stderr.")] = False,
) -> None:
    level = logging.INFO if verbose else logging.WARNING
    logging.basicConfig(level=level, stream=sys.stderr, format="%(levelname)s %(name)s %(message)s")
    for chatty in ("httpx", "RapidOCR", "faiss", "sentence_transformers"):
        logging.getLogger(chatty).setLevel(logging.WARNING)


@command_line.command(epilog="Example: sandbox app --port 7861")
def app(
    *,
    port: Annotated[int, typer.Option(help="Port on this machine.")] = 7860,
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    browser: Annotated[bool, typer.Option("--browser", help="Open the browser.")] = False,
    results: ResultsOption = RESULTS,
    ollama: OllamaOption = None,
) -> None:
    """Open the app, with a bundled corpus already chosen."""
    from sandbox.library import Sandbox
    from sandbox.ui.app import launch

    with Sandbox(results, ollama_url=ollama) as sandbox:
        launch(
            sandbox.pipeline,
            sandbox.store,
            sandbox.models,
            host=host,
            port=port,
            open_browser=browser,
            announce=lambda address: typer.echo(f"rag-sandbox is at {address}", err=True),
        )


@command_line.command(epilog="Example: sandbox ingest report.pdf scans/ --json")
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
    from sandbox.library import Sandbox
    from sandbox.records import Corpus
    from sandbox.report import machine, terminal

    chosen = _config(config, changes)
    index: Index | None = None
    with Sandbox(results, ollama_url=ollama) as sandbox:
        report = terminal.watch(sandbox.read(*files))
        if report.documents:
            corpus = Corpus(name=", ".join(files), documents=report.documents)
            index = terminal.watch(sandbox.pipeline.prepare(corpus, chosen))
    if as_json:
        _print_json(machine.read_report(report, index))
        _say(refused.reason for refused in report.refused)
    else:
        _print(terminal.read_report(report, index))
    if report.refused:
        raise typer.Exit(1)


@command_line.command(epilog='Example: sandbox ask outbreak-zh "哪一年病例最多？" --config ctx_k9')
def ask(
    corpus: Annotated[str, typer.Argument(help="Bundled corpus, folder or PDF.")],
    question: Annotated[str | None, typer.Argument(help="What to ask.")] = None,
    *,
    questions: Annotated[
        Path | None,
        typer.Option(help='Ask every {"id", "question"} line of this file; one JSON line each.'),
    ] = None,
    retrieve_only: Annotated[
        bool, typer.Option("--retrieve-only", help="Show what is retrieved, answer nothing.")
    ] = False,
    config: ConfigOption = DEFAULT_PRESET,
    changes: SetOption = None,
    results: ResultsOption = RESULTS,
    ollama: OllamaOption = None,
    as_json: JsonOption = False,
) -> None:
    """Ask a PDF, a folder of PDFs or a bundled corpus; reads and indexes it where needed."""
    from sandbox.library import Sandbox, as_corpus
    from sandbox.report import terminal

    if (question is None) == (questions is None):
        raise typer.BadParameter("give either a question or --questions FILE")
    chosen = _config(config, changes)
    batch = _questions(questions) if questions else []
    with Sandbox(results, ollama_url=ollama) as sandbox:
        report = terminal.watch(sandbox.read(corpus))
        _say(f"refused: {refused.reason}" for refused in report.refused)
        opened = as_corpus(corpus, report)
        index = terminal.watch(sandbox.pipeline.prepare(opened, chosen))
        for line in batch:
            reply = _reply(sandbox, index, line["question"], chosen, retrieve_only)
            _print_json({"id": line["id"], **reply})
        if question is not None and as_json:
            _print_json(_reply(sandbox, index, question, chosen, retrieve_only))
        elif question is not None:
            _converse(sandbox, index, question, chosen, retrieve_only)


@command_line.command(epilog="Example: sandbox models --json")
def models(
    *, ollama: OllamaOption = None, results: ResultsOption = RESULTS, as_json: JsonOption = False
) -> None:
    """List the models that can be named in a configuration, by role."""
    from sandbox.library import Sandbox
    from sandbox.report import machine, terminal

    with Sandbox(results, ollama_url=ollama) as sandbox:
        available = sandbox.models.available()
    if as_json:
        _print_json(machine.available(available))
    else:
        _print(terminal.available(available))


@command_line.command(epilog="Example: sandbox doctor --json")
def doctor(
    *, ollama: OllamaOption = None, results: ResultsOption = RESULTS, as_json: JsonOption = False
) -> None:
    """Say which model plays which role and why, what is missing and how to get it."""
    from sandbox.library import Sandbox
    from sandbox.report import machine, terminal

    with Sandbox(results, ollama_url=ollama) as sandbox:
        facts, choices = sandbox.models.facts(), sandbox.models.choices()
    if as_json:
        _print_json(machine.health(facts, choices))
    else:
        _print(terminal.health(facts, choices))


def main() -> None:
    """Run a command; an error that a user can mend is one sentence and exit status 1."""
    try:
        command_line()
    except SandboxError as error:
        typer.echo(f"sandbox: {error}", err=True)
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)


def _config(name: str, changes: list[str] | None) -> Config:
    return with_changes(preset(name), parse_changes(changes or []))


def _reply(
    sandbox: "Sandbox", index: "Index", question: str, config: Config, retrieve_only: bool
) -> dict[str, Any]:
    from sandbox.library import finish
    from sandbox.report import machine

    if retrieve_only:
        found = sandbox.pipeline.retrieve(index, question, config)
        return machine.retrieval(found, config)
    return machine.answer(finish(sandbox.pipeline.stream(index, question, config)))


def _converse(
    sandbox: "Sandbox", index: "Index", question: str, config: Config, retrieve_only: bool
) -> None:
    from sandbox.report import terminal

    if retrieve_only:
        _print(terminal.retrieval(sandbox.pipeline.retrieve(index, question, config)))
        return
    answer = terminal.stream(sandbox.pipeline.stream(index, question, config))
    _say(terminal.answer(answer))


def _questions(path: Path) -> list[dict[str, str]]:
    """The lines of a questions file, each with an id and a question.

    Raises:
        ConfigError: If the file cannot be read, or a line is not such an object.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"cannot read the questions in {path}: {error}") from error
    found = []
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        try:
            content = json.loads(line)
            found.append({"id": content["id"], "question": str(content["question"])})
        except (ValueError, LookupError, TypeError) as error:
            raise ConfigError(
                f'line {number} of {path} is not {{"id": ..., "question": ...}}: {error}'
            ) from error
    return found


def _print_json(content: dict[str, Any]) -> None:
    typer.echo(json.dumps(content, ensure_ascii=False, allow_nan=False))


def _print(lines: Iterable[str]) -> None:
    for line in lines:
        typer.echo(line)


def _say(lines: Iterable[str]) -> None:
    for line in lines:
        typer.echo(line, err=True)


if __name__ == "__main__":
    main()
