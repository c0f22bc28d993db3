"""An Ollama server for tests: real sockets on loopback, scripted answers, and its known failures.

The behavior is that of Ollama 0.32 on a CPU; maintainers run the same tests against a real one.
"""

import contextlib
import json
import re
import socket
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Literal

from tests.models.ollama_replies import OllamaReplies, json_mode, tokens

DEFAULT_CONTEXT = 4096
SLOW_SECONDS = 1.0
Trouble = Literal[
    "", "slow", "cut stream", "quiet end", "error in stream", "not json", "empty", "no memory"
]


@dataclass
class Served:
    """A model on the scripted server."""

    name: str
    capabilities: tuple[str, ...] = ("completion", "tools")
    digest: str = "46e0c10c039e"
    size: int = 4_920_753_328
    trained_context: int = 131_072
    modelfile: str = ""
    overflow: Literal["refuse", "cut"] = "refuse"
    remote_host: str = ""


@dataclass
class ScriptedOllama:
    """What the server has, how it answers, and what was asked of it."""

    models: list[Served]
    reply: Callable[[list[dict[str, Any]]], str] = lambda messages: "The year was 2019."
    trouble: Trouble = ""
    lists_capabilities: bool = True
    requests: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    connections: list[socket.socket] = field(default_factory=list)

    def __enter__(self) -> "ScriptedOllama":
        self._server = _Server(("127.0.0.1", 0), _handler_for(self))
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def close(self) -> None:
        """Stop as a killed process does: open connections end too."""
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()
        for connection in self.connections:
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    def find(self, name: str) -> Served | None:
        wanted = name if ":" in name else f"{name}:latest"
        return next((model for model in self.models if model.name == wanted), None)

    def asked(self, path: str) -> list[dict[str, Any]]:
        return [body for asked, body in self.requests if asked == path]


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that left is no event here."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    script: ScriptedOllama

    def setup(self) -> None:
        super().setup()
        self.script.connections.append(self.connection)

    def log_message(self, format: str, *arguments: object) -> None:
        """Stay quiet."""

    def do_GET(self) -> None:
        self.script.requests.append((self.path, {}))
        pages: dict[str, Callable[[], object]] = {
            "/api/version": lambda: {"version": "0.32.15"},
            "/api/tags": lambda: {"models": [self._entry(m) for m in self.script.models]},
            "/api/ps": lambda: {"models": [self._loaded(m) for m in self.script.models]},
            "/v1/models": lambda: {
                "object": "list",
                "data": [{"id": m.name, "object": "model"} for m in self.script.models],
            },
        }
        if self.script.trouble == "slow":
            time.sleep(SLOW_SECONDS)
        if self.path in pages:
            self._send(200, pages[self.path]())
        else:
            self._send(404, {"error": "not found"})

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.script.requests.append((self.path, body))
        model = self.script.find(body["model"])
        if self.path == "/api/create":
            self._create(body)
        elif model is None:
            self._fail(404, f"model '{body['model']}' not found", "not_found_error")
        elif self.script.trouble == "slow":
            time.sleep(SLOW_SECONDS)
            self._send(200, {})
        elif self.script.trouble == "no memory":
            self._fail(500, "model requires more system memory (5.6 GiB) than is available")
        elif self.path == "/api/show":
            self._show(model)
        elif self.path == "/api/embed":
            self._embed(model, body)
        else:
            self._chat(model, body)

    @property
    def _is_native(self) -> bool:
        return self.path.startswith("/api/")

    def _entry(self, model: Served) -> dict[str, Any]:
        family = "nomic-bert" if "embedding" in model.capabilities else "llama"
        entry: dict[str, Any] = {
            "name": model.name,
            "model": model.name,
            "size": model.size,
            "digest": model.digest,
            "details": {"family": family, "families": [family]},
        }
        if self.script.lists_capabilities:
            entry["capabilities"] = model.capabilities
            entry["details"]["context_length"] = model.trained_context
        if model.remote_host:
            entry["remote_host"] = model.remote_host
        return entry

    def _loaded(self, model: Served) -> dict[str, Any]:
        return self._entry(model) | {"context_length": self._context(model, {})}

    def _show(self, model: Served) -> None:
        shown = {
            "parameters": model.modelfile,
            "capabilities": model.capabilities,
            "model_info": {"llama.context_length": model.trained_context},
        }
        self._send(200, shown)

    def _create(self, body: dict[str, Any]) -> None:
        lines = [f"{key} {value}" for key, value in body.get("parameters", {}).items()]
        name = f"{body['model']}:latest"
        self.script.models.append(Served(name=name, modelfile="\n".join(lines)))
        self._send(200, {"status": "success"})

    def _embed(self, model: Served, body: dict[str, Any]) -> None:
        if "embedding" not in model.capabilities:
            return self._fail(501, "this server does not support embeddings")
        texts = body["input"]
        longest = max((tokens(text) for text in texts), default=0)
        if longest > model.trained_context and not body.get("truncate", True):
            return self._fail(400, "the input length exceeds the context length")
        rows = [[3.0 * len(text), 4.0 * len(text), 0.0] for text in texts]
        if self.script.trouble == "empty":
            rows = []
        return self._send(200, {"model": model.name, "embeddings": rows})

    def _context(self, model: Served, body: dict[str, Any]) -> int:
        stated = re.search(r"num_ctx\s+(\d+)", model.modelfile)
        asked = body.get("options", {}).get("num_ctx") if self._is_native else None
        return int(asked or (stated and stated[1]) or DEFAULT_CONTEXT)

    def _chat(self, model: Served, body: dict[str, Any]) -> None:
        context = self._context(model, body)
        size = sum(tokens(str(message["content"])) for message in body["messages"])
        if size > context and model.overflow == "refuse":
            inner = f"request ({size} tokens) exceeds the available context size ({context} tokens)"
            return self._fail(400, json.dumps({"error": {"code": 400, "message": inner}}))
        read = size if size <= context else context // 2
        text = "" if self.script.trouble == "empty" else self.script.reply(body["messages"])
        text = json_mode(text, body)
        replies = OllamaReplies.for_request(body, native=self._is_native)
        if body.get("stream"):
            return self._stream(replies, replies.pieces(text, read))
        return self._send(200, replies.whole(text, read))

    def _stream(self, replies: OllamaReplies, pieces: Iterator[str]) -> None:
        kind = "application/x-ndjson" if self._is_native else "text/event-stream"
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for number, piece in enumerate(pieces):
            if number == 2 and self.script.trouble in ("cut stream", "quiet end"):
                break
            if number == 2 and self.script.trouble == "error in stream":
                piece = replies.error("llama runner process has terminated")
            if self.script.trouble == "not json":
                piece = piece.replace("{", "", 1)
            self.wfile.write(f"{len(piece.encode()):x}\r\n{piece}\r\n".encode())
        if self.script.trouble == "cut stream":
            self.close_connection = True
        else:
            self.wfile.write(b"0\r\n\r\n")

    def _fail(self, status: int, message: str, kind: str = "api_error") -> None:
        nested = {"error": {"message": message, "type": kind}}
        self._send(status, {"error": message} if self._is_native else nested)

    def _send(self, status: int, content: object) -> None:
        data = json.dumps(content).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


def _handler_for(script: ScriptedOllama) -> type[_Handler]:
    return type("Handler", (_Handler,), {"script": script})
