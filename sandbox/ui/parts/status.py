"""HTML of the corpus panel and of the models line: progress, what was read, what was refused."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from markupsafe import Markup

from sandbox.markup.markup import count
from sandbox.markup.templates import render
from sandbox.progress import Progress, RefusedFile
from sandbox.records import Corpus, Document

if TYPE_CHECKING:
    from sandbox.models.source import Choice

TEMPLATES = "ui/parts/status.html"
STAGES = {
    "read": "reading",
    "caption": "reading figures",
    "index": "indexing",
    "models": "loading models",
    "retrieve": "retrieving",
    "answer": "answering",
    "score": "scoring",
}


def progress_html(progress: Progress) -> Markup:
    """A bar with its message; without a length while the total is unknown."""
    stage = STAGES[progress.stage]
    done = min(progress.done, progress.total)
    return render(
        f"{TEMPLATES}#progress",
        stage=stage,
        message=progress.message or stage,
        percent=round(100 * done / progress.total) if progress.total else None,
    )


def corpus_html(
    corpus: Corpus | None, refused: Sequence[RefusedFile], *, chunks: int | None
) -> Markup:
    """What was read from each file, and one sentence for each that was refused.

    Args:
        corpus: The open corpus; None if no file could be read.
        refused: Files that gave nothing.
        chunks: Chunks in the index; None while there is no index.
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


def sentence_html(text: str, *, alarming: bool = False) -> Markup:
    """One sentence, shown where the progress or the result would stand."""
    return render(f"{TEMPLATES}#sentence", text=text, alarming=alarming)


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
