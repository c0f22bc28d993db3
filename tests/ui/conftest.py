"""Closes what Gradio leaves open; opens the app in Chromium and listens to all it does."""

import asyncio
import os
import shutil
import socket
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest

from sandbox.files.storage import Store
from sandbox.models.base import ModelSource
from sandbox.models.source import Models
from sandbox.rag.pipeline import Pipeline
from sandbox.ui.app import build, start
from sandbox.ui.parts import wiring

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

INSTALL_BROWSER = "pip install -e '.[dev]' && apt-get install chromium"


@pytest.fixture(autouse=True)
def _loops_are_closed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    # Gradio 6.31 makes an event loop for each of its locks and closes none of them.
    made: list[asyncio.AbstractEventLoop] = []
    make = asyncio.new_event_loop

    def remembered() -> asyncio.AbstractEventLoop:
        made.append(make())
        return made[-1]

    monkeypatch.setattr(asyncio, "new_event_loop", remembered)
    yield
    asyncio.set_event_loop(None)
    for loop in made:
        if not loop.is_running():
            loop.close()


@pytest.fixture(autouse=True)
def _every_click_is_answered(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    yield
    records = caplog.get_records("call")
    assert [record.message for record in records if record.name == wiring.__name__] == []


@dataclass
class Visit:
    """An open page of the app, and what it has sent and complained about."""

    page: "Page"
    address: str
    requests: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)

    @property
    def foreign_requests(self) -> list[str]:
        """Requests to anything but the app itself."""
        own = (self.address, "data:", "blob:")
        return [url for url in self.requests if not url.startswith(own)]


OpenApp = Callable[[ModelSource], Visit]


@pytest.fixture(scope="module")
def browser() -> "Iterator[Browser]":
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        _missing("playwright")
    path = shutil.which("chromium") or shutil.which("chromium-browser")
    if path is None:
        _missing("chromium")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield chromium
        chromium.close()


@pytest.fixture
def open_app(browser: "Browser", store: Store) -> Iterator[OpenApp]:
    """Serves the app with the given models and opens it at 1280 x 860 pixels."""
    served: list[Any] = []

    def open_with(models: ModelSource) -> Visit:
        described = Models()
        app = build(Pipeline(store, models), store, described)
        address = start(app, port=_free_port())
        page = browser.new_page(viewport={"width": 1280, "height": 860})
        served.extend([page, app, described])
        visit = Visit(page=page, address=address)
        page.on("request", lambda request: visit.requests.append(request.url))
        page.on("pageerror", lambda error: visit.complaints.append(str(error)))
        page.on("console", lambda message: _listen(visit, message.type, message.text))
        page.goto(address)
        return visit

    yield open_with
    for opened in served:
        opened.close()


def _listen(visit: Visit, kind: str, text: str) -> None:
    if kind == "error":
        visit.complaints.append(text)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _missing(what: str) -> None:
    reason = f"{what} is not installed; run: {INSTALL_BROWSER}"
    if os.environ.get("CI"):
        pytest.fail(reason)
    pytest.skip(reason)
