"""The judge asked again about the same answers: how far its scores can be repeated.

A repetition has a temperature and a seed of its own, and is cached like any other call. A judge
read by its tokens' probabilities gives the same again, unless its backend applies the temperature
to them.
"""

from collections.abc import Generator, Mapping, Sequence

import numpy as np

from sandbox.errors import ConfigError
from sandbox.evaluation.metric import Metric
from sandbox.evaluation.metrics.loop import ScoringLoop
from sandbox.evaluation.runs.records import JUDGED, MetricKey, Sampling
from sandbox.evaluation.trust.records import Repeatability, TrustCell, TrustTable
from sandbox.progress import Progress

RETEST_SAMPLING = Sampling(temperature=0.7, seed=1)
"""How a repetition is asked; Ollama's and most chat interfaces' usual temperature is near it."""


def find_judge(table: TrustTable, name: str) -> str:
    """The judge that scored the table's cells, so that it is the one that is asked again.

    Raises:
        ConfigError: If the name is another judge's, or "auto" where several scored them.
    """
    judges = table.judges
    if name in judges or not judges:
        return name
    if name == "auto" and len(judges) == 1:
        return judges[0]
    raise ConfigError(
        f"these answers were scored by {' and '.join(judges)}; say whose scores to repeat with"
        f" --judge {judges[0]}"
    )


def list_repeatable(table: TrustTable, judge: str = "") -> tuple[str, ...]:
    """The metrics of the table that the judge scored, by the name of the metric alone."""
    judged = [row.metric for row in table.metrics if row.family in JUDGED]
    return tuple(dict.fromkeys(metric.name for metric in judged if metric.is_of(judge)))


def retest(
    table: TrustTable,
    metrics: Sequence[Metric],
    repeats: int,
    *,
    judge: str = "",
    seed: int = 42,
) -> Generator[Progress, None, tuple[Repeatability, ...]]:
    """Score some answers again with metrics whose judge is sampled, and compare.

    Args:
        table: The scores so far, and thresholds of metrics that separate.
        metrics: Asking the same judge as before, with `RETEST_SAMPLING`.
        repeats: Answers that each metric scores again, drawn at random.
        judge: Whose scores are repeated, where the table holds those of several.
        seed: For the draw.
    """
    repeated = []
    with ScoringLoop() as loop:
        for metric in metrics:
            key = MetricKey(metric.name, judge)
            key = key if table.row(key) else MetricKey(metric.name)
            drawn = _draw(table.cells, key, repeats, seed=seed)
            samples = {place: cell.sample for place, cell in drawn.items() if cell.sample}
            again: dict[int, float | None] = {}
            for place, score in loop.scores(metric, samples) if samples else ():
                again[place] = score.value
                message = f"{len(again)} of {len(samples)} repeated ({key})"
                yield Progress(stage="score", done=len(again), total=len(samples), message=message)
            repeated.append(_repeatability(table, key, drawn, again))
    return tuple(repeated)


def _draw(
    cells: Sequence[TrustCell], metric: MetricKey, repeats: int, *, seed: int
) -> dict[int, TrustCell]:
    """Cells with a score, labelled ones first."""
    scored = [
        position
        for position, cell in enumerate(cells)
        if metric in cell.scores and cell.scores[metric].value is not None
    ]
    shuffled = np.random.default_rng([seed, 4]).permutation(scored).tolist()
    shuffled.sort(key=lambda position: cells[position].label not in ("right", "wrong"))
    return {position: cells[position] for position in shuffled[:repeats]}


def _repeatability(
    table: TrustTable,
    metric: MetricKey,
    drawn: Mapping[int, TrustCell],
    again: Mapping[int, float | None],
) -> Repeatability:
    before = {place: cell.scores[metric].value or 0.0 for place, cell in drawn.items()}
    pairs = [(before[place], value) for place, value in sorted(again.items()) if value is not None]
    if not pairs:
        return Repeatability(
            metric=metric,
            repeated=0,
            flip_rate=None,
            threshold=None,
            sd=None,
            failed=len(again),
            reason="no answer has a score of it that could be repeated"
            if not again
            else "no repetition gave a score",
        )
    row = table.row(metric)
    threshold = row.threshold.value if row and row.threshold else 0.5
    first, second = np.array(pairs).T
    return Repeatability(
        metric=metric,
        repeated=len(pairs),
        flip_rate=float(((first >= threshold) != (second >= threshold)).mean()),
        threshold=threshold,
        # Half the mean squared difference of two scores estimates the variance of one.
        sd=float(np.sqrt(((first - second) ** 2).mean() / 2)),
        failed=len(again) - len(pairs),
    )
