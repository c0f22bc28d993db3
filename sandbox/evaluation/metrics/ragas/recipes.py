"""RAGAS's metrics one by one: what each needs, how it is made and what it is given.

Leaves out RAGAS itself, which is handed in (judge.py imports it).
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from sandbox.evaluation.metrics.judge.scoring import answer_of
from sandbox.evaluation.metrics.ragas.models import Asks, Embeds, NoEmbeds, Plans
from sandbox.evaluation.runs.records import Sample

STRICTNESS = 3
"""Questions that answer_relevancy makes of an answer; RAGAS's default."""

Llm = Asks | Plans
Embeddings = Embeds | NoEmbeds


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """How one of RAGAS's metrics is made and asked."""

    needs: tuple[str, ...]
    calls: Callable[[Sample], int]
    make: Callable[[ModuleType, Llm, Embeddings], Any]
    ask: Callable[[Any, Sample], Awaitable[Any]]
    continuous: bool = False
    """True where the value is not a share of verdicts."""


def _contexts(sample: Sample) -> list[str]:
    return [text for text in sample.retrieved_contexts if text.strip()]


RECIPES: Mapping[str, Recipe] = {
    "faithfulness": Recipe(
        needs=("response", "retrieved_contexts"),
        calls=lambda _: 2,
        make=lambda ragas, llm, _: ragas.Faithfulness(llm=llm),
        ask=lambda metric, sample: metric.ascore(
            user_input=sample.user_input,
            response=answer_of(sample),
            retrieved_contexts=_contexts(sample),
        ),
    ),
    "answer_relevancy": Recipe(
        needs=("response",),
        calls=lambda _: STRICTNESS,
        make=lambda ragas, llm, embeddings: ragas.AnswerRelevancy(
            llm=llm, embeddings=embeddings, strictness=STRICTNESS
        ),
        ask=lambda metric, sample: metric.ascore(
            user_input=sample.user_input, response=answer_of(sample)
        ),
        continuous=True,
    ),
    "answer_correctness": Recipe(
        needs=("response", "reference"),
        calls=lambda _: 3,
        make=lambda ragas, llm, embeddings: ragas.AnswerCorrectness(llm=llm, embeddings=embeddings),
        ask=lambda metric, sample: metric.ascore(
            user_input=sample.user_input, response=answer_of(sample), reference=sample.reference
        ),
    ),
    "context_precision": Recipe(
        needs=("reference", "retrieved_contexts"),
        calls=lambda sample: len(_contexts(sample)),
        make=lambda ragas, llm, _: ragas.ContextPrecision(llm=llm),
        ask=lambda metric, sample: metric.ascore(
            user_input=sample.user_input,
            reference=sample.reference,
            retrieved_contexts=_contexts(sample),
        ),
    ),
    "context_recall": Recipe(
        needs=("reference", "retrieved_contexts"),
        calls=lambda _: 1,
        make=lambda ragas, llm, _: ragas.ContextRecall(llm=llm),
        ask=lambda metric, sample: metric.ascore(
            user_input=sample.user_input,
            retrieved_contexts=_contexts(sample),
            reference=sample.reference,
        ),
    ),
    "factual_correctness": Recipe(
        needs=("response", "reference"),
        calls=lambda _: 4,
        make=lambda ragas, llm, _: ragas.FactualCorrectness(llm=llm),
        ask=lambda metric, sample: metric.ascore(
            response=answer_of(sample), reference=sample.reference
        ),
    ),
    "semantic_similarity": Recipe(
        needs=("response", "reference"),
        calls=lambda _: 0,
        make=lambda ragas, _, embeddings: ragas.SemanticSimilarity(embeddings=embeddings),
        ask=lambda metric, sample: metric.ascore(
            reference=sample.reference, response=answer_of(sample)
        ),
        continuous=True,
    ),
    "noise_sensitivity": Recipe(
        needs=("response", "reference", "retrieved_contexts"),
        calls=lambda sample: 3 + 2 * len(_contexts(sample)),
        make=lambda ragas, llm, _: ragas.NoiseSensitivity(llm=llm),
        ask=lambda metric, sample: metric.ascore(
            user_input=sample.user_input,
            response=answer_of(sample),
            reference=sample.reference,
            retrieved_contexts=_contexts(sample),
        ),
    ),
}
