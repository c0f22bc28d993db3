"""What a person says of an answer on the Ask tab: a label, or a case for a test set."""

from dataclasses import replace

import gradio as gr

from sandbox.errors import SandboxError
from sandbox.evaluation.labelling.cells import ME
from sandbox.evaluation.runs.chat import TEST_SET, Chatted, add_case, case_of, keep_label
from sandbox.evaluation.runs.records import Right
from sandbox.experiments.experiment import corpus_digest
from sandbox.files.storage import Store
from sandbox.ui.ask.view import Updates, View
from sandbox.ui.parts.session import Session, Turn

VERDICTS: dict[str, Right] = {"right": "right", "wrong": "wrong"}


class JudgingEvents:
    """Right, wrong and "+ test set" below an answer."""

    def __init__(self, store: Store, view: View) -> None:
        """Keep what is said in `store`."""
        self._store = store
        self._view = view

    def press(self, session: Session, event: gr.EventData) -> Updates:
        """A thumb, or the button that adds to a test set."""
        position = int(event.turn)
        if 0 <= position < len(session.turns):
            turn = session.turns[position]
            try:
                session.turns[position] = self._done(turn, event)
            except SandboxError as error:
                session.turns[position] = replace(turn, remark=str(error))
        return self._view.chat(session)

    def _done(self, turn: Turn, event: gr.EventData) -> Turn:
        verdict = VERDICTS.get(str(getattr(event, "verdict", "")))
        if turn.answer is None or turn.corpus is None:
            return turn
        if event.show == "add":
            own = self._store.results / "testsets"
            count = add_case(own, case_of(turn.answer, turn.verdict))
            remark = f"{count} in {TEST_SET}, unverified: check it on the Test set tab"
            return replace(turn, remark=remark)
        if verdict is None:
            return turn
        chatted = Chatted(
            corpus=turn.corpus.name,
            corpus_digest=corpus_digest(turn.corpus),
            config=turn.config.to_dict(),
            answer=turn.answer,
        )
        keep_label(self._store, chatted, verdict, labeller=ME)
        return replace(turn, verdict=verdict, remark="kept as a label for the Trust tab")
