"""A run read once: every case with its answer, labels and scores, and evaluations of such runs."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from sandbox.evaluation.runs.cells import CellView
from sandbox.evaluation.runs.folder import CHATTED, RunFolder, list_runs
from sandbox.evaluation.runs.labels import labels_by_case
from sandbox.evaluation.runs.records import Cell, Label, Right, Run, Score
from sandbox.evaluation.runs.suggestions import Suggestion, suggest_for
from sandbox.evaluation.runs.summary import RunSummary, summarize
from sandbox.files.storage import Store
from sandbox.testsets.cases import TestCase


@dataclass(frozen=True, kw_only=True)
class RunView:
    """A run as far as it had come when it was read."""

    run: Run
    cells: Mapping[str, CellView]
    """By id of the test case; every case of the run has one."""

    @cached_property
    def scores(self) -> Mapping[tuple[str, str], Score]:
        """By metric and id of the case."""
        return {
            (metric, case): score
            for case, cell in self.cells.items()
            for metric, score in cell.scores.items()
        }

    @cached_property
    def summary(self) -> RunSummary:
        """Means, counts and costs."""
        return summarize(self.run, self.cells)

    @property
    def metrics(self) -> tuple[str, ...]:
        """Every metric that scored a case, in order."""
        return tuple(dict.fromkeys([*self.run.metrics, *(metric for metric, _ in self.scores)]))

    @property
    def counts(self) -> Mapping[Right | None, int]:
        """How many answers are right, wrong and unsure, suggestions included."""
        return Counter(cell.label_or_suggestion for cell in self.cells.values())

    @property
    def suggested(self) -> int:
        """How many of these are only suggested."""
        return sum(cell.is_suggested for cell in self.cells.values())

    def case(self, id: str) -> TestCase:
        """The test case of that id."""
        return self.cells[id].case

    def scores_of(self, metric: str) -> Mapping[str, Score]:
        """The scores of one metric, by id of the case."""
        return {
            case: cell.scores[metric] for case, cell in self.cells.items() if metric in cell.scores
        }


def read_run(
    folder: RunFolder, *, accept_suggestions: bool = False, with_scores: bool = True
) -> RunView:
    """Read a run as far as it has come.

    Args:
        folder: The run.
        accept_suggestions: Count what accepted answers suggest where nobody labelled.
        with_scores: Read the scores, too, which are the largest file and which a list can spare.

    Raises:
        SandboxError: If a line of its files cannot be read.
    """
    run, answered = folder.run, folder.cells()
    labels = labels_by_case(folder.labels())
    scores: dict[str, dict[str, Score]] = {}
    for (metric, case), score in folder.scores().items() if with_scores else ():
        scores.setdefault(case, {})[metric] = score
    return RunView(
        run=run,
        cells={
            case.id: _view(
                run,
                case,
                answered.get(case.id),
                labels.get(case.id, ()),
                scores.get(case.id, {}),
                accept_suggestions=accept_suggestions,
            )
            for case in run.cases
        },
    )


def read_runs(
    folders: Sequence[RunFolder], *, accept_suggestions: bool = False
) -> tuple[RunView, ...]:
    """Read several runs with their scores.

    Raises:
        SandboxError: If a line of their files cannot be read.
    """
    return tuple(read_run(folder, accept_suggestions=accept_suggestions) for folder in folders)


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """Runs that were started together."""

    id: str
    runs: tuple[RunFolder, ...]

    @property
    def is_finished(self) -> bool:
        """True if every run is."""
        return all(folder.is_finished() for folder in self.runs)


def evaluations(store: Store) -> tuple[Evaluation, ...]:
    """All evaluations, the newest first; their runs in the order chosen. Chats are none."""
    together: dict[str, list[RunFolder]] = {}
    for folder in list_runs(store):
        if folder.run.evaluation != CHATTED:
            together.setdefault(folder.run.evaluation, []).append(folder)
    return tuple(
        Evaluation(id=id, runs=tuple(sorted(runs, key=lambda folder: folder.run.place)))
        for id, runs in together.items()
    )


def _view(
    run: Run,
    case: TestCase,
    cell: Cell | None,
    labels: Sequence[Label],
    scores: Mapping[str, Score],
    *,
    accept_suggestions: bool,
) -> CellView:
    if cell is None:
        suggestion = Suggestion(value="unsure", reason="not answered yet")
    elif cell.answer is None:
        suggestion = Suggestion(value="unsure", reason=f"no answer: {cell.failure}")
    else:
        suggestion = suggest_for(case, cell.answer)
    return CellView(
        run=run.id,
        configuration=run.configuration,
        case=case,
        answer=cell.answer if cell else None,
        failure=cell.failure if cell else "not asked yet",
        is_asked=cell is not None,
        labels=tuple(labels),
        suggestion=suggestion,
        accepts_suggestions=accept_suggestions,
        scores=scores,
    )
