"""Asking: a question waits in line, is answered while the text streams in, can be stopped."""

import time
from collections.abc import Iterator
from dataclasses import replace

import gradio as gr

from sandbox.config import DEFAULT_PRESET, preset
from sandbox.errors import ConfigError, SandboxError
from sandbox.progress import Progress
from sandbox.rag.pipeline import Pipeline, Retrieval
from sandbox.ui.ask.judging import JudgingEvents
from sandbox.ui.ask.tab import AskTab
from sandbox.ui.ask.view import View
from sandbox.ui.parts.clicks import Click, Handler, dispatch
from sandbox.ui.parts.progress import follow
from sandbox.ui.parts.session import Session, Turn
from sandbox.ui.parts.wiring import Updates, Values

REDRAW_SECONDS = 0.08
"""Streamed text is redrawn at most this often."""

NO_CORPUS = "nothing to ask yet; choose a corpus or drop a PDF on the left"


class AskEvents:
    """What happens in the conversation."""

    def __init__(self, pipeline: Pipeline, tab: AskTab, view: View) -> None:
        """Work on the widgets of `tab`."""
        self._pipeline = pipeline
        self._judging = JudgingEvents(pipeline.store, tab, view)
        self._tab = tab
        self._view = view
        self._clicks: dict[str, Handler[Values]] = {
            "example": self._ask_example,
            "citation": self._show_citation,
            "chunk": self._show_chunk,
            "page": self._show_page,
            "label": self._judging.label,
            "test-case": self._judging.add_test_case,
        }

    def submit_typed(self, values: Values) -> Updates:
        """Put the typed question in line."""
        return self._submit(values, values[self._tab.question] or "")

    def click(self, values: Values, event: gr.EventData) -> Updates:
        """Answer a click on the conversation, an example, a chunk or its page."""
        return dispatch(self._clicks, values, event)

    def answer_next(self, session: Session) -> Iterator[Updates]:
        """Answer the oldest question in line; draws the text as it comes."""
        position = session.next_waiting()
        if position is None:
            yield self._view.chat(session)  # Gradio empties every widget if nothing comes
            return
        answering = _Answering(self._view, session, position)
        try:
            yield from self._answer(session, answering)
        except SandboxError as error:
            answering.turn = replace(answering.turn, state="failed", note=str(error))
        session.stop_requested = False
        yield {
            **self._view.chat(session),
            **self._view.chunks(session),
            **self._view.corpus(session),
            **self._stop_button(session),
        }

    def stop(self, session: Session) -> Updates:
        """Stop the answer that is being written, after the piece that is on its way."""
        session.stop_requested = True
        return {self._tab.stop: gr.update(value="Stopping")}

    def _ask_example(self, values: Values, click: Click) -> Updates:
        return self._submit(values, click.text("question"))

    def _show_citation(self, values: Values, click: Click) -> Updates:
        session: Session = values[self._tab.session]
        session.show(click.number("turn"), click.number("rank"))
        return {**self._view.chat(session), **self._view.chunks(session)}

    def _show_chunk(self, values: Values, click: Click) -> Updates:
        session: Session = values[self._tab.session]
        session.show(session.shown_turn, click.number("rank"))
        return self._view.chunks(session)

    def _show_page(self, values: Values, click: Click) -> Updates:
        """Show another page of a chunk that stands on two."""
        session: Session = values[self._tab.session]
        session.show(session.shown_turn, session.shown_rank, click.number("page"))
        return self._view.chunks(session)

    def _submit(self, values: Values, question: str) -> Updates:
        session: Session = values[self._tab.session]
        if question.strip():
            session.turns.append(self._new_turn(question.strip(), values))
        return {
            **self._view.chat(session),
            **self._view.examples(session),
            **self._stop_button(session),
            self._tab.question: "",
        }

    def _new_turn(self, question: str, values: Values) -> Turn:
        try:
            return Turn(question=question, config=self._tab.panel.read(values))
        except ConfigError as error:
            config = preset(DEFAULT_PRESET)
            return Turn(question=question, config=config, state="failed", note=str(error))

    def _answer(self, session: Session, answering: "_Answering") -> Iterator[Updates]:
        corpus = session.corpus
        if corpus is None:
            raise SandboxError(NO_CORPUS)
        turn = answering.turn = replace(
            answering.turn, state="working", note="preparing", corpus=corpus
        )
        preparing = self._pipeline.prepare(corpus, turn.config)
        index = yield from follow(preparing, session, answering.draw_progress)
        if index is None:
            answering.turn = replace(turn, state="stopped")
            return
        session.index = index
        streaming = self._pipeline.stream(index, turn.question, turn.config)
        answer = yield from follow(streaming, session, answering.draw_part)
        if answer is None:
            answering.turn = replace(answering.turn, state="stopped")
        else:
            answering.turn = replace(answering.turn, state="done", text=answer.text, answer=answer)

    def _stop_button(self, session: Session) -> Updates:
        return {self._tab.stop: gr.update(value="Stop", visible=session.is_busy)}


class _Answering:
    """A question while it is being answered."""

    def __init__(self, view: View, session: Session, position: int) -> None:
        self._view = view
        self._session = session
        self._position = position
        self._drawn = 0.0

    @property
    def turn(self) -> Turn:
        """The question as far as it has come."""
        return self._session.turns[self._position]

    @turn.setter
    def turn(self, turn: Turn) -> None:
        self._session.turns[self._position] = turn

    def draw_progress(self, progress: Progress) -> Updates:
        """What is being prepared, where the answer will stand."""
        self.turn = replace(self.turn, note=progress.message)
        return self._view.chat(self._session)

    def draw_part(self, part: Retrieval | str) -> Updates | None:
        """The chunks once they are there, then the text; None where too little is new."""
        if isinstance(part, str):
            return self._draw_text(part)
        self.turn = replace(
            self.turn,
            note=f"the model reads {len(part.retrieved)} chunks",
            retrieved=part.retrieved,
            warnings=part.warnings,
            crops=self._view.crops(part.retrieved),
        )
        self._session.show(self._position, 1)
        return {**self._view.chat(self._session), **self._view.chunks(self._session)}

    def _draw_text(self, text_so_far: str) -> Updates | None:
        self.turn = replace(self.turn, state="answering", text=text_so_far)
        now = time.monotonic()
        if now - self._drawn < REDRAW_SECONDS:
            return None
        self._drawn = now
        return self._view.chat(self._session)
