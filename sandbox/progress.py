"""Progress of long work, how long it takes in words, and what became of a batch of files."""

from collections.abc import Callable, Generator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeVar

from sandbox.errors import CorpusError
from sandbox.records import Corpus, Document

Result = TypeVar("Result")
Stage = Literal["read", "caption", "index", "models", "retrieve", "answer", "score"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """One step of long work, for a front end to draw."""

    stage: Stage
    done: int
    total: int
    """0 while the total is unknown."""

    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RefusedFile:
    """A file that could not be read, with the reason in one sentence."""

    file: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadReport:
    """The documents read from a batch of files, and the files that were refused."""

    documents: tuple[Document, ...]
    refused: tuple[RefusedFile, ...]
    seconds: float

    def as_corpus(self, name_or_path: str) -> Corpus:
        """The documents that were read, as one corpus.

        Raises:
            CorpusError: If every file was refused.
        """
        if not self.documents:
            reasons = "; ".join(refused.reason for refused in self.refused)
            raise CorpusError(reasons or f"{name_or_path} holds no document")
        return Corpus(name=Path(name_or_path).name or name_or_path, documents=self.documents)


OnProgress = Callable[[Progress], object]


def finish(work: Generator[Any, None, Result], on_progress: OnProgress | None = None) -> Result:
    """Run long work to its end.

    Args:
        work: Yields its progress; other values it yields are passed over.
        on_progress: Called with each step. What it raises stops the work, which then keeps on disk
            what it had done.
    """
    try:
        while True:
            step = next(work)
            if on_progress is not None and isinstance(step, Progress):
                on_progress(step)
    except StopIteration as end:
        result: Result = end.value
        return result
    finally:
        work.close()


def format_duration(seconds: float) -> str:
    """Seconds in words that a person reads at a glance.

    >>> format_duration(7.2), format_duration(130), format_duration(9000)
    ('7 s', '2 min', '2.5 h')
    """
    if seconds < 60:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
