"""Test cases as rows of the table editor, and back."""

from collections.abc import Sequence
from typing import Any

from sandbox.errors import InvalidTestSet
from sandbox.testsets.cases import TestCase
from sandbox.testsets.files import read_cells, write_cells

HEADERS = {
    "verified": "verified",
    "question": "question",
    "reference": "reference",
    "accepted_answers": "accepted answers",
    "relevant_pages": "pages",
    "source": "source",
    "category": "category",
    "answerable": "answerable",
    "quotes": "quotes",
    "document": "document",
    "id": "id",
}
"""Column title by field; the order of the columns."""

FLAGS = ("verified", "answerable")
DATATYPES = ["bool" if name in FLAGS else "str" for name in HEADERS]

Row = list[Any]


def to_rows(cases: Sequence[TestCase]) -> list[Row]:
    """A row for each case; a list has one item a line."""
    return [_row(case) for case in cases]


def to_cases(rows: Sequence[Row]) -> tuple[TestCase, ...]:
    """The cases of a table; rows without question and reference are left out.

    Raises:
        InvalidTestSet: If a row is no test case, or two have one id; the message names the row.
    """
    cases: list[TestCase] = []
    numbers: dict[str, int] = {}
    for number, row in enumerate(rows, start=1):
        values = {name: _as_text(value) for name, value in zip(HEADERS, row, strict=True)}
        if not values["source"] and values["answerable"] != "True":
            values["answerable"] = ""  # a new row, whose box nobody has ticked yet
        if not values["question"].strip() and not values["reference"].strip():
            continue
        try:
            case = read_cells(values, number)
        except ValueError as error:
            raise InvalidTestSet(f"row {number}: {error}") from error
        if case.id in numbers:
            raise InvalidTestSet(
                f"row {number}: the id {case.id!r} is that of row {numbers[case.id]}"
            )
        numbers[case.id] = number
        cases.append(case)
    return tuple(cases)


def _row(case: TestCase) -> Row:
    cells = write_cells(case)
    return [getattr(case, name) if name in FLAGS else cells[name] for name in HEADERS]


def _as_text(value: object) -> str:
    """A cell as text; a new row's cells may be empty in several ways."""
    if value is None or value != value:  # NaN
        return ""
    return str(value)
