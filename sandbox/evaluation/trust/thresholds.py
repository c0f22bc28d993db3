"""From which score on an answer passes for right, and how well that holds on other cases.

Leaves out which metrics deserve one.
"""

from dataclasses import dataclass

import numpy as np

from sandbox.evaluation.stats.auc import Flags, Floats, Integers
from sandbox.evaluation.stats.folds import folds_of
from sandbox.evaluation.trust.arrays import Column, Labels
from sandbox.evaluation.trust.findings import Threshold


@dataclass(frozen=True, slots=True)
class _Cut:
    """A threshold on turned scores and what it does to the cells it was chosen on."""

    value: float
    true_rate: float
    false_rate: float


def choose_threshold(
    column: Column, labels: Labels, *, false_alarm_rate: float | None = None, seed: int
) -> Threshold | None:
    """The threshold with the largest gain, its accuracy cross-validated by case.

    Args:
        column: The scores.
        labels: The labels.
        false_alarm_rate: Largest share of the wrong answers that may pass; for ``None``, the share
            of right ones that pass less that of wrong ones is made as large as possible.
        seed: For the folds.

    Returns:
        ``None`` where there are fewer than two cases with each class.

    Source:
        Youden (1950), Index for rating diagnostic tests.
    """
    cells = column.scored & labels.decided
    scores, right, cases = column.oriented[cells], labels.right[cells], labels.cases[cells]
    folds = folds_of(cases, right, seed=seed)
    if folds is None:
        return None
    cut = _cut(scores, right, false_alarm_rate)
    agreed = np.zeros(len(scores), dtype=np.bool_)
    for fold in np.unique(folds):
        held = folds == fold
        inner = _cut(scores[~held], right[~held], false_alarm_rate)
        agreed[held] = (scores[held] >= inner.value) == right[held]
    return Threshold(
        value=-cut.value if column.lower_is_better else cut.value,
        at_least=not column.lower_is_better,
        rule="Youden's index"
        if false_alarm_rate is None
        else f"at most {false_alarm_rate:.0%} of the wrong answers pass",
        true_rate=cut.true_rate,
        false_rate=cut.false_rate,
        accuracy=float(agreed.mean()),
        accuracy_always=float(max(right.mean(), 1 - right.mean())),
        folds=int(folds.max()) + 1,
    )


def _cut(scores: Floats, right: Flags, false_alarm_rate: float | None) -> _Cut:
    """Halfway between two values, so that rounding does not decide."""
    values = np.unique(scores)
    order = np.searchsorted(values, scores)
    # Share of each class at or above each value.
    of_right = _from_top(np.bincount(order[right], minlength=len(values)))
    of_wrong = _from_top(np.bincount(order[~right], minlength=len(values)))
    gain = of_right - of_wrong
    if false_alarm_rate is not None:
        gain = np.where(of_wrong <= false_alarm_rate, of_right, -1.0)
    best = int(np.argmax(gain))
    if gain[best] < 0:  # even the top value lets too many pass: nothing does
        return _Cut(value=float(np.nextafter(values[-1], np.inf)), true_rate=0.0, false_rate=0.0)
    below = values[best - 1] if best else values[best]
    return _Cut(
        value=float((below + values[best]) / 2),
        true_rate=float(of_right[best]),
        false_rate=float(of_wrong[best]),
    )


def _from_top(counts: Integers) -> Floats:
    shares: Floats = np.cumsum(counts[::-1])[::-1] / max(1, counts.sum())
    return shares
