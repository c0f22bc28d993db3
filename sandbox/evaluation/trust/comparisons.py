"""Two metrics, or two judges of one metric, on the same answers: the difference of their AUCs.

Leaves out which are worth comparing, except for metrics that two judges scored.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations

from sandbox.errors import ConfigError
from sandbox.evaluation.trust.arrays import Column
from sandbox.evaluation.trust.findings import Difference
from sandbox.evaluation.trust.resampling import Resampling


def compare_columns(
    pairs: Sequence[tuple[str, str]],
    columns: Mapping[str, Column],
    resampling: Resampling,
    *,
    flipped: bool = False,
) -> tuple[Difference, ...]:
    """The difference of each pair; a pair without an AUC on the cells of both is left out.

    Args:
        pairs: Names of metrics.
        columns: The metrics by name.
        resampling: The labels, resampled.
        flipped: Turn the second of each pair upside down.

    Raises:
        ConfigError: If a name is unknown.
    """
    found = []
    for metric, other in pairs:
        for name in (metric, other):
            if name not in columns:
                raise ConfigError(
                    f"no answer has a score of {name!r}; there are {', '.join(columns)}"
                )
        turned = columns[other]
        if flipped:
            turned = replace(turned, lower_is_better=not turned.lower_is_better)
        difference = _difference(columns[metric], turned, resampling)
        if difference is not None:
            found.append(replace(difference, flipped=flipped))
    return tuple(found)


def judged_by_two(names: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Pairs of names such as "faithfulness (ONE)" and "faithfulness (OTHER)"."""
    by_metric: dict[str, list[str]] = {}
    for name in names:
        metric, _, judge = name.partition(" (")
        if judge:
            by_metric.setdefault(metric, []).append(name)
    return tuple(pair for some in by_metric.values() for pair in combinations(some, 2))


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
