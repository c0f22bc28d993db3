"""Tables of text as JSON Lines and CSV, as spreadsheets write and open them.

A cell that a spreadsheet would run as a formula gets an apostrophe in front, which reading takes
away again.
"""

import csv
import io
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from sandbox.errors import InvalidTestSet

LONGEST_CELL = 16_000_000
"""Characters; the csv module's own limit of 131,072 is too low for the chunks of an answer."""

_FORMULA = re.compile(r"'*[=+\-@\t\r\n＝＋－＠]")
_PROTECTED = re.compile(r"'+[=+\-@\t\r\n＝＋－＠]")
_DELIMITERS = (",", ";", "\t")

Row = tuple[int, dict[str, Any]]
"""A line number, counted from 1, and the values by column."""


def protect(cell: str) -> str:
    """The cell with an apostrophe in front, if a spreadsheet would run it as a formula.

    >>> protect("=1+1"), protect("'=1+1"), protect("1+1")
    ("'=1+1", "''=1+1", '1+1')
    """
    return f"'{cell}" if _FORMULA.match(cell) else cell


def unprotect(cell: str) -> str:
    """The cell before it was protected.

    >>> unprotect("'=1+1"), unprotect("''=1+1"), unprotect("'tis")
    ('=1+1', "'=1+1", "'tis")
    """
    return cell[1:] if _PROTECTED.match(cell) else cell


def write_csv(columns: Sequence[str], rows: Sequence[Mapping[str, str]]) -> str:
    """A CSV file as spreadsheets expect it: UTF-8 with a byte order mark, CRLF, cells protected."""
    stream = io.StringIO(newline="")
    writer = csv.DictWriter(stream, columns)
    writer.writeheader()
    writer.writerows({name: protect(cell) for name, cell in row.items()} for row in rows)
    return "\ufeff" + stream.getvalue()


def read_rows(path: Path) -> Iterator[Row]:
    """The rows of a .jsonl, .csv or .tsv file; empty ones are skipped.

    Cells of a CSV are strings; a separator of comma, semicolon or tab is recognized by the header.

    Raises:
        InvalidTestSet: If the file cannot be read; the message names file, line and fault.
    """
    text = _read_text(path)
    if path.suffix.lower() in (".jsonl", ".ndjson"):
        yield from _json_rows(path, text)
    elif path.suffix.lower() in (".csv", ".tsv", ".txt"):
        yield from _csv_rows(path, text)
    else:
        raise InvalidTestSet(f"{path} is neither .jsonl nor .csv; save it as one of them")


def _read_text(path: Path) -> str:
    try:
        content = path.read_bytes()
    except FileNotFoundError as error:
        raise InvalidTestSet(f"there is no file {path}") from error
    except OSError as error:
        raise InvalidTestSet(f"{path} cannot be read: {error.strerror}") from error
    # Excel's "Unicode text" is UTF-16 with tabs.
    encoding = "utf-16" if content[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    try:
        return content.decode(encoding)
    except UnicodeDecodeError as error:
        raise InvalidTestSet(
            f"{path} is not UTF-8 text; in a spreadsheet, save it as 'CSV UTF-8'"
        ) from error


def _json_rows(path: Path, text: str) -> Iterator[Row]:
    # splitlines() would also break at separators that may stand inside a JSON string.
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            value = json.loads(line)
        except json.JSONDecodeError as error:
            raise InvalidTestSet(
                f"{path}, line {number}: not JSON ({error.msg} at character {error.pos + 1})"
            ) from error
        except RecursionError as error:
            raise InvalidTestSet(f"{path}, line {number}: nested too deeply") from error
        if not isinstance(value, dict):
            raise InvalidTestSet(f"{path}, line {number}: not a JSON object")
        yield number, value


def _csv_rows(path: Path, text: str) -> Iterator[Row]:
    stated = re.match(r"sep=(.)\r?\n", text)
    text = text[stated.end() :] if stated else text
    header = text.split("\n", 1)[0]
    delimiter = stated[1] if stated else max(_DELIMITERS, key=header.count)
    csv.field_size_limit(LONGEST_CELL)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    columns: list[str] = []
    before = 1 if stated else 0
    while True:
        number = before + reader.line_num + 1
        try:
            cells = next(reader, None)
        except csv.Error as error:
            raise InvalidTestSet(f"{path}, line {number}: not CSV ({error})") from error
        if cells is None:
            return
        if not any(cell.strip() for cell in cells):
            continue
        if not columns:
            columns = _columns(path, cells)
            continue
        if len(cells) > len(columns) and any(cell.strip() for cell in cells[len(columns) :]):
            raise InvalidTestSet(
                f"{path}, line {number}: {len(cells)} cells under {len(columns)} columns;"
                " put cells that hold the separator in double quotes"
            )
        yield (
            number,
            {name: unprotect(cell) for name, cell in zip(columns, cells, strict=False) if name},
        )


def _columns(path: Path, cells: Sequence[str]) -> list[str]:
    names = [cell.strip() for cell in cells]
    named = [name for name in names if name]
    if twice := sorted({name for name in named if named.count(name) > 1}):
        raise InvalidTestSet(f"{path}, line 1: the column {twice[0]!r} stands there twice")
    return names
