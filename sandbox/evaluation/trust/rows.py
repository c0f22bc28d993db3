"""One row of the trust table, and the difference of two metrics' AUCs on the same answers.

Adjusting p-values for their number and ordering the rows is up to table.py.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain, combinations, compress
from statistics import median

import numpy as np

from sandbox.errors import ConfigError
from sandbox.evaluation.runs.records import MetricKey, Score
from sandbox.evaluation.stats.auc import Flags, auc
from sandbox.evaluation.trust.cells import BASELINES
from sandbox.evaluation.trust.decisions import (
    Evidence,
    Significance,
    decide_trust,
    find_cause,
    write_notes,
)
from sandbox.evaluation.trust.records import Cost, Difference, MetricTrust, Missing, TrustCell
from sandbox.evaluation.trust.resampling import Column, Labels, Resampling


def compute_row(
    column: Column, cells: Sequence[TrustCell], resampling: Resampling, significance: Significance
) -> MetricTrust:
    """The row of a metric, without its comparison with a baseline and without a threshold."""
    row = _measure(column, cells, resampling, significance)
    row = replace(row, notes=write_notes(row, column, resampling.labels, cells))
    cause = find_cause(row)
    if not cause or cause in row.reason:
        return row
    return replace(row, reason=f"{row.reason}: {cause}")


def compare_metrics(
    pair: tuple[MetricKey, MetricKey],
    columns: Mapping[MetricKey, Column],
    resampling: Resampling,
    *,
    flipped: bool = False,
) -> Difference | None:
    """How far the AUC of the first exceeds the second's, on the cells that both score.

    Args:
        pair: Two metrics.
        columns: The scores of every metric.
        resampling: The labels, resampled.
        flipped: Turn the second upside down.

    Returns:
        ``None`` where one of the AUCs is undefined.
    """
    column, other = (columns[metric] for metric in pair)
    if flipped:
        other = replace(other, lower_is_better=not other.lower_is_better)
    both = column.scored & other.scored
    area, other_area = resampling.auc(column, both), resampling.auc(other, both)
    bounds = resampling.difference(column, other)
    if bounds is None or area is None or other_area is None:
        return None
    difference, low, high = bounds
    return Difference(
        metric=column.metric,
        other=other.metric,
        auc=area,
        other_auc=other_area,
        difference=difference,
        low=low,
        high=high,
        cells=int((both & resampling.labels.decided).sum()),
        flipped=flipped,
    )


def find_metrics(
    pairs: Sequence[tuple[str, str]], metrics: Iterable[MetricKey]
) -> list[tuple[MetricKey, MetricKey]]:
    """The metrics with those names on the screen.

    Raises:
        ConfigError: If there is none of a name.
    """
    by_name = {str(metric): metric for metric in metrics}
    for name in chain.from_iterable(pairs):
        if name not in by_name:
            raise ConfigError(f"no answer has a score of {name!r}; there are {', '.join(by_name)}")
    return [(by_name[first], by_name[second]) for first, second in pairs]


def pair_judges(metrics: Iterable[MetricKey]) -> list[tuple[MetricKey, MetricKey]]:
    """Every two judges of one metric."""
    by_name: dict[str, list[MetricKey]] = {}
    for metric in metrics:
        if metric.judge:
            by_name.setdefault(metric.name, []).append(metric)
    return [pair for same in by_name.values() for pair in combinations(same, 2)]


def _measure(
    column: Column, cells: Sequence[TrustCell], resampling: Resampling, significance: Significance
) -> MetricTrust:
    labels = resampling.labels
    scored = column.scored & labels.decided
    scores = [score for cell in cells if (score := cell.scores.get(column.metric))]
    evidence = _gather_evidence(column, cells, resampling, significance)
    interval = evidence.interval
    trust, reason = decide_trust(evidence)
    within, pairs = resampling.auc_within_cases(column)
    missing = _describe_missing(column, resampling)
    return MetricTrust(
        metric=column.metric,
        family=scores[0].family,
        mean_right=_mean(column, scored & labels.right),
        mean_wrong=_mean(column, scored & labels.wrong),
        n_right=evidence.n_right,
        n_wrong=evidence.n_wrong,
        auc=evidence.auc,
        auc_low=interval.low if interval else None,
        auc_high=interval.high if interval else None,
        auc_percentile_low=interval.percentile_low if interval else None,
        auc_percentile_high=interval.percentile_high if interval else None,
        standard_error=interval.standard_error if interval else None,
        p=significance.p,
        p_holm=significance.p_holm,
        auc_within_case=within,
        pairs_within_case=pairs,
        missing=missing,
        n_not_applicable=int((labels.decided & ~scored).sum()) - missing.count,
        values=evidence.values,
        verdicts_per_score=_verdicts(scores),
        saturation=_saturation(column, scored),
        cost=_cost(scores),
        trust=trust,
        reason=reason,
        lower_is_better=column.lower_is_better,
        is_baseline=column.metric in BASELINES,
    )


def _gather_evidence(
    column: Column, cells: Sequence[TrustCell], resampling: Resampling, significance: Significance
) -> Evidence:
    labels = resampling.labels
    scored = column.scored & labels.decided
    right, wrong = scored & labels.right, scored & labels.wrong
    return Evidence(
        n_right=int(right.sum()),
        n_wrong=int(wrong.sum()),
        values=len(np.unique(column.raw[scored])),
        auc=resampling.auc(column),
        interval=resampling.interval(column),
        significance=significance,
        cases_right=len(np.unique(labels.cases[right])),
        cases_wrong=len(np.unique(labels.cases[wrong])),
        lack=_lack(column.metric, cells, labels.decided),
    )


def _describe_missing(column: Column, resampling: Resampling) -> Missing:
    """Describe which answers a metric failed to score, and what the failures could hide.

    A missing score is never imputed; the worst, and the best, score in its place shows how far off
    the truth could be.
    """
    labels = resampling.labels
    scored, failed = column.scored & labels.decided, column.failed & labels.decided
    mean_if_worst, mean_if_best = _bound_mean(column, scored, failed)
    auc_if_worst, auc_if_best = _bound_auc(column, labels, scored, failed)
    has_auc = resampling.auc(column) is not None
    return Missing(
        count=int(failed.sum()),
        share_right=_share_of_failures(failed & labels.right, scored & labels.right),
        share_wrong=_share_of_failures(failed & labels.wrong, scored & labels.wrong),
        p=resampling.missing_p_value(column),
        mean_if_worst=mean_if_worst,
        mean_if_best=mean_if_best,
        auc_if_worst=auc_if_worst if has_auc else None,
        auc_if_best=auc_if_best if has_auc else None,
    )


def _share_of_failures(failed: Flags, scored: Flags) -> float | None:
    tried = failed.sum() + scored.sum()
    return float(failed.sum() / tried) if tried else None


def _bound_mean(column: Column, scored: Flags, failed: Flags) -> tuple[float | None, float | None]:
    if not scored.any():
        return None, None
    total, count = column.raw[scored].sum(), scored.sum() + failed.sum()
    worst, best = (float((total + failed.sum() * end) / count) for end in _extremes(column, scored))
    return worst, best


def _extremes(column: Column, scored: Flags) -> tuple[float, float]:
    """Worst and best value: 0 and 1 if all lie between, else those that were seen."""
    low, high = float(column.raw[scored].min()), float(column.raw[scored].max())
    if low >= 0 and high <= 1:
        low, high = 0.0, 1.0
    return (high, low) if column.lower_is_better else (low, high)


def _bound_auc(
    column: Column, labels: Labels, scored: Flags, failed: Flags
) -> tuple[float | None, float | None]:
    """The AUC with every failure below, and above, all scores."""
    if not failed.any():
        return None, None
    tried = failed | scored
    worst, best = (
        auc(np.where(failed, end, column.oriented)[tried], labels.right[tried])
        for end in (-np.inf, np.inf)
    )
    return worst, best


def _mean(column: Column, cells: Flags) -> float | None:
    return float(column.raw[cells].mean()) if cells.any() else None


def _saturation(column: Column, scored: Flags) -> float | None:
    if not scored.any():
        return None
    values = column.oriented[scored]
    return float((values == values.max()).mean())


def _verdicts(scores: Sequence[Score]) -> float | None:
    counts = [score.granularity for score in scores if score.granularity is not None]
    return float(median(counts)) if counts else None


def _cost(scores: Sequence[Score]) -> Cost:
    """By answer; what a cached call would have cost is estimated from the calls that were made."""
    if scores[0].family == "imported":
        return Cost(calls=None, seconds=None, tokens=None)
    made = sum(score.calls for score in scores)
    calls = made + sum(score.calls_saved for score in scores)
    if calls and not made:
        return Cost(calls=calls / len(scores), seconds=None, tokens=None)
    factor = (calls / made if made else 1.0) / len(scores)
    return Cost(
        calls=calls / len(scores),
        seconds=factor * sum(score.seconds for score in scores),
        tokens=factor * sum(score.tokens for score in scores),
    )


def _lack(metric: MetricKey, cells: Sequence[TrustCell], decided: Flags) -> str:
    """Why the labelled cells have no score: the most frequent reason."""
    reasons = Counter(
        score.reason
        for cell in compress(cells, decided)
        if (score := cell.scores.get(metric)) and score.value is None
    )
    if not reasons:
        return ""
    (reason, count), *_ = reasons.most_common(1)
    return f"no labelled answer has a score; {count} times: {reason}"
