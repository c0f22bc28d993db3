"""Progress of long work, how long it takes in words, and what became of a batch of files."""

from dataclasses import dataclass
from typing import Literal

from sandbox.records import Document

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
    """A file that gave nothing, and why, in one sentence."""

    file: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadReport:
    """What became of a batch of files."""

    documents: tuple[Document, ...]
    refused: tuple[RefusedFile, ...]
    seconds: float


def duration(seconds: float) -> str:
    """Seconds in words that a person reads at a glance.

    >>> duration(7.2), duration(130), duration(9000)
    ('7 s', '2 min', '2.5 h')
    """
    if seconds < 60:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
