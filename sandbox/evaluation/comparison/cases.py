"""The common cases of two runs, side by side.

Right and wrong come from labels, the majority of several people; where nobody labelled, the
accepted answers suggest one of them, which stays marked.
"""

from collections.abc import Sequence
from dataclasses import replace

from sandbox.errors import SandboxError
from sandbox.evaluation.comparison.attribution import attribute
from sandbox.evaluation.comparison.evidence import find_evidence
from sandbox.evaluation.comparison.factors import Factor
from sandbox.evaluation.comparison.records import PairedCase
from sandbox.evaluation.runs.cells import CellView
from sandbox.evaluation.runs.read import RunView
from sandbox.evaluation.runs.records import Run
from sandbox.testsets.cases import TestCase


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
    a: RunView, b: RunView, cases: Sequence[str], factors: Sequence[Factor]
) -> tuple[PairedCase, ...]:
    """Each case under A and under B, and what made the difference."""
    return tuple(_pair(a.case(id), a.cells[id], b.cells[id], factors) for id in cases)


def _pair(case: TestCase, a: CellView, b: CellView, factors: Sequence[Factor]) -> PairedCase:
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
