"""Test sets as files of other programs: JSON Lines and CSV, with RAGAS's field names or ours.

What is exported comes back unchanged. On import, what a file does not say is filled in with the
least that can be claimed: not verified, evidence in text. `cases.py` reads the project's own
format strictly.
"""

import ast
import dataclasses
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from sandbox.errors import InvalidTestSet
from sandbox.files.spreadsheets import read_rows, write_csv
from sandbox.files.storage import to_json, write_text
from sandbox.testsets.cases import TestCase, read_case

Names = Literal["sandbox", "ragas"]

FIELDS = tuple(field.name for field in dataclasses.fields(TestCase))
RAGAS_NAMES = {"question": "user_input", "quotes": "reference_contexts"}
"""Our name to that of RAGAS 0.4; the other fields are called the same or are ours alone."""

_ALIASES = {
    "user_input": "question",
    "query": "question",
    "ground_truth": "reference",
    "reference_answer": "reference",
    "reference_contexts": "quotes",
    "synthesizer_name": "category",
    "pages": "relevant_pages",
    "file": "document",
}
_LISTS = ("accepted_answers", "relevant_pages", "quotes")
_FLAGS = ("answerable", "verified")
_TRUE = ("true", "yes", "y", "1", "x", "wahr", "vrai", "是", "真")
_FALSE = ("false", "no", "n", "0", "", "falsch", "faux", "否", "假")


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    """The test cases of a file, and what of it was not used."""

    cases: tuple[TestCase, ...]
    ignored: tuple[str, ...] = ()
    """Columns that mean nothing here, such as RAGAS's persona_name."""


def export_cases(cases: Sequence[TestCase], path: Path, *, names: Names = "sandbox") -> None:
    """Write a test set to a .jsonl or .csv file; a reader sees the old or the new one, whole.

    Raises:
        InvalidTestSet: If the ending is another, or the file cannot be written.
    """
    text = as_text(cases, path.suffix.lower(), names=names)
    try:
        write_text(path, text)
    except (OSError, UnicodeEncodeError) as error:
        raise InvalidTestSet(f"cannot write {path}: {error}") from error


def as_text(cases: Sequence[TestCase], suffix: str, *, names: Names = "sandbox") -> str:
    """The content of the file that `export_cases` writes.

    Raises:
        InvalidTestSet: If the suffix is neither ".jsonl" nor ".csv".
    """
    written = {name: RAGAS_NAMES.get(name, name) if names == "ragas" else name for name in FIELDS}
    rows = [
        {written[name]: value for name, value in json.loads(to_json(case)).items()}
        for case in cases
    ]
    if suffix == ".jsonl":
        return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    if suffix == ".csv":
        cells = [{name: _cell(value) for name, value in row.items()} for row in rows]
        return write_csv(list(written.values()), cells)
    raise InvalidTestSet(f"a test set is written as .jsonl or .csv, not as {suffix or 'nothing'!r}")


def import_cases(path: Path) -> Imported:
    """The test cases of a .jsonl or .csv file with RAGAS's field names, or ours.

    A case without an id is called after its line; without "answerable" it counts as answerable,
    without "source" as answered by text, without "verified" as not verified.

    Raises:
        InvalidTestSet: If the file cannot be read or a row is not a test case; the message names
            file, line and fault.
    """
    cases: list[TestCase] = []
    lines: dict[str, int] = {}
    ignored: dict[str, None] = {}
    for number, row in read_rows(path):
        try:
            values = _renamed(row)
            ignored |= dict.fromkeys(name for name in values if name not in FIELDS)
            case = read_cells({name: values[name] for name in values if name in FIELDS}, number)
        except ValueError as error:
            raise InvalidTestSet(f"{path}, line {number}: {error}") from error
        if case.id in lines:
            raise InvalidTestSet(
                f"{path}, line {number}: the id {case.id!r} is already that of line"
                f" {lines[case.id]}; give each case its own"
            )
        lines[case.id] = number
        cases.append(case)
    if not cases:
        raise InvalidTestSet(f"{path} holds no test case; it needs a line with a question")
    return Imported(cases=tuple(cases), ignored=tuple(ignored))


def _renamed(row: Mapping[str, Any]) -> dict[str, Any]:
    """The row under our names; a field given under two names is taken from ours."""
    values: dict[str, Any] = {}
    for name, value in row.items():
        ours = _ALIASES.get(name, name)
        if ours == name or ours not in row:
            values[ours] = value
    return values


def write_cells(case: TestCase) -> dict[str, str]:
    """A test case as a row of text, field by field."""
    return {name: _cell(value) for name, value in json.loads(to_json(case)).items()}


def read_cells(values: Mapping[str, Any], number: int) -> TestCase:
    """The test case of a row; text stands for lists and flags where it has to.

    Args:
        values: Value by field; what is missing is filled in as for `import_cases`.
        number: The row's number, which names a case without an id.

    Raises:
        ValueError: If the row is no test case; the message names the fault.
    """
    filled = ("id", "source", "category", "answerable")
    given = {
        name: value
        for name, value in values.items()
        if value is not None and not (value == "" and name in filled)
    }
    for name in _LISTS:
        if isinstance(given.get(name), str):
            given[name] = _list(name, given[name])
    for name in _FLAGS:
        if isinstance(given.get(name), str):
            given[name] = _flag(name, given[name])
    if isinstance(given.get("id"), int):
        given["id"] = str(given["id"])
    given.setdefault("answerable", given.get("source") != "none")
    given.setdefault("source", "text" if given["answerable"] else "none")
    given.setdefault("category", "uncategorized")
    given.setdefault("id", f"line-{number}")
    return read_case(json.dumps(given))


def _cell(value: object) -> str:
    """A value as a spreadsheet cell: a list has one item a line, or is JSON where need be."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if not isinstance(value, list):
        return str(value)
    items = [str(item) for item in value]
    plain = all(item == item.strip() and item and not set(item) & set("\r\n") for item in items)
    if plain and not any(item.startswith("[") for item in items[:1]):
        return "\n".join(items)
    return json.dumps(value, ensure_ascii=False)


def _list(name: str, cell: str) -> list[Any]:
    if cell.strip().startswith("["):
        items = _bracketed(name, cell.strip())
    elif name == "relevant_pages":
        items = [page for page in cell.replace(",", " ").replace(";", " ").split() if page]
    else:
        items = _lines(cell)
    if name != "relevant_pages":
        return [str(item) for item in items]
    try:
        return [int(str(page)) for page in items]
    except ValueError as error:
        raise ValueError(f"relevant_pages must be page numbers, not {cell!r}") from error


def _lines(cell: str) -> list[str]:
    # splitlines() would also break at separators that may stand inside an item.
    return [line.strip() for line in cell.replace("\r", "\n").split("\n") if line.strip()]


def _bracketed(name: str, cell: str) -> list[Any]:
    """A list as JSON, or as Python writes it (a data frame of RAGAS saved as CSV)."""
    try:
        value = json.loads(cell)
    except ValueError:
        try:
            value = ast.literal_eval(cell)
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            return list(_lines(cell))
    if not isinstance(value, list):
        raise ValueError(f"{name} must be a list, not {cell!r}")
    return value


def _flag(name: str, cell: str) -> bool:
    folded = cell.strip().lower()
    if folded in _TRUE:
        return True
    if folded in _FALSE:
        return False
    raise ValueError(f"{name} must be true or false, not {cell!r}")
