"""A run read once: its answers, what people said of them, and its scores."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from sandbox.evaluation.runs.folder import RunFolder
from sandbox.evaluation.runs.labels import majority
from sandbox.evaluation.runs.outcome import Standing, standing
from sandbox.evaluation.runs.records import Cell, Label, Run, Score
from sandbox.records import Answer
from sandbox.testsets.cases import TestCase


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """The best-ranked chunk that holds what a case asks for."""

    rank: int
    of: int
    """How many chunks were retrieved."""

    page: int
    kind: str
    legs: Mapping[str, int]
    """Rank in each leg that voted for it: "lexical", "dense", "fused", "reranker"."""

    sent: bool
    """False where the chunk did not fit the model's context."""

    by: Literal["quote", "accepted answer", "page"]
    """How it was recognised; "page" says only that it stands on a relevant page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One run's answer to a case."""

    standing: Standing
    """From labels, the majority of several people; else what the accepted answers suggest."""

    counts: bool
    """True where the verdict counts in tests and rates: a person's label, or a suggestion that was
    accepted."""

    answer: Answer | None
    failure: str = ""
    """Why there is no answer."""

    evidence: Evidence | None = None
    """``None`` where no retrieved chunk holds it, or the case says nothing of where it is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadRun:
    """A run with what is needed of its files, read once."""

    run: Run
    sides: Mapping[str, Side]
    """By id of the case; without evidence."""

    scores: Mapping[tuple[str, str], Score]
    """By metric and id of the case."""

    @property
    def metrics(self) -> tuple[str, ...]:
        """Every metric that scored a case, in order."""
        return tuple(dict.fromkeys([*self.run.metrics, *(metric for metric, _ in self.scores)]))

    def case(self, id: str) -> TestCase:
        """The test case of that id."""
        return next(case for case in self.run.cases if case.id == id)


def read_run(folder: RunFolder, *, accept_suggestions: bool = False) -> ReadRun:
    """A run as far as it has come.

    Args:
        folder: The run.
        accept_suggestions: Count what accepted answers suggest where nobody labelled.
    """
    cells = folder.cells()
    labels: dict[str, list[Label]] = {}
    for label in folder.labels():
        labels.setdefault(label.case, []).append(label)
    return ReadRun(
        run=folder.run,
        sides={
            case.id: _side(
                case, cells.get(case.id), labels.get(case.id, []), accept=accept_suggestions
            )
            for case in folder.run.cases
        },
        scores=folder.scores(),
    )


def _side(case: TestCase, cell: Cell | None, labels: Sequence[Label], *, accept: bool) -> Side:
    """Suggestions that somebody accepted give way to people's labels, as in the trust table."""
    people = [label for label in labels if label.source == "person"]
    said = standing(case, cell, people or labels)
    if labels:
        source: Literal["label", "suggestion"] = "label" if people else "suggestion"
        said = replace(said, verdict=majority(people or labels), source=source)
    return Side(
        standing=said,
        counts=bool(labels) or (accept and said.verdict in ("right", "wrong")),
        answer=cell.answer if cell else None,
        failure=cell.failure if cell else "not asked yet",
    )
