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
from sandbox.files.storage import from_json, to_json, write_text
from sandbox.progress import Progress
from sandbox.records import FailedPage, Page

_HEARTBEAT_SECONDS = 1.0  # between two messages of progress while a page takes long
_START_SECONDS = 120.0
"""Allowed for starting the worker and opening, perhaps repairing, a large file."""

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
    run = _Run(folder=folder, source=source, name=name, limits=limits)
    restarts = 0
    while True:
        reason = yield from run.follow_worker()
        outcome = run.outcome
        if outcome.page_count == 0:
            raise CorpusError(f"{name} cannot be opened: {reason}")
        if run.page > outcome.page_count:
            return outcome
        run.after_failure(reason)
        restarts += 1
        if restarts > _MOST_RESTARTS:
            left = f"not tried, because {_MOST_RESTARTS // 2} pages before it could not be read"
            rest = range(run.page, outcome.page_count + 1)
            outcome.failed_pages += [FailedPage(page=number, reason=left) for number in rest]
            return outcome


@dataclass(slots=True, kw_only=True)
class _Run:
    """Where the reading of a document stands, over several runs of the worker."""

    folder: Path
    source: Path
    name: str
    limits: Limits
    outcome: Outcome = field(default_factory=Outcome)
    page: int = 1
    """The page that is read now."""

    text_only: bool = False

    def follow_worker(self) -> Generator[Progress, None, str]:
        """Start a worker at the current page and follow it; returns why it ended."""
        waited, allowed = time.monotonic(), _START_SECONDS
        with _Worker(self) as worker:
            while True:
                message = worker.next_message(_HEARTBEAT_SECONDS)
                if message is not None:
                    waited, allowed = time.monotonic(), self.limits.seconds_per_page
                    if progress := self._take(message):
                        yield progress
                elif worker.has_ended:
                    return worker.reason
                elif time.monotonic() - waited > allowed:
                    return f"took longer than {allowed:g} seconds"
                elif self.outcome.page_count:
                    yield self._progress(self.page - 1, f"reading page {self.page}")

    def after_failure(self, reason: str) -> None:
        """Try the current page once more for its text only, then give it up."""
        if self.text_only:
            self.outcome.failed_pages.append(FailedPage(page=self.page, reason=reason))
            self.page += 1
        self.text_only = not self.text_only

    def _take(self, message: Message) -> Progress | None:
        if message.kind == "refused":
            raise CorpusError(f"{self.name} {message.reason}")
        if message.kind == "opened":
            return self._opened(message)
        if message.kind == "failed":
            self.outcome.failed_pages.append(FailedPage(page=message.page, reason=message.reason))
        elif self.text_only:
            _note_text_only(self.folder, message.page)
        self.text_only = False
        self.page = message.page + 1
        return self._progress(message.page, _told(message, self.outcome.page_count))

    def _opened(self, message: Message) -> Progress | None:
        is_restart = self.outcome.page_count > 0
        if message.page_count > self.limits.pages:
            raise CorpusError(
                f"{self.name} has {message.page_count} pages, more than the limit of "
                f"{self.limits.pages}; split it"
            )
        self.outcome.page_count = message.page_count
        self.outcome.is_repaired = message.is_repaired
        return None if is_restart else self._progress(0, f"{message.page_count} pages to read")

    def _progress(self, done: int, message: str) -> Progress:
        return Progress(stage="read", done=done, total=self.outcome.page_count, message=message)


def _told(message: Message, page_count: int) -> str:
    text = f"page {message.page} of {page_count}"
    if message.kind == "failed":
        return f"{text} could not be read"
    figures = f"{message.figures} figure{'s' if message.figures != 1 else ''}"
    return f"{text}, {figures}" if message.figures else text


def _note_text_only(folder: Path, number: int) -> None:
    file = page_file(folder, number)
    page = with_warning(from_json(Page, file.read_bytes()), "reading them failed or took too long")
    write_text(file, to_json(page))


class _Worker:
    """One run of the worker process; leaving the block kills it."""

    def __init__(self, run: _Run) -> None:
        self._errors: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115, closed on leaving
        command = [sys.executable, "-m", "sandbox.documents.worker", str(run.source)]
        command += [str(run.folder), str(run.page), str(run.limits.memory_megabytes)]
        self._process = subprocess.Popen(
            [*command, "text-only"] if run.text_only else command,
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
