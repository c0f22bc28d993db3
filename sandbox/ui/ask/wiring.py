"""Connects the widgets of the Ask tab to what happens then."""

import gradio as gr

from sandbox.ui.ask.corpus_events import CorpusEvents
from sandbox.ui.ask.events import AskEvents
from sandbox.ui.ask.tab import AskTab
from sandbox.ui.ask.visit import Visit
from sandbox.ui.parts.wiring import at_once, work


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
    clicked = at_once([tab.examples.click], ask.click, question_form, tab.widgets)
    work(typed.then, ask.answer_next, tab.session, tab.widgets)
    work(clicked.then, ask.answer_next, tab.session, tab.widgets)
    at_once([tab.stop.click], ask.stop, tab.session, tab.widgets)

    clicks = [tab.chat.click, tab.cards.click, tab.page.click]
    at_once(clicks, ask.click, question_form, tab.widgets)
