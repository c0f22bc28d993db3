"""Answers from any other system, with labels and scores, as JSON Lines or CSV.

Columns: user_input, retrieved_contexts, response, reference, label; `case` groups answers to one
question, `configuration` names the system, every other column of numbers is a metric. A label is a
word, 1 or 0, or a grade with a cut. How contexts and numbers are written: import_values.py.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from sandbox.errors import ConfigError, InvalidTestSet
from sandbox.evaluation.runs.labels import majority, read_label
from sandbox.evaluation.runs.records import MetricKey, Right, Sample, Score
from sandbox.evaluation.trust.import_values import (
    is_column_of_numbers,
    is_missing,
    number,
    text,
    texts,
    turns,
)
from sandbox.evaluation.trust.records import CellSet, TrustCell
from sandbox.files.spreadsheets import read_rows
from sandbox.text.languages import detect_language

ALIASES = {
    "question": "user_input",
    "query": "user_input",
    "contexts": "retrieved_contexts",
    "answer": "response",
    "ground_truth": "reference",
    "ground_truths": "reference",
    "reference_answer": "reference",
    "expected_answer": "reference",
    "gold": "reference",
    "golden_answer": "reference",
    "verdict": "label",
    "human": "label",
    "human_label": "label",
    "system": "configuration",
    "config": "configuration",
    "model": "configuration",
}
"""Names of RAGAS before 0.2, and others that are common."""

TEXTS = ("user_input", "retrieved_contexts", "response", "reference", "label")
KNOWN = (*TEXTS, "case", "configuration", "id", "index", "unnamed: 0", "labeller", "source", "time")
"""Columns that are no metric even if they hold numbers; "Unnamed: 0" is pandas' row number."""

Row = tuple[int, dict[str, Any]]


def read_answers(path: Path, *, cut: float | None = None, limit: int | None = None) -> CellSet:
    """The answers of a file as cells.

    Args:
        path: A .jsonl, .csv or .tsv file.
        cut: For labels that are grades: an answer is right from this grade on.
        limit: Take so many cases, the first ones, with all their answers.

    Raises:
        InvalidTestSet: If the file cannot be read, or a column it needs is not there.
        ConfigError: If labels are grades and no cut is given, or the limit is below 1.
    """
    if limit is not None and limit < 1:
        raise ConfigError(f"limit is {limit}; choose a number from 1")
    rows = [(number, _rename_columns(row)) for number, row in read_rows(path)]
    _require_columns(path, rows)
    unique = _drop_duplicates(rows)
    chosen = _take_cases(unique, limit)
    labels, doubts = read_labels(path, [(line, row.get("label")) for line, row in chosen], cut=cut)
    metrics, ignored = _split_columns(chosen)
    cells = [
        _make_cell(line, row, label, metrics)
        for (line, row), label in zip(chosen, labels, strict=True)
    ]
    by_answer = _group_by_answer(cells)
    repeated, disputed = len(rows) - len(unique), sum(len(cells) > 1 for cells in by_answer)
    warnings = (
        f"{repeated} rows stand in the file twice and count once" if repeated else "",
        *doubts,
        f"columns without numbers are left out: {', '.join(ignored[:8])}" if ignored else "",
        f"{disputed} answers stand in the file with several labels each; the majority counts, a tie"
        " is unsure"
        if disputed
        else "",
    )
    return CellSet(
        cells=tuple(replace(cells[0], label=_settle_label(cells)) for cells in by_answer),
        warnings=tuple(filter(None, warnings)),
    )


def _rename_columns(row: Mapping[str, Any]) -> dict[str, Any]:
    """With our names; a column of ours is never overwritten by an alias."""
    names = {name: name.strip() for name in row}
    ours = {name.lower(): name for name in names.values()}
    named: dict[str, Any] = {}
    for name, value in row.items():
        plain = names[name].lower()
        column = plain if plain in KNOWN else ALIASES.get(plain, names[name])
        if column != plain and (column in ours or column in named):
            column = names[name]
        named[column] = value
    return named


def _require_columns(path: Path, rows: Sequence[Row]) -> None:
    if not rows:
        raise InvalidTestSet(f"{path} holds no answer; write one JSON object, or CSV row, each")
    names = {name for _, row in rows for name in row}
    if "response" not in names:
        raise InvalidTestSet(
            f"{path} has no column 'response'; it needs user_input and response, for a verdict also"
            " label, and may have retrieved_contexts, reference, case, configuration and metrics"
        )
    if not names & {"user_input", "case"}:
        raise InvalidTestSet(f"{path} has no column 'user_input', so answers have no question")
    for line, row in rows:
        if is_missing(row.get("user_input")) and is_missing(row.get("case")):
            raise InvalidTestSet(f"{path}, line {line}: user_input is empty")


def _drop_duplicates(rows: Sequence[Row]) -> list[Row]:
    """Each row once; a row number of the exporting program does not make it another."""
    seen: dict[str, Row] = {}
    for line, row in rows:
        same = {name: row[name] for name in row if name.lower() not in ("unnamed: 0", "index")}
        seen.setdefault(json.dumps(same, sort_keys=True, default=str), (line, row))
    return list(seen.values())


def _take_cases(rows: Sequence[Row], limit: int | None) -> Sequence[Row]:
    if limit is None:
        return rows
    first = set(list(dict.fromkeys(_name_case(row) for _, row in rows))[:limit])
    return [(line, row) for line, row in rows if _name_case(row) in first]


def _split_columns(rows: Sequence[Row]) -> tuple[list[str], list[str]]:
    """The columns of numbers, also those with a few words between them; and the other columns."""
    names = dict.fromkeys(name for _, row in rows for name in row if name)
    further = [name for name in names if name.lower() not in KNOWN]
    metrics = [name for name in further if is_column_of_numbers([row.get(name) for _, row in rows])]
    return metrics, [name for name in further if name not in metrics]


def _name_case(row: Mapping[str, Any]) -> str:
    given = row.get("case")
    return turns(row.get("user_input")) if is_missing(given) else text(given)


def _make_cell(
    line: int, row: Mapping[str, Any], label: Right | None, metrics: Sequence[str]
) -> TrustCell:
    question = turns(row.get("user_input"))
    id = row.get("id")
    reference = text(row.get("reference"))
    sample = Sample(
        id=f"line {line}" if is_missing(id) else f"{text(id)} (line {line})",
        case=_name_case(row),
        user_input=question,
        response=text(row.get("response")),
        retrieved_contexts=texts(row.get("retrieved_contexts")),
        reference=reference or None,
        language=detect_language(question.rsplit("\n", 1)[-1]),
    )
    return TrustCell(
        run="",
        configuration=text(row.get("configuration")),
        case=sample.case,
        label=label,
        scores={MetricKey(metric): _read_score(metric, row.get(metric)) for metric in metrics},
        sample=sample,
    )


def _read_score(metric: str, value: object) -> Score:
    finite = number(value)
    if finite is not None:
        return Score(metric=metric, family="imported", value=finite)
    fault = "empty in the file" if is_missing(value) else f"{value!r} is not a finite number"
    return Score(metric=metric, family="imported", value=None, reason=f"the score is {fault}"[:200])


def _group_by_answer(cells: Sequence[TrustCell]) -> list[list[TrustCell]]:
    """The cells of each answer: several where several people labelled it."""
    by_answer: dict[object, list[TrustCell]] = {}
    for cell in cells:
        by_answer.setdefault(_identify(cell), []).append(cell)
    return list(by_answer.values())


def _identify(cell: TrustCell) -> object:
    """Everything but the label and the line."""
    if cell.sample is None:
        return id(cell)
    sample = replace(cell.sample, id=cell.sample.id.rpartition("line ")[0])
    values = tuple((name, score.value) for name, score in cell.scores.items())
    return cell.configuration, sample, values


def _settle_label(cells: Sequence[TrustCell]) -> Right | None:
    return majority([cell.label for cell in cells if cell.label is not None])


def read_labels(
    path: Path, labels: Sequence[tuple[int, object]], *, cut: float | None
) -> tuple[list[Right | None], list[str]]:
    """The label of each row, ``None`` where it has none, and warnings.

    Args:
        path: The file, for messages.
        labels: Line of each row, and what stands there.
        cut: For grades: right from this grade on.

    Raises:
        InvalidTestSet: If a label is neither a word nor a number.
        ConfigError: If labels are grades and no cut is given.
    """
    grades = sorted({grade for _, label in labels if (grade := _read_grade(label)) is not None})
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
    read = [_read_label(path, line, label, cut=cut) for line, label in labels]
    if None in read:
        warnings.append(f"{read.count(None)} rows have no label")
    return read, warnings


def _read_grade(label: object) -> float | None:
    return None if isinstance(label, bool) else number(label)


def _read_label(path: Path, line: int, label: object, *, cut: float | None) -> Right | None:
    grade = _read_grade(label)
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
