from collections.abc import Generator

from sandbox.config import preset
from sandbox.ui.ask.session import Session, Turn
from sandbox.ui.parts.progress import follow


def three_steps(closed: list[str]) -> Generator[int, None, str]:
    try:
        yield 1
        yield 2
        yield 3
    finally:
        closed.append("closed")
    return "result"


def test_work_that_is_followed_to_its_end_gives_its_result() -> None:
    steps = []

    def run() -> Generator[int, None, None]:
        steps.append((yield from follow(three_steps([]), Session(), lambda step: step * 10)))

    assert list(run()) == [10, 20, 30]
    assert steps == ["result"]


def test_steps_without_a_drawing_are_passed_over() -> None:
    drawn = follow(three_steps([]), Session(), lambda step: step if step == 2 else None)
    assert list(drawn) == [2]


def test_stopped_work_is_closed_and_gives_nothing() -> None:
    session = Session()
    closed: list[str] = []
    following = follow(three_steps(closed), session, lambda step: step)
    assert next(following) == 1
    session.stop_requested = True
    assert list(following) == []
    assert closed == ["closed"]


def test_questions_are_answered_in_the_order_they_were_asked() -> None:
    config = preset("ctx_k9")
    session = Session()
    session.turns += [
        Turn(question="a", config=config, state="done"),
        Turn(question="b", config=config),
        Turn(question="c", config=config),
    ]
    assert session.next_waiting() == 1
    assert session.is_busy


def test_opening_a_corpus_forgets_the_one_before() -> None:
    session = Session(corpus_name="old", trouble="it failed", shown_turn=0)
    session.turns.append(Turn(question="a", config=preset("ctx_k9"), state="done"))
    session.open("new", ("example?",))
    assert session == Session(corpus_name="new", examples=("example?",))


def test_a_question_asked_while_a_corpus_opens_is_kept() -> None:
    waiting = Turn(question="a", config=preset("ctx_k9"))
    session = Session(turns=[waiting])
    session.open("new", ())
    assert session.turns == [waiting]
