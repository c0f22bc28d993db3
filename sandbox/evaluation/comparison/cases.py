"""The common cases of two runs, side by side.

Verdicts come from labels, the majority of several people; where nobody labelled, the accepted
answers suggest one, which stays marked. Leaves out statistics.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from sandbox.errors import SandboxError
from sandbox.evaluation.comparison.attribution import attribute
from sandbox.evaluation.comparison.evidence import find_evidence
from sandbox.evaluation.comparison.factors import Factor
from sandbox.evaluation.comparison.records import PairedCase, Side
from sandbox.evaluation.outcome import standing
from sandbox.evaluation.records import Cell, Label, Run, Score
from sandbox.evaluation.runs import RunFolder
from sandbox.evaluation.trust.cells import majority
from sandbox.testsets import TestCase


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


def common_cases(runs: Sequence[Run]) -> tuple[str, ...]:
    """Ids of the cases that all runs ask, in the order of the first.

    Raises:
        SandboxError: If a case asks another question in one of them, or there is none in common.
    """
    first, *others = runs
    asked = {case.id: case.question for case in first.cases}
    for run in others:
        theirs = {case.id: case.question for case in run.cases}
        both = [id for id in asked if id in theirs]
        if other := [id for id in both if asked[id] != theirs[id]]:
            raise SandboxError(
                f"{first.id} and {run.id} are of different test sets: case {other[0]!r} asks"
                " another question; compare runs of one test set"
            )
        if not both:
            kind = (
                "are of different test sets and have" if first.test_set != run.test_set else "have"
            )
            raise SandboxError(
                f"{first.id} ({first.test_set}) and {run.id} ({run.test_set}) {kind} no case in"
                " common; compare runs of one test set"
            )
        asked = {id: asked[id] for id in both}
    if not asked:
        raise SandboxError("the runs have no case that all of them ask; compare fewer at a time")
    return tuple(asked)


def pair_cases(
    a: ReadRun, b: ReadRun, cases: Sequence[str], factors: Sequence[Factor]
) -> tuple[PairedCase, ...]:
    """Each case under A and under B, and what made the difference."""
    return tuple(_pair(a.case(id), a.sides[id], b.sides[id], factors) for id in cases)


def _pair(case: TestCase, a: Side, b: Side, factors: Sequence[Factor]) -> PairedCase:
    evidence = find_evidence(case, (a.answer, b.answer))
    a, b = replace(a, evidence=evidence[0]), replace(b, evidence=evidence[1])
    found = attribute(case, a, b, factors)
    return PairedCase(
        case=case,
        a=a,
        b=b,
        layer=found.layer,
        decided_by=found.decided_by,
        attribution=found.sentence,
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
