"""Connects the widgets to what happens then.

Work that uses models waits in one queue, because one local model serves one request at a time;
clicks and typing do not wait in it.
"""

from collections.abc import Callable
from typing import Any

import gradio as gr

from sandbox.ui.ask.corpus_events import CorpusEvents
from sandbox.ui.ask.events import AskEvents
from sandbox.ui.ask.tab import AskTab
from sandbox.ui.ask.visit import Visit

Trigger = Callable[..., Any]
Function = Callable[..., Any]


def wire(
    app: gr.Blocks, tab: AskTab, *, visit: Visit, corpus: CorpusEvents, ask: AskEvents
) -> None:
    """Connect everything on the Ask tab; call inside the app."""
    question_form = {tab.session, tab.question, *tab.panel.inputs}
    corpus_form = {tab.session, tab.corpus, tab.files, *tab.panel.inputs}

    arrived = at_once([app.load], visit.greet, None, [visit.models_line, *tab.widgets])
    work(arrived.then, corpus.open_chosen, corpus_form, tab.widgets, preprocess=False)
    work(tab.corpus.input, corpus.open_chosen, corpus_form, tab.widgets, preprocess=False)
    work(tab.files.upload, corpus.open_dropped, corpus_form, tab.widgets, preprocess=False)
    at_once([tab.cancel.click], corpus.cancel, tab.session, tab.widgets)

    typed = at_once(
        [tab.question.submit, tab.ask.click], ask.submit_typed, question_form, tab.widgets
    )
    clicked = at_once([tab.examples.click], ask.submit_example, question_form, tab.widgets)
    work(typed.then, ask.answer_next, tab.session, tab.widgets)
    work(clicked.then, ask.answer_next, tab.session, tab.widgets)
    at_once([tab.stop.click], ask.stop, tab.session, tab.widgets)

    at_once([tab.chat.click], ask.click_in_chat, tab.session, tab.widgets)
    at_once([tab.cards.click], ask.look_at_card, tab.session, tab.widgets)
    at_once([tab.page.click], ask.look_at_page, tab.session, tab.widgets)


def at_once(triggers: list[Trigger], function: Function, inputs: Any, outputs: Any) -> Any:
    """Run a quick function without waiting for the models."""
    return gr.on(
        triggers,
        function,
        inputs,
        outputs,
        queue=False,
        trigger_mode="multiple",
        show_progress="hidden",
        api_visibility="private",
    )


def work(
    trigger: Trigger, function: Function, inputs: Any, outputs: Any, *, preprocess: bool = True
) -> Any:
    """Run a long generator when the models are free; without preprocessing, values come raw."""
    return trigger(
        function,
        inputs,
        outputs,
        preprocess=preprocess,
        concurrency_id="work",
        concurrency_limit=1,
        trigger_mode="multiple",
        show_progress="hidden",
        api_visibility="private",
    )


def compute(trigger: Trigger, function: Function, inputs: Any, outputs: Any) -> None:
    """Run statistics, which need no model, in a line of their own."""
    trigger(
        function,
        inputs,
        outputs,
        concurrency_id="statistics",
        concurrency_limit=1,
        trigger_mode="multiple",
        show_progress="hidden",
        api_visibility="private",
    )
