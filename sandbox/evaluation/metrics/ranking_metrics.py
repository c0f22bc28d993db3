"""The ranking metrics as metrics on samples: how well the retrieved pages find the relevant ones.

Leaves out the formulas (ranking.py) and what a page or quote is (samples.py).
"""

from collections.abc import Callable, Hashable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from sandbox.evaluation.metrics import ranking
from sandbox.evaluation.runs.records import Family, Sample, Score, Verdict

AtK = Callable[[Sequence[Hashable], AbstractSet[Hashable], int], float | None]

AT_K: dict[str, AtK] = {
    "recall": ranking.recall_at_k,
    "precision": ranking.precision_at_k,
    "hit_rate": ranking.hit_rate_at_k,
    "ndcg": ranking.ndcg_at_k,
}
DEFAULT_K = 5
"""Pages a person would look through; a configuration whose top_k is smaller can fill fewer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RankingMetric:
    """Recall, precision, hit rate or nDCG among the first k pages, or the reciprocal rank."""

    measure: str
    """A name of `AT_K`, or "mrr"."""

    k: int = DEFAULT_K

    @property
    def name(self) -> str:
        """For example "recall@5" or "mrr"."""
        return self.measure if self.measure == "mrr" else f"{self.measure}@{self.k}"

    @property
    def family(self) -> Family:
        """Needs no model."""
        return "ranking"

    def needs(self, sample: Sample) -> str:
        """Relevant pages, which an unanswerable case has not."""
        if not sample.answerable:
            return "the question is unanswerable, so no page is relevant"
        return "" if sample.relevant_pages else "the case names no relevant page or quote"

    def calls(self, sample: Sample) -> int:
        """None."""
        return 0

    async def score(self, sample: Sample) -> Score:
        """The measure over the pages in the order of their first chunk."""
        found, relevant = sample.retrieved_pages, frozenset(sample.relevant_pages)
        if self.measure == "mrr":
            value = ranking.reciprocal_rank(found, relevant)
            looked_at = len(found)
        else:
            value = AT_K[self.measure](found, relevant, self.k)
            looked_at = self.k
        return Score(
            metric=self.name,
            family=self.family,
            value=value,
            reason=f"relevant: {', '.join(sample.relevant_pages)}",
            granularity={"recall": len(relevant), "precision": self.k, "hit_rate": 1}.get(
                self.measure
            ),
            detail=tuple(
                Verdict(
                    statement=f"{rank}: {page}",
                    verdict="relevant" if page in relevant else "not relevant",
                )
                for rank, page in enumerate(found[:looked_at], start=1)
            ),
        )


def ranking_metric(name: str) -> RankingMetric | None:
    """The metric of that name, such as "recall@5" or "mrr"; ``None`` if it is no such name."""
    if name == "mrr":
        return RankingMetric(measure="mrr")
    measure, at, k = name.partition("@")
    if measure not in AT_K or not (at and k.isascii() and k.isdigit()) or int(k) < 1:
        return None
    return RankingMetric(measure=measure, k=int(k))


RANKING_NAMES = (*(f"{measure}@{DEFAULT_K}" for measure in AT_K), "mrr")
