"""Connects the widgets of the Test set tab to what happens then."""

from typing import Any

import gradio as gr

from sandbox.ui.parts.wiring import at_once, work
from sandbox.ui.testset.events import TestSetEvents
from sandbox.ui.testset.tab import TestSetTab


def wire_testset(
    app: gr.Blocks,
    place: gr.Tab,
    tab: TestSetTab,
    events: TestSetEvents,
    ask_session: gr.State,
) -> None:
    """Connect everything on the tab; call inside the app."""
    form: Any = {
        ask_session,
        tab.drafting,
        tab.chosen,
        tab.show_holdout,
        tab.file,
        tab.table,
        tab.name,
        tab.names,
        tab.pages,
    }
    at_once([app.load], events.greet, None, tab.widgets)
    at_once([place.select], events.greet, None, tab.widgets)
    at_once([tab.chosen.input], events.open_chosen, form, tab.widgets)
    at_once([tab.file.upload], events.open_dropped, form, tab.widgets)
    at_once([tab.table.input], events.edit, form, tab.widgets)
    at_once([tab.save.click], events.save, form, tab.widgets)
    at_once([tab.export_csv.click], events.export_csv, form, tab.widgets)
    at_once([tab.export_jsonl.click], events.export_jsonl, form, tab.widgets)
    at_once([tab.cancel.click], events.cancel, tab.drafting, tab.widgets)
    work(tab.draft.click, events.draft, form, tab.widgets, trigger_mode="once")
