"""Runs on disk: results/runs/<id>/ with run.json, answers.jsonl, scores.jsonl, labels.jsonl.

Lines are appended one by one, so that a kill loses at most the one being written: a torn last line
is dropped when reading and cut off before the next is written.
"""

import contextlib
import json
import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from sandbox.errors import SandboxError
from sandbox.evaluation.runs.labels import read_labels
from sandbox.evaluation.runs.records import RUN_FORMAT, Cell, CellScore, Label, Run, Score
from sandbox.files.json_lines import append_record, cannot_write, read_records
from sandbox.files.storage import Store, copy_bundled_runs, from_json, to_json, write_text

logger = logging.getLogger(__name__)

CHATTED = "chat"
"""The evaluation to which answers belong that were judged while chatting."""

BUNDLED = "bundled"
"""Names the ablation that comes with the project, wherever it is installed."""

ANSWERS_FILE = "answers.jsonl"
SCORES_FILE = "scores.jsonl"

JUDGING_KEYS = {
    "judge": "model",
    "judge_digest": "digest",
    "judgements": "judgements",
    "rubric": "rubric",
}
"""Keys of run.json, where the judging lies flat, and the fields they hold."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _CaseOnly:
    """What it takes to know that a case was answered."""

    case: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _NamedScore:
    metric: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _MetricOnly:
    """What it takes to know that a case was scored; the rest of the line is long."""

    case: str
    score: _NamedScore


class RunFolder:
    """One run: its description, and the cells, scores and labels it has so far."""

    def __init__(self, folder: Path) -> None:
        """Open a run that is there.

        Raises:
            SandboxError: If there is none, or it cannot be read.
        """
        self.folder = folder
        self.run = _read_run(folder)

    def cells(self) -> dict[str, Cell]:
        """What was answered, by id of the test case."""
        return {cell.case: cell for cell in read_records(self.folder / ANSWERS_FILE, Cell)}

    def scores(self) -> dict[tuple[str, str], Score]:
        """What was scored, by metric and id of the test case."""
        return {
            (line.score.metric, line.case): line.score
            for line in read_records(self.folder / SCORES_FILE, CellScore)
        }

    def labels(self) -> tuple[Label, ...]:
        """What people say about the answers: the latest of each person for each cell."""
        return read_labels(self.folder)

    def add_cell(self, cell: Cell) -> None:
        """Keep an answer, or why there is none.

        Raises:
            SandboxError: If it cannot be written; the file is then as it was before.
        """
        append_record(self.folder / ANSWERS_FILE, cell)

    def add_score(self, case: str, score: Score) -> None:
        """Keep a score.

        Raises:
            SandboxError: If it cannot be written; the file is then as it was before.
        """
        line = CellScore(configuration=self.run.configuration, case=case, score=score)
        append_record(self.folder / SCORES_FILE, line)

    def is_finished(self) -> bool:
        """True if every case has its answer, or failure, and a score of every metric."""
        cases = {case.id for case in self.run.cases}
        if not cases <= {line.case for line in read_records(self.folder / ANSWERS_FILE, _CaseOnly)}:
            return False
        lines = read_records(self.folder / SCORES_FILE, _MetricOnly)
        scored = {(line.score.metric, line.case) for line in lines}
        return scored >= {(metric, case) for metric in self.run.metrics for case in cases}

    @contextlib.contextmanager
    def writing(self) -> Iterator[None]:
        """Hold the run, so that no other evaluation writes it; a kill lets go of it.

        Raises:
            SandboxError: If another evaluation holds it, it was deleted, or the disk is read-only.
        """
        from filelock import FileLock, Timeout

        if not (self.folder / "run.json").is_file():
            raise SandboxError(f"the run {self.run.id} is no longer in {self.folder}")
        lock = FileLock(self.folder / ".lock", blocking=False)
        try:
            lock.acquire()
        except Timeout as error:
            raise SandboxError(
                f"the run {self.run.id} is being written by another evaluation; wait until it "
                "has ended, or start a new one without --resume"
            ) from error
        except OSError as error:
            raise cannot_write(self.folder, error) from error
        try:
            yield
        finally:
            lock.release()


def create_run(store: Store, run: Run) -> RunFolder:
    """A new run on disk, with nothing answered yet.

    Raises:
        SandboxError: If it cannot be written.
    """
    folder = _runs(store) / run.id
    try:
        folder.mkdir(parents=True)
        write_run(folder, run)
    except OSError as error:
        with contextlib.suppress(OSError):
            folder.rmdir()
        raise cannot_write(folder, error) from error
    return RunFolder(folder)


def write_run(folder: Path, run: Run) -> None:
    """Write run.json, where the judging lies flat among the other keys."""
    described = json.loads(to_json(run))
    judging = described.pop("judging")
    flat = {key: judging[name] for key, name in JUDGING_KEYS.items()}
    write_text(folder / "run.json", to_json({**described, **flat}) + "\n")


def open_run(store: Store, id_or_path: str) -> RunFolder:
    """The run of that id, or in that folder.

    Raises:
        SandboxError: If there is none, or it cannot be read.
    """
    folder = _runs(store) / id_or_path
    if not (folder / "run.json").is_file() and (Path(id_or_path) / "run.json").is_file():
        folder = Path(id_or_path)
    if not (folder / "run.json").is_file():
        known = [known.run.id for known in list_runs(store)]
        hint = f"the newest is {known[0]}" if known else "make one with: sandbox evaluate"
        raise SandboxError(f"there is no run {id_or_path!r} in {_runs(store)}; {hint}")
    return RunFolder(folder)


def list_runs(store: Store) -> tuple[RunFolder, ...]:
    """Every run that can be read, the newest first."""
    return _list(_runs(store))


def list_evaluation(folder: RunFolder) -> tuple[RunFolder, ...]:
    """The runs that were started together with one, itself included, in the order chosen.

    A run of answers that were judged while chatting stands alone.
    """
    if folder.run.evaluation == CHATTED:
        return (folder,)
    siblings = _list(folder.folder.parent)
    together = [one for one in siblings if one.run.evaluation == folder.run.evaluation]
    return tuple(sorted(together, key=lambda one: one.run.place)) or (folder,)


def find_runs(store: Store, names: Sequence[str]) -> tuple[RunFolder, ...]:
    """The runs that names stand for, each once, in the order named.

    Args:
        store: Where to look.
        names: Ids of runs or of evaluations, the beginning of one, a run's folder, or "latest" for
            the newest evaluation, answers collected while chatting left aside, or "bundled" for the
            ablation that comes with the project (copied to the store). The runs of one evaluation
            come in the order in which its configurations were chosen.

    Raises:
        SandboxError: If a name stands for no run, or nothing is named.
    """
    if not names:
        raise SandboxError('no run is named; say "latest", or which')
    bundled = copy_bundled_runs(_runs(store)) if BUNDLED in names else ()
    known = list_runs(store)
    found: dict[Path, RunFolder] = {}
    for name in names:
        for folder in _named(known, name, bundled) or (open_run(store, name),):
            found.setdefault(folder.folder.resolve(), folder)
    return tuple(found.values())


def find_one_run(store: Store, name: str, *, config: str = "") -> RunFolder:
    """The one run that a name and a configuration stand for.

    Args:
        store: Where to look.
        name: Id of a run or an evaluation, the beginning of one, or "latest".
        config: Of an evaluation's runs, the one of this configuration.

    Raises:
        SandboxError: If there is no such run, or there are several.
    """
    found = find_runs(store, [name])
    chosen = [one for one in found if not config or one.run.configuration == config]
    if len(chosen) != 1:
        known = ", ".join(one.run.configuration for one in found)
        raise SandboxError(
            f"{name} stands for {len(found)} runs ({known}); name one, or its configuration"
        )
    return chosen[0]


def newest_unfinished(store: Store, wanted: Sequence[Run]) -> tuple[RunFolder, ...]:
    """The runs of the newest unfinished evaluation of the same plan, in the order of the plan.

    Runs have the same plan if everything but their ids, time and environment is the same. Empty
    where there is no such evaluation.
    """
    evaluations: dict[str, list[RunFolder]] = {}
    for folder in list_runs(store):
        evaluations.setdefault(folder.run.evaluation, []).append(folder)
    for folders in evaluations.values():
        by_plan = {_plan(folder.run): folder for folder in folders}
        if set(by_plan) != {_plan(run) for run in wanted}:
            continue
        if not all(folder.is_finished() for folder in folders):
            return tuple(by_plan[_plan(run)] for run in wanted)
    return ()


def _list(parent: Path) -> tuple[RunFolder, ...]:
    found = []
    for description in parent.glob("*/run.json"):
        try:
            found.append(RunFolder(description.parent))
        except SandboxError as error:
            logger.warning("%s", error)
    return tuple(sorted(found, key=lambda one: (one.run.created, one.run.id), reverse=True))


def _named(known: Sequence[RunFolder], name: str, bundled: Sequence[str] = ()) -> list[RunFolder]:
    """The runs a name stands for, in the order chosen; none where it stands for nothing."""
    if name == BUNDLED:
        named = [folder for folder in known if folder.run.id in bundled]
    elif name == "latest":
        evaluations = (folder.run.evaluation for folder in known)
        named = _matching(known, next((id for id in evaluations if id != CHATTED), name))
    else:
        named = _matching(known, name)
    return sorted(named, key=lambda folder: folder.run.place)


def _matching(known: Sequence[RunFolder], name: str) -> list[RunFolder]:
    """By exact id of a run, of an evaluation, then by the beginning of either."""
    matching = (
        [folder for folder in known if folder.run.id == name]
        or [folder for folder in known if folder.run.evaluation == name]
        or [folder for folder in known if name and folder.run.id.startswith(name)]
    )
    evaluations = sorted({folder.run.evaluation for folder in matching})
    if len(evaluations) > 1:
        several = ", ".join(evaluations)
        raise SandboxError(f"{name!r} begins several evaluations: {several}; write more of it")
    return matching


def _plan(run: Run) -> str:
    return to_json(
        [
            run.config,
            run.corpus_digest,
            run.test_set_digest,
            sorted(run.metrics),
            run.judging,
            sorted(run.models.items()),
        ]
    )


def _runs(store: Store) -> Path:
    return store.results / "runs"


def _read_run(folder: Path) -> Run:
    path = folder / "run.json"
    try:
        run = _run_of(path.read_bytes())
    except OSError as error:
        raise SandboxError(f"the run in {folder} cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise SandboxError(f"{path} does not describe a run of this version") from error
    if run.format > RUN_FORMAT:
        raise SandboxError(
            f"the run {run.id} has format {run.format}, this version reads up to {RUN_FORMAT}; "
            "install a newer rag-sandbox"
        )
    return run


def _run_of(text: bytes) -> Run:
    """The run that `write_run` described.

    Raises:
        ValueError: If the text describes none.
    """
    described = json.loads(text)
    if not isinstance(described, dict):
        raise ValueError("not an object")
    described["judging"] = {
        name: described.pop(key) for key, name in JUDGING_KEYS.items() if key in described
    }
    return from_json(Run, json.dumps(described))
