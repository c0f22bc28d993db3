"""What a bundled corpus consists of, and how it is checked and written."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from cases import Question, number_cases, page_texts, problems, squeeze, stands_in, to_lines


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedCorpus:
    """One corpus of one PDF, and its test set."""

    name: str
    title: str
    language: str
    file: str
    pdf: bytes
    questions: Sequence[Question]
    pictures: Mapping[int, Sequence[str]]
    """Words drawn in the pictures of a page."""

    only_in_pictures: Sequence[str]
    """Numbers and words that must stand in no text layer."""

    examples: Sequence[str]
    """Questions to offer in the app."""


def check(corpus: PlannedCorpus) -> None:
    """The PDF holds the evidence where the test set says, and nowhere it should not.

    Raises:
        ValueError: If it does not; every fault is listed.
    """
    texts = page_texts(corpus.pdf)
    drawn = [squeeze("|".join(corpus.pictures.get(page, ()))) for page in range(1, len(texts) + 1)]
    found = problems(corpus.questions, texts, drawn)
    found += [
        f"{part} stands in the text of page {page}"
        for part in corpus.only_in_pictures
        for page, text in enumerate(texts, start=1)
        if stands_in(text, part)
    ]
    known = {question.text for question in corpus.questions}
    found += [f"no such question: {text}" for text in corpus.examples if text not in known]
    if found:
        raise ValueError(f"{corpus.name}:\n" + "\n".join(found))


def write(corpus: PlannedCorpus, root: Path) -> None:
    """Write the PDF and its description below corpora/ and the test set below testsets/."""
    folder = root / "corpora" / corpus.name
    folder.mkdir(parents=True, exist_ok=True)
    (folder / corpus.file).write_bytes(corpus.pdf)
    description = {
        "name": corpus.name,
        "title": corpus.title,
        "language": corpus.language,
        "files": [corpus.file],
        "examples": list(corpus.examples),
    }
    text = json.dumps(description, ensure_ascii=False, indent=2) + "\n"
    (folder / "corpus.json").write_text(text, encoding="utf-8")
    cases = number_cases(corpus.questions, corpus.name, corpus.file)
    testset = root / "testsets" / f"{corpus.name}.jsonl"
    testset.parent.mkdir(parents=True, exist_ok=True)
    testset.write_text(to_lines(cases), encoding="utf-8")
