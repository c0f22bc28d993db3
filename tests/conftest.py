"""Fails any test that connects beyond this machine; makes stores and small PDFs."""

import ipaddress
import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pymupdf
import pytest

from sandbox.files.storage import Store
from sandbox.models.offline import switch_off_connections

switch_off_connections()

MakePdf = Callable[..., Path]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The fast tests first, then those with the real models, then those in the browser."""
    items.sort(
        key=lambda item: (
            item.get_closest_marker("browser") is not None,
            item.get_closest_marker("model") is not None,
        )
    )


@pytest.fixture(autouse=True)
def _loopback_only(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    connect = socket.socket.connect
    attempts: list[object] = []

    def guarded(self: socket.socket, address: Any) -> None:
        if self.family != socket.AF_UNIX and not _is_loopback(address[0]):
            attempts.append(address)
            raise OSError(f"tests may not connect to {address}")
        connect(self, address)

    monkeypatch.setattr(socket.socket, "connect", guarded)
    yield
    assert attempts == []


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "results")


@pytest.fixture
def make_pdf(tmp_path: Path) -> MakePdf:
    """Writes a PDF whose pages hold the given paragraphs, in a font for Chinese and English."""

    def make(*pages: str, name: str = "made.pdf") -> Path:
        path = tmp_path / name
        with pymupdf.open() as document:
            for text in pages:
                page = document.new_page()
                page.insert_textbox((60, 60, 535, 780), text, fontsize=11, fontname="china-t")
            document.save(path)
        return path

    return make


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
