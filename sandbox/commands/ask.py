"""`sandbox ask`: one question, or a file of them."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

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
from sandbox.config import DEFAULT_PRESET, Config
from sandbox.errors import ConfigError

if TYPE_CHECKING:
    from sandbox.library import Sandbox
    from sandbox.rag.index import Index


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
    from sandbox.commands.output import terminal
    from sandbox.library import Sandbox

    if (question is None) == (questions is None):
        raise typer.BadParameter("give either a question or --questions FILE")
    chosen = read_config(config, changes)
    batch = _questions(questions) if questions else []
    with Sandbox(results, ollama_url=ollama) as sandbox:
        report = terminal.watch(sandbox.steps.read(corpus))
        say(f"refused: {refused.reason}" for refused in report.refused)
        opened = report.as_corpus(corpus)
        index = terminal.watch(sandbox.pipeline.prepare(opened, chosen))
        for line in batch:
            reply = _reply(sandbox, index, line["question"], chosen, retrieve_only)
            print_json({"id": line["id"], **reply})
        if question is not None and as_json:
            print_json(_reply(sandbox, index, question, chosen, retrieve_only))
        elif question is not None:
            _converse(sandbox, index, question, chosen, retrieve_only)


def _reply(
    sandbox: "Sandbox", index: "Index", question: str, config: Config, retrieve_only: bool
) -> dict[str, Any]:
    from sandbox.commands.output import machine
    from sandbox.progress import finish

    if retrieve_only:
        found = sandbox.pipeline.retrieve(index, question, config)
        return machine.retrieval(found, config)
    return machine.answer(finish(sandbox.pipeline.stream(index, question, config)))


def _converse(
    sandbox: "Sandbox", index: "Index", question: str, config: Config, retrieve_only: bool
) -> None:
    from sandbox.commands.output import terminal

    if retrieve_only:
        print_lines(terminal.retrieval(sandbox.pipeline.retrieve(index, question, config)))
        return
    answer = terminal.stream(sandbox.pipeline.stream(index, question, config))
    say(terminal.answer(answer))


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
