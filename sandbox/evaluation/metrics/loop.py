"""Score many samples, and yield each score as soon as it is made.

A pure metric is computed in place. Judged metrics score all samples at once, on an event loop in a
thread, so that this also works inside a notebook or a web server, whose own loop is busy.
"""

import asyncio
import logging
import queue
import sqlite3
import threading
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from errno import EDQUOT, ENOSPC
from types import TracebackType
from typing import TypeVar

from sandbox.errors import ModelUnavailable, SandboxError
from sandbox.evaluation.metric import JudgedMetric, Metric, PureMetric
from sandbox.evaluation.runs.records import Sample, Score
from sandbox.files.storage import to_json

logger = logging.getLogger(__name__)

Key = TypeVar("Key")
Done = queue.SimpleQueue[tuple[Key, Score] | BaseException | None]


class Failure(Exception):
    """Answering or scoring one case failed; the message is the reason, the others go on."""


@contextmanager
def one_case() -> Iterator[None]:
    """Turn what goes wrong with one case into a `Failure`, except what stops them all.

    Raises:
        Failure: For everything that concerns this case alone.
        ModelUnavailable: If a model is not there, so that no further case can be done.
        SandboxError: If the disk is full.
    """
    try:
        yield
    except ModelUnavailable:
        raise
    except SandboxError as error:
        raise Failure(str(error)) from error
    except Exception as error:
        if _is_disk_full(error):
            raise SandboxError(
                f"the disk is full ({error}); make room, then go on with --resume"
            ) from error
        logger.debug("a case failed", exc_info=True)
        raise Failure(f"{type(error).__name__}: {error}".strip()) from error


class ScoringLoop:
    """An event loop in a thread; one for all metrics, because connections belong to a loop."""

    def __init__(self) -> None:
        """Start nothing before a judged metric needs it."""
        self._running: tuple[asyncio.AbstractEventLoop, threading.Thread] | None = None

    def __enter__(self) -> "ScoringLoop":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._running is None:
            return
        loop, thread = self._running
        _cancel(loop)
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()

    def scores(
        self, metric: Metric, samples: Mapping[Key, Sample]
    ) -> Generator[tuple[Key, Score], None, None]:
        """The scores of one metric, each as soon as it is made; closing stops the others.

        Raises:
            ModelUnavailable: If the judge cannot be reached; scores made before were yielded.
            SandboxError: If the disk is full.
        """
        if isinstance(metric, PureMetric):
            yield from ((key, measure_once(metric, sample)) for key, sample in samples.items())
            return
        loop = self._started()
        done: Done[Key] = queue.SimpleQueue()
        asyncio.run_coroutine_threadsafe(_score_all(metric, samples, done), loop)
        try:
            while (item := done.get()) is not None:
                if isinstance(item, BaseException):
                    raise item
                yield item
        finally:
            _cancel(loop)

    def _started(self) -> asyncio.AbstractEventLoop:
        if self._running is None:
            loop = asyncio.new_event_loop()
            thread = threading.Thread(target=loop.run_forever, name="scoring", daemon=True)
            thread.start()
            self._running = loop, thread
        return self._running[0]


async def _score_all(metric: JudgedMetric, samples: Mapping[Key, Sample], done: Done[Key]) -> None:
    async def score_one(key: Key, sample: Sample) -> None:
        done.put((key, await score_once(metric, sample)))

    try:
        async with asyncio.TaskGroup() as group:
            for key, sample in samples.items():
                group.create_task(score_one(key, sample))
    except BaseExceptionGroup as errors:
        done.put(errors.exceptions[0])
    else:
        done.put(None)


async def score_once(metric: JudgedMetric, sample: Sample) -> Score:
    """The judged metric's score; what concerns this sample alone is a reason.

    Raises:
        ModelUnavailable: If the judge cannot be reached.
        SandboxError: If the disk is full.
    """
    try:
        with one_case():
            return _lacking(metric, sample) or _checked(await metric.score(sample))
    except Failure as failure:
        return _failed(metric, failure)


def measure_once(metric: PureMetric, sample: Sample) -> Score:
    """The pure metric's score; what concerns this sample alone is a reason.

    Raises:
        ModelUnavailable: If the embedder is not there.
        SandboxError: If the disk is full.
    """
    try:
        with one_case():
            return _lacking(metric, sample) or _checked(metric.measure(sample))
    except Failure as failure:
        return _failed(metric, failure)


def _lacking(metric: Metric, sample: Sample) -> Score | None:
    """A score that says what the sample lacks; ``None`` if nothing."""
    reason = metric.needs(sample)
    if not reason:
        return None
    return Score(
        metric=metric.name, family=metric.family, value=None, reason=reason, applicable=False
    )


def _checked(score: Score) -> Score:
    to_json(score)  # a value that JSON cannot hold fails here, with its case
    return score


def _failed(metric: Metric, failure: Failure) -> Score:
    reason = str(failure) or "failed"
    return Score(metric=metric.name, family=metric.family, value=None, reason=reason)


def _cancel(loop: asyncio.AbstractEventLoop) -> None:
    asyncio.run_coroutine_threadsafe(_cancel_all(), loop).result()


async def _cancel_all() -> None:
    tasks = asyncio.all_tasks() - {asyncio.current_task()}
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def _is_disk_full(error: Exception) -> bool:
    if isinstance(error, sqlite3.Error):
        return getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_FULL
    return isinstance(error, OSError) and error.errno in (ENOSPC, EDQUOT)
