"""Past runs: a line for each, with a name and a note; deleted, exported to one zip file, imported.

A name and a note stand in about.json beside the run, which itself is never changed. An archive may
come from anyone, so names, kinds and sizes of its members are not trusted, and nothing is written
before all of it was checked. Documents and their figures are not in it.
"""

import os
import re
import shutil
import stat
import tempfile
import zipfile
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from sandbox.config import PRESETS
from sandbox.errors import SandboxError
from sandbox.evaluation.runs.folder import CHATTED, RunFolder, list_runs
from sandbox.evaluation.runs.labels import LABELS_FILE
from sandbox.evaluation.runs.read import RunView, read_run
from sandbox.evaluation.runs.records import Cell, CellScore, Run
from sandbox.files.json_lines import cannot_write, read_records
from sandbox.files.storage import Store, from_json, to_json, write_text

ABOUT_FILE = "about.json"
ABOUT_FORMAT = 1
LONGEST_NAME = 80
LONGEST_NOTE = 5000

DESCRIPTION = "run.json"
LINES = ("answers.jsonl", "scores.jsonl", LABELS_FILE)
MEMBERS = (DESCRIPTION, *LINES, ABOUT_FILE)
LARGEST_MEMBER = 256 * 1024**2
LARGEST_SMALL = 64 * 1024**2
"""Of run.json and about.json, which are read as a whole."""

_PIECE = 1024**2
_ID = re.compile(r"[A-Za-z0-9_+=][A-Za-z0-9_.+=-]{0,149}")


@dataclass(frozen=True, slots=True, kw_only=True)
class About:
    """What a person says about a run."""

    name: str = ""
    """Shown in place of its id; empty where nobody gave one."""

    note: str = ""
    format: int = ABOUT_FORMAT


@dataclass(frozen=True, slots=True, kw_only=True)
class PastRun:
    """A run as a list shows it."""

    run: Run
    about: About
    answered: int
    """Cases with an answer."""

    finished: bool
    right: int
    wrong: int
    """Answers labelled so, by people or as accepted suggestions."""

    headline: str
    """Its result in a few words."""

    @property
    def name(self) -> str:
        """As a person calls it, else its id."""
        return self.about.name or self.run.id

    @property
    def is_chat(self) -> bool:
        """True for answers that were judged while chatting."""
        return self.run.evaluation == CHATTED


def history(store: Store) -> tuple[PastRun, ...]:
    """Every run that can be read, the newest first."""
    return tuple(past_run(folder) for folder in list_runs(store))


def past_run(folder: RunFolder) -> PastRun:
    """A run as a list shows it."""
    read = read_run(folder, with_scores=False)
    labels = [cell.label for cell in read.cells.values()]
    past = PastRun(
        run=folder.run,
        about=read_about(folder),
        answered=sum(cell.answer is not None for cell in read.cells.values()),
        finished=folder.is_finished(),
        right=labels.count("right"),
        wrong=labels.count("wrong"),
        headline="",
    )
    return replace(past, headline=_headline(past, read, folder))


def newest_evaluation(past: Sequence[PastRun]) -> tuple[str, ...]:
    """Ids of the runs of the newest evaluation, presets in their order; chats are none.

    A single run comes with the evaluation before on the same corpus and test set.
    """
    measured = [one.run for one in past if not one.is_chat]
    if not measured:
        return ()
    newest = measured[0]
    found = [run for run in measured if run.evaluation == newest.evaluation]
    if len(found) == 1:
        alike = [
            run
            for run in measured
            if run.evaluation != newest.evaluation
            and (run.corpus, run.test_set) == (newest.corpus, newest.test_set)
        ]
        found += [run for run in alike if run.evaluation == alike[0].evaluation]
    ordered = sorted(found, key=lambda run: (preset_position(run.configuration), run.created))
    return tuple(run.id for run in ordered)


def preset_position(configuration: str) -> tuple[int, str]:
    """Presets in their order, then the others by name."""
    order = list(PRESETS)
    return (order.index(configuration) if configuration in order else len(order), configuration)


def read_about(folder: RunFolder) -> About:
    """What a person says about a run; nothing where that cannot be read."""
    try:
        return from_json(About, (folder.folder / ABOUT_FILE).read_bytes())
    except (OSError, ValueError):
        return About()


def rename_run(folder: RunFolder, name: str) -> About:
    """Give a run a name; its id stays what it is. An empty name takes it away.

    Raises:
        SandboxError: If the name is too long or has several lines, or cannot be written.
    """
    stripped = name.strip()
    if len(stripped) > LONGEST_NAME or not stripped.isprintable():
        raise SandboxError(f"a name is one line of up to {LONGEST_NAME} characters")
    return _write_about(folder, replace(read_about(folder), name=stripped))


def note_run(folder: RunFolder, note: str) -> About:
    """Keep a note with a run, in place of the one before.

    Raises:
        SandboxError: If it is too long, or cannot be written.
    """
    if len(note) > LONGEST_NOTE:
        raise SandboxError(f"a note has up to {LONGEST_NOTE} characters, not {len(note)}")
    return _write_about(folder, replace(read_about(folder), note=note.strip()))


def delete_question(folder: RunFolder) -> str:
    """What is lost, to be shown before a run's id is asked for as confirmation."""
    past = past_run(folder)
    labels = len(folder.labels())
    return (
        f"{past.name}: {past.answered} answers, {len(folder.scores())} scores and {labels} labels"
        " would be deleted for good"
    )


def delete_run(store: Store, folder: RunFolder, *, confirmation: str) -> None:
    """Delete a run with its labels, once its id was repeated.

    Args:
        store: Where it lies.
        folder: The run.
        confirmation: Its id, as the person who was asked wrote it.

    Raises:
        SandboxError: If the id is another, the run lies elsewhere, or an evaluation writes it.
    """
    if confirmation.strip() != folder.run.id:
        raise SandboxError(f"nothing was deleted: to delete the run, write its id, {folder.run.id}")
    if folder.folder.resolve().parent != (store.results / "runs").resolve():
        raise SandboxError(f"{folder.folder} lies outside of {store.results}; delete it by hand")
    with folder.writing():
        pass  # nobody writes it; Windows renames no folder with an open file in it
    try:
        # Gone at once for every reader, also if removing the files is interrupted.
        grave = Path(tempfile.mkdtemp(dir=store.results, prefix=".deleted-"))
        folder.folder.rename(grave / folder.run.id)
    except OSError as error:
        raise cannot_write(folder.folder, error) from error
    shutil.rmtree(grave, ignore_errors=True)


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


def _write_about(folder: RunFolder, about: About) -> About:
    try:
        write_text(folder.folder / ABOUT_FILE, to_json(about) + "\n")
    except OSError as error:
        raise cannot_write(folder.folder / ABOUT_FILE, error) from error
    return about


def _headline(past: PastRun, read: RunView, folder: RunFolder) -> str:
    """Labels first, then what accepted answers suggest, then a mean; how far it came where not."""
    progress = "" if past.finished else f"{past.answered} of {len(past.run.cases)} answered; "
    if past.right + past.wrong:
        return f"{progress}{past.right} right of {past.right + past.wrong} labelled"
    right, wrong = read.counts["right"], read.counts["wrong"]
    if right + wrong:
        return f"{progress}{right} right of {right + wrong}, as suggested"
    for metric in read_run(folder).summary.metrics:
        if metric.mean is not None:
            return f"{progress}{metric.metric} {metric.mean:.2f}, {metric.scored} scored"
    return f"{progress}nothing scored yet"


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
