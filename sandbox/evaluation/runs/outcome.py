"""An evaluation as a person looks at it: its runs side by side, case by case.

What is said about an answer comes from labels; where nobody labelled it, the accepted answers of
its case suggest a verdict, which stays marked as a suggestion. Leaves out statistics.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from sandbox.evaluation.runs.folder import CHATTED, RunFolder, list_runs
from sandbox.evaluation.runs.records import Cell, Label, Right, Run, Score
from sandbox.evaluation.runs.suggestions import Expected, suggest
from sandbox.evaluation.runs.summary import RunSummary, summarize
from sandbox.files.storage import Store
from sandbox.testsets.cases import TestCase


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """What is said about one answer."""

    verdict: Right | None
    """``None`` where there is no answer to judge."""

    source: Literal["label", "suggestion", "nothing"]
    reason: str
    """One sentence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOutcome:
    """One run with everything it holds."""

    run: Run
    summary: RunSummary
    cells: Mapping[str, Cell]
    """By id of the test case."""

    scores: Mapping[tuple[str, str], Score]
    """By metric and id of the test case."""

    standings: Mapping[str, Standing]
    """By id of the test case; every case of the run has one."""

    @property
    def counts(self) -> Mapping[Right | None, int]:
        """How many answers stand how."""
        return Counter(standing.verdict for standing in self.standings.values())

    @property
    def suggested(self) -> int:
        """How many of the verdicts are only suggested."""
        return sum(standing.source == "suggestion" for standing in self.standings.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """Runs that were started together."""

    id: str
    runs: tuple[RunFolder, ...]

    @property
    def is_finished(self) -> bool:
        """True if every run is."""
        return all(folder.is_finished() for folder in self.runs)

    def outcome(self) -> tuple[RunOutcome, ...]:
        """Its runs as far as they have come."""
        return tuple(_outcome(folder) for folder in self.runs)


def evaluations(store: Store) -> tuple[Evaluation, ...]:
    """All evaluations, the newest first; their runs in the order chosen. Chats are none."""
    together: dict[str, list[RunFolder]] = {}
    for folder in list_runs(store):
        if folder.run.evaluation == CHATTED:
            continue
        together.setdefault(folder.run.evaluation, []).append(folder)
    return tuple(
        Evaluation(id=id, runs=tuple(sorted(runs, key=lambda folder: folder.run.place)))
        for id, runs in together.items()
    )


def standing(case: TestCase, cell: Cell | None, labels: Sequence[Label]) -> Standing:
    """What is said about the answer to a case.

    Args:
        case: The test case.
        cell: The answer, or why there is none; ``None`` where it was not asked yet.
        labels: What people say about it.
    """
    if labels:
        return _labelled(labels)
    if cell is None:
        return Standing(verdict=None, source="nothing", reason="not answered yet")
    if cell.answer is None:
        return Standing(verdict=None, source="nothing", reason=f"no answer: {cell.failure}")
    expected = Expected(
        question=case.question,
        reference=case.reference,
        accepted_answers=case.accepted_answers,
        answerable=case.answerable,
    )
    suggestion = suggest(cell.answer.text, expected, refused=cell.answer.refused)
    return Standing(verdict=suggestion.verdict, source="suggestion", reason=suggestion.reason)


def _labelled(labels: Sequence[Label]) -> Standing:
    """What people say; suggestions that were accepted give way to it."""
    people = [label for label in labels if label.source == "person"]
    said = "; ".join(f"{label.labeller} {_says(label)} {label.verdict}" for label in labels)
    verdicts = {label.verdict for label in people or labels}
    if len(verdicts) == 1:
        return Standing(verdict=verdicts.pop(), source="label", reason=said)
    return Standing(verdict="unsure", source="label", reason=f"people disagree: {said}")


def _says(label: Label) -> str:
    return "says" if label.source == "person" else "accepted the suggestion"


def _outcome(folder: RunFolder) -> RunOutcome:
    cells = folder.cells()
    by_case: dict[str, list[Label]] = {}
    for label in folder.labels():
        by_case.setdefault(label.case, []).append(label)
    return RunOutcome(
        run=folder.run,
        summary=summarize(folder),
        cells=cells,
        scores=folder.scores(),
        standings={
            case.id: standing(case, cells.get(case.id), by_case.get(case.id, ()))
            for case in folder.run.cases
        },
    )
