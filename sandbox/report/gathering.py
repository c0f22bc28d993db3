"""Runs on disk gathered for a report: read, compared where they can be, and judged for trust.

Leaves out how it is told.
"""

import datetime
from collections.abc import Sequence

from sandbox.errors import SandboxError
from sandbox.evaluation.comparison.compare import compare_runs, examine_run
from sandbox.evaluation.comparison.records import Comparison
from sandbox.evaluation.runs.folder import RunFolder, list_runs
from sandbox.evaluation.runs.history import read_about
from sandbox.evaluation.runs.read import RunView, read_runs
from sandbox.evaluation.trust.cells import cells_of_runs
from sandbox.evaluation.trust.table import trust_table
from sandbox.files.storage import Store
from sandbox.report.material import Material, ReportedRun


def gather(
    folders: Sequence[RunFolder],
    store: Store,
    *,
    question: str = "",
    accept_suggestions: bool = False,
    options: Sequence[str] = (),
) -> Material:
    """Everything a report is told from.

    Args:
        folders: The runs, the one to compare with first.
        store: Where configurations in between are looked for.
        question: What the reader wants to know.
        accept_suggestions: Count what accepted answers suggest where nobody labelled.
        options: Of the command that makes the report again.

    Raises:
        SandboxError: If a run cannot be read.
    """
    views = read_runs(folders, accept_suggestions=accept_suggestions)
    comparison, lack = _compared(views, store)
    findings = comparison.findings if comparison else [examine_run(view) for view in views]
    by_run = {finding.run: finding for finding in findings}
    table = comparison.trust if comparison else trust_table(cells_of_runs(views))
    return Material(
        runs=tuple(
            ReportedRun(read=view, finding=by_run[view.run.id], about=read_about(folder))
            for view, folder in zip(views, folders, strict=True)
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
