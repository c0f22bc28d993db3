"""JSON Lines files of records to which several programs may add, and which survive a kill."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import IO, TypeVar

from sandbox.errors import SandboxError
from sandbox.files.storage import from_json, to_json

Record = TypeVar("Record")

LOCK_FILE = ".append.lock"
"""Stands beside the files; who holds it may add lines. The system lets go of it after a kill."""


def read_records(path: Path, kind: type[Record]) -> list[Record]:
    """The records of a file, in order; a torn last line is dropped, a missing file is empty.

    Raises:
        SandboxError: If another line is not such a record; the message names file and line.
    """
    if not path.exists():
        return []
    complete = path.read_bytes().split(b"\n")[:-1]
    records = []
    for number, line in enumerate(complete, start=1):
        try:
            records.append(from_json(kind, line))
        except ValueError as error:
            raise SandboxError(
                f"line {number} of {path} cannot be read; delete the line to go on without it"
            ) from error
    return records


def append_record(path: Path, record: object) -> None:
    """Add one line and hand it to the system; a torn last line is cut off first.

    Raises:
        SandboxError: If it cannot be written; the file is then as it was before.
    """
    append_records(path, [record])


def append_records(path: Path, records: Sequence[object]) -> None:
    """Add several lines, all or none.

    Raises:
        SandboxError: If they cannot be written; the file is then as it was before.
    """
    from filelock import FileLock

    # Half a surrogate pair, as a cut reply can hold, has no UTF-8 form.
    text = "".join(to_json(record) + "\n" for record in records).encode("utf-8", "replace")
    try:
        # Opened first: filelock would create the folder of a run that was deleted meanwhile.
        with path.open("a+b", buffering=0) as file, FileLock(path.with_name(LOCK_FILE)):
            _append_whole(file, text)
    except OSError as error:
        raise cannot_write(path, error) from error


def _append_whole(file: IO[bytes], text: bytes) -> None:
    file.seek(0)
    end = _end_of_last_line(file)
    file.truncate(end)
    written = 0
    try:
        while written < len(text):
            written += file.write(text[written:])
    finally:
        if written < len(text):
            file.truncate(end)


def _end_of_last_line(file: IO[bytes]) -> int:
    size = file.seek(0, os.SEEK_END)
    if size == 0:
        return 0
    file.seek(size - 1)
    if file.read(1) == b"\n":
        return size
    file.seek(0)
    return file.read().rfind(b"\n") + 1


def cannot_write(path: Path, error: OSError) -> SandboxError:
    """The error for a disk that is full or read-only."""
    return SandboxError(
        f"cannot write {path}: {error.strerror}; make room or choose another folder with "
        "--results, then go on with --resume"
    )
