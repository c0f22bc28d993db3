"""The labels of a run: labels.jsonl, to which lines are only ever added.

A later label of the same person replaces an earlier one of the same cell; an undo takes back that
person's last label, so that the one before counts again. Which label counts where people disagree
is decided here, once, by `label_of`.
"""

import datetime
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sandbox.evaluation.runs.records import Label, LabelSource, Right
from sandbox.files.json_lines import append_record, append_records, read_records

LABELS_FILE = "labels.jsonl"
LABEL_WORDS: Mapping[str, Right] = {
    **dict.fromkeys(("right", "correct", "true", "yes", "1"), "right"),
    **dict.fromkeys(("wrong", "incorrect", "false", "no", "0"), "wrong"),
    "unsure": "unsure",
}
"""What people write in files for right and wrong."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Undo:
    """A line that takes back the last label of a person that still counts."""

    undo: str
    """The labeller."""

    time: str


def new_label(
    configuration: str,
    case: str,
    value: Right,
    *,
    labeller: str,
    source: LabelSource = "person",
) -> Label:
    """A label given now."""
    return Label(
        configuration=configuration,
        case=case,
        value=value,
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
    mine = [label for label in _not_undone(run_folder) if label.labeller == labeller]
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
    for label in _not_undone(run_folder):
        cell = (label.configuration, label.case, label.labeller)
        latest.pop(cell, None)
        latest[cell] = label
    return tuple(latest.values())


def read_label(written: object) -> Right | None:
    """The label that a word of a file stands for; ``None`` for any other word.

    >>> read_label("Correct"), read_label(0), read_label("perhaps")
    ('right', 'wrong', None)
    """
    return LABEL_WORDS.get(str(written).strip().lower())


def labels_that_count(labels: Sequence[Label]) -> tuple[Label, ...]:
    """Of the labels of one answer, those that people gave; accepted suggestions if nobody did."""
    people = tuple(label for label in labels if label.source == "person")
    return people or tuple(labels)


def label_of(labels: Sequence[Label]) -> Right | None:
    """What the labels of one answer say: the majority of those that count; ``None`` without any."""
    return majority([label.value for label in labels_that_count(labels)])


def majority(values: Iterable[Right]) -> Right | None:
    """What most people say; "unsure" where right and wrong are equally frequent.

    People who are unsure do not vote, unless all are.
    """
    votes = Counter(values)
    if not votes:
        return None
    if votes["right"] == votes["wrong"]:
        return "unsure"
    return "right" if votes["right"] > votes["wrong"] else "wrong"


def _not_undone(run_folder: Path) -> list[Label]:
    """Every label that was not taken back, in order."""
    kind: Any = Label | Undo
    lines: list[Label | Undo] = read_records(run_folder / LABELS_FILE, kind)
    labels: list[Label] = []
    for line in lines:
        if isinstance(line, Label):
            labels.append(line)
            continue
        mine = [position for position, label in enumerate(labels) if label.labeller == line.undo]
        if mine:
            del labels[mine[-1]]
    return labels


def _now() -> str:
    return datetime.datetime.now().astimezone().isoformat(timespec="seconds")
