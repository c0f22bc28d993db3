"""Answers as a person labels them: with their test case, what is suggested, scored and said so far.

Leaves out which answer to label next (next_labels.py).
"""

from collections.abc import Sequence
from dataclasses import dataclass

from sandbox.errors import SandboxError
from sandbox.evaluation.runs.cells import CellView
from sandbox.evaluation.runs.folder import RunFolder
from sandbox.evaluation.runs.labels import new_label
from sandbox.evaluation.runs.read import read_run
from sandbox.evaluation.runs.records import Label

ME = "me"
"""Who labels where nobody says."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelCounts:
    """How far labelling has come."""

    cells: int
    """Answers that can be labelled."""

    right: int
    wrong: int
    unsure: int
    accepted: int
    """How many of these labels are accepted suggestions that no person confirmed."""

    @property
    def labelled(self) -> int:
        """Answers with a label."""
        return self.right + self.wrong + self.unsure


def label_cells(runs: Sequence[RunFolder]) -> tuple[CellView, ...]:
    """Every answer of some runs, run by run in the order of their cases."""
    return tuple(
        cell
        for folder in runs
        for cell in read_run(folder).cells.values()
        if cell.answer is not None
    )


def count_labels(cells: Sequence[CellView]) -> LabelCounts:
    """How many answers are labelled, and how."""
    labels = [cell.label for cell in cells]
    return LabelCounts(
        cells=len(cells),
        right=labels.count("right"),
        wrong=labels.count("wrong"),
        unsure=labels.count("unsure"),
        accepted=sum(cell.label is not None and cell.is_suggested for cell in cells),
    )


def find_cell(cells: Sequence[CellView], case: str) -> CellView:
    """The one answer to a case.

    Raises:
        SandboxError: If there is none, or several runs have one.
    """
    found = [cell for cell in cells if cell.case.id == case]
    if not found:
        runs = ", ".join(sorted({cell.run for cell in cells})) or "the run"
        raise SandboxError(f"{runs} has no answer to a case {case!r}")
    if len(found) > 1:
        runs = ", ".join(cell.run for cell in found)
        raise SandboxError(f"several runs answer {case!r}; name one of {runs}")
    return found[0]


def accept_suggestions(cells: Sequence[CellView], labeller: str) -> dict[str, tuple[Label, ...]]:
    """Labels, by run, of what is suggested where nobody labelled; "unsure" stays unlabelled."""
    found: dict[str, tuple[Label, ...]] = {}
    for cell in cells:
        if cell.labels or cell.suggestion.value == "unsure":
            continue
        label = new_label(
            cell.configuration,
            cell.case.id,
            cell.suggestion.value,
            labeller=labeller,
            source="accepted suggestion",
        )
        found[cell.run] = (*found.get(cell.run, ()), label)
    return found
