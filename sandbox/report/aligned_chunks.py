"""The chunks of a question, each once, with its rank under every configuration."""

from collections.abc import Sequence

from sandbox.evaluation.comparison.chunks import align
from sandbox.evaluation.runs.read import RunView
from sandbox.records import Answer, Chunk, Retrieved
from sandbox.report.blocks import Cell, Folded, Row, Table
from sandbox.testsets.cases import TestCase
from sandbox.translation.translator import Translator

CHUNK_CHARACTERS = 700
"""Of a chunk in the table; the page shows the rest."""


def aligned_chunks(
    case: TestCase, runs: Sequence[RunView], names: Sequence[str], say: Translator
) -> list[Folded]:
    """A table, best ranks first; nothing where nothing was retrieved.

    Args:
        case: The question.
        runs: Whose chunks are shown.
        names: What each run is called.
        say: The language.
    """
    answers = [answer_of(run, case.id) for run in runs]
    aligned = align([answer.retrieved if answer else () for answer in answers])
    if not aligned:
        return []
    several = len({row.chunk.document for row in aligned}) > 1
    rows = [
        Row(
            cells=[
                _where(row.chunk, case, say, several=several),
                *map(_rank, row.places, answers),
                Cell(
                    text=cut(row.chunk.text, CHUNK_CHARACTERS),
                    kind="text",
                    note=_remark(row.chunk, say),
                ),
            ]
        )
        for row in aligned
    ]
    summary = say.plural(
        "{0} chunk, with its rank in each configuration (* cited)",
        "{0} chunks, with their rank in each configuration (* cited)",
        len(rows),
    )
    table = Table(head=[say("page"), *names, say("text of the chunk")], rows=rows, kind="chunks")
    return [Folded(summary=summary, blocks=[table], printed=False)]


def answer_of(run: RunView, case: str) -> Answer | None:
    """What a run answered, if it was asked and did."""
    cell = run.cells.get(case)
    return cell.answer if cell else None


def cut(text: str, characters: int) -> str:
    """The beginning of a long text."""
    return text if len(text) <= characters else f"{text[: characters - 1]}…"


def _where(chunk: Chunk, case: TestCase, say: Translator, *, several: bool) -> Cell:
    relevant = chunk.page in case.relevant_pages and case.document in ("", chunk.document)
    parts = [
        say.name(chunk.kind),
        say("relevant") if relevant else "",
        chunk.document if several else "",
    ]
    return Cell(text=str(chunk.page), kind="number", note=say.join([*filter(None, parts)]))


def _rank(item: Retrieved | None, answer: Answer | None) -> Cell:
    if item is None or answer is None:
        return Cell(text="–", kind="number")
    cited = "*" if item.rank in answer.citations else ""
    return Cell(text=f"{item.rank}{cited}", kind="number")


def _remark(chunk: Chunk, say: Translator) -> str:
    parts = [
        say("read by OCR") if chunk.ocr else "",
        say("written by a model") if chunk.model_written else "",
        say("holds orders to a language model, which were not sent") if chunk.injections else "",
    ]
    return " · ".join(filter(None, parts))
