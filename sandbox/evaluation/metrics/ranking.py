"""Ranking metrics: how well a ranking finds what is relevant. Pure functions, binary relevance.

Items are whatever relevance is judged by, here pages; a ranking holds each item once, best first.
Where nothing is relevant a metric is undefined and the value is ``None``.
"""

from collections.abc import Hashable, Sequence
from collections.abc import Set as AbstractSet
from math import log2


def recall_at_k(
    ranking: Sequence[Hashable], relevant: AbstractSet[Hashable], k: int
) -> float | None:
    r"""Share of the relevant items found in the first k: :math:`|top_k \cap R| / |R|`.

    >>> recall_at_k(["p7", "p2", "p9"], {"p2", "p4"}, k=2)
    0.5

    Args:
        ranking: Retrieved items, best first, without duplicates.
        relevant: Items judged relevant to the question.
        k: Cut-off rank, counted from 1.

    Returns:
        Recall in [0, 1], or ``None`` if nothing is relevant.

    Raises:
        ValueError: If ``k`` is below 1 or ``ranking`` holds duplicates.

    Source:
        Manning, Raghavan and Schütze (2008), Introduction to Information Retrieval, chapter 8.
    """
    _check(ranking, k)
    return _found(ranking, relevant, k) / len(relevant) if relevant else None


def precision_at_k(
    ranking: Sequence[Hashable], relevant: AbstractSet[Hashable], k: int
) -> float | None:
    r"""Share of the first k places that hold a relevant item: :math:`|top_k \cap R| / k`.

    Places beyond the end of a short ranking count as misses, as in ``trec_eval``.

    >>> precision_at_k(["p7", "p2", "p9"], {"p2", "p4"}, k=2)
    0.5
    """
    _check(ranking, k)
    return _found(ranking, relevant, k) / k if relevant else None


def hit_rate_at_k(
    ranking: Sequence[Hashable], relevant: AbstractSet[Hashable], k: int
) -> float | None:
    """1.0 if a relevant item is among the first k, else 0.0.

    >>> hit_rate_at_k(["p7", "p2", "p9"], {"p2", "p4"}, k=2)
    1.0
    """
    _check(ranking, k)
    return float(_found(ranking, relevant, k) > 0) if relevant else None


def reciprocal_rank(ranking: Sequence[Hashable], relevant: AbstractSet[Hashable]) -> float | None:
    """1 / rank of the first relevant item, 0.0 if none is ranked; its mean over cases is MRR.

    >>> reciprocal_rank(["p7", "p2", "p9"], {"p2", "p4"})
    0.5

    Source:
        Voorhees (1999), "The TREC-8 Question Answering Track Report".
    """
    _check(ranking, 1)
    if not relevant:
        return None
    ranks = (rank for rank, item in enumerate(ranking, start=1) if item in relevant)
    return 1 / first if (first := next(ranks, None)) else 0.0


def ndcg_at_k(ranking: Sequence[Hashable], relevant: AbstractSet[Hashable], k: int) -> float | None:
    r"""Gain discounted by rank over the best possible: :math:`\sum 1/\log_2(1 + rank)`.

    >>> round(ndcg_at_k(["p7", "p2", "p9"], {"p2", "p4"}, k=2), 3)
    0.387

    Source:
        Järvelin and Kekäläinen (2002), "Cumulated gain-based evaluation of IR techniques", with the
        logarithm of rank + 1 as in ``trec_eval -m ndcg_cut``.
    """
    _check(ranking, k)
    if not relevant:
        return None
    gain = sum(
        1 / log2(rank + 1) for rank, item in enumerate(ranking[:k], start=1) if item in relevant
    )
    best = sum(1 / log2(rank + 1) for rank in range(1, min(k, len(relevant)) + 1))
    return gain / best


def _found(ranking: Sequence[Hashable], relevant: AbstractSet[Hashable], k: int) -> int:
    return sum(item in relevant for item in ranking[:k])


def _check(ranking: Sequence[Hashable], k: int) -> None:
    if k < 1:
        raise ValueError(f"k is {k}; ranks count from 1")
    if len(set(ranking)) != len(ranking):
        raise ValueError("the ranking holds an item twice; keep its first place")
