"""Every metric that asks a judge, on one judge; and the names of all metrics, for front ends."""

from collections.abc import Mapping, Sequence

from sandbox.evaluation.metric import JudgeMetric
from sandbox.evaluation.metrics.judge.calls import JudgeCalls
from sandbox.evaluation.metrics.judge.token_metrics import TOKEN_NAMES, token_metrics
from sandbox.evaluation.metrics.plain import PLAIN_METRICS
from sandbox.evaluation.metrics.ragas.judge import ragas_metrics
from sandbox.evaluation.metrics.ragas.recipes import RECIPES
from sandbox.evaluation.metrics.ranking_metrics import RANKING_NAMES
from sandbox.evaluation.metrics.repeated import RepeatedMetric, sampled, samplings
from sandbox.evaluation.runs.records import Family, GradedExample
from sandbox.models.base import Embedder

METRIC_NAMES: Mapping[Family, tuple[str, ...]] = {
    "ranking": RANKING_NAMES,
    "no judge": (*(metric.name for metric in PLAIN_METRICS), "embedding_similarity"),
    "token judge": TOKEN_NAMES,
    "ragas": tuple(RECIPES),
}
"""Every metric on offer, cheapest family first; to name them, no judge is needed."""


def judge_metrics(
    judge_calls: JudgeCalls,
    embedder: Embedder,
    *,
    judgements: int = 1,
    rubric: Sequence[GradedExample] = (),
) -> tuple[JudgeMetric, ...]:
    """Those of the token judge, then those of RAGAS; neither is loaded before it is asked.

    Args:
        judge_calls: Calls to the judge, shared so that equal ones are made once.
        embedder: For RAGAS's answer_relevancy, answer_correctness and semantic_similarity.
        judgements: How often each is judged; above 1, the median counts.
        rubric: Graded examples for the token judge; RAGAS's prompts have their own.
    """
    several: list[tuple[JudgeMetric, ...]] = [
        (*token_metrics(calls, rubric), *ragas_metrics(calls, embedder))
        for calls in (sampled(judge_calls, sampling) for sampling in samplings(judgements))
    ]
    if judgements == 1:
        return several[0]
    return tuple(RepeatedMetric(metrics=same) for same in zip(*several, strict=True))
