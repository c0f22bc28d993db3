import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest

from sandbox.errors import ModelUnavailable
from sandbox.models.openai_chat import HttpChat

PAGES: dict[str, Any] = {}


class Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        data = json.dumps(PAGES.get(self.path)).encode()
        self.send_response(200 if self.path in PAGES else 404)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *arguments: object) -> None:
        """Stay quiet."""


@pytest.fixture
def chat() -> Iterator[HttpChat]:
    PAGES.clear()
    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    model = HttpChat(f"http://127.0.0.1:{server.server_address[1]}/v1#org/model")
    yield model
    model.close()
    server.shutdown()
    thread.join()
    server.server_close()


def test_vllm_states_its_context_in_the_list_of_models(chat: HttpChat) -> None:
    PAGES["/v1/models"] = {"data": [{"id": "other"}, {"id": "org/model", "max_model_len": 16384}]}
    assert chat.context_tokens == 16384


def test_llama_server_states_its_context_there_too(chat: HttpChat) -> None:
    PAGES["/v1/models"] = {"data": [{"id": "org/model", "meta": {"n_ctx": 2048}}]}
    assert chat.context_tokens == 2048


def test_an_older_llama_server_states_it_under_props(chat: HttpChat) -> None:
    PAGES["/v1/models"] = {"data": [{"id": "org/model", "meta": None}]}
    PAGES["/props"] = {"default_generation_settings": {"n_ctx": 1024}}
    assert chat.context_tokens == 1024


def test_a_server_that_does_not_say_gets_a_cautious_guess(chat: HttpChat) -> None:
    PAGES["/v1/models"] = {"data": []}
    assert chat.context_tokens == 4096


def test_a_wrong_address_is_told(chat: HttpChat) -> None:
    with pytest.raises(ModelUnavailable, match="does not exist there"):
        _ = chat.context_tokens


def test_the_address_and_model_are_those_of_the_name(chat: HttpChat) -> None:
    PAGES["/v1/models"] = {"data": []}
    endpoint = chat.openai_endpoint
    assert f"{endpoint.base_url}#{endpoint.model}" == chat.name


def test_settings_for_openai_are_not_read(chat: HttpChat, monkeypatch: pytest.MonkeyPatch) -> None:
    PAGES["/v1/models"] = {"data": []}
    monkeypatch.setenv("OPENAI_API_BASE", "https://example.org")
    monkeypatch.setenv("OPENAI_PROXY", "http://example.org")
    monkeypatch.setenv("OPENAI_API_KEY", "secret")
    model: Any = chat.langchain(temperature=0.0, seed=1, max_tokens=9)
    assert str(model.root_client.base_url).startswith("http://127.0.0.1:")
    assert model.root_client.api_key == "-"
