"""HTML of the Ask tab: the conversation, what was read of a corpus, which models are used."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from markupsafe import Markup

from sandbox.markup.formats import count
from sandbox.markup.templates import render
from sandbox.progress import RefusedFile
from sandbox.records import Answer, Corpus, Document
from sandbox.text.citation_marks import split_citations
from sandbox.ui.ask.session import Turn
from sandbox.ui.parts.progress import sentence_html

if TYPE_CHECKING:
    from sandbox.models.source import Choice

TEMPLATES = "ui/ask/view.html"
STAGES = {"retrieve": "retrieve", "first_token": "first word", "answer": "answer"}


def conversation_html(turns: Sequence[Turn], *, shown: int, corpus: str) -> Markup:
    """The conversation, literal but for citations of what was sent to the model: these are buttons.

    `shown` is the position of the turn whose chunks are shown.
    """
    return render(
        f"{TEMPLATES}#conversation",
        turns=turns,
        shown=shown,
        corpus=corpus,
        pieces=_pieces,
        cost=lambda turn: cost_line(turn.answer) if turn.answer else "",
    )


def examples_html(examples: Sequence[str], *, asked: bool) -> Markup:
    """Example questions to click; folded once something was asked."""
    if not examples:
        return Markup()
    return render(f"{TEMPLATES}#examples", questions=examples, asked=asked)


def cost_line(answer: Answer) -> str:
    """Seconds and tokens of each stage in one line."""
    parts = [
        f"{answer.seconds[stage]:.1f} s {name}"
        for stage, name in STAGES.items()
        if stage in answer.seconds
    ]
    parts += [
        f"{answer.tokens[kind]:,} {kind} tokens"
        for kind in ("prompt", "answer")
        if kind in answer.tokens
    ]
    return " · ".join(parts)


def corpus_html(
    corpus: Corpus | None, refused: Sequence[RefusedFile], *, chunks: int | None
) -> Markup:
    """What was read from each file, and why others were refused; `chunks` counts the index's.

    The corpus is None if no file could be read, `chunks` while there is no index.
    """
    documents = corpus.documents if corpus else ()
    if not documents and not refused:
        return sentence_html("no documents yet; choose a corpus above or drop PDFs below")
    counts = [count(len(documents), "document")] if len(documents) > 1 else []
    counts += [count(chunks, "chunk") + " indexed"] if chunks else []
    counts += [count(len(refused), "file") + " refused"] if refused else []
    return render(
        f"{TEMPLATES}#corpus",
        documents=documents,
        refused=refused,
        summary=", ".join(counts),
        facts=_facts,
        remarks=_remarks,
    )


def models_html(choices: "Sequence[Choice]") -> Markup:
    """Which models are used, and why; folded. What is built in is no source worth a mention."""
    sources = dict.fromkeys(choice.source for choice in choices if choice.source != "built in")
    return render(f"{TEMPLATES}#models", sources=" + ".join(sources), choices=choices)


def ranges(numbers: Sequence[int]) -> str:
    """Page numbers in short.

    >>> ranges([1, 2, 3, 7])
    '1-3, 7'
    """
    runs: list[list[int]] = []
    for number in sorted(numbers):
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(f"{run[0]}-{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs)


def _pieces(turn: Turn) -> list[tuple[str, bool]]:
    """The answer in pieces, and of each whether it is the rank of a chunk that was cited."""
    cited = turn.answer.citations if turn.answer else ()
    pieces = []
    for position, part in enumerate(split_citations(turn.text)):
        is_bracket = position % 2 == 1
        for piece in re.split(r"(\d+)", part) if is_bracket else [part]:
            pieces.append((piece, is_bracket and piece.isdigit() and int(piece) in cited))
    return pieces


def _facts(document: Document) -> str:
    parts = [count(document.page_count, "page")]
    figures = sum(len(page.figures) for page in document.pages)
    tables = sum(len(page.tables) for page in document.pages)
    parts += [count(figures, "figure")] if figures else []
    parts += [count(tables, "table")] if tables else []
    return " · ".join(parts)


def _remarks(document: Document) -> list[str]:
    """The document's own warnings, then those of its pages, equal ones together."""
    pages: dict[str, list[int]] = {}
    for failed in document.failed_pages:
        pages.setdefault(failed.reason, []).append(failed.page)
    for page in document.pages:
        for warning in page.warnings:
            pages.setdefault(warning, []).append(page.number)
    return [
        *document.warnings,
        *(f"p. {ranges(numbers)}: {remark}" for remark, numbers in pages.items()),
    ]
