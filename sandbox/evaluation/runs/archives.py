"""A run as one zip file, and back: nothing is written before all of it was checked.

An archive may come from anyone, so names, kinds and sizes of its members are not trusted. Documents
and their figures are not in it; they stay where they were read.
"""

import os
import re
import shutil
import stat
import tempfile
import zipfile
import zlib
from pathlib import Path, PurePosixPath

from sandbox.errors import SandboxError
from sandbox.evaluation.runs.folder import RunFolder
from sandbox.evaluation.runs.history import ABOUT_FILE
from sandbox.evaluation.runs.labels import LABELS_FILE
from sandbox.evaluation.runs.records import Cell, CellScore
from sandbox.files.json_lines import cannot_write, read_records
from sandbox.files.storage import Store

DESCRIPTION = "run.json"
LINES = ("answers.jsonl", "scores.jsonl", LABELS_FILE)
MEMBERS = (DESCRIPTION, *LINES, ABOUT_FILE)
LARGEST_MEMBER = 256 * 1024**2
LARGEST_SMALL = 64 * 1024**2
"""Of run.json and about.json, which are read as a whole."""

_PIECE = 1024**2
_ID = re.compile(r"[A-Za-z0-9_+=][A-Za-z0-9_.+=-]{0,149}")


def export_run(folder: RunFolder, target: Path) -> Path:
    """Write a run to one zip file, complete lines only; an existing file is replaced.

    Raises:
        SandboxError: If it cannot be written.
    """
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        descriptor, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name[:40]}.")
    except OSError as error:
        raise cannot_write(target, error) from error
    try:
        with os.fdopen(descriptor, "wb") as file, zipfile.ZipFile(file, "w") as archive:
            for member in MEMBERS:
                path = folder.folder / member
                if path.is_file():
                    _add(archive, f"{folder.run.id}/{member}", path)
        Path(name).chmod(0o644)
        Path(name).replace(target)
    except OSError as error:
        raise cannot_write(target, error) from error
    finally:
        Path(name).unlink(missing_ok=True)
    return target


def import_run(store: Store, source: Path) -> RunFolder:
    """Take over a run from a zip file that `export_run` wrote.

    Raises:
        SandboxError: If the file is no such archive, is too large, holds anything else than one
            run, or the run is there already.
    """
    try:
        store.results.mkdir(parents=True, exist_ok=True)
        unpacked = Path(tempfile.mkdtemp(dir=store.results, prefix=".import-"))
    except OSError as error:
        raise cannot_write(store.results, error) from error
    try:
        _unpack(source, unpacked)
        found = _checked(unpacked, source)
        target = store.results / "runs" / found.run.id
        if target.exists():
            raise SandboxError(f"the run {found.run.id} is there already; delete it first")
        unpacked.chmod(0o755)
        target.parent.mkdir(exist_ok=True)
        unpacked.rename(target)
    except OSError as error:
        raise cannot_write(store.results, error) from error
    finally:
        shutil.rmtree(unpacked, ignore_errors=True)
    return RunFolder(target)


def _add(archive: zipfile.ZipFile, name: str, path: Path) -> None:
    content = path.read_bytes()
    if path.name in LINES:
        content = content[: content.rfind(b"\n") + 1]  # a run may be being written
    info = zipfile.ZipInfo(name)  # a fixed date: equal runs make equal files
    info.compress_type = zipfile.ZIP_DEFLATED
    info.external_attr = 0o644 << 16
    archive.writestr(info, content)


def _unpack(source: Path, folder: Path) -> None:
    try:
        with zipfile.ZipFile(source) as archive:
            for name, info in _members(archive, source).items():
                _copy(archive, info, folder / name, source)
    except FileNotFoundError as error:
        raise SandboxError(f"there is no file {source}") from error
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, EOFError) as error:
        # RuntimeError and NotImplementedError: encrypted, or packed by an unknown method
        raise SandboxError(f"{source} is no zip file that can be read: {error}") from error


def _members(archive: zipfile.ZipFile, source: Path) -> dict[str, zipfile.ZipInfo]:
    """What is to be unpacked, by file name; anything unexpected refuses the whole archive."""
    found: dict[str, zipfile.ZipInfo] = {}
    folders = set()
    for info in archive.infolist():
        path = PurePosixPath(info.filename)
        if info.is_dir() and len(path.parts) == 1 and path.name not in ("..", "/"):
            continue
        mode = info.external_attr >> 16
        plain = not mode or stat.S_ISREG(mode) or not stat.S_IFMT(mode)
        if len(path.parts) != 2 or ".." in path.parts or path.name not in MEMBERS or not plain:
            raise SandboxError(
                f"{source} holds {info.filename[:80]!r}, which is no part of a run; nothing was"
                " unpacked"
            )
        if path.name in found:
            raise SandboxError(f"{source} holds {path.name} twice; nothing was unpacked")
        folders.add(path.parts[0])
        found[path.name] = info
    if DESCRIPTION not in found or len(folders) != 1:
        raise SandboxError(f"{source} holds no run, or several; export one run at a time")
    return found


def _copy(archive: zipfile.ZipFile, info: zipfile.ZipInfo, target: Path, source: Path) -> None:
    """Unpack one member; the size that the archive states is not believed."""
    limit = LARGEST_MEMBER if target.name in LINES else LARGEST_SMALL
    written = 0
    with archive.open(info) as packed, target.open("xb") as file:
        while piece := packed.read(_PIECE):
            written += len(piece)
            if written > limit:
                raise SandboxError(
                    f"{info.filename} in {source} unpacks to more than {limit // 1024**2} MB;"
                    " nothing was taken over"
                )
            file.write(piece)


def _checked(folder: Path, source: Path) -> RunFolder:
    """The unpacked run, every line of it read once.

    Raises:
        SandboxError: If a part is malformed.
    """
    try:
        found = RunFolder(folder)
        known = {case.id for case in found.run.cases}
        lines: list[Cell | CellScore] = [
            *read_records(folder / "answers.jsonl", Cell),
            *read_records(folder / "scores.jsonl", CellScore),
        ]
        found.labels()
    except SandboxError as error:
        said = str(error).replace(str(folder), str(source))
        raise SandboxError(f"nothing was taken over: {said}") from error
    if not isinstance(found.run.config.get("name"), str):
        raise SandboxError(f"the configuration of the run in {source} has no name")
    if not _ID.fullmatch(found.run.id):
        raise SandboxError(f"the id {found.run.id[:80]!r} of the run in {source} is no folder name")
    if strange := [line.case for line in lines if line.case not in known]:
        raise SandboxError(f"{source} answers a case that its run does not hold: {strange[0]!r}")
    return found
