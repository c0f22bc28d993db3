"""Two small runs with labels, scores, a real page and, if wanted, a hostile document."""

from pathlib import Path

from sandbox.documents.reader import READER_VERSION
from sandbox.evaluation.runs.folder import RunFolder
from sandbox.evaluation.runs.labels import add_labels, new_label
from sandbox.evaluation.runs.records import Cell, Right, Score
from sandbox.files.storage import Store, file_digest
from sandbox.records import Answer, Box, Chunk, Document, Retrieved
from sandbox.testsets.cases import TestCase
from tests.evaluation.scripted_runs import case, make_run

HOSTILE = (
    "<script>alert('x')</script><img src=http://evil.example/a.png onerror=alert(1)> `|` [a](b)"
)
CASES = 8


def make_reported(
    store: Store,
    configuration: str,
    *,
    right: int,
    hostile: str = "",
    labelled: bool = True,
    document_id: str = "d",
) -> RunFolder:
    """A run of eight cases, of which the first ones are answered right and labelled so."""
    cases = tuple(_case(number, hostile) for number in range(1, CASES + 1))
    folder = make_run(store, configuration, cases=cases, metrics=("faithfulness",))
    for number, asked in enumerate(cases, start=1):
        good = number <= right
        text = f"It has {number if good else 99} beds. {hostile}"
        given = make_answer(asked, text, hostile, document_id=document_id)
        folder.add_cell(Cell(configuration=configuration, case=asked.id, answer=given))
        value = (0.9 if good else 0.2) + number / 100
        folder.add_score(asked.id, Score(metric="faithfulness", family="ragas", value=value))
        verdict: Right = "right" if good else "wrong"
        if labelled:
            label = new_label(configuration, asked.id, verdict, labeller=f"Ada{hostile}")
            add_labels(folder.folder, [label])
    return folder


def make_answer(asked: TestCase, text: str, extra: str = "", document_id: str = "d") -> Answer:
    chunk = Chunk(
        id=f"chunk-{asked.id}",
        document="wards.pdf",
        document_id=document_id,
        page=1,
        boxes=(Box(page=1, left=60, top=60, right=300, bottom=90),),
        text=f"{asked.reference} {extra}",
    )
    return Answer(
        question=asked.question,
        text=text,
        refused=False,
        retrieved=(Retrieved(chunk=chunk, rank=1, score=1.0, legs={}),),
        citations=(1,),
        sent=(1,),
        seconds={"retrieve": 0.5, "first_token": 0.9, "answer": 1.5},
        tokens={"prompt": 100, "answer": 10},
    )


def keep_document(store: Store, pdf: Path, name: str = "wards.pdf") -> str:
    """The PDF in the store, as if it had been read; returns the id that chunks state."""
    digest = file_digest(pdf)
    folder = store.document_folder(digest, READER_VERSION)
    folder.mkdir(parents=True)
    (folder / "source.pdf").write_bytes(pdf.read_bytes())
    return Document(digest=digest, name=name, page_count=1, pages=()).id


def _case(number: int, hostile: str) -> TestCase:
    asked = case(number, relevant_pages=(1,))
    if not hostile:
        return asked
    return case(
        number,
        relevant_pages=(1,),
        id=f"case-{number}{hostile}",
        question=f"{asked.question} {hostile}",
        reference=f"{asked.reference} {hostile}",
        category=hostile,
    )
