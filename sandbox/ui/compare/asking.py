"""One question to two or three configurations, one after the other, side by side on the screen."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace

import gradio as gr

from sandbox.config import Config, preset
from sandbox.errors import ConfigError, SandboxError
from sandbox.markup.markup import escape
from sandbox.progress import Progress
from sandbox.rag.pipeline import Pipeline, Retrieval
from sandbox.ui.ask.events import NO_CORPUS, REDRAW_SECONDS
from sandbox.ui.ask.session import Session
from sandbox.ui.ask.tab import AskTab
from sandbox.ui.ask.view import examples_html
from sandbox.ui.compare.panels import NO_THIRD
from sandbox.ui.compare.session import CompareSession
from sandbox.ui.compare.sides import Column, answers_html, chunks_html
from sandbox.ui.compare.tab import CompareTab
from sandbox.ui.evaluate.tab import ASK_TAB
from sandbox.ui.parts.chunks import chunk_on_page_html
from sandbox.ui.parts.progress import follow, sentence_html
from sandbox.ui.parts.wiring import Updates, Values


class SideBySide:
    """What happens where several configurations are asked the same."""

    def __init__(self, pipeline: Pipeline, ask: AskTab, tab: CompareTab) -> None:
        """Ask the Ask tab's corpus, and its configuration among the others."""
        self._pipeline = pipeline
        self._ask = ask
        self._tab = tab

    @property
    def form(self) -> set[gr.components.Component]:
        """What is asked, of what, under which configurations."""
        return {
            self._tab.session,
            self._ask.session,
            *self._ask.panel.inputs,
            *self._tab.asking.form,
        }

    def open(self, values: Values) -> Updates:
        """Show the form with what was asked last."""
        session: CompareSession = values[self._tab.session]
        session.mode = "ask"
        return {
            self._tab.head: self._head(values[self._ask.session]),
            self._tab.columns: gr.update(visible=False),
            self._tab.story_place: gr.update(visible=False),
            self._tab.asking.place: gr.update(visible=True),
            self._tab.ask_mode: gr.update(visible=False),
            self._tab.story_mode: gr.update(visible=True),
            self._tab.back: gr.update(visible=True),
            **self._drawn(session, values[self._ask.session]),
        }

    def begin_typed(self, values: Values) -> Updates:
        """Put the typed question in line."""
        return self._begin(values, values[self._tab.asking.question] or "")

    def click(self, values: Values, event: gr.EventData) -> Updates:
        """Put a clicked example question in line, or show a chunk on its page."""
        if getattr(event, "click", "") == "page":
            return self._show_page(values[self._tab.session], int(event.turn), int(event.rank))
        return self._begin(values, str(getattr(event, "question", "")))

    def work(self, values: Values) -> Iterator[Updates]:
        """Answer what was put in line, one configuration after the other."""
        session: CompareSession = values[self._tab.session]
        try:
            for column in [one for one in session.columns if one.state == "pending"]:
                yield from self._answer(session, column)
        finally:
            session.is_asking, session.stop_requested = False, False
        yield {**self._answers(session), **self._stop_button(session)}

    def stop(self, session: CompareSession) -> Updates:
        """Stop after the piece that is on its way; what waits is not asked."""
        session.stop_requested = True
        return {self._tab.asking.stop: gr.update(value="Stopping")}

    def _begin(self, values: Values, question: str) -> Updates:
        session: CompareSession = values[self._tab.session]
        answers = self._tab.asking.answers
        if session.is_asking or not question.strip():
            return {answers: gr.update()}
        try:
            configs = self._configs(values)
            corpus = values[self._ask.session].corpus
            if corpus is None:
                raise SandboxError(NO_CORPUS)
        except SandboxError as error:
            return {answers: sentence_html(str(error), alarming=True)}
        session.asked, session.is_asking, session.stop_requested = question.strip(), True, False
        session.configs, session.asked_of = configs, corpus
        session.columns = [
            Column(position=place, name=config.name, state="pending", note="waiting")
            for place, config in enumerate(configs)
        ]
        return {
            **self._answers(session),
            **self._stop_button(session),
            self._tab.asking.question: question.strip(),
            self._tab.asking.page: "",
        }

    def _show_page(self, session: CompareSession, position: int, rank: int) -> Updates:
        """The page of a chunk, named by a column that has it and its rank there."""
        retrieved = [column.retrieved for column in session.columns[position : position + 1]]
        found = [item.chunk for some in retrieved for item in some if item.rank == rank]
        if session.asked_of is None or not found:
            return {self._tab.asking.page: gr.update()}
        html = chunk_on_page_html(self._pipeline, session.asked_of, found[0], found[0].page)
        return {self._tab.asking.page: html}

    def _configs(self, values: Values) -> tuple[Config, ...]:
        """The chosen configurations.

        Raises:
            ConfigError: If a setting is out of range, or all are the same.
        """
        names = [values[box] for box in self._tab.asking.configs]
        chosen = [name for name in names if name not in (None, NO_THIRD)]
        configs = tuple(
            self._ask.panel.read(values) if name == ASK_TAB else preset(name) for name in chosen
        )
        if len({replace(config, name="") for config in configs}) < 2:
            raise ConfigError("these are one configuration; choose two that differ")
        return configs

    def _answer(self, session: CompareSession, column: Column) -> Iterator[Updates]:
        config, corpus = session.configs[column.position], session.asked_of
        assert corpus is not None
        drawing = _Drawing(self, session, column.position)
        try:
            preparing = self._pipeline.prepare(corpus, config)
            index = yield from follow(preparing, session, drawing.progress)
            if index is None:
                drawing.change(state="failed", note="stopped")
                return
            streaming = self._pipeline.stream(index, session.asked, config)
            answer = yield from follow(streaming, session, drawing.part)
        except SandboxError as error:
            drawing.change(state="failed", note=str(error))
            return
        if answer is None:
            drawing.change(state="failed", note="stopped")
            return
        drawing.change(state="done", text=answer.text, answer=answer, warnings=answer.warnings)
        yield self._answers(session)

    def answers(self, session: CompareSession) -> Updates:
        """The answers as far as they have come."""
        return self._answers(session)

    def _answers(self, session: CompareSession) -> Updates:
        return {self._tab.asking.answers: asked_html(session.asked, session.columns)}

    def _drawn(self, session: CompareSession, asked: Session) -> Updates:
        if session.columns:
            return self._answers(session)
        return {self._tab.asking.answers: empty_html(asked.corpus_name, asked.examples)}

    def _head(self, asked: Session) -> str:
        name = f"<b><bdi>{escape(asked.corpus_name)}</bdi></b>" if asked.corpus_name else "nothing"
        return f"<p>asking {name}, the corpus of the Ask tab</p>"

    def _stop_button(self, session: CompareSession) -> Updates:
        return {
            self._tab.asking.stop: gr.update(value="Stop", visible=session.is_asking),
            self._tab.asking.ask: gr.update(interactive=not session.is_asking),
        }


class _Drawing:
    """One column while it is being answered."""

    def __init__(self, asking: SideBySide, session: CompareSession, position: int) -> None:
        self._asking = asking
        self._session = session
        self._position = position
        self._drawn = 0.0

    def change(self, **changes: object) -> None:
        """Put the column as it is by now in place of the one before."""
        column = self._session.columns[self._position]
        self._session.columns[self._position] = replace(column, **changes)  # type: ignore[arg-type]

    def progress(self, step: Progress) -> Updates:
        """What is being prepared."""
        self.change(note=step.message)
        return self._asking.answers(self._session)

    def part(self, part: Retrieval | str) -> Updates | None:
        """The chunks once they are there, then the text; ``None`` where too little is new."""
        if isinstance(part, Retrieval):
            note = f"the model reads {len(part.retrieved)} chunks"
            self.change(note=note, retrieved=part.retrieved, warnings=part.warnings)
            return self._asking.answers(self._session)
        self.change(state="writing", text=part)
        now = time.monotonic()
        if now - self._drawn < REDRAW_SECONDS:
            return None
        self._drawn = now
        return self._asking.answers(self._session)


def asked_html(question: str, columns: Sequence[Column]) -> str:
    """The question, its answers and the chunks they were made from."""
    return (
        f"<p class='story-question' dir='auto'>{escape(question)}</p>{answers_html(columns)}"
        f"{chunks_html(columns, pages=True)}"
    )


def empty_html(corpus: str, examples: Sequence[str]) -> str:
    """What to do before anything was asked."""
    if not corpus:
        return "<p class='empty'>Choose a corpus or drop a PDF on the Ask tab first.</p>"
    return (
        f"<p class='empty'>Ask <bdi>{escape(corpus)}</bdi> one question under two or three "
        "configurations: their answers stand side by side, with the words that differ marked, and "
        "every chunk with its rank under each.</p>"
        f"{examples_html(examples, asked=False)}"
    )
