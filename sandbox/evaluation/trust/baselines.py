"""Scores that cells lack: trivial baselines for all, and whatever metric is asked for.

A metric that does not beat the baselines earns nothing. Leaves out the metrics themselves.
"""

from collections.abc import Generator, Sequence
from dataclasses import replace

from sandbox.evaluation.metric import Metric
from sandbox.evaluation.metrics.loop import ScoringLoop, measure_once
from sandbox.evaluation.metrics.plain import PLAIN_METRICS
from sandbox.evaluation.runs.records import MetricKey, Score
from sandbox.evaluation.trust.records import TrustCell
from sandbox.progress import Progress

LENGTH = MetricKey("answer_length")
COVERAGE = MetricKey("coverage")
WORDS = (MetricKey("chunk_overlap"), MetricKey("reference_overlap"))
BASELINES = (LENGTH, *WORDS, COVERAGE)
"""Answer length, share of the answer's words in the chunks, share of the reference's words in the
answer, and the share of the other metrics that could score the answer."""

_PLAIN = {key: metric for metric in PLAIN_METRICS if (key := MetricKey(metric.name)) in BASELINES}
_FREE = ("no judge", "ranking")


def with_baselines(cells: Sequence[TrustCell]) -> tuple[TrustCell, ...]:
    """The cells with a score of every baseline; scores that are there stay."""
    return tuple(_with_coverage(_with_plain_baselines(cell)) for cell in cells)


def with_scores(
    cells: Sequence[TrustCell], metrics: Sequence[Metric]
) -> Generator[Progress, None, tuple[TrustCell, ...]]:
    """The cells with a score of each metric where they have none; closing stops.

    Raises:
        ModelUnavailable: If a judge cannot be reached; its calls so far are kept in its cache.
    """
    found = [dict(cell.scores) for cell in cells]
    total = sum(MetricKey(metric.name) not in scores for scores in found for metric in metrics)
    done = 0
    with ScoringLoop() as loop:
        for metric in metrics:
            key = MetricKey(metric.name)
            samples = {
                position: cell.sample
                for position, cell in enumerate(cells)
                if cell.sample is not None and key not in found[position]
            }
            if not samples:
                continue
            for position, score in loop.scores(metric, samples):
                found[position][key] = score
                done += 1
                message = f"{done} of {total} scores ({metric.name})"
                yield Progress(stage="score", done=done, total=total, message=message)
    return tuple(replace(cell, scores=scores) for cell, scores in zip(cells, found, strict=True))


def _with_plain_baselines(cell: TrustCell) -> TrustCell:
    if cell.sample is None:
        return cell
    lacking = {key: metric for key, metric in _PLAIN.items() if key not in cell.scores}
    scores = {key: measure_once(metric, cell.sample) for key, metric in lacking.items()}
    return replace(cell, scores={**cell.scores, **scores})


def _with_coverage(cell: TrustCell) -> TrustCell:
    """The share of the metrics that had something to score and could; free ones always can."""
    tried = [
        score
        for metric, score in cell.scores.items()
        if score.family not in _FREE and metric != COVERAGE and (score.applicable or score.value)
    ]
    if not tried:
        return cell
    value = sum(score.value is not None for score in tried) / len(tried)
    score = Score(metric=COVERAGE.name, family="no judge", value=value, granularity=len(tried))
    return replace(cell, scores={**cell.scores, COVERAGE: score})
