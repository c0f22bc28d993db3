"""Two people's files, labels or test sets, compared with Cohen's kappa."""

from collections.abc import Callable, Sequence
from pathlib import Path

from sandbox.errors import InvalidTestSet
from sandbox.evaluation.labelling.agreement import (
    Agreement,
    measure_agreement,
    measure_label_agreement,
)
from sandbox.evaluation.labelling.files import import_labels
from sandbox.files.spreadsheets import read_rows
from sandbox.testsets.cases import TestCase
from sandbox.testsets.check import keep_letters
from sandbox.testsets.files import import_cases


def compare_files(first: Path, second: Path) -> tuple[Agreement, ...]:
    """Agreement on labels, or on what two test sets say about the same questions.

    Raises:
        InvalidTestSet: If a file cannot be read, or one holds labels and the other
            a test set.
    """
    holds_labels = [_holds_labels(path) for path in (first, second)]
    if all(holds_labels):
        ours = import_labels(first, labeller=first.stem)
        theirs = import_labels(second, labeller=second.stem)
        return (measure_label_agreement(ours, theirs),)
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


def _holds_labels(path: Path) -> bool:
    row = next(iter(read_rows(path)), (0, {}))[1]
    return "label" in row or "verdict" in row
