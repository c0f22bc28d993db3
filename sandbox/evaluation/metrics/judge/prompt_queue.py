"""The order of the judge's calls: the one in which it has the least to read.

A local model keeps what it read of the last prompt, so the prompt that shares the longest beginning
with it goes next: first all of one kind, among them those about the same material.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class PromptQueue:
    """Lets at most so many calls go at a time."""

    def __init__(self, places: int) -> None:
        """One place is fastest for a server with one slot; two may suit Ollama."""
        self._free = places
        self._waiting: dict[asyncio.Future[None], str] = {}
        self._last_prompt = ""

    @asynccontextmanager
    async def turn(self, prompt: str) -> AsyncIterator[None]:
        """Wait for the turn of a call with that prompt; the block is the call."""
        await self._wait(prompt)
        try:
            yield
        finally:
            self._pass_on()

    async def _wait(self, prompt: str) -> None:
        if self._free:
            self._free -= 1
            self._last_prompt = prompt
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting[turn] = prompt
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():  # given, but nobody is left to take it
                self._pass_on()
            raise
        finally:
            self._waiting.pop(turn, None)

    def _pass_on(self) -> None:
        waiting = {turn: prompt for turn, prompt in self._waiting.items() if not turn.done()}
        if not waiting:
            self._free += 1
            return
        turn = max(waiting, key=lambda turn: shared_beginning(self._last_prompt, waiting[turn]))
        self._last_prompt = waiting[turn]
        turn.set_result(None)


def shared_beginning(one: str, other: str) -> int:
    """How many characters two texts have in common at their beginning.

    >>> shared_beginning("the harbor is green", "the harbor was red")
    11
    """
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low
