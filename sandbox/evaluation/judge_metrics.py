"""Every metric that asks a judge, on one judge; and the names of all metrics, for front ends."""

from collections.abc import Mapping

from sandbox.evaluation.judge_calls import JudgeCalls
from sandbox.evaluation.plain_metrics import PLAIN_METRICS
from sandbox.evaluation.ragas_judge import ragas_metrics
from sandbox.evaluation.ragas_recipes import RECIPES
from sandbox.evaluation.ranking_metrics import RANKING_NAMES
from sandbox.evaluation.records import Family, Metric
from sandbox.evaluation.token_judge import TOKEN_NAMES, token_metrics
from sandbox.models.base import Embedder

METRIC_NAMES: Mapping[Family, tuple[str, ...]] = {
    "ranking": RANKING_NAMES,
    "no judge": (*(metric.name for metric in PLAIN_METRICS), "embedding_similarity"),
    "token judge": TOKEN_NAMES,
    "ragas": tuple(RECIPES),
}
"""Every metric on offer, cheapest family first; to name them, no judge is needed."""


def judge_metrics(judge_calls: JudgeCalls, embedder: Embedder) -> tuple[Metric, ...]:
    """Those of the token judge, then those of RAGAS; neither is loaded before it is asked.

    Args:
        judge_calls: Calls to the judge, shared so that equal ones are made once.
        embedder: For RAGAS's answer_relevancy, answer_correctness and semantic_similarity.
    """
    return (*token_metrics(judge_calls), *ragas_metrics(judge_calls, embedder))
