"""Files of labels, as JSON Lines or CSV: exported, imported, compared; and graded examples.

Columns: configuration, case, label (right, wrong, unsure; also 1 and 0), labeller. A run keeps its
own labels elsewhere (runs/labels.py). A graded example shows the judge what counts as right before
it is asked; a file of them has RAGAS's field names and a label.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from sandbox.errors import InvalidTestSet
from sandbox.evaluation.labelling.agreement import (
    Agreement,
    measure_agreement,
    measure_label_agreement,
)
from sandbox.evaluation.runs.labels import new_label, read_label
from sandbox.evaluation.runs.records import GradedExample, Label, LabelSource, Right
from sandbox.files.spreadsheets import read_rows, write_csv
from sandbox.files.storage import write_text
from sandbox.testsets.cases import TestCase
from sandbox.testsets.check import keep_letters
from sandbox.testsets.files import import_cases

COLUMNS = ("configuration", "case", "label", "labeller", "source", "time")
EXAMPLE_FIELDS = ("user_input", "response", "reference", "retrieved_contexts", "label")


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


def compare_files(first: Path, second: Path) -> tuple[Agreement, ...]:
    """Agreement on labels, or on what two test sets say about the same questions.

    Raises:
        InvalidTestSet: If a file cannot be read, or one holds labels and the other
            a test set.
    """
    holds_labels = [_holds_labels(path) for path in (first, second)]
    if all(holds_labels):
        return (measure_label_agreement(*map(_labels_by_answer, (first, second))),)
    if any(holds_labels):
        raise InvalidTestSet(
            f"{first} and {second} are of two kinds; compare labels with labels or references with"
            " references"
        )
    return compare_references(import_cases(first).cases, import_cases(second).cases)


def compare_references(
    first: Sequence[TestCase], second: Sequence[TestCase]
) -> tuple[Agreement, ...]:
    """Agreement on the cases of equal id; two references agree if only their writing differs.

    With the reference itself as the class, agreement by chance is small: a reference is seldom the
    same for two questions.
    """
    theirs = {case.id: case for case in second}
    both = [(case, theirs[case.id]) for case in first if case.id in theirs]
    aspects: dict[str, Callable[[TestCase], str]] = {
        "reference": lambda case: keep_letters(case.reference),
        "answerable": lambda case: str(case.answerable),
        "source": lambda case: case.source,
        "relevant pages": lambda case: str(sorted(case.relevant_pages)),
    }
    return tuple(
        measure_agreement(
            aspect,
            [case.id for case, _ in both],
            [kind(case) for case, _ in both],
            [kind(other) for _, other in both],
        )
        for aspect, kind in aspects.items()
    )


def read_rubric(path: Path) -> tuple[GradedExample, ...]:
    """The examples of a file, in its order.

    Raises:
        InvalidTestSet: If the file cannot be read or holds none, or a line is no graded example;
            the message names file and line.
    """
    found = []
    for number, row in read_rows(path):
        try:
            found.append(_example(row))
        except ValueError as error:
            raise InvalidTestSet(f"{path}, line {number}: {error}") from error
    if not found:
        raise InvalidTestSet(f"{path} holds no graded example; write one a line")
    return tuple(found)


def _labels_by_answer(path: Path) -> dict[tuple[str, str], Right]:
    labels = import_labels(path, labeller=path.stem)
    return {(label.configuration, label.case): label.value for label in labels}


def _holds_labels(path: Path) -> bool:
    row = next(iter(read_rows(path)), (0, {}))[1]
    return "label" in row or "verdict" in row


def _example(row: Mapping[str, object]) -> GradedExample:
    if unknown := sorted(row.keys() - set(EXAMPLE_FIELDS)):
        raise ValueError(
            f"unknown field {unknown[0]!r}; an example has {', '.join(EXAMPLE_FIELDS)}"
        )
    label = read_label(row.get("label", ""))
    if label not in ("right", "wrong"):
        raise ValueError("label must be right or wrong, or 1 or 0")
    texts = {name: _text(row, name) for name in ("user_input", "response", "reference")}
    if missing := [name for name in ("user_input", "response") if not texts[name]]:
        raise ValueError(f"{missing[0]} is empty")
    return GradedExample(
        **texts, right=label == "right", retrieved_contexts=_contexts(row.get("retrieved_contexts"))
    )


def _text(row: Mapping[str, object], name: str) -> str:
    value = row.get(name)
    if value is not None and not isinstance(value, str):
        raise ValueError(f"{name} must be text, not {value!r:.60}")
    return (value or "").strip()


def _contexts(value: object) -> tuple[str, ...]:
    """A list of texts; a cell of a spreadsheet is one text."""
    texts = [value] if isinstance(value, str) else value if value is not None else []
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise ValueError("retrieved_contexts must be a list of texts")
    return tuple(text for text in texts if text.strip())
