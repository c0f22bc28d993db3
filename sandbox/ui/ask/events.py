"""Asking: a question waits in line, is answered while the text streams in, and can be labelled."""

import time
from collections.abc import Callable, Iterator
from dataclasses import replace

import gradio as gr

from sandbox.config import DEFAULT_PRESET, preset
from sandbox.errors import ConfigError, SandboxError
from sandbox.evaluation.labelling.session import ME
from sandbox.evaluation.runs.chat import TEST_SET, Chatted, add_case, case_of, keep_label
from sandbox.evaluation.runs.records import Right
from sandbox.experiments.experiment import corpus_digest
from sandbox.files.storage import Store
from sandbox.progress import Progress
from sandbox.rag.pipeline import Pipeline, Retrieval
from sandbox.records import Answer
from sandbox.ui.ask.corpus_events import CorpusEvents, Visit
from sandbox.ui.ask.session import Session, Turn
from sandbox.ui.ask.tab import AskTab, View
from sandbox.ui.parts.progress import follow
from sandbox.ui.parts.wiring import Click, Handler, Updates, Values, at_once, dispatch, work

REDRAW_SECONDS = 0.08
"""Streamed text is redrawn at most this often."""

NO_CORPUS = "nothing to ask yet; choose a corpus or drop a PDF on the left"
LABELS: dict[str, Right] = {"right": "right", "wrong": "wrong"}


def wire(
    app: gr.Blocks, tab: AskTab, *, visit: Visit, corpus: CorpusEvents, ask: "AskEvents"
) -> None:
    """Connect everything on the Ask tab; call inside the app."""
    question_form = {tab.session, tab.question, *tab.panel.inputs}
    corpus_form = {tab.session, tab.corpus, tab.files, *tab.panel.inputs}

    greeted = at_once([app.load], visit.greet, None, [visit.models_line, *tab.widgets])
    work(greeted.then, corpus.open_chosen, corpus_form, tab.widgets, preprocess=False)
    work(tab.corpus.input, corpus.open_chosen, corpus_form, tab.widgets, preprocess=False)
    work(tab.files.upload, corpus.open_dropped, corpus_form, tab.widgets, preprocess=False)
    at_once([tab.cancel.click], corpus.cancel, tab.session, tab.widgets)

    send = [tab.question.submit, tab.ask.click]
    typed = at_once(send, ask.submit_typed, question_form, tab.widgets)
    clicked = at_once([tab.examples.click], ask.click, question_form, tab.widgets)
    for submitted in (typed, clicked):
        work(submitted.then, ask.answer_next, tab.session, tab.widgets)
    at_once([tab.stop.click], ask.stop, tab.session, tab.widgets)
    clicks = [tab.chat.click, tab.cards.click, tab.page.click]
    at_once(clicks, ask.click, question_form, tab.widgets)


class AskEvents:
    """What happens in the conversation."""

    def __init__(self, pipeline: Pipeline, tab: AskTab, view: View) -> None:
        """Work on the widgets of `tab`."""
        self._pipeline = pipeline
        labelling = _Labelling(pipeline.store, tab, view)
        self._tab = tab
        self._view = view
        self._clicks: dict[str, Handler[Values]] = {
            "example": self._ask_example,
            "citation": self._show_citation,
            "chunk": self._show_chunk,
            "page": self._show_page,
            "label": labelling.label,
            "test-case": labelling.add_test_case,
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
            yield self._view.draw_chat(session)  # Gradio empties every widget if nothing comes
            return
        answering = _Answering(self._view, session, position)
        try:
            yield from self._answer(session, answering)
        except SandboxError as error:
            answering.turn = replace(answering.turn, state="failed", note=str(error))
        session.stop_requested = False
        yield {
            **self._view.draw_chat(session),
            **self._view.draw_chunks(session),
            **self._view.draw_corpus(session),
            **self._view.draw_stop(session),
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
        return {**self._view.draw_chat(session), **self._view.draw_chunks(session)}

    def _show_chunk(self, values: Values, click: Click) -> Updates:
        session: Session = values[self._tab.session]
        session.show(session.shown_turn, click.number("rank"))
        return self._view.draw_chunks(session)

    def _show_page(self, values: Values, click: Click) -> Updates:
        """Show another page of a chunk that stands on two."""
        session: Session = values[self._tab.session]
        session.show(session.shown_turn, session.shown_rank, click.number("page"))
        return self._view.draw_chunks(session)

    def _submit(self, values: Values, question: str) -> Updates:
        session: Session = values[self._tab.session]
        if question.strip():
            session.turns.append(self._new_turn(question.strip(), values))
        return {
            **self._view.draw_chat(session),
            **self._view.draw_examples(session),
            **self._view.draw_stop(session),
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
        return self._view.draw_chat(self._session)

    def draw_part(self, part: Retrieval | str) -> Updates | None:
        """The chunks once they are there, then the text; None where too little is new."""
        if isinstance(part, str):
            return self._draw_text(part)
        self.turn = replace(
            self.turn,
            note=f"the model reads {len(part.retrieved)} chunks",
            retrieved=part.retrieved,
            warnings=part.warnings,
            crops=self._view.draw_crops(part.retrieved),
        )
        self._session.show(self._position, 1)
        return {**self._view.draw_chat(self._session), **self._view.draw_chunks(self._session)}

    def _draw_text(self, text_so_far: str) -> Updates | None:
        self.turn = replace(self.turn, state="answering", text=text_so_far)
        now = time.monotonic()
        if now - self._drawn < REDRAW_SECONDS:
            return None
        self._drawn = now
        return self._view.draw_chat(self._session)


class _Labelling:
    """Answers the buttons below an answer: right, wrong, "+ test set"."""

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
        return self._view.draw_chat(session)

    def _added(self, turn: Turn, answer: Answer, _click: Click) -> Turn:
        own = self._store.testsets
        count = add_case(own, case_of(answer, turn.label))
        remark = f"{count} in {TEST_SET}, unverified: check it on the Test set tab"
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
        return replace(turn, label=label, remark="kept as a label for the Trust tab")
