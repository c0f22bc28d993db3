"""Connects the widgets of the Evaluate tab to what happens then."""

import gradio as gr

from sandbox.ui.ask.tab import AskTab
from sandbox.ui.evaluate.events import EvaluateEvents
from sandbox.ui.evaluate.tab import EvaluateTab
from sandbox.ui.parts.wiring import at_once, compute, work


def wire_evaluate(place: gr.Tab, tab: EvaluateTab, events: EvaluateEvents, ask: AskTab) -> None:
    """Connect everything on the tab; call inside the app."""
    form = {*tab.form, *ask.panel.inputs, ask.corpus}
    arrived = at_once([place.select], events.arrive, form, tab.widgets)
    at_once([tab.corpus.input], events.offers.choose_corpus, form, tab.widgets)
    at_once(
        [
            tab.test_set.input,
            tab.holdout.input,
            tab.presets.input,
            tab.start.input,
            tab.alternatives.input,
            tab.own_alternatives.input,
            *(box.input for box in tab.metrics.values()),
        ],
        events.offers.read_form,
        form,
        tab.widgets,
    )
    for button, begin in (
        (tab.plan, events.begin_plan),
        (tab.evaluate, events.begin_evaluation),
        (tab.resume, events.begin_again),
    ):
        begun = at_once([button.click], begin, tab.session, tab.widgets)
        done = work(begun.then, events.work, form, tab.widgets)
        compute(done.then, events.consult, tab.session, tab.widgets)
    at_once([tab.cancel.click], events.cancel, tab.session, tab.widgets)
    shown = at_once([tab.shown.input], events.show, {tab.session, tab.shown}, tab.widgets)
    for changed in (arrived, shown):
        compute(changed.then, events.consult, tab.session, tab.widgets)
    at_once([tab.result.click], events.look, tab.session, tab.widgets)
    at_once([tab.detail.click], events.look, tab.session, tab.widgets)
