"""Failing to score as something of its own: whom it befalls, and what it could hide.

A missing score is never imputed; how far the truth could be off is said by putting the worst, and
the best, score in its place.
"""

import numpy as np

from sandbox.evaluation.stats.auc import Flags, auc
from sandbox.evaluation.trust.arrays import Column, Labels
from sandbox.evaluation.trust.records import Missing
from sandbox.evaluation.trust.resampling import Resampling


def missing_of(column: Column, resampling: Resampling) -> Missing:
    """What failing to score does to a metric."""
    labels = resampling.labels
    scored, failed = column.scored & labels.decided, column.failed & labels.decided
    mean_if_worst, mean_if_best = _means(column, scored, failed)
    auc_if_worst, auc_if_best = _aucs(column, labels, scored, failed)
    has_auc = resampling.auc(column) is not None
    return Missing(
        count=int(failed.sum()),
        share_right=_share(failed & labels.right, scored & labels.right),
        share_wrong=_share(failed & labels.wrong, scored & labels.wrong),
        p=resampling.missing_p_value(column),
        mean_if_worst=mean_if_worst,
        mean_if_best=mean_if_best,
        auc_if_worst=auc_if_worst if has_auc else None,
        auc_if_best=auc_if_best if has_auc else None,
    )


def _share(failed: Flags, scored: Flags) -> float | None:
    tried = failed.sum() + scored.sum()
    return float(failed.sum() / tried) if tried else None


def _means(column: Column, scored: Flags, failed: Flags) -> tuple[float | None, float | None]:
    if not scored.any():
        return None, None
    total, count = column.raw[scored].sum(), scored.sum() + failed.sum()
    worst, best = (float((total + failed.sum() * end) / count) for end in _ends(column, scored))
    return worst, best


def _ends(column: Column, scored: Flags) -> tuple[float, float]:
    """Worst and best value: 0 and 1 if all lie between, else those that were seen."""
    low, high = float(column.raw[scored].min()), float(column.raw[scored].max())
    if low >= 0 and high <= 1:
        low, high = 0.0, 1.0
    return (high, low) if column.lower_is_better else (low, high)


def _aucs(
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
