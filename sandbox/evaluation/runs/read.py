"""A run read once: every case with its answer, labels and scores, and a summary of them.

A missing score is counted and left out of the mean; what the mean would be if every failure were
0, or 1, stands beside it. Intervals and trust are computed elsewhere (trust/table.py).
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter
from statistics import fmean

from sandbox.evaluation.runs.cells import CellView
from sandbox.evaluation.runs.folder import CHATTED, RunFolder, list_runs
from sandbox.evaluation.runs.records import Cell, Family, Label, Right, Run, Score
from sandbox.evaluation.runs.suggestions import Suggestion, suggest_for
from sandbox.files.storage import Store
from sandbox.testsets.cases import TestCase

WITHOUT_UPPER_BOUND = ("answer_length",)
"""Metrics for which "failed as 1" says nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricSummary:
    """One metric over some cells of a run."""

    metric: str
    family: Family | None
    """``None`` where nothing was scored yet."""

    mean: float | None
    """Over the scored cells; ``None`` if there is none."""

    scored: int
    of: int
    """All cells: scored, failed, not applicable and not done yet."""

    failed: int
    not_applicable: int
    """Cells where there is nothing to judge, such as a refusal's relevant pages."""

    mean_failed_as_0: float | None
    mean_failed_as_1: float | None
    """``None`` if no score was tried, or the metric has no upper bound and something failed."""

    values: tuple[float, ...]
    """The scores, ascending."""

    reasons: Mapping[str, int]
    """Why there is no score, and how often."""

    judgements: int
    """Judgements behind the scores; 0 where each was judged once."""

    judgements_failed: int
    standard_deviation: float | None
    """Mean over the scores of that of their judgements; ``None`` where none was repeated."""

    seconds: float
    calls: int
    calls_saved: int
    tokens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupSummary:
    """The cells whose cases share a source or a category."""

    by: str
    """ "source" or "category"."""

    name: str
    cells: int
    metrics: tuple[MetricSummary, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSummary:
    """A run as a table shows it."""

    id: str
    configuration: str
    config: Mapping[str, object]
    cells: int
    answered: int
    failures: Mapping[str, str]
    """Id of a case to the reason why it has no answer."""

    finished: bool
    metrics: tuple[MetricSummary, ...]
    groups: tuple[GroupSummary, ...]
    answer_seconds: Mapping[str, float]
    """Mean wall-clock seconds of an answer by stage: "retrieve", "first_token", "answer"."""

    answer_tokens: Mapping[str, int]
    """Sum of "prompt" and "answer" tokens."""

    seconds: float
    """Answering and scoring together."""

    judge_calls: int
    judge_calls_saved: int
    judge_tokens: int
    judgements: Mapping[str, Mapping[str, tuple[float | None, ...]]]
    """Where judging was repeated: by metric and id of the case, every value."""


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
        return _summarize(self)

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

    def values_of(self, metric: str) -> dict[str, float]:
        """Those of them that have a value."""
        return {
            case: cell.values[metric] for case, cell in self.cells.items() if metric in cell.values
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """Runs that were started together."""

    id: str
    runs: tuple[RunFolder, ...]

    @property
    def is_finished(self) -> bool:
        """True if every run is."""
        return all(folder.is_finished() for folder in self.runs)


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
    labels: dict[str, list[Label]] = {}
    for label in folder.labels():
        labels.setdefault(label.case, []).append(label)
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


def _summarize(view: RunView) -> RunSummary:
    run, cells = view.run, view.cells
    metrics = _metrics(view.metrics, list(cells.values()))
    answers = [cell.answer for cell in cells.values() if cell.answer is not None]
    answering = sum(
        answer.seconds.get(stage, 0.0) for answer in answers for stage in ("retrieve", "answer")
    )
    return RunSummary(
        id=run.id,
        configuration=run.configuration,
        config=run.config,
        cells=len(run.cases),
        answered=len(answers),
        failures={
            case: cell.failure
            for case, cell in cells.items()
            if cell.is_asked and cell.answer is None
        },
        finished=all(
            cell.is_asked and set(run.metrics) <= cell.scores.keys() for cell in cells.values()
        ),
        metrics=metrics,
        groups=tuple(_groups(view.metrics, list(cells.values()))),
        answer_seconds=_mean_by_key(answer.seconds for answer in answers),
        answer_tokens=_sum_by_key(answer.tokens for answer in answers),
        seconds=answering + sum(map(attrgetter("seconds"), metrics)),
        judge_calls=sum(map(attrgetter("calls"), metrics)),
        judge_calls_saved=sum(map(attrgetter("calls_saved"), metrics)),
        judge_tokens=sum(map(attrgetter("tokens"), metrics)),
        judgements=_judgements(view),
    )


def summarize_metric(metric: str, scores: Sequence[Score], cells: int) -> MetricSummary:
    """One metric over so many cells, of which some may have no score yet."""
    values = sorted(score.value for score in scores if score.value is not None)
    missing = [score for score in scores if score.value is None]
    failed = sum(score.applicable for score in missing)
    low, high = _means_with_failures(metric, values, failed)
    repeated = [value for score in scores for value in score.judgements]
    deviations = [
        score.standard_deviation for score in scores if score.standard_deviation is not None
    ]
    return MetricSummary(
        metric=metric,
        family=scores[0].family if scores else None,
        mean=fmean(values) if values else None,
        scored=len(values),
        of=cells,
        failed=failed,
        not_applicable=len(missing) - failed,
        mean_failed_as_0=low,
        mean_failed_as_1=high,
        values=tuple(values),
        reasons=dict(Counter(score.reason for score in missing)),
        judgements=len(repeated),
        judgements_failed=repeated.count(None),
        standard_deviation=fmean(deviations) if deviations else None,
        seconds=sum(map(attrgetter("seconds"), scores)),
        calls=sum(map(attrgetter("calls"), scores)),
        calls_saved=sum(map(attrgetter("calls_saved"), scores)),
        tokens=sum(map(attrgetter("tokens"), scores)),
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


def _means_with_failures(
    metric: str, values: Sequence[float], failed: int
) -> tuple[float | None, float | None]:
    """The mean with each failure as 0, and as 1."""
    tried = len(values) + failed
    if not tried:
        return None, None
    bounded = metric not in WITHOUT_UPPER_BOUND or not failed
    return sum(values) / tried, (sum(values) + failed) / tried if bounded else None


def _judgements(view: RunView) -> dict[str, dict[str, tuple[float | None, ...]]]:
    """Of the metrics that were judged repeatedly, by metric and case."""
    by_metric: dict[str, dict[str, tuple[float | None, ...]]] = {}
    for (metric, case), score in view.scores.items():
        if score.judgements:
            by_metric.setdefault(metric, {})[case] = score.judgements
    return by_metric


def _metrics(metrics: Sequence[str], cells: Sequence[CellView]) -> tuple[MetricSummary, ...]:
    return tuple(
        summarize_metric(
            metric, [cell.scores[metric] for cell in cells if metric in cell.scores], len(cells)
        )
        for metric in metrics
    )


def _groups(metrics: Sequence[str], cells: Sequence[CellView]) -> Iterable[GroupSummary]:
    for by in ("source", "category"):
        members: dict[str, list[CellView]] = {}
        for cell in cells:
            members.setdefault(getattr(cell.case, by), []).append(cell)
        for name, group in sorted(members.items()):
            yield GroupSummary(by=by, name=name, cells=len(group), metrics=_metrics(metrics, group))


def _mean_by_key(mappings: Iterable[Mapping[str, float]]) -> dict[str, float]:
    values: dict[str, list[float]] = {}
    for mapping in mappings:
        for key, value in mapping.items():
            values.setdefault(key, []).append(value)
    return {key: fmean(some) for key, some in values.items()}


def _sum_by_key(mappings: Iterable[Mapping[str, int]]) -> dict[str, int]:
    totals: Counter[str] = Counter()
    for mapping in mappings:
        totals.update(mapping)
    return dict(totals)
