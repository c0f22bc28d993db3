"""What long work tells: each step while it runs, and what became of a batch of files."""

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
