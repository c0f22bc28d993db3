"""The chance that a right answer scores better than a wrong one: AUC, ties counting half.

Pure functions on arrays; those on many sets of weights at once serve bootstrap and permutation.
Leaves out intervals and tests.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Flags = NDArray[np.bool_]
Counts = NDArray[np.int16]
Weights = NDArray[np.float64] | NDArray[np.bool_] | Counts

BLOCK = 1_000_000
"""Weights that are held at a time, so that 5,000 cells need no gigabytes."""


def auc(scores: Floats, right: Flags) -> float | None:
    r"""Area under the ROC curve: :math:`P(s_r > s_w) + P(s_r = s_w) / 2`.

    >>> float(auc(np.array([0.9, 0.5, 0.5, 0.1]), np.array([True, True, False, False])))
    0.875

    Args:
        scores: One a cell, shape (n,); higher is better.
        right: Whether the cell is right.

    Returns:
        A value in [0, 1], or ``None`` if all are right, all are wrong, or all scores are equal.

    Source:
        Hanley and McNeil (1982), The meaning and use of the area under a receiver operating
        characteristic curve. Equals scipy.stats.mannwhitneyu's U / (n_right * n_wrong).
    """
    n_right = int(right.sum())
    n_wrong = len(right) - n_right
    if not n_right or not n_wrong or scores.min() == scores.max():
        return None
    ranks = midranks(scores)
    return float((ranks[right].sum() - n_right * (n_right + 1) / 2) / (n_right * n_wrong))


def midranks(values: Floats) -> Floats:
    """Ranks from 1; equal values share the mean of theirs.

    >>> midranks(np.array([3.0, 1.0, 3.0])).tolist()
    [2.5, 1.0, 2.5]
    """
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    ranks: Floats = (np.cumsum(counts) - (counts - 1) / 2)[place]
    return ranks


def weighted_aucs(scores: Floats, right: Weights, wrong: Weights) -> Floats:
    """The AUC under each of many weightings of the cells.

    Args:
        scores: One a cell, shape (n,).
        right: Weight of each cell as a right one, shape (weightings, n); 0 where it is not.
        wrong: Weight as a wrong one.

    Returns:
        Shape (weightings,); NaN where a weighting leaves only one class.
    """
    order = np.argsort(scores, kind="stable")
    ordered = scores[order]
    starts = np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1]]))
    found = np.empty(len(right))
    for block in blocks(*right.shape):
        of_right = _sums(right[block][:, order], starts)
        of_wrong = _sums(wrong[block][:, order], starts)
        below = np.cumsum(of_wrong, axis=1) - of_wrong / 2
        pairs = of_right.sum(axis=1) * of_wrong.sum(axis=1)
        with np.errstate(invalid="ignore", divide="ignore"):
            found[block] = np.einsum("ij,ij->i", of_right, below) / pairs
    return found


def within_case_auc(scores: Floats, right: Flags, cases: Integers) -> tuple[float | None, int]:
    """The AUC over pairs of a right and a wrong answer to the same case, and how many there are.

    Args:
        scores: One a cell, shape (n,).
        right: Whether the cell is right.
        cases: Number of the cell's case.
    """
    keys = np.lexsort((scores, cases))
    case, score, is_right = cases[keys], scores[keys], right[keys]
    new_case = np.concatenate([[True], case[1:] != case[:-1]]) if len(case) else np.zeros(0, bool)
    new_value = new_case.copy()
    new_value[1:] |= score[1:] != score[:-1]
    group = np.cumsum(new_value) - 1
    position = np.arange(len(case)) - np.maximum.accumulate(
        np.where(new_case, np.arange(len(case)), 0)
    )
    counts = np.bincount(group)
    ranks = (np.bincount(group, weights=position) / counts)[group] + 1
    number = np.cumsum(new_case) - 1
    rights = np.bincount(number, weights=is_right)
    wrongs = np.bincount(number, weights=~is_right)
    wins = np.bincount(number, weights=ranks * is_right) - rights * (rights + 1) / 2
    pairs = float((rights * wrongs).sum())
    mixed = (rights > 0) & (wrongs > 0)
    return (float(wins[mixed].sum() / pairs) if pairs else None), int(pairs)


def clustered_parts(scores: Floats, right: Flags, cases: Integers) -> tuple[Floats, Floats]:
    """What each case adds to the AUC's error, by its right and by its wrong cells.

    Their squares, summed over the cases, estimate the two parts of the AUC's variance.

    Args:
        scores: One a cell, shape (n,); both classes must be there.
        right: Whether the cell is right.
        cases: Number of the cell's case, from 0.

    Source:
        Obuchowski (1997), Nonparametric analysis of clustered ROC curve data, after DeLong, DeLong
        and Clarke-Pearson (1988).
    """
    ranks = midranks(scores)
    n_right, n_wrong = int(right.sum()), int((~right).sum())
    beaten = np.empty(len(scores))
    beaten[right] = (ranks[right] - midranks(scores[right])) / n_wrong
    beaten[~right] = 1 - (ranks[~right] - midranks(scores[~right])) / n_right
    residual = beaten - beaten[right].mean()
    of_right: Floats = np.bincount(cases, weights=residual * right / n_right).astype(np.float64)
    of_wrong: Floats = np.bincount(cases, weights=residual * ~right / n_wrong).astype(np.float64)
    return of_right, of_wrong


def _sums(weights: Weights, starts: Integers) -> Floats:
    """Sums of columns from each start to the next."""
    sums: Floats = np.add.reduceat(weights.astype(np.float64), starts, axis=1)
    return sums


def blocks(rows: int, columns: int) -> Iterator[slice]:
    """Slices of the rows of a matrix that is too large to be held at once."""
    step = max(1, BLOCK // max(1, columns))
    for start in range(0, rows, step):
        yield slice(start, start + step)
