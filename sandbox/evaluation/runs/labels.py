"""The labels of a run: labels.jsonl, to which lines are only ever added.

A later label of the same person replaces an earlier one of the same cell; an undo takes back that
person's last label, so that the one before counts again. Leaves out suggestions and statistics.
"""

import datetime
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sandbox.evaluation.runs.records import Label, LabelSource, Right
from sandbox.files.json_lines import append_record, append_records, read_records

LABELS_FILE = "labels.jsonl"


@dataclass(frozen=True, slots=True, kw_only=True)
class Undo:
    """A line that takes back the last label of a person that still counts."""

    undo: str
    """The labeller."""

    time: str


def new_label(
    configuration: str,
    case: str,
    verdict: Right,
    *,
    labeller: str,
    source: LabelSource = "person",
) -> Label:
    """A label given now."""
    return Label(
        configuration=configuration,
        case=case,
        verdict=verdict,
        labeller=labeller,
        source=source,
        time=_now(),
    )


def add_labels(run_folder: Path, labels: Sequence[Label]) -> None:
    """Append labels to those of a run, all or none.

    Raises:
        SandboxError: If they cannot be written.
    """
    append_records(run_folder / LABELS_FILE, labels)


def undo_label(run_folder: Path, labeller: str) -> Label | None:
    """Take back a person's last label and return it; ``None`` if there is none."""
    mine = [label for label in _standing(_lines(run_folder)) if label.labeller == labeller]
    if not mine:
        return None
    append_record(run_folder / LABELS_FILE, Undo(undo=labeller, time=_now()))
    return mine[-1]


def read_labels(run_folder: Path) -> tuple[Label, ...]:
    """The labels that count: the latest of each person for each cell, oldest first.

    Raises:
        SandboxError: If a line that is not the last cannot be read.
    """
    latest: dict[tuple[str, str, str], Label] = {}
    for label in _standing(_lines(run_folder)):
        cell = (label.configuration, label.case, label.labeller)
        latest.pop(cell, None)
        latest[cell] = label
    return tuple(latest.values())


def majority(labels: Sequence[Label]) -> Right | None:
    """What most people say; "unsure" where right and wrong are equally frequent.

    People who are unsure do not vote, unless all are.
    """
    votes = Counter(label.verdict for label in labels)
    if not votes:
        return None
    if votes["right"] == votes["wrong"]:
        return "unsure"
    return "right" if votes["right"] > votes["wrong"] else "wrong"


def by_labeller(labels: Sequence[Label]) -> dict[str, tuple[Label, ...]]:
    """The labels of each person."""
    found: dict[str, tuple[Label, ...]] = {}
    for label in labels:
        found[label.labeller] = (*found.get(label.labeller, ()), label)
    return found


def _standing(lines: Sequence[Label | Undo]) -> list[Label]:
    """Every label that was not taken back, in order."""
    standing: list[Label] = []
    for line in lines:
        if isinstance(line, Label):
            standing.append(line)
            continue
        mine = [place for place, label in enumerate(standing) if label.labeller == line.undo]
        if mine:
            del standing[mine[-1]]
    return standing


def _lines(run_folder: Path) -> list[Label | Undo]:
    kind: Any = Label | Undo
    return read_records(run_folder / LABELS_FILE, kind)


def _now() -> str:
    return datetime.datetime.now().astimezone().isoformat(timespec="seconds")
