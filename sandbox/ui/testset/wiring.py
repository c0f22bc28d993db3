"""Connects the widgets of the Test set tab to what happens then."""

from collections.abc import Callable
from typing import Any

import gradio as gr

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
    _at_once(app.load, events.greet, None, tab)
    _at_once(place.select, events.greet, None, tab)
    _at_once(tab.chosen.input, events.open_chosen, form, tab)
    _at_once(tab.file.upload, events.open_dropped, form, tab)
    _at_once(tab.table.input, events.edit, form, tab)
    _at_once(tab.save.click, events.save, form, tab)
    _at_once(tab.export_csv.click, events.export_csv, form, tab)
    _at_once(tab.export_jsonl.click, events.export_jsonl, form, tab)
    _at_once(tab.cancel.click, events.cancel, tab.drafting, tab)
    tab.draft.click(
        events.draft,
        form,
        tab.widgets,
        concurrency_id="work",
        concurrency_limit=1,
        show_progress="hidden",
        api_visibility="private",
    )


def _at_once(
    trigger: Callable[..., Any], function: Callable[..., Any], inputs: Any, tab: TestSetTab
) -> None:
    """Run a quick function without waiting for the models."""
    trigger(
        function,
        inputs,
        tab.widgets,
        queue=False,
        trigger_mode="multiple",
        show_progress="hidden",
        api_visibility="private",
    )
