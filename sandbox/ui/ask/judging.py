"""What a person says of an answer on the Ask tab: a label, or a case for a test set."""

from collections.abc import Callable
from dataclasses import replace

from sandbox.errors import SandboxError
from sandbox.evaluation.labelling.cells import ME
from sandbox.evaluation.runs.chat import TEST_SET, Chatted, add_case, case_of, keep_label
from sandbox.evaluation.runs.records import Right
from sandbox.experiments.experiment import corpus_digest
from sandbox.files.storage import Store
from sandbox.records import Answer
from sandbox.ui.ask.tab import AskTab
from sandbox.ui.ask.view import View
from sandbox.ui.parts.clicks import Click
from sandbox.ui.parts.session import Session, Turn
from sandbox.ui.parts.wiring import Updates, Values

LABELS: dict[str, Right] = {"right": "right", "wrong": "wrong"}


class JudgingEvents:
    """Right, wrong and "+ test set" below an answer."""

    def __init__(self, store: Store, tab: AskTab, view: View) -> None:
        """Keep labels and cases in `store`."""
        self._store = store
        self._tab = tab
        self._view = view

    def label(self, values: Values, click: Click) -> Updates:
        """Keep that the answer is right or wrong."""
        return self._change(values, click, self._labelled)

    def add_test_case(self, values: Values, click: Click) -> Updates:
        """Put the question into the test set of questions from the chat."""
        return self._change(values, click, self._added)

    def _change(
        self, values: Values, click: Click, change: Callable[[Turn, Answer, Click], Turn]
    ) -> Updates:
        session: Session = values[self._tab.session]
        position = click.number("turn")
        if 0 <= position < len(session.turns):
            turn = session.turns[position]
            try:
                if turn.answer:
                    session.turns[position] = change(turn, turn.answer, click)
            except SandboxError as error:
                session.turns[position] = replace(turn, remark=str(error))
        return self._view.chat(session)

    def _added(self, turn: Turn, answer: Answer, _click: Click) -> Turn:
        own = self._store.testsets
        number = add_case(own, case_of(answer, turn.verdict))
        remark = f"{number} in {TEST_SET}, unverified: check it on the Test set tab"
        return replace(turn, remark=remark)

    def _labelled(self, turn: Turn, answer: Answer, click: Click) -> Turn:
        label = LABELS.get(click.text("label"))
        if label is None or turn.corpus is None:
            return turn
        chatted = Chatted(
            corpus=turn.corpus.name,
            corpus_digest=corpus_digest(turn.corpus),
            config=turn.config.to_dict(),
            answer=answer,
        )
        keep_label(self._store, chatted, label, labeller=ME)
        return replace(turn, verdict=label, remark="kept as a label for the Trust tab")
