"""Ranking metrics: how well the retrieved pages find the relevant ones, with binary relevance.

Items are whatever relevance is judged by, here pages; a ranking holds each item once, best first.
Where nothing is relevant a metric is undefined and the value is ``None``.
"""

from collections.abc import Callable, Hashable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from math import log2

from sandbox.evaluation.runs.records import Family, Sample, Score, Verdict


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
    return _hits(ranking, relevant, k) / len(relevant) if relevant else None


def precision_at_k(
    ranking: Sequence[Hashable], relevant: AbstractSet[Hashable], k: int
) -> float | None:
    r"""Share of the first k places that hold a relevant item: :math:`|top_k \cap R| / k`.

    Places beyond the end of a short ranking count as misses, as in ``trec_eval``.

    >>> precision_at_k(["p7", "p2", "p9"], {"p2", "p4"}, k=2)
    0.5
    """
    _check(ranking, k)
    return _hits(ranking, relevant, k) / k if relevant else None


def hit_rate_at_k(
    ranking: Sequence[Hashable], relevant: AbstractSet[Hashable], k: int
) -> float | None:
    """1.0 if a relevant item is among the first k, else 0.0.

    >>> hit_rate_at_k(["p7", "p2", "p9"], {"p2", "p4"}, k=2)
    1.0
    """
    _check(ranking, k)
    return float(_hits(ranking, relevant, k) > 0) if relevant else None


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


def _hits(ranking: Sequence[Hashable], relevant: AbstractSet[Hashable], k: int) -> int:
    return sum(item in relevant for item in ranking[:k])


def _check(ranking: Sequence[Hashable], k: int) -> None:
    if k < 1:
        raise ValueError(f"k is {k}; ranks count from 1")
    if len(set(ranking)) != len(ranking):
        raise ValueError("the ranking holds an item twice; keep its first place")


AtK = Callable[[Sequence[Hashable], AbstractSet[Hashable], int], float | None]


AT_K: dict[str, AtK] = {
    "recall": recall_at_k,
    "precision": precision_at_k,
    "hit_rate": hit_rate_at_k,
    "ndcg": ndcg_at_k,
}


DEFAULT_K = 5
"""Pages a person would look through; a configuration whose top_k is smaller can fill fewer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RankingMetric:
    """Recall, precision, hit rate or nDCG among the first k pages, or the reciprocal rank."""

    formula: str
    """A name of `AT_K`, or "mrr"."""

    k: int = DEFAULT_K

    @property
    def name(self) -> str:
        """For example "recall@5" or "mrr"."""
        return self.formula if self.formula == "mrr" else f"{self.formula}@{self.k}"

    @property
    def family(self) -> Family:
        """Needs no model."""
        return "ranking"

    def needs(self, sample: Sample) -> str:
        """Relevant pages, which an unanswerable case has not."""
        if not sample.answerable:
            return "the question is unanswerable, so no page is relevant"
        return "" if sample.relevant_pages else "the case names no relevant page or quote"

    def measure(self, sample: Sample) -> Score:
        """The formula over the pages in the order of their first chunk."""
        pages, relevant = sample.retrieved_pages, frozenset(sample.relevant_pages)
        if self.formula == "mrr":
            value = reciprocal_rank(pages, relevant)
            looked_at = len(pages)
        else:
            value = AT_K[self.formula](pages, relevant, self.k)
            looked_at = self.k
        return Score(
            metric=self.name,
            family=self.family,
            value=value,
            reason=f"relevant: {', '.join(sample.relevant_pages)}",
            granularity={"recall": len(relevant), "precision": self.k, "hit_rate": 1}.get(
                self.formula
            ),
            detail=tuple(
                Verdict(
                    statement=f"{rank}: {page}",
                    verdict="relevant" if page in relevant else "not relevant",
                )
                for rank, page in enumerate(pages[:looked_at], start=1)
            ),
        )


def ranking_metric(name: str) -> RankingMetric | None:
    """The metric of that name, such as "recall@5" or "mrr"; ``None`` if it is no such name."""
    if name == "mrr":
        return RankingMetric(formula="mrr")
    formula, at, k = name.partition("@")
    if formula not in AT_K or not (at and k.isascii() and k.isdigit()) or int(k) < 1:
        return None
    return RankingMetric(formula=formula, k=int(k))


RANKING_NAMES = (*(f"{measure}@{DEFAULT_K}" for measure in AT_K), "mrr")
