"""Closes what Gradio leaves open."""

import asyncio
from collections.abc import Iterator

import pytest


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
