"""Folds of cases for cross-validation: no case is on both sides, classes are spread evenly.

Leaves out what is validated.
"""

import numpy as np

from sandbox.evaluation.stats.auc import Flags, Integers

MOST_FOLDS = 10


def folds_of(cases: Integers, right: Flags, *, seed: int) -> Integers | None:
    """The fold of each cell, from 0; ``None`` if a class would be missing outside some fold.

    Cases are ordered by their share of right cells, at random among equals, and dealt out in turn.

    Args:
        cases: Number of each cell's case.
        right: Whether the cell is right.
        seed: For the order of the cases.
    """
    names, number = np.unique(cases, return_inverse=True)
    rights = np.bincount(number, weights=right)
    sizes = np.bincount(number)
    classes = int((rights > 0).sum()), int((rights < sizes).sum())
    if min(*classes, len(names)) < 2:
        return None
    count = min(MOST_FOLDS, len(names))
    generator = np.random.default_rng([seed, 3])
    order = np.lexsort((generator.random(len(names)), rights / sizes))
    dealt = np.empty(len(names), dtype=np.int64)
    dealt[order] = np.arange(len(names)) % count
    folds: Integers = dealt[number]
    return folds
