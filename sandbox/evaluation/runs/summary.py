"""The summary of a run: means with the number of cells they rest on, by source and by category.

A missing score is counted and left out of the mean; what the mean would be if every failure were
0, or 1, stands beside it. Intervals and trust are computed elsewhere (trust/table.py).
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from statistics import fmean

from sandbox.evaluation.runs.cells import CellView
from sandbox.evaluation.runs.records import Family, Run, Score

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


def summarize(run: Run, cells: Mapping[str, CellView]) -> RunSummary:
    """The run as far as it has come.

    Args:
        run: Its description.
        cells: Every case of the run by its id.
    """
    names = tuple(
        dict.fromkeys([*run.metrics, *(name for cell in cells.values() for name in cell.scores)])
    )
    metrics = _metrics(names, list(cells.values()))
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
        groups=tuple(_groups(names, list(cells.values()))),
        answer_seconds=_mean_by_key(answer.seconds for answer in answers),
        answer_tokens=_sum_by_key(answer.tokens for answer in answers),
        seconds=answering + sum(map(attrgetter("seconds"), metrics)),
        judge_calls=sum(map(attrgetter("calls"), metrics)),
        judge_calls_saved=sum(map(attrgetter("calls_saved"), metrics)),
        judge_tokens=sum(map(attrgetter("tokens"), metrics)),
        judgements=_judgements(names, cells),
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


def _means_with_failures(
    metric: str, values: Sequence[float], failed: int
) -> tuple[float | None, float | None]:
    """The mean with each failure as 0, and as 1."""
    tried = len(values) + failed
    if not tried:
        return None, None
    bounded = metric not in WITHOUT_UPPER_BOUND or not failed
    return sum(values) / tried, (sum(values) + failed) / tried if bounded else None


def _judgements(
    metrics: Sequence[str], cells: Mapping[str, CellView]
) -> dict[str, dict[str, tuple[float | None, ...]]]:
    """Of the metrics that were judged repeatedly, by metric and case."""
    by_metric = {
        metric: {
            case: cell.scores[metric].judgements
            for case, cell in cells.items()
            if metric in cell.scores and cell.scores[metric].judgements
        }
        for metric in metrics
    }
    return {metric: by_case for metric, by_case in by_metric.items() if by_case}


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
