import asyncio
from collections.abc import Iterator

import pytest

from sandbox.evaluation.metrics.catalog import judge_metrics
from sandbox.evaluation.metrics.judge.calls import JudgeCalls
from sandbox.evaluation.runs.records import Score
from sandbox.files.storage import Store
from sandbox.models.scripted import ScriptedEmbedder
from sandbox.models.source import Models
from tests.evaluation.judge_server import sample


@pytest.fixture
def models() -> Iterator[Models]:
    source = Models()
    yield source
    source.close()


@pytest.mark.model
def test_the_embedded_judge_reads_right_and_wrong_apart_and_ragas_gets_its_verdicts(
    models: Models, store: Store
) -> None:
    pytest.importorskip("xllamacpp", reason="pip install 'rag-sandbox[embedded]'")
    calls = JudgeCalls(models.judge("embedded:qwen2.5-0.5b"), store)
    metrics = {metric.name: metric for metric in judge_metrics(calls, ScriptedEmbedder())}
    agrees = metrics["agrees_with_reference"]
    recall = metrics["context_recall"]
    right = sample(response="There are nine wards.", reference="Nine wards.")
    wrong = sample(response="There are fourteen districts.", reference="Nine wards.")

    async def judge() -> list[Score]:
        pending = (agrees.score(right), agrees.score(wrong), recall.score(right))
        return list(await asyncio.gather(*pending))

    scores = asyncio.run(judge())
    assert [score.reason for score in scores] == ["", "", ""]
    assert scores[0].value > scores[1].value  # type: ignore[operator]  # neither is missing
    assert scores[2].granularity
    assert [score.calls for score in asyncio.run(judge())] == [0, 0, 0]
