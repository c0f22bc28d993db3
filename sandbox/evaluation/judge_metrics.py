"""Every metric that asks a judge, on one judge: what a front end hands to an evaluation."""

from sandbox.evaluation.judge_calls import JudgeCalls
from sandbox.evaluation.ragas_judge import ragas_metrics
from sandbox.evaluation.records import Metric
from sandbox.evaluation.token_judge import token_metrics
from sandbox.models.base import Embedder


def judge_metrics(judge_calls: JudgeCalls, embedder: Embedder) -> tuple[Metric, ...]:
    """Those of the token judge, then those of RAGAS; neither is loaded before it is asked.

    Args:
        judge_calls: Calls to the judge, shared so that equal ones are made once.
        embedder: For RAGAS's answer_relevancy, answer_correctness and semantic_similarity.
    """
    return (*token_metrics(judge_calls), *ragas_metrics(judge_calls, embedder))
