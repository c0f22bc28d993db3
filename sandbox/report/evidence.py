"""Every question by itself: reference, answers side by side, who judged them, chunks and page.

Pages and figures are data URLs, up to a number and a size: questions whose answers differ come
first, then those with a wrong answer.
"""

import base64
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from sandbox.documents.reader import find_source
from sandbox.documents.render import render_page
from sandbox.errors import SandboxError
from sandbox.evaluation.comparison.evidence import align, find_evidence
from sandbox.evaluation.runs.read import RunView
from sandbox.files.storage import Store
from sandbox.records import Answer, Chunk, Retrieved
from sandbox.report.blocks import (
    Block,
    Column,
    Columns,
    Folded,
    Picture,
    Pictures,
    Row,
    Section,
    Table,
    TableCell,
    Text,
)
from sandbox.report.material import Material, ReportedRun
from sandbox.report.matrix import describe_source, make_anchor, mark_answer
from sandbox.report.translator import Translator
from sandbox.testsets.cases import TestCase

CASES = 300
"""Questions that are shown with their answers."""

FIGURES = 2
"""Figures of a question."""

ANSWER_CHARACTERS = 4000


def describe_questions(material: Material, album: "Album", say: Translator) -> Section:
    """One fold a question."""
    cases = material.cases[:CASES]
    pictures = _pictures(material, cases, album)
    blocks: list[Block] = [_case(case, material, pictures[case.id], say) for case in cases]
    if len(material.cases) > len(cases):
        left = say.plural(
            "{0} further question is left out.",
            "{0} further questions are left out.",
            len(material.cases) - len(cases),
        )
        blocks.append(Text(left, kind="note"))
    return Section(id="evidence", title=say("Question by question"), blocks=blocks)


def _case(
    case: TestCase, material: Material, pictures: Sequence[Picture], say: Translator
) -> Folded:
    columns = [
        Column(title=run.name, mark=mark_answer(run, case.id, say), blocks=_answer(run, case, say))
        for run in material.runs
    ]
    blocks: list[Block] = [*_reference(case, say), Columns(columns=columns)]
    if pictures:
        blocks.append(Pictures(pictures))
    names = [run.name for run in material.runs]
    blocks += align_chunks(case, [run.view for run in material.runs], names, say)
    return Folded(
        summary=case.question,
        id=make_anchor(case.id),
        label=case.id,
        marks=[mark_answer(run, case.id, say) for run in material.runs],
        blocks=blocks,
    )


def _reference(case: TestCase, say: Translator) -> list[Block]:
    facts = [
        say("accepted: {0}", say.join(case.accepted_answers)) if case.accepted_answers else "",
        say("category: {0}", case.category) if case.category else "",
        say("evidence in: {0}", say.name(case.source)),
        say("pages: {0}", say.join([str(page) for page in case.relevant_pages]))
        if case.relevant_pages
        else "",
        "" if case.answerable else say("the material does not hold the answer"),
    ]
    return [
        Text(say("Reference: {0}", case.reference)),
        Text(" · ".join(filter(None, facts)), kind="note"),
    ]


def _answer(run: ReportedRun, case: TestCase, say: Translator) -> list[Block]:
    cell = run.view.cells.get(case.id)
    if cell is None:
        return [Text(say("not asked"), kind="note")]
    if cell.answer is None:
        return [Text(say("No answer: {0}", cell.failure), kind="note")]
    return [
        Text(cut(cell.text, ANSWER_CHARACTERS) or say("(empty)"), kind="quote"),
        Text(describe_source(cell, say), kind="note"),
        Text(_facts(cell.answer, say), kind="note"),
    ]


def _facts(answer: Answer, say: Translator) -> str:
    cited = [f"[{rank}]" for rank in answer.citations]
    facts = [
        say("refused") if answer.refused else "",
        say("cites {0}", " ".join(cited)) if cited else say("cites nothing"),
        say("matched by words, not cited by the model") if answer.matched else "",
        say("{0} s", f"{answer.seconds['answer']:.1f}") if "answer" in answer.seconds else "",
        *answer.warnings,
    ]
    return " · ".join(filter(None, facts))


def _pictures(
    material: Material, cases: Sequence[TestCase], album: "Album"
) -> Mapping[str, list[Picture]]:
    """By case, the figures before the page."""
    pictures = {}
    for case in sorted(cases, key=lambda case: _urgency(case, material.runs)):
        answers = [find_answer(run.view, case.id) for run in material.runs]
        page, figures = _worth_seeing(case, answers)
        drawn = [picture for chunk in figures for picture in album.figure(chunk)]
        pictures[case.id] = [*drawn, *(album.page(page) if page else ())]
    return pictures


def _urgency(case: TestCase, runs: Sequence[ReportedRun]) -> int:
    cells = [run.view.cells[case.id] for run in runs if case.id in run.view.cells]
    labels = {cell.label_or_suggestion for cell in cells}
    if {"right", "wrong"} <= labels:
        return 0
    return 1 if "wrong" in labels else 2


def _worth_seeing(
    case: TestCase, answers: Sequence[Answer | None]
) -> tuple[Chunk | None, list[Chunk]]:
    """The chunk with the evidence, else the first cited, else the first; figures among these."""
    given = [answer for answer in answers if answer is not None]
    evidence = [
        answer.retrieved[place.rank - 1].chunk
        for answer, place in zip(given, find_evidence(case, given), strict=True)
        if place is not None and place.rank <= len(answer.retrieved)
    ]
    cited = [
        item.chunk for answer in given for item in answer.retrieved if item.rank in answer.citations
    ]
    first = [item.chunk for answer in given for item in answer.retrieved[:1]]
    chunks = {chunk.id: chunk for chunk in (*evidence, *cited)}
    figures = [chunk for chunk in chunks.values() if chunk.kind == "figure"][:FIGURES]
    pictured = figures if case.source == "image" else []
    return next(iter((*pictured, *evidence, *cited, *first)), None), figures


CHUNK_CHARACTERS = 700
"""Of a chunk in the table; the page shows the rest."""


def align_chunks(
    case: TestCase, runs: Sequence[RunView], names: Sequence[str], say: Translator
) -> list[Folded]:
    """A table, best ranks first; nothing where nothing was retrieved."""
    answers = [find_answer(run, case.id) for run in runs]
    aligned = align([answer.retrieved if answer else () for answer in answers])
    if not aligned:
        return []
    several = len({row.chunk.document for row in aligned}) > 1
    rows = [
        Row(
            [
                _where(row.chunk, case, say, several=several),
                *map(_rank, row.places, answers),
                TableCell(
                    cut(row.chunk.text, CHUNK_CHARACTERS), kind="text", note=_remark(row.chunk, say)
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


def find_answer(run: RunView, case: str) -> Answer | None:
    """What a run answered, if it was asked and did."""
    cell = run.cells.get(case)
    return cell.answer if cell else None


def cut(text: str, characters: int) -> str:
    """The beginning of a long text."""
    return text if len(text) <= characters else f"{text[: characters - 1]}…"


def _where(chunk: Chunk, case: TestCase, say: Translator, *, several: bool) -> TableCell:
    relevant = chunk.page in case.relevant_pages and case.document in ("", chunk.document)
    parts = [
        say.name(chunk.kind),
        say("relevant") if relevant else "",
        chunk.document if several else "",
    ]
    return TableCell(str(chunk.page), kind="number", note=say.join([*filter(None, parts)]))


def _rank(item: Retrieved | None, answer: Answer | None) -> TableCell:
    if item is None or answer is None:
        return TableCell("–", kind="number")
    cited = "*" if item.rank in answer.citations else ""
    return TableCell(f"{item.rank}{cited}", kind="number")


def _remark(chunk: Chunk, say: Translator) -> str:
    parts = [
        say("read by OCR") if chunk.ocr else "",
        say("written by a model") if chunk.model_written else "",
        say("holds orders to a language model, which were not sent") if chunk.injections else "",
    ]
    return " · ".join(filter(None, parts))


PAGE_PIXELS, FIGURE_PIXELS = 760, 640
QUALITY = 70
PICTURES = 100
TOTAL_BYTES = 8_000_000
"""Of all pictures of a report, as data URLs."""


@dataclass(kw_only=True)
class Album:
    """Pictures of a report, and what could not be shown."""

    store: Store
    say: Translator
    is_enabled: bool = True
    """False where the report shows none."""

    count: int = 0
    size: int = 0
    left_out: int = 0
    """Pictures beyond the limits."""

    gone: list[str] = field(default_factory=list)
    """Documents that are no longer in the store."""

    _sources: dict[str, Path | None] = field(default_factory=dict)

    def page(self, chunk: Chunk) -> list[Picture]:
        """The page on which a chunk begins, with the chunk highlighted; empty if it cannot be."""
        source = self._source(chunk) if self.is_enabled else None
        if source is None or not self._has_room():
            return []
        boxes = [box for box in chunk.boxes if box.page == chunk.page]
        try:
            rendered = render_page(source, chunk.page, boxes, width_pixels=PAGE_PIXELS)
        except (SandboxError, ValueError):
            return []
        caption = self.say("{0}, page {1}, chunk highlighted", chunk.document, chunk.page)
        return self._keep(io.BytesIO(rendered), caption, kind="page")

    def figure(self, chunk: Chunk) -> list[Picture]:
        """The figure that a chunk describes; empty for text and where it cannot be shown."""
        if not self.is_enabled or not chunk.image or not self._has_room():
            return []
        cache = self.store.cache.resolve()
        path = (cache / chunk.image).resolve()
        # A run may come from elsewhere: what it names must not lead out of the store.
        if not path.is_relative_to(cache) or not path.is_file():
            self._miss(chunk)
            return []
        caption = self.say("{0}, page {1}, figure", chunk.document, chunk.page)
        return self._keep(path, caption, kind="figure")

    def warnings(self) -> list[str]:
        """What was left out, in sentences."""
        sentences = [
            self.say(
                "The document {0} is no longer in the cache, so its pages are not shown; read it"
                " again with: {1}",
                name,
                "sandbox ingest",
            )
            for name in dict.fromkeys(self.gone)
        ]
        if self.left_out:
            sentences.append(
                self.say.plural(
                    "{0} picture was left out to keep the file small ({1} are shown, those of"
                    " questions with different or wrong answers first).",
                    "{0} pictures were left out to keep the file small ({1} are shown, those of"
                    " questions with different or wrong answers first).",
                    self.left_out,
                    self.count,
                )
            )
        return sentences

    def _has_room(self) -> bool:
        if self.count < PICTURES and self.size < TOTAL_BYTES:
            return True
        self.left_out += 1
        return False

    def _keep(
        self, source: Path | io.BytesIO, caption: str, *, kind: Literal["page", "figure"]
    ) -> list[Picture]:
        url = _data_url(source, PAGE_PIXELS if kind == "page" else FIGURE_PIXELS)
        if not url:
            return []
        self.count += 1
        self.size += len(url)
        return [Picture(url=url, caption=caption, kind=kind)]

    def _source(self, chunk: Chunk) -> Path | None:
        if chunk.document_id not in self._sources:
            source = find_source(self.store, chunk.document_id, chunk.document)
            self._sources[chunk.document_id] = source
        if self._sources[chunk.document_id] is None:
            self._miss(chunk)
        return self._sources[chunk.document_id]

    def _miss(self, chunk: Chunk) -> None:
        self.gone.append(chunk.document)


def _data_url(source: Path | io.BytesIO, longest: int) -> str:
    """The picture as WebP, made smaller where it is large; empty if it cannot be read."""
    from PIL import Image, UnidentifiedImageError

    stream = io.BytesIO()
    try:
        with Image.open(source) as image:
            image.thumbnail((longest, 2 * longest))
            image.convert("RGB").save(stream, "WEBP", quality=QUALITY)
    except (OSError, UnidentifiedImageError, Image.DecompressionBombError):
        return ""
    return "data:image/webp;base64," + base64.b64encode(stream.getvalue()).decode("ascii")
