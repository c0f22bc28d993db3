"""Every question by itself: reference, answers side by side, who judged them, chunks and page.

Leaves out where pictures come from (pictures.py).
"""

from collections.abc import Mapping, Sequence

from sandbox.evaluation.comparison.evidence import find_evidence
from sandbox.evaluation.comparison.records import Side
from sandbox.records import Answer, Chunk, Retrieved
from sandbox.report.story.blocks import (
    Block,
    Cell,
    Column,
    Columns,
    Folded,
    Picture,
    Pictures,
    Row,
    Section,
    Table,
    Text,
)
from sandbox.report.story.material import Material, ReportedRun
from sandbox.report.story.matrix import anchor, mark, said_by
from sandbox.report.story.phrases import Speaker
from sandbox.report.story.pictures import Album, pictures_of
from sandbox.testsets import TestCase

CASES = 300
"""Questions that are shown with their answers."""

FIGURES = 2
"""Figures of a question."""

CHUNK_CHARACTERS = 700
"""Of a chunk in the table; the page shows the rest."""

ANSWER_CHARACTERS = 4000


def evidence(material: Material, album: Album, say: Speaker) -> Section:
    """One fold a question."""
    cases = material.cases[:CASES]
    pictures = _pictures(material, cases, album)
    blocks: list[Block] = [_case(case, material, pictures[case.id], say) for case in cases]
    if len(material.cases) > len(cases):
        left = len(material.cases) - len(cases)
        blocks.append(Text(text=say("{0} further questions are left out.", left), kind="note"))
    return Section(id="evidence", title=say("Question by question"), blocks=blocks)


def _case(case: TestCase, material: Material, pictures: Sequence[Picture], say: Speaker) -> Folded:
    columns = [
        Column(
            title=material.names[one.run.id],
            mark=mark(one, case.id, say),
            blocks=_answer(one, case, say),
        )
        for one in material.runs
    ]
    blocks: list[Block] = [*_reference(case, say), Columns(columns=columns)]
    if pictures:
        blocks.append(Pictures(pictures=pictures))
    blocks += _chunks(case, material, say)
    return Folded(
        summary=case.question,
        id=anchor(case.id),
        label=case.id,
        marks=[mark(one, case.id, say) for one in material.runs],
        blocks=blocks,
    )


def _reference(case: TestCase, say: Speaker) -> list[Block]:
    facts = [
        say("accepted: {0}", say.listed(case.accepted_answers)) if case.accepted_answers else "",
        say("category: {0}", case.category) if case.category else "",
        say("evidence in: {0}", say.named(case.source)),
        say("pages: {0}", say.listed([str(page) for page in case.relevant_pages]))
        if case.relevant_pages
        else "",
        "" if case.answerable else say("the material does not hold the answer"),
    ]
    return [
        Text(text=say("Reference: {0}", case.reference)),
        Text(text=" · ".join(filter(None, facts)), kind="note"),
    ]


def _answer(one: ReportedRun, case: TestCase, say: Speaker) -> list[Block]:
    side = one.read.sides.get(case.id)
    if side is None:
        return [Text(text=say("not asked"), kind="note")]
    by = said_by(side.standing, one.labels.get(case.id, ()), case, say)
    if side.answer is None:
        return [Text(text=say("No answer: {0}", side.failure), kind="note")]
    return [
        Text(text=_cut(side.answer.text, ANSWER_CHARACTERS) or say("(empty)"), kind="quote"),
        Text(text=by, kind="note"),
        Text(text=_facts(side.answer, say), kind="note"),
    ]


def _facts(answer: Answer, say: Speaker) -> str:
    cited = [f"[{rank}]" for rank in answer.citations]
    facts = [
        say("refused") if answer.refused else "",
        say("cites {0}", " ".join(cited)) if cited else say("cites nothing"),
        say("matched by words, not cited by the model") if answer.matched else "",
        say("{0} s", f"{answer.seconds['answer']:.1f}") if "answer" in answer.seconds else "",
        *answer.warnings,
    ]
    return " · ".join(filter(None, facts))


def _chunks(case: TestCase, material: Material, say: Speaker) -> list[Block]:
    """Every chunk once, with its rank under each configuration."""
    answers = [_answer_of(one, case.id) for one in material.runs]
    ranks = [
        {item.chunk.id: item for item in answer.retrieved} if answer else {} for answer in answers
    ]
    chunks: dict[str, Chunk] = {}
    for found in ranks:
        for item in found.values():
            chunks.setdefault(item.chunk.id, item.chunk)
    if not chunks:
        return []
    best = sorted(
        chunks.values(),
        key=lambda chunk: min(found[chunk.id].rank for found in ranks if chunk.id in found),
    )
    head = [
        say("page"),
        *(material.names[one.run.id] for one in material.runs),
        say("text of the chunk"),
    ]
    rows = [
        Row(
            cells=[
                Cell(text=str(chunk.page), kind="number", note=_kind(chunk, case, say)),
                *(
                    _rank(found.get(chunk.id), answer)
                    for found, answer in zip(ranks, answers, strict=True)
                ),
                Cell(
                    text=_cut(chunk.text, CHUNK_CHARACTERS), kind="text", note=_remark(chunk, say)
                ),
            ]
        )
        for chunk in best
    ]
    summary = say("{0} chunks, with their rank in each configuration (* cited)", len(rows))
    table = Table(head=head, rows=rows, kind="chunks")
    return [Folded(summary=summary, blocks=[table], printed=False)]


def _kind(chunk: Chunk, case: TestCase, say: Speaker) -> str:
    relevant = chunk.page in case.relevant_pages and case.document in ("", chunk.document)
    kind = say.named(chunk.kind)
    return f"{kind}, {say('relevant')}" if relevant else kind


def _rank(item: Retrieved | None, answer: Answer | None) -> Cell:
    if item is None or answer is None:
        return Cell(text="–", kind="number")
    cited = "*" if item.rank in answer.citations else ""
    return Cell(text=f"{item.rank}{cited}", kind="number")


def _remark(chunk: Chunk, say: Speaker) -> str:
    parts = [
        say("read by OCR") if chunk.ocr else "",
        say("written by a model") if chunk.model_written else "",
        say("holds orders to a language model, which were not sent") if chunk.orders else "",
    ]
    return " · ".join(filter(None, parts))


def _pictures(
    material: Material, cases: Sequence[TestCase], album: Album
) -> Mapping[str, list[Picture]]:
    """By case; those whose answers differ take the room first, then those with a wrong one."""
    found = {}
    for case in sorted(cases, key=lambda one: _urgency(one, material.runs)):
        answers = [_answer_of(one, case.id) for one in material.runs]
        page, figures = _worth_seeing(case, answers)
        found[case.id] = pictures_of(album, page, figures)
    return found


def _urgency(case: TestCase, runs: Sequence[ReportedRun]) -> int:
    sides: list[Side] = [one.read.sides[case.id] for one in runs if case.id in one.read.sides]
    verdicts = {side.standing.verdict for side in sides}
    if {"right", "wrong"} <= verdicts:
        return 0
    return 1 if "wrong" in verdicts else 2


def _worth_seeing(
    case: TestCase, answers: Sequence[Answer | None]
) -> tuple[Chunk | None, list[Chunk]]:
    """The chunk with the evidence, else the first cited, else the first; figures among these."""
    evidence_chunks = [
        answer.retrieved[found.rank - 1].chunk
        for answer, found in zip(answers, find_evidence(case, answers), strict=True)
        if answer is not None and found is not None and found.rank <= len(answer.retrieved)
    ]
    cited = [
        item.chunk
        for answer in answers
        if answer is not None
        for item in answer.retrieved
        if item.rank in answer.citations
    ]
    first = [answer.retrieved[0].chunk for answer in answers if answer and answer.retrieved]
    chunks = {chunk.id: chunk for chunk in (*evidence_chunks, *cited)}
    figures = [chunk for chunk in chunks.values() if chunk.kind == "figure"][:FIGURES]
    pictured = figures if case.source == "image" else []
    return next(iter((*pictured, *evidence_chunks, *cited, *first)), None), figures


def _answer_of(one: ReportedRun, case: str) -> Answer | None:
    side = one.read.sides.get(case)
    return side.answer if side else None


def _cut(text: str, characters: int) -> str:
    return text if len(text) <= characters else f"{text[: characters - 1]}…"
