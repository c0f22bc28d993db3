"""Every call to the judge goes through here: cached by content, ordered, retried once, counted.

A reply is kept under everything that determines it (the judge's weights, the prompt, the schema,
the settings), so the same question about the same text is judged once, in whichever configuration
or run it comes up. A local model keeps what it read of the last prompt, so the prompt that shares
the longest beginning with it goes next: first all of one kind, then those about the same material.
"""

import asyncio
import copy
import dataclasses
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Protocol
from weakref import WeakValueDictionary

from sandbox.errors import ModelError, ModelReplyError, ModelUnavailable
from sandbox.evaluation.metric import PlannedCall
from sandbox.evaluation.metrics.judge.endpoint import Endpoint, JudgeReply, JudgeRequest, send
from sandbox.evaluation.runs.records import Sampling
from sandbox.files.storage import Store, digest_of, from_json, to_json

CALL_FORMAT = 1
"""Part of every key; raised when a stored reply would be misread."""

TEMPLATE_TOKENS = 64
"""Room for what a chat template adds around the messages."""

LEAST_JSON_TOKENS = 256
"""Room for a reply below which a structured one is not worth asking for."""

BYTES_PER_TOKEN = 4
"""Rough size of a prompt for a plan; English and Chinese agree in it."""

SERVER_ERRORS_ALLOWED = 3
"""So many "internal error" replies in a row mean that the server is broken, not the prompt."""


class PromptTooLong(ModelReplyError):
    """A prompt does not fit the judge and was not sent."""


class Judge(Protocol):
    """The model that scores answers; every chat model with an OpenAI-compatible address is one."""

    @property
    def name(self) -> str:
        """Source and model, as written in a configuration."""

    @property
    def digest(self) -> str:
        """Identifies the weights."""

    @property
    def openai_endpoint(self) -> Endpoint:
        """Where it answers; may start it."""

    def count_tokens(self, text: str) -> int:
        """Tokens of a text, exact or estimated from above."""


class JudgeCalls:
    """The calls to one judge."""

    def __init__(
        self, judge: Judge, store: Store, *, concurrency: int = 1, sampling: Sampling | None = None
    ) -> None:
        """Nothing is asked yet, and the judge is not started.

        Args:
            judge: The model that scores answers.
            store: Where replies are kept.
            concurrency: Calls at a time: 1 for an embedded server, 1 or 2 for Ollama.
            sampling: For a repeated judgement; its likeliest words for ``None``.
        """
        self.judge = judge
        self._sampling = sampling
        self._cache = store.open_cache("judge")
        self._queue = PromptQueue(concurrency)
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._failures: dict[str, ModelError] = {}
        self._sizes: dict[str, int] = {}
        self._server_errors = 0

    def sampled(self, sampling: Sampling) -> "JudgeCalls":
        """The same calls, asked for another opinion; they wait for the same turns."""
        other = copy.copy(self)
        other._sampling = sampling
        return other

    def key(self, request: JudgeRequest) -> str:
        """Content address of the reply."""
        asked = dataclasses.asdict(self._sampled(request))
        return digest_of("judge", CALL_FORMAT, self.judge.digest, asked)

    def known(self, request: JudgeRequest) -> JudgeReply | None:
        """The reply, where it was given before."""
        key = self.key(request)
        stored = self._cache.get([key]).get(key)
        return None if stored is None else from_json(JudgeReply, stored)

    def plan(self, request: JudgeRequest, *, reply_tokens: int, certain: bool) -> PlannedCall:
        """What the call would cost.

        Args:
            request: The call.
            reply_tokens: Usual size of a reply to it.
            certain: False where the prompt holds a guess in place of an earlier reply.
        """
        prompt_tokens = len(request.prompt.encode()) // BYTES_PER_TOKEN
        cached = certain and self.known(request) is not None
        return PlannedCall(
            tokens=prompt_tokens + reply_tokens,
            key=self.key(request) if certain else "",
            cached=cached,
            overflows=not cached and self._room(request) < _least_room(request),
        )

    async def reply(self, request: JudgeRequest) -> tuple[JudgeReply, bool]:
        """The reply, and whether it was known from the same call before.

        Raises:
            ModelUnavailable: If the judge cannot be reached; the run should stop.
            ModelError: If this call failed; an equal call then fails in the same way.
        """
        key = self.key(request)
        lock = self._locks.setdefault(key, asyncio.Lock())  # lives as long as somebody holds it
        async with lock:
            if key in self._failures:
                raise self._failures[key]
            if (stored := self.known(request)) is not None:
                return stored, True
            try:
                reply = await self._ask(request)
            except ModelUnavailable:
                raise
            except ModelError as error:
                self._failures[key] = error
                raise
            self._cache.put({key: to_json(reply).encode()})
            return reply, False

    async def _ask(self, request: JudgeRequest) -> JudgeReply:
        fitted = self._fitted(request)
        async with self._queue.turn(fitted.prompt):
            try:
                reply = await self._send(fitted)
            except ModelUnavailable as error:
                self._server_errors += 1
                if _is_server_error(error) and self._server_errors < SERVER_ERRORS_ALLOWED:
                    raise ModelReplyError(str(error)) from error
                raise
        self._server_errors = 0
        return reply

    async def _send(self, request: JudgeRequest) -> JudgeReply:
        """Send, and once more after a broken connection: whether the server is gone shows then."""
        import httpx

        endpoint = self.judge.openai_endpoint
        try:
            return await send(self.judge.name, endpoint, request)
        except ModelReplyError as error:
            if not isinstance(error.__cause__, httpx.TransportError):
                raise
        return await send(self.judge.name, endpoint, request)

    def _fitted(self, request: JudgeRequest) -> JudgeRequest:
        """The request with a reply that fits.

        Raises:
            PromptTooLong: If the prompt leaves no room for one.
        """
        room = self._room(request)
        if room < _least_room(request):
            raise PromptTooLong(
                f"prompt of {self._size(request)} tokens does not fit the judge's "
                f"{self.judge.openai_endpoint.context_tokens}"
            )
        fitted = dataclasses.replace(request, max_tokens=min(request.max_tokens, room))
        return self._sampled(fitted)

    def _sampled(self, request: JudgeRequest) -> JudgeRequest:
        if self._sampling is None:
            return request
        temperature, seed = self._sampling.temperature, self._sampling.seed
        return dataclasses.replace(request, temperature=temperature, seed=seed)

    def _room(self, request: JudgeRequest) -> int:
        """Tokens left for the reply; at least the wanted ones where they clearly fit."""
        context = self.judge.openai_endpoint.context_tokens - TEMPLATE_TOKENS
        most = len(request.prompt.encode())  # a token is at least one byte
        if most + request.max_tokens <= context:
            return request.max_tokens
        return context - self._size(request)

    def _size(self, request: JudgeRequest) -> int:
        address = digest_of(request.prompt)
        if address not in self._sizes:
            self._sizes[address] = self.judge.count_tokens(request.prompt)
        return self._sizes[address]


def _least_room(request: JudgeRequest) -> int:
    return min(request.max_tokens, LEAST_JSON_TOKENS)


def _is_server_error(error: ModelUnavailable) -> bool:
    response = getattr(error.__cause__, "response", None)
    return getattr(response, "status_code", None) == 500


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


def shared_beginning(first: str, second: str) -> int:
    """How many characters two texts have in common at their beginning.

    >>> shared_beginning("the harbor is green", "the harbor was red")
    11
    """
    low, high = 0, min(len(first), len(second))
    while low < high:
        middle = (low + high + 1) // 2
        if first[low:middle] == second[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low
