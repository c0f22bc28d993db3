from collections.abc import Iterator

import pytest

from sandbox.models.source import Models
from tests.models.ollama_server import ScriptedOllama, Served


@pytest.fixture
def ollama() -> Iterator[ScriptedOllama]:
    models = [
        Served(name="llama3.1:latest"),
        Served(name="small-window:latest", modelfile="num_ctx                        512"),
        Served(
            name="cuts-silently:latest",
            modelfile="num_ctx                        512",
            overflow="cut",
        ),
        Served(name="qwen2.5vl:7b", capabilities=("completion", "vision")),
        Served(
            name="nomic-embed-text:latest",
            capabilities=("embedding",),
            digest="0a109f422b47",
            size=274_302_450,
            trained_context=2048,
        ),
    ]
    with ScriptedOllama(models) as server:
        yield server


@pytest.fixture
def models(ollama: ScriptedOllama) -> Iterator[Models]:
    source = Models(ollama_url=ollama.url)
    yield source
    source.close()
