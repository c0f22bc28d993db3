"""The answers of runs as the cells of a trust table, and scores that cells lack.

Trivial baselines are computed for all cells: a metric that does not beat them earns nothing.
`imports.py` makes cells of the answers of other systems.
"""

from collections.abc import Generator, Iterator, Sequence
from dataclasses import replace

from sandbox.evaluation.metric import Metric
from sandbox.evaluation.metrics.loop import ScoringLoop, measure_once
from sandbox.evaluation.metrics.plain import PLAIN_METRICS
from sandbox.evaluation.runs.cells import CellView, sample_of
from sandbox.evaluation.runs.labels import labels_that_count
from sandbox.evaluation.runs.read import RunView
from sandbox.evaluation.runs.records import JUDGED, Family, MetricKey, Run, Score
from sandbox.evaluation.trust.records import CellSet, TrustCell
from sandbox.progress import Progress

FREE: tuple[Family, ...] = ("no judge", "ranking")

LENGTH = MetricKey("answer_length")
COVERAGE = MetricKey("coverage")
WORDS = (MetricKey("chunk_overlap"), MetricKey("reference_overlap"))
BASELINES = (LENGTH, *WORDS, COVERAGE)
"""Answer length, share of the answer's words in the chunks, share of the reference's words in the
answer, and the share of the other metrics that could score the answer."""

_PLAIN = {key: metric for metric in PLAIN_METRICS if (key := MetricKey(metric.name)) in BASELINES}


def collect_cells(runs: Sequence[RunView]) -> CellSet:
    """The cells of some runs, each answer once.

    Runs whose answers are equal and whose judges differ become one set of cells with the scores of
    both, so that the judges are compared on the same labels.
    """
    parts: dict[tuple[str, str], list[list[TrustCell]]] = {}
    judges = dict.fromkeys(view.run.judge for view in runs if view.run.judge)
    for view in runs:
        key = (view.run.test_set, view.run.configuration)
        judge = view.run.judge if len(judges) > 1 else ""
        cells = [_name_by_judge(_make_cell(view.run, cell), judge) for cell in view.cells.values()]
        parts[key] = _join_equal_answers(parts.get(key, []), cells)
    joined = [cell for versions in parts.values() for cells in versions for cell in cells]
    warnings = [warning for view in runs for warning in _warn_of_labels(view)]
    warnings += _warn_of_own_judges([view.run for view in runs])
    suggested = sum(cell.suggested for cell in joined)
    if suggested:
        decided = sum(cell.label in ("right", "wrong") for cell in joined)
        warnings.append(
            f"{suggested} of {decided} labels are accepted suggestions, which nobody"
            " confirmed; metrics that compare words with the reference rest on the same words"
        )
    return CellSet(
        cells=tuple(joined), warnings=tuple(dict.fromkeys(warnings)), judges=tuple(judges)
    )


def add_baselines(cells: Sequence[TrustCell]) -> tuple[TrustCell, ...]:
    """The cells with a score of every baseline; existing scores stay."""
    return tuple(_add_coverage(_add_plain_baselines(cell)) for cell in cells)


def add_scores(
    cells: Sequence[TrustCell], metrics: Sequence[Metric]
) -> Generator[Progress, None, tuple[TrustCell, ...]]:
    """The cells with a score of each metric where they have none; closing stops.

    Raises:
        ModelUnavailable: If a judge cannot be reached; its calls so far are kept in its cache.
    """
    scores = [dict(cell.scores) for cell in cells]
    total = sum(
        MetricKey(metric.name) not in by_metric for by_metric in scores for metric in metrics
    )
    done = 0
    with ScoringLoop() as loop:
        for metric in metrics:
            key = MetricKey(metric.name)
            samples = {
                position: cell.sample
                for position, cell in enumerate(cells)
                if cell.sample is not None and key not in scores[position]
            }
            if not samples:
                continue
            for position, score in loop.scores(metric, samples):
                scores[position][key] = score
                done += 1
                message = f"{done} of {total} scores ({metric.name})"
                yield Progress(stage="score", done=done, total=total, message=message)
    return tuple(
        replace(cell, scores=by_metric) for cell, by_metric in zip(cells, scores, strict=True)
    )


def _warn_of_labels(view: RunView) -> Iterator[str]:
    if not any(cell.is_asked for cell in view.cells.values()):
        yield f"the run {view.run.id} has no answers yet"
    several = [cell for cell in view.cells.values() if len(labels_that_count(cell.labels)) > 1]
    if several:
        ties = sum(cell.is_disputed and cell.label == "unsure" for cell in several)
        yield (
            f"{len(several)} answers of {view.run.id} have labels of several people; the majority"
            f" counts, and {ties} ties count as unsure"
        )


def _warn_of_own_judges(judged: Sequence[Run]) -> Iterator[str]:
    """A warning for each judge that judges its own answers."""
    runs: dict[str, list[str]] = {}
    for run in judged:
        if run.is_self_judged:
            runs.setdefault(run.judge, []).append(run.id)
    for judge, ids in runs.items():
        where = ids[0] if len(ids) == 1 else f"{len(ids)} runs"
        yield (
            f"{judge} judges its own answers in {where}, which it may prefer"
            " (self-preference); evaluate with another --judge before you trust its scores"
        )


def _make_cell(run: Run, cell: CellView) -> TrustCell:
    top_k = run.config.get("top_k")
    id = f"{run.id}/{cell.case.id}"
    return TrustCell(
        run=run.id,
        configuration=run.configuration,
        case=cell.case.id,
        label=cell.label,
        suggested=cell.label is not None and cell.is_suggested,
        scores={MetricKey(metric): score for metric, score in cell.scores.items()},
        sample=None if cell.answer is None else sample_of(cell.case, cell.answer, id=id),
        test_set=run.test_set,
        retrieved=tuple(item.chunk.id for item in cell.retrieved),
        top_k=top_k if isinstance(top_k, int) else None,
    )


def _name_by_judge(cell: TrustCell, judge: str) -> TrustCell:
    if not judge:
        return cell
    scores = {
        MetricKey(metric.name, judge) if score.family in JUDGED else metric: score
        for metric, score in cell.scores.items()
    }
    return replace(cell, scores=scores)


def _join_equal_answers(
    versions: Sequence[list[TrustCell]], cells: list[TrustCell]
) -> list[list[TrustCell]]:
    """The scores joined with those of equal answers; answers that differ stand beside them."""
    answers = [_answer(cell) for cell in cells]
    equal = [[_answer(cell) for cell in version] == answers for version in versions]
    if not any(equal):
        return [*versions, cells]
    place = equal.index(True)
    joined = [_join(*pair) for pair in zip(versions[place], cells, strict=True)]
    return [*versions[:place], joined, *versions[place + 1 :]]


def _answer(cell: TrustCell) -> tuple[str, str | None]:
    return cell.case, None if cell.sample is None else cell.sample.response


def _join(cell: TrustCell, other: TrustCell) -> TrustCell:
    scores = {**cell.scores, **other.scores}
    if cell.label is None or (cell.suggested and other.label and not other.suggested):
        return replace(cell, scores=scores, label=other.label, suggested=other.suggested)
    agree = other.label in (None, cell.label) or (other.suggested and not cell.suggested)
    return replace(cell, scores=scores, label=cell.label if agree else "unsure")


def _add_plain_baselines(cell: TrustCell) -> TrustCell:
    if cell.sample is None:
        return cell
    lacking = {key: metric for key, metric in _PLAIN.items() if key not in cell.scores}
    scores = {key: measure_once(metric, cell.sample) for key, metric in lacking.items()}
    return replace(cell, scores={**cell.scores, **scores})


def _add_coverage(cell: TrustCell) -> TrustCell:
    """The share of the metrics that had something to score and could; free ones always can."""
    tried = [
        score
        for metric, score in cell.scores.items()
        if score.family not in FREE and metric != COVERAGE and (score.applicable or score.value)
    ]
    if not tried:
        return cell
    value = sum(score.value is not None for score in tried) / len(tried)
    score = Score(metric=COVERAGE.name, family="no judge", value=value, granularity=len(tried))
    return replace(cell, scores={**cell.scores, COVERAGE: score})
