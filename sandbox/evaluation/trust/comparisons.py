"""Two metrics, or two judges of one metric, on the same answers: the difference of their AUCs.

Leaves out which are worth comparing, except for metrics that two judges scored.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations

from sandbox.errors import ConfigError
from sandbox.evaluation.runs.records import MetricKey
from sandbox.evaluation.trust.arrays import Column
from sandbox.evaluation.trust.records import Difference
from sandbox.evaluation.trust.resampling import Resampling


def compare_columns(
    pairs: Sequence[tuple[MetricKey, MetricKey]],
    columns: Mapping[MetricKey, Column],
    resampling: Resampling,
    *,
    flipped: bool = False,
) -> tuple[Difference, ...]:
    """The difference of each pair; a pair without an AUC on the cells of both is left out.

    Args:
        pairs: Two metrics each.
        columns: Every metric.
        resampling: The labels, resampled.
        flipped: Turn the second of each pair upside down.
    """
    found = []
    for metric, other in pairs:
        turned = columns[other]
        if flipped:
            turned = replace(turned, lower_is_better=not turned.lower_is_better)
        difference = _difference(columns[metric], turned, resampling)
        if difference is not None:
            found.append(replace(difference, flipped=flipped))
    return tuple(found)


def find_metrics(
    pairs: Sequence[tuple[str, str]], metrics: Iterable[MetricKey]
) -> tuple[tuple[MetricKey, MetricKey], ...]:
    """The metrics that are shown by those names.

    Raises:
        ConfigError: If there is none of a name.
    """
    by_name = {str(metric): metric for metric in metrics}
    for name in (name for pair in pairs for name in pair):
        if name not in by_name:
            raise ConfigError(f"no answer has a score of {name!r}; there are {', '.join(by_name)}")
    return tuple((by_name[one], by_name[other]) for one, other in pairs)


def judged_by_two(metrics: Iterable[MetricKey]) -> tuple[tuple[MetricKey, MetricKey], ...]:
    """Every two judges of one metric."""
    by_name: dict[str, list[MetricKey]] = {}
    for metric in metrics:
        if metric.judge:
            by_name.setdefault(metric.name, []).append(metric)
    return tuple(pair for same in by_name.values() for pair in combinations(same, 2))


def _difference(column: Column, other: Column, resampling: Resampling) -> Difference | None:
    both = column.scored & other.scored
    found = resampling.difference(column, other)
    area, other_area = resampling.auc(column, both), resampling.auc(other, both)
    if found is None or area is None or other_area is None:
        return None
    return Difference(
        metric=column.metric,
        other=other.metric,
        auc=area,
        other_auc=other_area,
        difference=found[0],
        low=found[1],
        high=found[2],
        cells=int((both & resampling.labels.decided).sum()),
    )
