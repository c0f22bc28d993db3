"""Following long work step by step, with a way out for the person who waits."""

from collections.abc import Callable, Generator
from typing import Protocol, TypeVar

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
