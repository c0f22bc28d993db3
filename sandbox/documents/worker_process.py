"""Runs the worker over all pages of a PDF: time limits, restarts, and what came of each page.

A page on which the worker hangs or dies is tried once more for its text only; if that fails too, it
is recorded as failed and the worker starts again at the next page.
"""

import queue
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Generator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from sandbox.documents.worker import Message, page_file, with_warning
from sandbox.errors import CorpusError
from sandbox.records import FailedPage, Page, Progress
from sandbox.storage import from_json, to_json, write_text

_HEARTBEAT_SECONDS = 1.0
_MOST_RESTARTS = 20
"""A document that brings the worker down more often is not tried further."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What reading one PDF may cost."""

    file_megabytes: int = 100
    """A larger file is refused before it is read."""

    pages: int = 3000
    """A file with more pages is refused before its pages are read."""

    seconds_per_page: float = 60.0
    memory_megabytes: int = 3000
    """Address space of the worker; OCR needs about 2,000."""


@dataclass(slots=True, kw_only=True)
class Outcome:
    """What came of a document's pages; the pages themselves lie in the folder."""

    page_count: int = 0
    is_repaired: bool = False
    failed_pages: list[FailedPage] = field(default_factory=list)


def read_pages(
    folder: Path, source: Path, name: str, limits: Limits
) -> Generator[Progress, None, Outcome]:
    """Read every page into the folder; closing the generator stops the worker.

    Raises:
        CorpusError: If the document cannot be opened or has too many pages.
    """
    outcome = Outcome()
    page, text_only, restarts = 1, False, 0
    while True:
        with _Worker(source, folder, page, limits, text_only=text_only) as worker:
            page, reason = yield from _follow(worker, page, outcome, name, limits, text_only)
        if outcome.page_count == 0:
            raise CorpusError(f"{name} cannot be opened: {reason}")
        if page > outcome.page_count:
            return outcome
        if text_only:
            outcome.failed_pages.append(FailedPage(page=page, reason=reason))
            page += 1
        text_only = not text_only
        restarts += 1
        if restarts > _MOST_RESTARTS:
            left = f"not tried, because {_MOST_RESTARTS // 2} other pages could not be read"
            rest = range(page, outcome.page_count + 1)
            outcome.failed_pages += [FailedPage(page=number, reason=left) for number in rest]
            return outcome
        if page > outcome.page_count:
            return outcome


def _follow(
    worker: "_Worker", page: int, outcome: Outcome, name: str, limits: Limits, text_only: bool
) -> Generator[Progress, None, tuple[int, str]]:
    """Follow one worker to its end; returns the page it stands at and why it ended."""
    started = time.monotonic()
    first = page
    while True:
        message = worker.next_message(_HEARTBEAT_SECONDS)
        if message is None and worker.has_ended:
            return page, worker.reason
        if message is None:
            if time.monotonic() - started > limits.seconds_per_page:
                return page, f"took longer than {limits.seconds_per_page:g} seconds"
            if outcome.page_count:
                yield _progress(page - 1, outcome.page_count, f"reading page {page}")
            continue
        started = time.monotonic()
        if message.kind == "refused":
            raise CorpusError(f"{name} {message.reason}")
        if message.kind == "opened":
            _check_page_count(message.page_count, name, limits)
            if not outcome.page_count:
                yield _progress(0, message.page_count, f"{message.page_count} pages to read")
            outcome.page_count, outcome.is_repaired = message.page_count, message.is_repaired
            continue
        if message.kind == "failed":
            outcome.failed_pages.append(FailedPage(page=message.page, reason=message.reason))
        elif text_only and message.page == first:
            _note_text_only(worker.folder, first)
        page = message.page + 1
        yield _progress(message.page, outcome.page_count, _told(message, outcome.page_count))


def _told(message: Message, page_count: int) -> str:
    text = f"page {message.page} of {page_count}"
    if message.kind == "failed":
        return f"{text} could not be read"
    figures = f"{message.figures} figure{'s' if message.figures != 1 else ''}"
    return f"{text}, {figures}" if message.figures else text


def _progress(done: int, total: int, message: str) -> Progress:
    return Progress(stage="read", done=done, total=total, message=message)


def _check_page_count(page_count: int, name: str, limits: Limits) -> None:
    if page_count > limits.pages:
        raise CorpusError(
            f"{name} has {page_count} pages, more than the limit of {limits.pages}; split it"
        )


def _note_text_only(folder: Path, number: int) -> None:
    file = page_file(folder, number)
    page = with_warning(from_json(Page, file.read_bytes()), "reading them failed or took too long")
    write_text(file, to_json(page))


class _Worker:
    """One run of the worker process; leaving the block kills it."""

    def __init__(
        self, source: Path, folder: Path, first: int, limits: Limits, *, text_only: bool
    ) -> None:
        self.folder = folder
        self._errors: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115, closed on leaving
        command = [sys.executable, "-m", "sandbox.documents.worker", str(source), str(folder)]
        command += [str(first), str(limits.memory_megabytes)]
        self._process = subprocess.Popen(
            [*command, "text-only"] if text_only else command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
        )
        self._lines: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._reader = threading.Thread(target=self._collect, daemon=True)
        self._reader.start()
        self.has_ended = False

    def __enter__(self) -> "_Worker":
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()
        self._reader.join()
        for stream in (self._process.stdin, self._process.stdout, self._errors):
            if stream is not None:
                stream.close()

    def next_message(self, seconds: float) -> Message | None:
        """The next message; None if there is none in time or, `has_ended`, at the end."""
        try:
            line = self._lines.get(timeout=seconds)
        except queue.Empty:
            return None
        if line is None:
            self.has_ended = True
            return None
        return from_json(Message, line)

    @property
    def reason(self) -> str:
        """Why the process ended, in a few words."""
        status = self._process.wait()
        self._errors.seek(0, 2)
        self._errors.seek(max(0, self._errors.tell() - 2000))
        lines = self._errors.read().decode("utf-8", "replace").strip().splitlines()
        if status < 0:
            return f"the reader was stopped by signal {-status}"
        return lines[-1][:200] if lines else f"the reader ended with status {status}"

    def _collect(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._lines.put(line)
        self._lines.put(None)
