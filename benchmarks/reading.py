"""How well PDFs are read here, beside pymupdf4llm: sentences in order, rows of tables, charts.

    python -m benchmarks.reading [FOLDER] [--json]

The bundled corpora are drawn by corpora/*.py, so their true text, cells and chart values are known:
they are recorded while the PDFs are made again. With a folder, the lines that
benchmarks/reading_lines.jsonl expects of PDFs of certain names are looked for in those below it.
"""

import json
import os
import re
import sys
import tempfile
from bisect import bisect_left
from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any

from sandbox.documents.reader import document_folder, read_document
from sandbox.errors import SandboxError
from sandbox.files.storage import Store
from sandbox.models.captioners import OcrCaptioner
from sandbox.progress import finish
from sandbox.records import Page
from sandbox.text.sentences import split_sentences

ROOT = Path(__file__).resolve().parent.parent
EXPECTED_LINES = Path(__file__).with_name("reading_lines.jsonl")

_MARKUP = re.compile(r"<br>|[\s*_#`~|\\]")
_CELL = re.compile(r"(?<!\\)\|")


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadPage:
    """What one reader made of one page."""

    text: str
    rows: Sequence[Sequence[str]]
    """The cells of each row of its tables, empty ones left out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadPdf:
    """What one reader made of one PDF."""

    pages: Sequence[ReadPage]
    seconds: float
    """Of all cores, the start of worker processes and the reading of charts included."""


@dataclass(slots=True, kw_only=True)
class Drawn:
    """What was drawn on the pages of one PDF, in the order of drawing, by page number from 0."""

    sentences: dict[int, list[str]] = field(default_factory=dict)
    rows: dict[int, list[list[str]]] = field(default_factory=dict)
    values: list[tuple[str, str]] = field(default_factory=list)
    """Category and printed value of all charts, those in pictures included."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Stroke:
    """One call of a drawing function."""

    function: str
    document: Any
    page: int
    """From 0, as it was at the time of the call."""

    content: Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """How much of what is expected one reader found."""

    pdfs: str
    reader: str
    expected: str
    found: int
    total: int
    seconds_per_page: float
    """Of all cores."""


def read_here(pdf: Path) -> ReadPdf:
    """Read a PDF as the app does, its figures included."""
    started = _cpu_seconds()
    with tempfile.TemporaryDirectory() as folder:
        store = Store(Path(folder))
        document = finish(read_document(pdf, store))
        figures = document_folder(document, store) / "figures"
        captioner = OcrCaptioner()
        pages = [
            ReadPage(
                text="\n".join(
                    [
                        page.text,
                        *(table.title for table in page.tables),
                        *(figure.caption for figure in page.figures),
                        *(captioner.caption(f, figures / f.image).text for f in page.figures),
                    ]
                ),
                rows=_rows("\n".join(table.markdown for table in page.tables)),
            )
            for page in _in_order(document.pages, document.page_count)
        ]
    return ReadPdf(pages=pages, seconds=_cpu_seconds() - started)


def _in_order(pages: Sequence[Page], count: int) -> list[Page]:
    """All pages; an empty one stands for a page that could not be read."""
    by_number = {page.number: page for page in pages}
    return [
        by_number.get(number, Page(number=number, width=0, height=0, source="none"))
        for number in range(1, count + 1)
    ]


def read_with_pymupdf4llm(pdf: Path) -> ReadPdf:
    """Read a PDF with the library's defaults: its layout model, OCR where it thinks it needed."""
    import pymupdf4llm

    started = _cpu_seconds()
    pages = [page["text"] for page in pymupdf4llm.to_markdown(str(pdf), page_chunks=True)]
    seconds = _cpu_seconds() - started
    return ReadPdf(pages=[ReadPage(text=text, rows=_rows(text)) for text in pages], seconds=seconds)


def _cpu_seconds() -> float:
    """Seconds of all cores that this process and its workers took so far, busy machine or not."""
    used = os.times()
    return used.user + used.system + used.children_user + used.children_system


READERS: dict[str, Callable[[Path], ReadPdf]] = {
    "sandbox": read_here,
    "pymupdf4llm": read_with_pymupdf4llm,
}


def record_corpora() -> dict[str, tuple[bytes, Drawn]]:
    """Make the bundled corpora again: each PDF, and what was drawn in it."""
    sys.path.insert(0, str(ROOT / "corpora"))
    import charts
    import drawing

    log: list[_Stroke] = []
    _record(drawing, "put_paragraph", lambda page, at, width, text, style, **_: text, log)
    _record(drawing, "put_table", lambda page, at, widths, rows, style, **_: rows, log)
    for name in ("draw_bars", "draw_side_bars", "draw_line_chart"):
        _record(charts, name, lambda page, box, chart: _printed_values(chart), log)
    import annual.corpus
    import outbreak.corpus

    drawn = {}
    for make in (outbreak.corpus.corpus, annual.corpus.corpus):
        log.clear()
        corpus = make()
        drawn[corpus.name] = (corpus.pdf, _sort_drawn(log))
    return drawn


def _record(module: Any, name: str, pick: Callable[..., Any], log: list[_Stroke]) -> None:
    """Let a drawing function note what it draws and on which page."""
    draw = getattr(module, name)

    def record_and_draw(page: Any, *arguments: Any, **options: Any) -> Any:
        content = pick(page, *arguments, **options)
        log.append(_Stroke(function=name, document=page.parent, page=page.number, content=content))
        return draw(page, *arguments, **options)

    setattr(module, name, record_and_draw)


def _printed_values(chart: Any) -> list[tuple[str, str]]:
    suffix = getattr(chart, "suffix", "")
    return [
        (label, f"{value:,.{chart.decimals}f}{suffix}")
        for label, value in zip(chart.labels, chart.values, strict=True)
    ]


def _sort_drawn(log: Sequence[_Stroke]) -> Drawn:
    """What was drawn by page; other documents than the longest are pictures in it."""
    longest = max((stroke.document for stroke in log), key=lambda document: document.page_count)
    drawn = Drawn()
    for stroke in log:
        if stroke.function.startswith("draw_"):
            drawn.values += stroke.content
        elif stroke.document is not longest:
            continue
        elif stroke.function == "put_table":
            rows = [[_squeeze(cell) for cell in row if cell] for row in stroke.content]
            drawn.rows.setdefault(stroke.page, []).extend(rows)
        else:
            drawn.sentences.setdefault(stroke.page, []).extend(split_sentences(stroke.content))
    return drawn


def _rows(markdown: str) -> list[list[str]]:
    lines = [line.strip() for line in markdown.splitlines() if line.strip().startswith("|")]
    return [[cell for part in _CELL.split(line) if (cell := _squeeze(part))] for line in lines]


def _squeeze(text: str) -> str:
    """A text without blanks and marks of Markdown, as readers set them differently."""
    return _MARKUP.sub("", text.replace("\\|", "|"))


def count_in_order(expected: Sequence[str], text: str) -> int:
    """How many of the texts stand in the text in their order.

    >>> count_in_order(["one two", "three", "four"], "one two four three")
    2
    """
    read = _squeeze(text)
    places = [place for part in expected if (place := read.find(_squeeze(part))) >= 0]
    ends: list[int] = []
    for place in places:  # the longest run of growing places, by patience sorting
        position = bisect_left(ends, place)
        ends[position : position + 1] = [place]
    return len(ends)


def holds_pair(text: str, category: str, value: str) -> bool:
    """Whether a category is followed at once by its value.

    >>> holds_pair("Wind: 149 GWh; Solar: 37 GWh", "Wind", "149 GWh")
    True
    """
    between = r"[\s:：|*()（）]*"
    whole = rf"(?<![\w.,]){re.escape(category)}{between}{re.escape(value)}(?![\d.,]*\d)"
    return re.search(whole, text.replace("<br>", "\n")) is not None


def measure_corpora() -> Iterator[Result]:
    """Both readers on the bundled corpora."""
    for name, (pdf, drawn) in record_corpora().items():
        for reader, read in READERS.items():
            with tempfile.TemporaryDirectory() as folder:
                file = Path(folder) / f"{name}.pdf"
                file.write_bytes(pdf)
                result = read(file)
            pace = result.seconds / len(result.pages)
            for expected, (count, total) in _count_drawn(drawn, result.pages).items():
                yield Result(
                    pdfs=name,
                    reader=reader,
                    expected=expected,
                    found=count,
                    total=total,
                    seconds_per_page=round(pace, 2),
                )


def _count_drawn(drawn: Drawn, pages: Sequence[ReadPage]) -> dict[str, tuple[int, int]]:
    """By kind, how much of what was drawn was read, and how much was drawn."""
    everything = "\n".join(page.text for page in pages)
    rows = [(number, row) for number, rows in drawn.rows.items() for row in rows]
    in_order = [count_in_order(texts, pages[n].text) for n, texts in drawn.sentences.items()]
    return {
        "sentences, in order": (sum(in_order), sum(map(len, drawn.sentences.values()))),
        "rows, all cells": (sum(row in pages[number].rows for number, row in rows), len(rows)),
        "chart values": (
            sum(holds_pair(everything, *pair) for pair in drawn.values),
            len(drawn.values),
        ),
    }


def measure_folder(folder: Path) -> Iterator[Result]:
    """Both readers on the PDFs of a folder of which lines are expected."""
    files = {file.name: file for file in sorted(folder.rglob("*.pdf"))}
    lines = _expected_lines(files)
    for reader, read in READERS.items():
        results = {name: _read_or_nothing(read, files[name]) for name in {x["pdf"] for x in lines}}
        pages = sum(len(result.pages) for result in results.values())
        pace = sum(result.seconds for result in results.values()) / max(1, pages)
        for kind in ("text", "cells", "value", "absent"):
            chosen = [line for line in lines if kind in line]
            missed = [line for line in chosen if not meets(line, kind, results[line["pdf"]])]
            for line in missed:
                sys.stderr.write(f"{reader}: {json.dumps(line, ensure_ascii=False)}\n")
            yield Result(
                pdfs=folder.name,
                reader=reader,
                expected=kind,
                found=len(chosen) - len(missed),
                total=len(chosen),
                seconds_per_page=round(pace, 2),
            )


def _expected_lines(names: Container[str]) -> list[dict[str, Any]]:
    """What is expected of PDFs of these names."""
    lines = [json.loads(line) for line in EXPECTED_LINES.read_text("utf-8").splitlines()]
    return [line for line in lines if line["pdf"] in names]


def _read_or_nothing(read: Callable[[Path], ReadPdf], pdf: Path) -> ReadPdf:
    try:
        return read(pdf)
    except (SandboxError, RuntimeError, ValueError, LookupError) as error:
        sys.stderr.write(f"{pdf.name}: {type(error).__name__}: {error}\n")
        return ReadPdf(pages=(), seconds=0.0)


def meets(line: dict[str, Any], kind: str, pdf: ReadPdf) -> bool:
    """Whether a reader found on its page what one line expects, or left out what it should."""
    number = line["page"] - 1
    page = pdf.pages[number] if number < len(pdf.pages) else ReadPage(text="", rows=())
    if kind == "cells":
        return [_squeeze(cell) for cell in line["cells"]] in [list(row) for row in page.rows]
    if kind == "value":
        return holds_pair(page.text, *line["value"])
    is_there = _squeeze(line[kind]) in _squeeze(page.text)
    return is_there if kind == "text" else bool(page.text) and not is_there


def main(arguments: Sequence[str]) -> None:
    """Print the table, or with --json one object."""
    folders = [Path(argument) for argument in arguments if not argument.startswith("--")]
    results = chain(measure_corpora(), *(measure_folder(folder) for folder in folders))
    if "--json" in arguments:
        rows = [asdict(result) for result in results]
        sys.stdout.write(json.dumps({"rows": rows}, ensure_ascii=False) + "\n")
        return
    sys.stdout.write("| PDFs | reader | expected | found | CPU seconds a page |\n")
    sys.stdout.write("|---|---|---|---|---|\n")
    for row in results:
        sys.stdout.write(
            f"| {row.pdfs} | {row.reader} | {row.expected} | {row.found} of {row.total} |"
            f" {row.seconds_per_page:.2f} |\n"
        )
        sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1:])
