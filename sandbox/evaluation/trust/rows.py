"""One row of the trust table, and the difference of two metrics' AUCs on the same answers.

Adjusting p-values for their number and ordering the rows is up to table.py.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from statistics import median

import numpy as np

from sandbox.errors import ConfigError
from sandbox.evaluation.runs.records import MetricKey, Score
from sandbox.evaluation.stats.auc import Flags, Interval, auc, within_case_auc
from sandbox.evaluation.trust.cells import BASELINES
from sandbox.evaluation.trust.decisions import Evidence, cause, decide_trust, notes
from sandbox.evaluation.trust.records import Cost, Difference, MetricTrust, Missing, TrustCell
from sandbox.evaluation.trust.resampling import Column, Labels, Resampling


@dataclass(frozen=True, slots=True, kw_only=True)
class Significance:
    """A metric's p-value among those of the others."""

    p: float | None
    p_holm: float | None
    tests: int


def row_of(
    column: Column,
    cells: Sequence[TrustCell],
    resampling: Resampling,
    significance: Significance,
) -> MetricTrust:
    """The row of a metric, without its comparison with a baseline and without a threshold."""
    labels = resampling.labels
    scored = column.scored & labels.decided
    evidence, interval = _evidence(column, cells, resampling, significance)
    trust, reason = decide_trust(evidence)
    mean_right = _mean(column, scored & labels.right)
    mean_wrong = _mean(column, scored & labels.wrong)
    within, pairs = within_case_auc(
        column.oriented[scored], labels.right[scored], labels.cases[scored]
    )
    missing = _describe_missing(column, resampling)
    tried = int(scored.sum()) + missing.count
    scores = [score for cell in cells if (score := cell.scores.get(column.metric))]
    row = MetricTrust(
        metric=column.metric,
        family=scores[0].family,
        mean_right=mean_right,
        mean_wrong=mean_wrong,
        gap=None if mean_right is None or mean_wrong is None else mean_right - mean_wrong,
        n_right=evidence.n_right,
        n_wrong=evidence.n_wrong,
        auc=evidence.auc,
        auc_low=evidence.low,
        auc_high=evidence.high,
        auc_percentile_low=interval.percentile_low if interval else None,
        auc_percentile_high=interval.percentile_high if interval else None,
        standard_error=evidence.standard_error,
        p=significance.p,
        p_holm=significance.p_holm,
        auc_within_case=within if evidence.auc is not None else None,
        pairs_within_case=pairs,
        coverage=float(scored.sum()) / tried if tried else None,
        missing=missing,
        n_not_applicable=int(labels.decided.sum()) - tried,
        values=evidence.values,
        verdicts_per_score=_verdicts(scores),
        saturation=_saturation(column, scored),
        cost=_cost(scores),
        trust=trust,
        reason=reason,
        lower_is_better=column.lower_is_better,
        is_baseline=column.metric in BASELINES,
    )
    row = replace(row, notes=notes(row, column, labels, cells))
    why = cause(row)
    return replace(row, reason=f"{reason}: {why}") if why and why not in reason else row


def _evidence(
    column: Column,
    cells: Sequence[TrustCell],
    resampling: Resampling,
    significance: Significance,
) -> tuple[Evidence, Interval | None]:
    labels = resampling.labels
    scored = column.scored & labels.decided
    right, wrong = scored & labels.right, scored & labels.wrong
    interval = resampling.interval(column)
    evidence = Evidence(
        n_right=int(right.sum()),
        n_wrong=int(wrong.sum()),
        values=len(np.unique(column.raw[scored])),
        auc=resampling.auc(column),
        low=interval.low if interval else None,
        high=interval.high if interval else None,
        standard_error=interval.standard_error if interval else None,
        p_holm=significance.p_holm,
        tests=significance.tests,
        cases_right=len(np.unique(labels.cases[right])),
        cases_wrong=len(np.unique(labels.cases[wrong])),
        lack=_lack(column.metric, cells, labels.decided),
    )
    return evidence, interval


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
    """By answer; what a call that was known would have cost is estimated from those made."""
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
        for cell, labelled in zip(cells, decided, strict=True)
        if labelled and (score := cell.scores.get(metric)) and score.value is None
    )
    if not reasons:
        return ""
    (reason, count), *_ = reasons.most_common(1)
    return f"no labelled answer has a score; {count} times: {reason}"


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
