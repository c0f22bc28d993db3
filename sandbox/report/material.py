"""What a report is made from: runs with answers and labels, trust, and the comparison."""

import datetime
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from sandbox.errors import SandboxError
from sandbox.evaluation.comparison.compare import compare_runs, examine_run
from sandbox.evaluation.comparison.differences import is_trusted
from sandbox.evaluation.comparison.records import Comparison, RunFinding
from sandbox.evaluation.runs.folder import RunFolder, list_runs
from sandbox.evaluation.runs.history import About, read_about
from sandbox.evaluation.runs.read import RunView, read_runs
from sandbox.evaluation.runs.records import Run
from sandbox.evaluation.trust.cells import collect_cells
from sandbox.evaluation.trust.records import MetricTrust, TrustTable
from sandbox.evaluation.trust.table import build_trust_table
from sandbox.files.storage import Store
from sandbox.testsets.cases import TestCase


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportedRun:
    """One run with everything that is told of it."""

    name: str
    """As a person calls it, else its configuration; with its id where two runs share a name."""

    view: RunView
    finding: RunFinding
    about: About
    """Name and note that a person gave the run."""

    @property
    def record(self) -> Run:
        """Its settings and cases."""
        return self.view.run


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
        cases: dict[str, TestCase] = {}
        for run in self.runs:
            for case in run.record.cases:
                cases.setdefault(case.id, case)
        return tuple(cases.values())

    @property
    def names(self) -> Mapping[str, str]:
        """What each run is called, by its id."""
        return {run.record.id: run.name for run in self.runs}

    @property
    def trusted(self) -> tuple[MetricTrust, ...]:
        """The metrics that may decide, the most useful first."""
        return tuple(row for row in self.trust.metrics if is_trusted(row, self.trust))

    @property
    def is_labelled(self) -> bool:
        """True if any answer has a verdict that counts."""
        return self.trust.n_right + self.trust.n_wrong > 0


def gather(
    folders: Sequence[RunFolder],
    store: Store,
    *,
    question: str = "",
    accept_suggestions: bool = False,
    options: Sequence[str] = (),
) -> Material:
    """Read runs, compare the others with the first, and find out what to trust.

    Args:
        folders: The runs, the one to compare with first.
        store: Where configurations in between are looked for.
        question: As in `Material`.
        accept_suggestions: Count what accepted answers suggest where nobody labelled.
        options: As in `Material`.

    Raises:
        SandboxError: If a run cannot be read.
    """
    views = read_runs(folders, accept_suggestions=accept_suggestions)
    comparison, lack = _compared(views, store)
    findings = comparison.findings if comparison else [examine_run(view) for view in views]
    abouts = [read_about(folder) for folder in folders]
    names = [
        about.name or view.run.configuration for about, view in zip(abouts, views, strict=True)
    ]
    table = comparison.trust if comparison else build_trust_table(collect_cells(views))
    return Material(
        runs=tuple(
            ReportedRun(
                name=name if names.count(name) == 1 else f"{name} ({view.run.id})",
                view=view,
                finding=finding,
                about=about,
            )
            for name, view, finding, about in zip(names, views, findings, abouts, strict=True)
        ),
        trust=table,
        comparison=comparison,
        no_comparison=lack,
        question=question,
        made=datetime.datetime.now().astimezone().isoformat(timespec="seconds"),
        options=tuple(options),
    )


def _compared(views: Sequence[RunView], store: Store) -> tuple[Comparison | None, str]:
    """The comparison, or why there is none; a report of one run needs none."""
    if len(views) < 2:
        return None, ""
    try:
        return compare_runs(views, known=[folder.run for folder in list_runs(store)]), ""
    except SandboxError as error:
        return None, str(error)
