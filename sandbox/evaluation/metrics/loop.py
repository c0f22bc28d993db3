"""Score many samples at once on an event loop of its own, and yield each score as it is made.

The loop runs in a thread, so that this also works inside a notebook or a web server, whose own
loop is busy. Leaves out which samples need a score and where scores are kept.
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
from sandbox.evaluation.metric import Metric
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
        """Start the thread."""
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="scoring", daemon=True)
        self._thread.start()

    def __enter__(self) -> "ScoringLoop":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._cancel()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def scores(
        self, metric: Metric, samples: Mapping[Key, Sample]
    ) -> Generator[tuple[Key, Score], None, None]:
        """The scores of one metric, each as soon as it is made; closing stops the others.

        Raises:
            ModelUnavailable: If the judge cannot be reached; scores made before were yielded.
            SandboxError: If the disk is full.
        """
        done: Done[Key] = queue.SimpleQueue()
        asyncio.run_coroutine_threadsafe(_score_all(metric, samples, done), self._loop)
        try:
            while (item := done.get()) is not None:
                if isinstance(item, BaseException):
                    raise item
                yield item
        finally:
            self._cancel()

    def _cancel(self) -> None:
        asyncio.run_coroutine_threadsafe(_cancel_all(), self._loop).result()


async def _score_all(metric: Metric, samples: Mapping[Key, Sample], done: Done[Key]) -> None:
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


async def score_once(metric: Metric, sample: Sample) -> Score:
    """The metric's score; what concerns this sample alone is a reason.

    Raises:
        ModelUnavailable: If the judge cannot be reached.
        SandboxError: If the disk is full.
    """
    try:
        with one_case():
            if reason := metric.needs(sample):
                return Score(
                    metric=metric.name,
                    family=metric.family,
                    value=None,
                    reason=reason,
                    applicable=False,
                )
            score = await metric.score(sample)
            to_json(score)  # a value that JSON cannot hold fails here, with its case
            return score
    except Failure as failure:
        return Score(
            metric=metric.name, family=metric.family, value=None, reason=str(failure) or "failed"
        )


async def _cancel_all() -> None:
    others = asyncio.all_tasks() - {asyncio.current_task()}
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)


def _is_disk_full(error: Exception) -> bool:
    if isinstance(error, sqlite3.Error):
        return getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_FULL
    return isinstance(error, OSError) and error.errno in (ENOSPC, EDQUOT)
