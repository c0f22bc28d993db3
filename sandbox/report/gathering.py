"""Runs on disk gathered for a report: read, compared where they can be, and judged for trust.

Leaves out how it is told.
"""

import datetime
from collections.abc import Sequence

from sandbox.errors import SandboxError
from sandbox.evaluation.comparison.compare import compare_runs, examine_run
from sandbox.evaluation.comparison.records import Comparison
from sandbox.evaluation.comparison.run_records import RunFinding
from sandbox.evaluation.runs.folder import RunFolder, list_runs
from sandbox.evaluation.runs.history import read_about
from sandbox.evaluation.runs.read import read_run
from sandbox.evaluation.runs.records import Label
from sandbox.evaluation.runs.summary import summarize
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
    comparison, lack = _compared(folders, store, accept_suggestions=accept_suggestions)
    findings = _findings(folders, comparison, accept_suggestions=accept_suggestions)
    table = (
        comparison.trust
        if comparison
        else trust_table(cells_of_runs(folders, accept_suggestions=accept_suggestions))
    )
    return Material(
        runs=tuple(
            ReportedRun(
                read=read_run(folder, accept_suggestions=accept_suggestions),
                summary=summarize(folder),
                labels=_labels(folder),
                finding=findings[folder.run.id],
                about=read_about(folder),
            )
            for folder in folders
        ),
        trust=table,
        comparison=comparison,
        no_comparison=lack,
        question=question,
        made=datetime.datetime.now().astimezone().isoformat(timespec="seconds"),
        options=tuple(options),
    )


def _compared(
    folders: Sequence[RunFolder], store: Store, *, accept_suggestions: bool
) -> tuple[Comparison | None, str]:
    """The comparison, or why there is none; a report of one run needs none."""
    if len(folders) < 2:
        return None, ""
    try:
        known = list_runs(store)
        return compare_runs(folders, known=known, accept_suggestions=accept_suggestions), ""
    except SandboxError as error:
        return None, str(error)


def _findings(
    folders: Sequence[RunFolder], comparison: Comparison | None, *, accept_suggestions: bool
) -> dict[str, RunFinding]:
    if comparison is not None:
        return {one.run: one for one in comparison.findings}
    return {
        folder.run.id: examine_run(folder, accept_suggestions=accept_suggestions)
        for folder in folders
    }


def _labels(folder: RunFolder) -> dict[str, tuple[Label, ...]]:
    found: dict[str, tuple[Label, ...]] = {}
    for label in folder.labels():
        found[label.case] = (*found.get(label.case, ()), label)
    return found
