"""From which score on an answer passes for right, and how well that holds on other cases."""

from dataclasses import dataclass

import numpy as np

from sandbox.evaluation.stats.auc import Flags, Floats
from sandbox.evaluation.trust.arrays import Column, Labels
from sandbox.evaluation.trust.learner import deal_folds
from sandbox.evaluation.trust.records import Threshold


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
    folds = deal_folds(cases, right, seed=seed)
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
    """Halfway between two values, so that rounding does not decide; of equal gains the lowest."""
    from sklearn.metrics import roc_curve

    curve = roc_curve(right, scores, drop_intermediate=False)
    false_rates, true_rates, values = (points[::-1] for points in curve)
    gains = true_rates - false_rates
    if false_alarm_rate is not None:
        gains = np.where(false_rates <= false_alarm_rate, true_rates, -1.0)
    best = int(np.argmax(gains))
    if best == len(values) - 1:  # even the top value lets too many pass: nothing does
        value = np.nextafter(values[-2], np.inf)
    else:
        value = (values[max(0, best - 1)] + values[best]) / 2
    return _Cut(
        value=float(value), true_rate=float(true_rates[best]), false_rate=float(false_rates[best])
    )
