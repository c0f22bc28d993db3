"""Seconds and calls of judging with RAGAS: case by case as it comes, against ours.

    python -m benchmarks.judge_order [--full] [--json]

Both judge the same answers cold, with the embedded judge in this process: the six presets on one
case, some minutes; with --full on eight cases, an hour and more.
"""

import asyncio
import json
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from sandbox.config import PRESETS
from sandbox.evaluation.metrics.judge.calls import JudgeCalls
from sandbox.evaluation.metrics.ragas.judge import ragas_metrics
from sandbox.evaluation.metrics.ragas.models import Embeds
from sandbox.evaluation.runs.cells import sample_of
from sandbox.evaluation.runs.records import Sample, Score
from sandbox.files.storage import Store
from sandbox.library import Sandbox
from sandbox.models.base import Embedder
from sandbox.models.openai_chat import EmbeddedChat, OpenAIEndpoint
from sandbox.models.source import Models

CORPUS = "outbreak-zh"
JUDGE = "embedded:qwen2.5-0.5b"
EMBEDDER = "embedded:e5-small"
METRICS = ("faithfulness", "answer_relevancy", "context_precision", "context_recall")
"""The four of the published experiment."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """What judging the same answers cost in either way."""

    plain_seconds: float
    ours_seconds: float
    plain_calls: int
    ours_calls: int
    failed_share: float
    """Share of our scores that are missing."""

    plain_failed_share: float
    scores: int


def compare(presets: Sequence[str], cases: int) -> Comparison:
    """Answer, then judge twice; the judge is started anew for each."""
    samples = _samples(presets, cases)
    models = Models()
    try:
        embedder = models.embedder(EMBEDDER)
        embedder.embed_question("loads the embedder")
        started = time.monotonic()
        plain_calls, plain_failed = _plain(models, embedder, samples)
        plain_seconds = time.monotonic() - started
        models.close()
        started = time.monotonic()
        scores = _ours(models, embedder, samples)
        ours_seconds = time.monotonic() - started
    finally:
        models.close()
    count = len(samples) * len(METRICS)
    return Comparison(
        plain_seconds=round(plain_seconds, 1),
        ours_seconds=round(ours_seconds, 1),
        plain_calls=plain_calls,
        ours_calls=sum(score.calls for score in scores),
        failed_share=sum(score.value is None for score in scores) / count,
        plain_failed_share=plain_failed / count,
        scores=count,
    )


def _samples(presets: Sequence[str], cases: int) -> list[Sample]:
    with Sandbox() as sandbox:
        corpus = sandbox.open(CORPUS)
        asked = [case for case in sandbox.test_set(CORPUS) if case.answerable][:cases]
        return [
            sample_of(case, sandbox.ask(corpus, case.question, preset), id=f"{preset} {case.id}")
            for case in asked
            for preset in presets
        ]


def _ours(models: Models, embedder: Embedder, samples: Sequence[Sample]) -> list[Score]:
    async def judge(store: Store) -> list[Score]:
        calls = JudgeCalls(models.judge(JUDGE), store)
        metrics = [metric for metric in ragas_metrics(calls, embedder) if metric.name in METRICS]
        scores: list[Score] = []
        for metric in metrics:
            scores += await asyncio.gather(*(metric.score(sample) for sample in samples))
        return scores

    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(judge(Store(folder)))


def _plain(models: Models, embedder: Embedder, samples: Sequence[Sample]) -> tuple[int, int]:
    """RAGAS as its documentation has it, with a client that enforces the schema."""
    judge = models.chat_model(JUDGE)
    assert isinstance(judge, EmbeddedChat)
    return asyncio.run(_judge_plainly(judge.openai_endpoint, embedder, samples))


async def _judge_plainly(
    endpoint: OpenAIEndpoint, embedder: Embedder, samples: Sequence[Sample]
) -> tuple[int, int]:
    import instructor
    from openai import AsyncOpenAI, DefaultAsyncHttpxClient
    from ragas.embeddings.base import BaseRagasEmbedding
    from ragas.llms.base import InstructorLLM

    BaseRagasEmbedding.register(Embeds)
    calls = failed = 0

    async def count(_: object) -> None:
        nonlocal calls
        calls += 1

    async with DefaultAsyncHttpxClient(
        timeout=900, trust_env=False, event_hooks={"request": [count]}
    ) as http:
        client = AsyncOpenAI(base_url=endpoint.base_url, api_key="-", http_client=http)
        llm = InstructorLLM(
            client=instructor.from_openai(client, mode=instructor.Mode.JSON_SCHEMA),
            model=endpoint.model,
            provider="openai",
            temperature=0,
            max_tokens=1024,
        )
        for sample in samples:
            for name in METRICS:
                failed += await _fails(name, llm, Embeds(embedder.embed_question), sample)
    return calls, failed


async def _fails(name: str, llm: Any, embeddings: Embeds, sample: Sample) -> bool:
    """Score one cell with one metric; whether that gives no number."""
    import openai
    from instructor.core import InstructorRetryException
    from ragas.metrics import collections

    contexts = list(sample.retrieved_contexts)
    question, answer, reference = sample.user_input, sample.response, sample.reference or ""
    scores = {
        "faithfulness": lambda: collections.Faithfulness(llm=llm).ascore(
            user_input=question, response=answer, retrieved_contexts=contexts
        ),
        "answer_relevancy": lambda: collections.AnswerRelevancy(
            llm=llm,
            embeddings=embeddings,  # type: ignore[arg-type]  # registered as one
        ).ascore(user_input=question, response=answer),
        "context_precision": lambda: collections.ContextPrecision(llm=llm).ascore(
            user_input=question, reference=reference, retrieved_contexts=contexts
        ),
        "context_recall": lambda: collections.ContextRecall(llm=llm).ascore(
            user_input=question, retrieved_contexts=contexts, reference=reference
        ),
    }
    try:
        value = (await scores[name]()).value
    except (InstructorRetryException, openai.OpenAIError, ValueError):
        return True
    return bool(value != value)  # NaN


def main() -> None:
    """Print the comparison; with --json its last line is one object."""
    full = "--full" in sys.argv[1:]
    comparison = compare(list(PRESETS), cases=8 if full else 1)
    if "--json" in sys.argv[1:]:
        sys.stdout.write(json.dumps(asdict(comparison)) + "\n")
        return
    sys.stdout.write("| way | seconds | calls | scores missing |\n|---|---|---|---|\n")
    sys.stdout.write(
        f"| RAGAS case by case | {comparison.plain_seconds:.0f} | {comparison.plain_calls} |"
        f" {comparison.plain_failed_share:.0%} of {comparison.scores} |\n"
        f"| ours | {comparison.ours_seconds:.0f} | {comparison.ours_calls} |"
        f" {comparison.failed_share:.0%} of {comparison.scores} |\n"
    )


if __name__ == "__main__":
    main()
