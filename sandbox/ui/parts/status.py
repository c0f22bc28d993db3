"""HTML of the corpus panel and of the models line: progress, what was read, what was refused."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sandbox.markup.markup import escape
from sandbox.progress import Progress, RefusedFile
from sandbox.records import Corpus, Document

if TYPE_CHECKING:
    from sandbox.models.source import Choice

STAGES = {
    "read": "reading",
    "caption": "reading figures",
    "index": "indexing",
    "models": "loading models",
    "retrieve": "retrieving",
    "answer": "answering",
    "score": "scoring",
}


def progress_html(progress: Progress) -> str:
    """A bar with its message; without a length while the total is unknown."""
    stage = STAGES[progress.stage]
    message = escape(progress.message or stage)
    if not progress.total:
        return (
            f"<div class='progress unknown' role='progressbar' aria-label='{stage}'><i></i></div>"
            f"<p class='status' dir='auto'>{message}</p>"
        )
    percent = round(100 * min(progress.done, progress.total) / progress.total)
    return (
        f"<div class='progress' role='progressbar' aria-label='{stage}' aria-valuenow='{percent}'>"
        f"<i style='width:{percent}%'></i></div>"
        f"<p class='status' dir='auto'>{message}</p>"
    )


def corpus_html(
    corpus: Corpus | None, refused: Sequence[RefusedFile], *, chunks: int | None
) -> str:
    """What was read from each file, and one sentence for each that was refused.

    Args:
        corpus: The open corpus; None if no file could be read.
        refused: Files that gave nothing.
        chunks: Chunks in the index; None while there is no index.
    """
    documents = corpus.documents if corpus else ()
    parts = [
        f"<li class='refused'><bdi>{escape(item.file)}</bdi>"
        f"<span class='remark warning' role='alert'>{escape(item.reason)}</span></li>"
        for item in refused
    ]
    parts += [_document_html(document) for document in documents]
    if not parts:
        return sentence_html("no documents yet; choose a corpus above or drop PDFs below")
    facts = [count(len(documents), "document")] if len(documents) > 1 else []
    facts += [count(chunks, "chunk") + " indexed"] if chunks else []
    facts += [count(len(refused), "file") + " refused"] if refused else []
    return f"<ul class='documents'>{''.join(parts)}</ul><p class='status'>{', '.join(facts)}</p>"


def sentence_html(text: str, *, alarming: bool = False) -> str:
    """One sentence, shown where the progress or the result would stand."""
    role = " role='alert'" if alarming else ""
    kind = "status failed" if alarming else "status"
    return f"<p class='{kind}'{role} dir='auto'>{escape(text)}</p>"


def models_html(choices: "Sequence[Choice]") -> str:
    """Which models are used, and why; folded."""
    if not choices:
        return "<p class='models'>models: looking</p>"
    rows = "".join(_choice_html(choice) for choice in choices)
    missing = any(not choice.ready for choice in choices)
    remark = " <span class='badge warning'>something is missing</span>" if missing else ""
    return (
        f"<details class='models'><summary>models: {escape(_sources(choices))}{remark} "
        f"<u>why?</u></summary><dl>{rows}</dl></details>"
    )


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


def _document_html(document: Document) -> str:
    name = escape(document.name)
    remarks = "".join(
        f"<span class='remark warning'>{escape(remark)}</span>" for remark in _remarks(document)
    )
    return (
        f"<li><bdi class='document' title='{name}'>{name}</bdi>"
        f"<span class='facts'>{_facts(document)}</span>{remarks}</li>"
    )


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


def _choice_html(choice: "Choice") -> str:
    state = "" if choice.ready else " <span class='badge warning'>not ready</span>"
    fix = f"<br><code>{escape(choice.fix)}</code>" if choice.fix and not choice.ready else ""
    return (
        f"<dt>{escape(choice.role.replace('_', ' '))}</dt>"
        f"<dd><b>{escape(choice.model)}</b>{state}<br>{escape(choice.reason)}{fix}</dd>"
    )


def _sources(choices: "Sequence[Choice]") -> str:
    """Where the models come from; what is built in needs no mention."""
    sources = dict.fromkeys(choice.source for choice in choices if choice.source != "built in")
    return " + ".join(sources)


def count(number: int, noun: str) -> str:
    """A number with its noun, in the plural where it is one.

    >>> count(1, "page"), count(1200, "page")
    ('1 page', '1,200 pages')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
