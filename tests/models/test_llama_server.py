import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from sandbox.errors import ModelReplyError, ModelUnavailable
from sandbox.models import weights
from sandbox.models.chat import stream_reply
from sandbox.models.llama_server import LlamaServer, physical_cores
from sandbox.models.openai_chat import EmbeddedChat
from sandbox.models.source import Models

USES_AND_LEAVES = """
import sys
from sandbox.models.source import Models
model = Models().chat_model("embedded:qwen2.5-0.5b")
print(model.count_tokens("one two three"))
print("own message", file=sys.stderr)
"""


@pytest.fixture(scope="module")
def chat() -> Iterator[EmbeddedChat]:
    source = Models()
    model = source.chat_model("embedded:qwen2.5-0.5b")
    assert isinstance(model, EmbeddedChat)
    yield model
    source.close()


@pytest.mark.model
def test_the_embedded_model_streams_an_answer(chat: EmbeddedChat) -> None:
    parts = list(
        stream_reply(
            chat,
            "Answer with one word from the material.",
            "Material: the harbor is green.\n\nWhat color is the harbor?",
            temperature=0.0,
            seed=42,
            max_tokens=16,
        )
    )
    assert "green" in "".join(part.text for part in parts).lower()
    assert (parts[-1].prompt_tokens or 0) > 20
    assert parts[-1].answer_tokens


@pytest.mark.model
def test_an_answer_as_long_as_allowed_says_that_it_was_cut(chat: EmbeddedChat) -> None:
    parts = list(stream_reply(chat, "", "Count to 99.", temperature=0.0, seed=42, max_tokens=5))
    assert parts[-1].answer_tokens == 5
    assert parts[-1].warning == "the answer was cut after 5 tokens"


@pytest.mark.model
def test_the_embedded_model_counts_tokens_exactly(chat: EmbeddedChat) -> None:
    assert chat.count_tokens("哪一年病例最多?") == 5
    assert chat.count_tokens("") == 0


@pytest.mark.model
def test_a_prompt_longer_than_the_embedded_context_is_refused(chat: EmbeddedChat) -> None:
    with pytest.raises(ModelReplyError, match=r"does not fit embedded:qwen2\.5-0\.5b, which holds"):
        list(stream_reply(chat, "", "word " * 9000, temperature=0.0, seed=42, max_tokens=5))


@pytest.mark.model
def test_the_embedded_server_is_on_loopback_and_ends_with_its_model() -> None:
    server = LlamaServer(weights.find_weights, context_tokens=512)
    address = server.address
    assert address.startswith("http://127.0.0.1:")
    asked_by_a_web_page = {"Origin": "https://example.org"}
    reply = httpx.get(f"{address}/health", headers=asked_by_a_web_page, trust_env=False)
    assert reply.status_code == 200
    assert reply.headers.get("access-control-allow-origin") == ""
    server.close()
    with pytest.raises(httpx.ConnectError):
        httpx.get(f"{address}/health", trust_env=False)


@pytest.mark.model
def test_the_terminal_stays_clean_and_the_process_ends() -> None:
    done = subprocess.run(
        [sys.executable, "-c", USES_AND_LEAVES],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    assert (done.stdout, done.stderr) == ("3\n", "own message\n")


@pytest.mark.model
def test_a_file_that_is_no_model_is_told(tmp_path: Path) -> None:
    path = tmp_path / "broken.gguf"
    path.write_bytes(b"GGUF" + bytes(1000))
    source = Models()
    with pytest.raises(ModelUnavailable, match="cannot be loaded as a GGUF model"):
        source.chat_model(f"gguf:{path}").count_tokens("a text")
    source.close()


@pytest.mark.model
def test_any_model_file_can_be_chosen_by_path() -> None:
    source = Models()
    model = source.chat_model(f"gguf:{weights.find_weights()}")
    assert model.digest == weights.DIGEST
    assert model.count_tokens("one two three") == 3
    source.close()


def test_at_least_one_core_is_used() -> None:
    assert physical_cores() >= 1
