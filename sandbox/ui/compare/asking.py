"""One question to two or three configurations, one after the other, side by side on the screen."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace

import gradio as gr
from markupsafe import Markup

from sandbox.config import Config, preset
from sandbox.errors import ConfigError, SandboxError
from sandbox.markup.templates import render
from sandbox.progress import Progress
from sandbox.rag.pipeline import Pipeline, Retrieval
from sandbox.ui.ask.events import NO_CORPUS, REDRAW_SECONDS
from sandbox.ui.ask.tab import AskTab
from sandbox.ui.ask.view import examples_html
from sandbox.ui.compare.columns import Column, answers_html, chunks_html
from sandbox.ui.compare.tab import NO_THIRD, CompareSession, CompareTab
from sandbox.ui.compare.view import CompareView
from sandbox.ui.evaluate.tab import ASK_TAB
from sandbox.ui.parts.chunks import chunk_on_page_html
from sandbox.ui.parts.progress import follow, sentence_html
from sandbox.ui.parts.wiring import (
    Click,
    Updates,
    Values,
    at_once,
    dispatch,
    form_of,
    unchanged,
    widgets_of,
    work,
)


class AskingEvents:
    """What happens where several configurations are asked the same."""

    def __init__(self, pipeline: Pipeline, ask: AskTab, tab: CompareTab, view: CompareView) -> None:
        """Ask the Ask tab's corpus, and its configuration among the others."""
        self._pipeline = pipeline
        self._ask = ask
        self._tab = tab
        self._view = view
        self._clicks = {"example": self._begin_example, "page": self._show_page}

    @property
    def inputs(self) -> set[gr.components.Component]:
        """What is asked, of what, under which configurations."""
        return {*form_of(self._tab), self._ask.session, *self._ask.panel.inputs}

    def wire(self) -> None:
        """Connect the form and its answers; call inside the app."""
        tab, form, changed = self._tab, self.inputs, widgets_of(self._tab)
        at_once([tab.ask_mode.click], self.open, form, changed)
        typed = at_once([tab.question.submit, tab.ask.click], self.begin_typed, form, changed)
        clicked = at_once([tab.answers.click], self.click, form, changed)
        for begun in (typed, clicked):
            work(begun.then, self.work, form, changed)
        at_once([tab.stop.click], self.stop, tab.session, changed)

    def open(self, values: Values) -> Updates:
        """Show the form with what was asked last."""
        session: CompareSession = values[self._tab.session]
        session.mode = "ask"
        asked = values[self._ask.session]
        if session.columns:
            answers = self.answers(session)
        else:
            answers = {self._tab.answers: empty_html(asked.corpus_name, asked.examples)}
        head = render("ui/compare/columns.html#asking", corpus=asked.corpus_name)
        return {**self._view.sides(session), self._tab.head: head, **answers}

    def begin_typed(self, values: Values) -> Updates:
        """Put the typed question in line."""
        return self._begin(values, values[self._tab.question] or "")

    def click(self, values: Values, event: gr.EventData) -> Updates:
        """Put a clicked example question in line, or show a chunk on its page."""
        return dispatch(self._clicks, values, event)

    def work(self, values: Values) -> Iterator[Updates]:
        """Answer what was put in line, one configuration after the other."""
        session: CompareSession = values[self._tab.session]
        try:
            for column in [column for column in session.columns if column.state == "pending"]:
                yield from self._answer(session, column)
        finally:
            session.is_asking, session.stop_requested = False, False
        yield {**self.answers(session), **self._stop_button(session)}

    def stop(self, session: CompareSession) -> Updates:
        """Stop after the piece that is on its way; what waits is not asked."""
        session.stop_requested = True
        return {self._tab.stop: gr.update(value="Stopping")}

    def _begin_example(self, values: Values, click: Click) -> Updates:
        return self._begin(values, click.text("question"))

    def _begin(self, values: Values, question: str) -> Updates:
        session: CompareSession = values[self._tab.session]
        if session.is_asking or not question.strip():
            return unchanged()
        try:
            configs = self._configs(values)
            corpus = values[self._ask.session].corpus
            if corpus is None:
                raise SandboxError(NO_CORPUS)
        except SandboxError as error:
            return {self._tab.answers: sentence_html(str(error), alarming=True)}
        session.asked, session.is_asking, session.stop_requested = question.strip(), True, False
        session.configs, session.asked_of = configs, corpus
        session.columns = [
            Column(position=place, name=config.name, state="pending", note="waiting")
            for place, config in enumerate(configs)
        ]
        return {
            **self.answers(session),
            **self._stop_button(session),
            self._tab.question: question.strip(),
            self._tab.ask_page: "",
        }

    def _show_page(self, values: Values, click: Click) -> Updates:
        """The page of a chunk, named by a column that has it and its rank there."""
        session: CompareSession = values[self._tab.session]
        position, rank = click.number("column"), click.number("rank")
        columns = session.columns[position : position + 1]
        chunks = [
            item.chunk for column in columns for item in column.retrieved if item.rank == rank
        ]
        if session.asked_of is None or not chunks:
            return unchanged()
        page = chunk_on_page_html(self._pipeline, session.asked_of, chunks[0], chunks[0].page)
        return {self._tab.ask_page: page}

    def _configs(self, values: Values) -> tuple[Config, ...]:
        """The chosen configurations.

        Raises:
            ConfigError: If a setting is out of range, or all are the same.
        """
        names = [values[box] for box in self._tab.configs.values()]
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
        yield self.answers(session)

    def answers(self, session: CompareSession) -> Updates:
        """The answers as far as they have come."""
        return {self._tab.answers: asked_html(session.asked, session.columns)}

    def _stop_button(self, session: CompareSession) -> Updates:
        return {
            self._tab.stop: gr.update(value="Stop", visible=session.is_asking),
            self._tab.ask: gr.update(interactive=not session.is_asking),
        }


class _Drawing:
    """One column while it is being answered."""

    def __init__(self, asking: AskingEvents, session: CompareSession, position: int) -> None:
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


def asked_html(question: str, columns: Sequence[Column]) -> Markup:
    """The question, its answers and the chunks they were made from."""
    return render(
        "ui/compare/columns.html#asked",
        question=question,
        answers=answers_html(columns),
        chunks=chunks_html(columns, pages=True),
    )


def empty_html(corpus: str, examples: Sequence[str]) -> Markup:
    """What to do before anything was asked."""
    return render(
        "ui/compare/columns.html#nothing_asked",
        corpus=corpus,
        examples=examples_html(examples, asked=False),
    )
