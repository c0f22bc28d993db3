"""What a report is told from: runs with their answers and labels, trust, and the comparison.

Leaves out how it is told.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from sandbox.evaluation.comparison.differences import is_trusted
from sandbox.evaluation.comparison.records import Comparison, RunFinding
from sandbox.evaluation.runs.history import About
from sandbox.evaluation.runs.read import RunView
from sandbox.evaluation.runs.records import Run
from sandbox.evaluation.trust.records import MetricTrust, TrustTable
from sandbox.testsets.cases import TestCase


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportedRun:
    """One run with everything that is told of it."""

    read: RunView
    finding: RunFinding
    about: About
    """Name and note that a person gave the run."""

    @property
    def run(self) -> Run:
        """Its description."""
        return self.read.run


@dataclass(frozen=True, slots=True, kw_only=True)
class Material:
    """Everything that a report is told from, read once."""

    runs: tuple[ReportedRun, ...]
    """As named; the first is compared with."""

    trust: TrustTable
    comparison: Comparison | None
    """``None`` for one run, and where runs cannot be compared."""

    no_comparison: str = ""
    """Why several runs cannot be compared."""

    question: str = ""
    """What the reader wants to know; empty for one made from what differs."""

    made: str = ""
    """When the report was made, ISO 8601."""

    options: Sequence[str] = field(default=())
    """Options of the command that makes this report again."""

    @property
    def cases(self) -> tuple[TestCase, ...]:
        """Every case of any run, once, in order."""
        found: dict[str, TestCase] = {}
        for one in self.runs:
            for case in one.run.cases:
                found.setdefault(case.id, case)
        return tuple(found.values())

    @property
    def names(self) -> Mapping[str, str]:
        """What each run is called, by its id: as a person calls it, else its configuration."""
        called = {one.run.id: one.about.name or one.run.configuration for one in self.runs}
        often = Counter(called.values())
        return {id: name if often[name] == 1 else f"{name} ({id})" for id, name in called.items()}

    @property
    def trusted(self) -> tuple[MetricTrust, ...]:
        """The metrics that may decide, the most useful first."""
        return tuple(row for row in self.trust.metrics if is_trusted(row, self.trust))

    @property
    def is_labelled(self) -> bool:
        """True if any answer has a verdict that counts."""
        return self.trust.n_right + self.trust.n_wrong > 0
