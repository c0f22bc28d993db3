"""Records as lines for a person at a terminal."""

import sys
import time
from collections.abc import Generator, Iterator, Sequence
from typing import TypeVar

from sandbox.models.defaults import Available, Facts
from sandbox.models.source import Choice
from sandbox.progress import Progress, ReadReport
from sandbox.rag.index import Index
from sandbox.rag.pipeline import Retrieval
from sandbox.records import Answer, Retrieved

Result = TypeVar("Result")

SECONDS_BETWEEN_LINES = 5.0
"""How often progress is stated where the output is not a terminal."""


def watch(work: Generator[Progress, None, Result]) -> Result:
    """Run long work to its end, showing its progress on standard error."""
    shown = 0.0
    interactive = sys.stderr.isatty()
    while True:
        try:
            progress = next(work)
        except StopIteration as end:
            if interactive and shown:
                sys.stderr.write("\r\x1b[K")
            result: Result = end.value
            return result
        now = time.monotonic()
        if interactive:
            sys.stderr.write(f"\r\x1b[K{progress.message}")
            shown = now
        elif now - shown >= SECONDS_BETWEEN_LINES:
            sys.stderr.write(progress.message + "\n")
            shown = now
        sys.stderr.flush()


def stream(work: Generator[Retrieval | str, None, Answer]) -> Answer:
    """Print an answer to standard output as it comes."""
    shown = ""
    while True:
        try:
            part = next(work)
        except StopIteration as end:
            answer: Answer = end.value
            tail = answer.text.removeprefix(shown)
            sys.stdout.write(f"{tail}\n" if answer.text.startswith(shown) else f"\n{tail}\n")
            return answer
        if isinstance(part, str):
            sys.stdout.write(part.removeprefix(shown))
            sys.stdout.flush()
            shown = part


def read_report(report: ReadReport, index: Index | None) -> Iterator[str]:
    """What became of each file, one line a file and one a warning."""
    for document in report.documents:
        figures = sum(len(page.figures) for page in document.pages)
        tables = sum(len(page.tables) for page in document.pages)
        chunks = sum(chunk.document_id == document.id for chunk in (index.chunks if index else ()))
        yield (
            f"{document.name}: {len(document.pages)} of {document.page_count} pages read,"
            f" {figures} figures, {tables} tables, {chunks} chunks"
        )
        yield from (f"  {warning}" for warning in document.warnings)
        for failed in document.failed_pages:
            yield f"  page {failed.page} was left out: {failed.reason}"
    yield from (f"refused: {refused.reason}" for refused in report.refused)


def answer(record: Answer) -> Iterator[str]:
    """The answer's sources, times and warnings; its text was streamed before."""
    if record.refused:
        yield "refused: the model found no answer in the material"
    yield from retrieved(record.retrieved)
    seconds = ", ".join(f"{stage} {value:.1f} s" for stage, value in record.seconds.items())
    tokens = ", ".join(f"{count} {name} tokens" for name, count in record.tokens.items())
    yield "; ".join(filter(None, [seconds, tokens, *record.models.values()]))
    yield from (f"note: {warning}" for warning in record.warnings)


def retrieval(record: Retrieval) -> Iterator[str]:
    """What was found, and with which models."""
    yield from retrieved(record.retrieved)
    yield from (f"note: {warning}" for warning in record.warnings)


def available(models: Sequence[Available]) -> Iterator[str]:
    """One line a model, by role."""
    for model in models:
        state = "ready" if model.ready else f"missing; run: {model.fix}"
        yield f"{model.role:<11} {model.model:<28} {state}"
    yield "also: gguf:/PATH/MODEL.gguf, http://HOST:PORT/v1#MODEL, st:NAME_OR_PATH"


def health(facts: Facts, choices: Sequence[Choice]) -> Iterator[str]:
    """Which model plays which role and why, and what to run where one is missing."""
    for choice in choices:
        mark = "ready  " if choice.ready else "MISSING"
        yield f"{mark} {choice.role:<11} {choice.model}"
        yield f"        {choice.reason}"
        if choice.fix:
            yield f"        run: {choice.fix}"
    answers = "does not answer" if facts.ollama is None else f"has {len(facts.ollama)} models"
    yield f"Ollama at {facts.ollama_address} {answers}"
    yield "offline: no model hub, no telemetry, no address beyond this machine is asked"


def retrieved(items: tuple[Retrieved, ...]) -> Iterator[str]:
    """One line a chunk: rank, page, kind, place in every leg, and how it begins."""
    for item in items:
        legs = " ".join(
            f"{name} #{leg.rank} ({leg.score:.3f})" for name, leg in sorted(item.legs.items())
        )
        start = " ".join(item.chunk.text.split())[:60]
        yield (
            f"[{item.rank}] {item.chunk.document} p.{item.chunk.page} {item.chunk.kind}"
            f"  {item.score:.3f}  {legs}  {start}"
        )
