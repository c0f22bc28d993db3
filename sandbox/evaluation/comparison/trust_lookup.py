"""What the trust table knows of a run's answers: probabilities, and scores that cost nothing.

Equal answers of two runs are one cell of the table, so a cell is found by its answer. Leaves out
how the table comes about.
"""

from collections.abc import Mapping
from dataclasses import replace

from sandbox.evaluation.comparison.differences import is_trusted
from sandbox.evaluation.runs.read import RunView
from sandbox.evaluation.trust.records import TrustTable


def cells_of(run: RunView, table: TrustTable) -> dict[str, int]:
    """Positions in the table by id of the case, for the cases that were answered."""
    by_answer = {
        (cell.test_set, cell.configuration, cell.case, cell.sample.response): position
        for position, cell in enumerate(table.cells)
        if cell.sample is not None
    }
    asked = run.run.test_set, run.run.configuration
    return {
        case: by_answer[key]
        for case, side in run.cells.items()
        if side.answer is not None and (key := (*asked, case, side.answer.text)) in by_answer
    }


def with_free_scores(run: RunView, table: TrustTable) -> RunView:
    """The run with the scores of trusted baselines that it lacks, such as word overlap."""
    free = [row.metric for row in table.metrics if row.is_baseline and is_trusted(row, table)]
    cells = dict(run.cells)
    for case, position in cells_of(run, table).items():
        known, own = table.cells[position].scores, cells[case].scores
        lacking = {
            metric.name: replace(known[metric], seconds=0.0)  # it took no time of the run
            for metric in free
            if metric in known and metric.name not in own
        }
        cells[case] = replace(cells[case], scores={**own, **lacking})
    return replace(run, cells=cells)


def probabilities_of(run: RunView, table: TrustTable) -> Mapping[str, float]:
    """Of being right by all metrics, by id of the case; empty where they are not combined."""
    if table.combination is None:
        return {}
    found = table.combination.probabilities
    return {
        case: value
        for case, position in cells_of(run, table).items()
        if (value := found[position]) is not None
    }
