"""Past runs: a line for each, its name and note, the newest evaluation, and deleting a run.

A name and a note stand in about.json beside the run, which itself is never changed.
"""

import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from sandbox.config import PRESETS
from sandbox.errors import SandboxError
from sandbox.evaluation.runs.folder import CHATTED, RunFolder, list_runs
from sandbox.evaluation.runs.read import RunView, read_run
from sandbox.evaluation.runs.records import Run
from sandbox.files.json_lines import cannot_write
from sandbox.files.storage import Store, from_json, to_json, write_text

ABOUT_FILE = "about.json"
ABOUT_FORMAT = 1
LONGEST_NAME = 80
LONGEST_NOTE = 5000


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
