"""Test cases, and the test set files they are read from: JSON Lines, one case a line."""

import dataclasses
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Literal

from sandbox.errors import InvalidTestSet
from sandbox.files.storage import find_bundled
from sandbox.records import Corpus

TEST_SETS_FOLDER = find_bundled("testsets")
"""Test sets that come with the project, named after their corpus."""

EvidenceSource = Literal["text", "image", "both", "none"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TestCase:
    """One question of a test set, and what decides whether an answer to it is right."""

    __test__: ClassVar[bool] = False
    """Keeps pytest from collecting the class."""

    id: str
    """Unique within its test set."""

    question: str
    reference: str
    """The right answer as a sentence; for an unanswerable question, that the document is silent."""

    accepted_answers: tuple[str, ...] = ()
    """Strings of which any one in an answer suggests that it is right; the first stands as in the
    document, the others are ways to write it. Empty where the right answer is a refusal."""

    source: EvidenceSource
    """Where the evidence stands: text or tables, a picture or chart, either of them, nowhere."""

    category: str
    """The kind of question, for example "comparison"; free, used to group results."""

    relevant_pages: tuple[int, ...] = ()
    """Pages that hold the evidence, all of them needed or each of them enough; empty for "none"."""

    quotes: tuple[str, ...] = ()
    """Text of the relevant pages that holds the evidence, where a page is too coarse."""

    answerable: bool = True
    verified: bool = False
    """True once a person checked it; unverified cases never enter a score."""

    document: str = ""
    """File name of the document that is asked; empty where the corpus has only one."""


def load(path: Path) -> tuple[TestCase, ...]:
    """The cases of a test set file, in order; empty lines are skipped.

    Raises:
        InvalidTestSet: If the file cannot be read, is empty, or a line is not a test case; the
            message names file, line and fault.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError as error:
        raise InvalidTestSet(f"there is no test set at {path}") from error
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidTestSet(f"{path} cannot be read as UTF-8 text: {error}") from error
    cases: list[TestCase] = []
    first_lines: dict[str, int] = {}
    # splitlines() would also break at separators that may stand inside a JSON string.
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            case = read_case(line)
        except ValueError as error:
            raise InvalidTestSet(f"{path}, line {number}: {error}") from error
        if case.id in first_lines:
            raise InvalidTestSet(
                f"{path}, line {number}: the id {case.id!r} is already that of line "
                f"{first_lines[case.id]}; give each case its own"
            )
        first_lines[case.id] = number
        cases.append(case)
    if not cases:
        raise InvalidTestSet(f"{path} holds no test case; write one JSON object a line")
    return tuple(cases)


def find_testset_files(own: Path) -> dict[str, Path]:
    """Every test set file by name: the bundled ones, then those in the folder `own`."""
    files = [file for folder in (TEST_SETS_FOLDER, own) for file in sorted(folder.glob("*.jsonl"))]
    return {file.name.removesuffix(".jsonl"): file for file in files}


def check_pages(cases: Sequence[TestCase], corpus: Corpus) -> None:
    """Every document and page that the cases name is in the corpus.

    Raises:
        InvalidTestSet: If one is not; the message names the case.
    """
    pages = {document.name: document.page_count for document in corpus.documents}
    for case in cases:
        if case.document and case.document not in pages:
            raise InvalidTestSet(
                f"case {case.id!r} is about {case.document!r}, which is not in the corpus "
                f"{corpus.name!r}; it holds {', '.join(pages)}"
            )
        if not case.document and case.relevant_pages and len(pages) > 1:
            raise InvalidTestSet(
                f"case {case.id!r} names pages but not the document they are in; the corpus "
                f"{corpus.name!r} holds {len(pages)}"
            )
        last = pages[case.document] if case.document else max(pages.values(), default=0)
        if beyond := [page for page in case.relevant_pages if page > last]:
            raise InvalidTestSet(
                f"case {case.id!r} names page {beyond[0]}, but "
                f"{case.document or corpus.name} has {last} pages"
            )


def read_case(line: str) -> TestCase:
    """The test case that a line of JSON describes.

    Raises:
        ValueError: If it describes none; the message names the fault.
    """
    value = _parse(line)
    fields = {field.name for field in dataclasses.fields(TestCase)}
    if unknown := sorted(set(value) - fields):
        raise ValueError(f"unknown field {unknown[0]!r}; known: {', '.join(sorted(fields))}")
    case = _validate(line)
    for name in ("id", "question", "reference"):
        if not getattr(case, name).strip():
            raise ValueError(f"{name} is empty")
    if any(page < 1 for page in case.relevant_pages):
        raise ValueError(f"relevant_pages count from 1, not {min(case.relevant_pages)}")
    if any(not text.strip() for text in (*case.accepted_answers, *case.quotes)):
        raise ValueError("an accepted answer or a quote is empty; it would be found in every text")
    if case.answerable != (case.source != "none"):
        raise ValueError(
            f"answerable is {str(case.answerable).lower()} but source is {case.source!r}; "
            'an unanswerable case has source "none", every other has not'
        )
    return case


def _parse(line: str) -> dict[str, Any]:
    try:
        value = json.loads(line)
    except json.JSONDecodeError as error:
        raise ValueError(f"not JSON ({error.msg} at character {error.pos + 1})") from error
    if not isinstance(value, dict):
        raise ValueError("not a JSON object")
    return value


def _validate(line: str) -> TestCase:
    from pydantic import TypeAdapter, ValidationError

    try:
        return TypeAdapter(TestCase).validate_json(line, strict=True)
    except ValidationError as error:
        fault = error.errors(include_url=False)[0]
        place = ".".join(str(part) for part in fault["loc"])
        message = fault["msg"][:1].lower() + fault["msg"][1:]
        raise ValueError(f"{place}: {message}") from error
