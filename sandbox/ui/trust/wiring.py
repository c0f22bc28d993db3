"""Connects the widgets of the Trust tab to what happens then."""

import gradio as gr

from sandbox.ui.parts.wiring import at_once, compute, work
from sandbox.ui.trust.events import TrustEvents
from sandbox.ui.trust.label_events import LabelEvents
from sandbox.ui.trust.retest import RetestEvents
from sandbox.ui.trust.tab import TrustTab


def wire_trust(
    place: gr.Tab, tab: TrustTab, *, trust: TrustEvents, labels: LabelEvents, retest: RetestEvents
) -> None:
    """Connect everything on the tab; call inside the app."""
    asked = at_once([tab.retest.click], retest.begin, tab.session, tab.widgets)
    work(asked.then, retest.ask_again, tab.form, tab.widgets)
    at_once([tab.stop.click], retest.stop, tab.session, tab.widgets)
    arrived = at_once([place.select], trust.arrive, tab.form, tab.widgets)
    chosen = at_once(
        [tab.runs.input, tab.labeller.submit, tab.labeller.blur, tab.second.input],
        trust.choose,
        tab.form,
        tab.widgets,
    )
    begun = at_once([tab.label.click], labels.begin, tab.form, tab.widgets)
    pressed = at_once([tab.task.click], labels.press, tab.session, tab.widgets)
    looked = at_once([tab.table.click, tab.detail.click], trust.look, tab.session, tab.widgets)
    dropped = at_once([tab.file.upload], labels.take_file, tab.form, tab.widgets)
    for drawn in (begun, pressed, looked):
        drawn.then(
            labels.draw_evidence,
            tab.session,
            tab.widgets,
            queue=False,
            show_progress="hidden",
            api_visibility="private",
        )
    for changed in (arrived, chosen, begun, pressed, dropped):
        compute(changed.then, trust.compute, tab.form, tab.widgets)
    for choice in (tab.accepted, tab.allowed):
        compute(choice.input, trust.compute, tab.form, tab.widgets)
    at_once([tab.cards.click], labels.look_at_card, tab.session, tab.widgets)
    at_once([tab.page.click], labels.look_at_page, tab.session, tab.widgets)
    at_once([tab.export.click], labels.export, tab.session, tab.widgets)
