"""Long work: followed step by step with a way out, its progress and its outcome drawn."""

from collections.abc import Callable, Generator
from typing import Protocol, TypeVar

from markupsafe import Markup

from sandbox.markup.templates import render
from sandbox.progress import Progress

STAGES = {
    "read": "reading",
    "caption": "reading figures",
    "index": "indexing",
    "models": "loading models",
    "retrieve": "retrieving",
    "answer": "answering",
    "score": "scoring",
}

Step = TypeVar("Step")
Drawing = TypeVar("Drawing")
Result = TypeVar("Result")


class Stoppable(Protocol):
    """What one browser tab has open, as far as following work concerns it."""

    stop_requested: bool


def follow(
    work: Generator[Step, None, Result],
    session: Stoppable,
    draw: Callable[[Step], Drawing | None],
) -> Generator[Drawing, None, Result | None]:
    """Draw every step of some work and return its result.

    Args:
        work: Long work that yields its steps.
        session: Asked before every step whether a person wants the work stopped.
        draw: Turns a step into a drawing, or into None where there is nothing new to draw.

    Returns:
        What the work returned, or None if a person stopped it; the work is then closed.
    """
    while not session.stop_requested:
        try:
            step = next(work)
        except StopIteration as end:
            result: Result = end.value
            return result
        drawing = draw(step)
        if drawing is not None:
            yield drawing
    work.close()
    return None


def progress_html(progress: Progress) -> Markup:
    """A bar with its message; without a length while the total is unknown."""
    stage = STAGES[progress.stage]
    done = min(progress.done, progress.total)
    return render(
        "ui/parts/progress.html#progress",
        stage=stage,
        message=progress.message or stage,
        percent=round(100 * done / progress.total) if progress.total else None,
    )


def sentence_html(text: str, *, alarming: bool = False) -> Markup:
    """One sentence, shown where the progress or the result would stand."""
    return render("ui/parts/progress.html#sentence", text=text, alarming=alarming)
