"""Labels as JSON Lines or CSV, to take along or to bring from a second person.

Columns: configuration, case, label (right, wrong, unsure; also 1 and 0), labeller. Leaves out where
a run keeps its labels.
"""

import json
from collections.abc import Sequence
from pathlib import Path

from sandbox.errors import InvalidTestSet
from sandbox.evaluation.runs.labels import new_label, read_label
from sandbox.evaluation.runs.records import Label, LabelSource
from sandbox.files.spreadsheets import read_rows, write_csv
from sandbox.files.storage import write_text

COLUMNS = ("configuration", "case", "label", "labeller", "source", "time")


def export_labels(labels: Sequence[Label], path: Path) -> None:
    """Write labels to a .jsonl or .csv file.

    Raises:
        InvalidTestSet: If the ending is another, or the file cannot be written.
    """
    rows = [
        {
            "configuration": label.configuration,
            "case": label.case,
            "label": label.value,
            "labeller": label.labeller,
            "source": label.source,
            "time": label.time,
        }
        for label in labels
    ]
    if path.suffix == ".jsonl":
        text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    elif path.suffix == ".csv":
        text = write_csv(COLUMNS, rows)
    else:
        raise InvalidTestSet(f"{path} must end in .jsonl or .csv")
    try:
        write_text(path, text)
    except OSError as error:
        raise InvalidTestSet(f"cannot write {path}: {error.strerror}") from error


def import_labels(path: Path, *, labeller: str = "") -> tuple[Label, ...]:
    """The labels of a file.

    Args:
        path: A .jsonl or .csv file.
        labeller: Who gave them, where the file does not say.

    Raises:
        InvalidTestSet: If the file or a line is not readable; the message names file and line.
    """
    found = []
    for number, row in read_rows(path):
        value = read_label(row.get("label", row.get("verdict", "")))
        if value is None:
            raise InvalidTestSet(f"{path}, line {number}: label must be right, wrong or unsure")
        case, who = str(row.get("case", "")), str(row.get("labeller") or labeller)
        if not case or not who:
            raise InvalidTestSet(
                f"{path}, line {number}: {'labeller' if case else 'case'} is empty"
            )
        configuration = str(row.get("configuration", ""))
        accepted = row.get("source") == "accepted suggestion"
        source: LabelSource = "accepted suggestion" if accepted else "person"
        found.append(new_label(configuration, case, value, labeller=who, source=source))
    return tuple(found)
