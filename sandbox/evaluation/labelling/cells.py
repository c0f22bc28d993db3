"""Answers as a person labels them: with their test case, what is suggested, scored and said so far.

Leaves out which answer to label next (next_labels.py).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from sandbox.errors import SandboxError
from sandbox.evaluation.runs.folder import RunFolder
from sandbox.evaluation.runs.labels import majority, new_label
from sandbox.evaluation.runs.records import Cell, Label, Right
from sandbox.evaluation.runs.suggestions import Expected, Suggestion, suggest
from sandbox.records import Answer
from sandbox.testsets.cases import TestCase

ME = "me"
"""Who labels where nobody says."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelCell:
    """One answer with everything that helps to label it."""

    run: str
    """Id of its run."""

    configuration: str
    case: TestCase
    answer: Answer
    suggestion: Suggestion
    scores: Mapping[str, float]
    """By metric; what was not scored is absent."""

    labels: tuple[Label, ...]
    """The latest label of each person."""

    @property
    def key(self) -> tuple[str, str]:
        """Run and case."""
        return (self.run, self.case.id)

    @property
    def given(self) -> tuple[Label, ...]:
        """The labels that count: those that people gave, else accepted suggestions."""
        people = tuple(label for label in self.labels if label.source == "person")
        return people or self.labels

    @property
    def verdict(self) -> Right | None:
        """What most people say of it, as the trust table counts; ``None`` where nobody said."""
        return majority(self.given)

    def label_of(self, labeller: str) -> Label | None:
        """What one person says."""
        return next((label for label in self.labels if label.labeller == labeller), None)

    def with_label(self, label: Label) -> "LabelCell":
        """The same after a person said something."""
        others = tuple(one for one in self.labels if one.labeller != label.labeller)
        return replace(self, labels=(*others, label))


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelCounts:
    """How far labelling has come."""

    cells: int
    """Answers that can be labelled."""

    right: int
    wrong: int
    unsure: int
    accepted: int
    """How many of these verdicts are accepted suggestions that no person confirmed."""

    @property
    def labelled(self) -> int:
        """Answers with a verdict."""
        return self.right + self.wrong + self.unsure


def label_cells(runs: Sequence[RunFolder]) -> tuple[LabelCell, ...]:
    """Every answer of some runs, run by run in the order of their cases."""
    return tuple(cell for folder in runs for cell in _cells(folder))


def count_labels(cells: Sequence[LabelCell]) -> LabelCounts:
    """How many answers are labelled, and how."""
    verdicts = [cell.verdict for cell in cells]
    return LabelCounts(
        cells=len(cells),
        right=verdicts.count("right"),
        wrong=verdicts.count("wrong"),
        unsure=verdicts.count("unsure"),
        accepted=sum(
            bool(cell.given) and cell.given[0].source == "accepted suggestion" for cell in cells
        ),
    )


def find_cell(cells: Sequence[LabelCell], case: str) -> LabelCell:
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


def accept_suggestions(cells: Sequence[LabelCell], labeller: str) -> dict[str, tuple[Label, ...]]:
    """Labels, by run, of what is suggested where nobody labelled; "unsure" stays unlabelled."""
    found: dict[str, tuple[Label, ...]] = {}
    for cell in cells:
        if cell.labels or cell.suggestion.verdict == "unsure":
            continue
        label = new_label(
            cell.configuration,
            cell.case.id,
            cell.suggestion.verdict,
            labeller=labeller,
            source="accepted suggestion",
        )
        found[cell.run] = (*found.get(cell.run, ()), label)
    return found


def _cells(folder: RunFolder) -> list[LabelCell]:
    cells = folder.cells()
    scores: dict[str, dict[str, float]] = {}
    for (metric, case), score in folder.scores().items():
        if score.value is not None:
            scores.setdefault(case, {})[metric] = score.value
    labels: dict[str, list[Label]] = {}
    for label in folder.labels():
        labels.setdefault(label.case, []).append(label)
    return [
        LabelCell(
            run=folder.run.id,
            configuration=folder.run.configuration,
            case=case,
            answer=answer,
            suggestion=_suggestion(case, answer),
            scores=scores.get(case.id, {}),
            labels=tuple(labels.get(case.id, ())),
        )
        for case in folder.run.cases
        if (answer := _answer(cells.get(case.id))) is not None
    ]


def _answer(cell: Cell | None) -> Answer | None:
    return cell.answer if cell else None


def _suggestion(case: TestCase, answer: Answer) -> Suggestion:
    expected = Expected(
        question=case.question,
        reference=case.reference,
        accepted_answers=case.accepted_answers,
        answerable=case.answerable,
    )
    return suggest(answer.text, expected, refused=answer.refused)
