"""What a label of an imported answer may look like: words, 1 and 0, or a grade with a cut.

Leaves out the rest of the row.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from sandbox.errors import ConfigError, InvalidTestSet
from sandbox.evaluation.runs.labels import read_label
from sandbox.evaluation.runs.records import Right
from sandbox.evaluation.trust.import_values import is_missing, number


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadLabels:
    """The verdicts of the rows, in their order."""

    verdicts: tuple[Right | None, ...]
    warnings: tuple[str, ...] = ()


def read_labels(
    path: Path, labels: Sequence[tuple[int, object]], *, cut: float | None
) -> ReadLabels:
    """The verdict of each label; ``None`` where a row has none.

    Args:
        path: The file, for messages.
        labels: Line and label of each row.
        cut: For grades: right from this grade on.

    Raises:
        InvalidTestSet: If a label is neither a word nor a number.
        ConfigError: If labels are grades and no cut is given.
    """
    grades = sorted({grade for _, label in labels if (grade := _grade(label)) is not None})
    if cut is None and any(grade not in (0, 1) for grade in grades):
        raise ConfigError(
            f"the labels of {path} are grades from {grades[0]:g} to {grades[-1]:g}; say from which"
            " one on an answer is right, for example --cut"
            f" {grades[len(grades) // 2]:g}"
        )
    warnings = []
    if cut is not None and grades and not grades[0] < cut <= grades[-1]:
        side = "wrong" if cut > grades[-1] else "right"
        warnings.append(
            f"the cut {cut:g} makes every answer {side}: grades go from {grades[0]:g} to"
            f" {grades[-1]:g}"
        )
    verdicts = tuple(_verdict(path, line, label, cut=cut) for line, label in labels)
    lacking = verdicts.count(None)
    if lacking:
        warnings.append(f"{lacking} rows have no label")
    return ReadLabels(verdicts=verdicts, warnings=tuple(warnings))


def _grade(label: object) -> float | None:
    return None if isinstance(label, bool) else number(label)


def _verdict(path: Path, line: int, label: object, *, cut: float | None) -> Right | None:
    grade = _grade(label)
    if grade is not None:
        return "right" if grade >= (1 if cut is None else cut) else "wrong"
    if is_missing(label):
        return None
    value = read_label(label)
    if value is None:
        raise InvalidTestSet(
            f"{path}, line {line}: the label {str(label)[:40]!r} is neither right, wrong, unsure,"
            " 1, 0, true, false nor a number"
        )
    return value
