"""Files that survive a kill: whole files and folders renamed into place, and SQLite caches.

Layout below the results folder: `runs/` for evaluations; `testsets/` for test sets; `cache/` for
everything that can be made again: `documents/<digest>`, `indexes/<fingerprint>`,
`corpora/<id>.json`, `embeddings.sqlite`, `captions.sqlite`. Nothing is pickled, and every key is a
SHA-256 over all that determines the value. What comes with the project is found here, too.
"""

import contextlib
import dataclasses
import functools
import hashlib
import json
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Hashable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar, cast

from sandbox.errors import SandboxError

Record = TypeVar("Record")

FORMAT = 1
"""Version stated in every file; raised when an older reader would misread a newer file."""

_PACKAGE = Path(__file__).resolve().parents[1]


class Store:
    """The layout of one results folder."""

    def __init__(self, results: str | os.PathLike[str] = "results") -> None:
        """Nothing is created until something is written."""
        self.results = Path(results)
        self.cache = self.results / "cache"
        self.testsets = self.results / "testsets"
        """Test sets that were made or imported in the app; the bundled ones lie elsewhere."""

    def document_folder(self, digest: str, version: int) -> Path:
        """Folder of one PDF's content, by the digest of its bytes and the reader's version."""
        return self.cache / "documents" / f"{digest[:24]}-{version}"

    def index_folder(self, fingerprint: str) -> Path:
        """Folder of one index."""
        return self.cache / "indexes" / fingerprint[:24]

    def corpus_file(self, corpus_id: str) -> Path:
        """File that lists the documents of one corpus."""
        return self.cache / "corpora" / f"{corpus_id}.json"

    def open_cache(self, name: str) -> "Cache":
        """The SQLite cache of that name."""
        return Cache(self.cache / f"{name}.sqlite")


class Cache:
    """Bytes by key in one SQLite file; safe to use from several processes and threads."""

    def __init__(self, path: Path) -> None:
        """Open or create.

        Raises:
            SandboxError: If the file cannot be written or is not a cache.
        """
        self.path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with self._connect() as connection:
                connection.execute(
                    "CREATE TABLE IF NOT EXISTS entries (key TEXT PRIMARY KEY, value BLOB NOT NULL)"
                )
                connection.execute(f"PRAGMA user_version = {FORMAT}")
        except (OSError, sqlite3.Error) as error:
            raise SandboxError(
                f"cannot write the cache {path}: {error}; choose another folder with --results"
            ) from error

    def get(self, keys: Sequence[str]) -> dict[str, bytes]:
        """The values of those keys that are there."""
        values: dict[str, bytes] = {}
        with self._connect() as connection:
            for start in range(0, len(keys), 500):
                batch = keys[start : start + 500]
                marks = ",".join("?" * len(batch))
                rows = connection.execute(
                    f"SELECT key, value FROM entries WHERE key IN ({marks})", batch
                )
                values.update(rows)
        return values

    def put(self, entries: Mapping[str, bytes]) -> None:
        """Add or replace entries in one transaction."""
        with self._connect() as connection:
            connection.executemany("REPLACE INTO entries VALUES (?, ?)", list(entries.items()))

    @contextlib.contextmanager
    def _connect(self) -> Iterator[sqlite3.Connection]:
        connection = sqlite3.connect(self.path, timeout=60)
        try:
            with connection:
                yield connection
        finally:
            connection.close()


def digest_of(*parts: object) -> str:
    """SHA-256 over JSON-like values, the same for equal values on every machine.

    >>> digest_of("a", {"b": 1})[:12]
    '3d6f51e1fd24'
    """
    canonical = json.dumps(parts, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(canonical.encode("utf-8", "surrogatepass")).hexdigest()


def file_digest(path: Path) -> str:
    """SHA-256 of a file's bytes, read in pieces."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def to_json(record: object) -> str:
    """A record (dataclass, list or dict of them) as one line of JSON; NaN is refused."""
    return json.dumps(record, ensure_ascii=False, allow_nan=False, default=_jsonable)


def from_json(kind: type[Record], text: str | bytes) -> Record:
    """The record of that class that `to_json` wrote.

    Raises:
        ValueError: If the text does not describe one.
    """
    record: Record = _adapter(cast(Hashable, kind)).validate_json(text)
    return record


def _jsonable(value: object) -> object:
    """A record as a dict; a field whose metadata holds an alias is stored under that name."""
    from pydantic_core import to_jsonable_python

    if dataclasses.is_dataclass(value):
        return {
            field.metadata.get("alias", field.name): getattr(value, field.name)
            for field in dataclasses.fields(value)
        }
    return to_jsonable_python(value)


@functools.cache
def _adapter(kind: Hashable) -> Any:
    """Pydantic's reader of a class, which takes milliseconds to make."""
    from pydantic import TypeAdapter

    return TypeAdapter(cast("type[Any]", kind))


def write_text(path: Path, text: str) -> None:
    """Write a whole file so that a reader sees either the old or the new content."""
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name[:40]}.")
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


@contextlib.contextmanager
def new_folder(path: Path) -> Iterator[Path]:
    """A temporary folder that becomes `path` only if the block ends without an error."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = Path(tempfile.mkdtemp(dir=path.parent, prefix=f".{path.name}."))
    try:
        yield temporary
        temporary.chmod(0o755)
        if path.exists():
            shutil.rmtree(path)
        temporary.rename(path)
    except BaseException:
        shutil.rmtree(temporary, ignore_errors=True)
        raise


def find_bundled(name: str) -> Path:
    """A bundled folder by its name at the top level: "corpora", "testsets", "results".

    In a checkout they stand there, where people look for them; a wheel carries them inside the
    package (pyproject.toml).
    """
    installed = _PACKAGE / "bundled" / name
    return installed if installed.exists() else _PACKAGE.parent / name


def copy_bundled_runs(target: Path) -> tuple[str, ...]:
    """Copy the bundled runs that a folder of runs lacks; the ids of all bundled runs.

    Labels given to the copies stay theirs.
    """
    sources = sorted(path.parent for path in find_bundled("results").glob("runs/*/run.json"))
    for source in sources:
        if not (target / source.name).exists():
            with new_folder(target / source.name) as temporary:
                shutil.copytree(source, temporary, dirs_exist_ok=True)
    return tuple(source.name for source in sources)
