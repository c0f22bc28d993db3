"""`sandbox ingest` and `sandbox ask`: read PDFs, ask them questions."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sandbox.commands.options import (
    RESULTS,
    ConfigOption,
    CorpusArgument,
    JsonOption,
    OllamaOption,
    ResultsOption,
    SetOption,
    print_json,
    print_lines,
    print_notes,
    read_config,
    show,
)
from sandbox.config import DEFAULT_PRESET, Config
from sandbox.errors import ConfigError

if TYPE_CHECKING:
    from sandbox.rag.index import Index
    from sandbox.rag.pipeline import Pipeline


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
    from sandbox.commands.output import answers, terminal
    from sandbox.library import Sandbox
    from sandbox.records import Corpus

    chosen = read_config(config, changes)
    index: Index | None = None
    with Sandbox(results, ollama_url=ollama) as sandbox:
        report = terminal.watch(sandbox.steps.read(*files))
        if report.documents:
            corpus = Corpus(name=", ".join(files), documents=report.documents)
            index = terminal.watch(sandbox.steps.index(corpus, chosen))
    show(as_json, answers.reading_to_json, answers.reading_to_lines, report, index)
    if as_json:
        print_notes(refused.reason for refused in report.refused)
    if report.refused:
        raise typer.Exit(1)


def ask(
    corpus: CorpusArgument,
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
    batch = _read_questions(questions) if questions else []
    with Sandbox(results, ollama_url=ollama) as sandbox:
        report = terminal.watch(sandbox.steps.read(corpus))
        print_notes(f"refused: {refused.reason}" for refused in report.refused)
        pipeline = sandbox.pipeline
        index = terminal.watch(pipeline.prepare(report.as_corpus(corpus), chosen))
        for line in batch:
            reply = _reply(pipeline, index, line["question"], chosen, retrieve_only)
            print_json({"id": line["id"], **reply})
        if question is not None and as_json:
            print_json(_reply(pipeline, index, question, chosen, retrieve_only))
        elif question is not None:
            _converse(pipeline, index, question, chosen, retrieve_only)


def _reply(
    pipeline: "Pipeline", index: "Index", question: str, config: Config, retrieve_only: bool
) -> dict[str, Any]:
    from sandbox.commands.output import answers
    from sandbox.progress import finish

    if retrieve_only:
        return answers.retrieval_to_json(pipeline.retrieve(index, question, config), config)
    return answers.answer_to_json(finish(pipeline.stream(index, question, config)))


def _converse(
    pipeline: "Pipeline", index: "Index", question: str, config: Config, retrieve_only: bool
) -> None:
    from sandbox.commands.output import answers, terminal

    if retrieve_only:
        print_lines(answers.retrieval_to_lines(pipeline.retrieve(index, question, config)))
    else:
        answer = terminal.stream(pipeline.stream(index, question, config))
        print_notes(answers.answer_to_lines(answer))


def _read_questions(path: Path) -> list[dict[str, str]]:
    """The lines of a questions file, each with an id and a question.

    Raises:
        ConfigError: If the file cannot be read, or a line is not such an object.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"cannot read the questions in {path}: {error}") from error
    questions = []
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        try:
            content = json.loads(line)
            questions.append({"id": content["id"], "question": str(content["question"])})
        except (ValueError, LookupError, TypeError) as error:
            raise ConfigError(
                f'line {number} of {path} is not {{"id": ..., "question": ...}}: {error}'
            ) from error
    return questions
