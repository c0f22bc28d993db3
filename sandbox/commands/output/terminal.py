"""What every command needs at a terminal: progress, streamed answers, wrapped lines."""

import sys
import textwrap
import time
from collections.abc import Generator
from typing import TypeVar

from sandbox.progress import Progress, finish
from sandbox.rag.pipeline import Retrieval
from sandbox.records import Answer

Result = TypeVar("Result")

WIDTH = 100
SECONDS_BETWEEN_LINES = 5.0
"""How often progress is stated where the output is not a terminal."""


def wrap(text: str, *, hanging: int = 2) -> list[str]:
    """A paragraph in lines of the terminal's width, those after the first indented."""
    return textwrap.wrap(text, WIDTH, subsequent_indent=" " * hanging, break_long_words=False)


def watch(work: Generator[Progress, None, Result]) -> Result:
    """Run long work to its end, showing its progress on standard error."""
    stated = 0.0
    interactive = sys.stderr.isatty()

    def state(progress: Progress) -> None:
        nonlocal stated
        now = time.monotonic()
        if interactive:
            sys.stderr.write(f"\r\x1b[K{progress.message}")
            stated = now
        elif now - stated >= SECONDS_BETWEEN_LINES:
            sys.stderr.write(progress.message + "\n")
            stated = now
        sys.stderr.flush()

    result = finish(work, state)
    if interactive and stated:
        sys.stderr.write("\r\x1b[K")
    return result


def stream(work: Generator[Retrieval | str, None, Answer]) -> Answer:
    """Print an answer to standard output as it comes."""
    printed = ""
    while True:
        try:
            part = next(work)
        except StopIteration as end:
            answer: Answer = end.value
            tail = answer.text.removeprefix(printed)
            sys.stdout.write(f"{tail}\n" if answer.text.startswith(printed) else f"\n{tail}\n")
            return answer
        if isinstance(part, str):
            sys.stdout.write(part.removeprefix(printed))
            sys.stdout.flush()
            printed = part
