"""Connects the widgets of the Compare tab to what happens then."""

from dataclasses import dataclass

import gradio as gr

from sandbox.ui.compare.asking import SideBySide
from sandbox.ui.compare.events import CompareEvents
from sandbox.ui.compare.manage import KeepingEvents
from sandbox.ui.compare.send_missing import Sending
from sandbox.ui.compare.tab import CompareTab
from sandbox.ui.parts.wiring import at_once, compute, work


@dataclass(frozen=True, slots=True, kw_only=True)
class Happenings:
    """Everything that can happen on the tab."""

    compare: CompareEvents
    keeping: KeepingEvents
    asking: SideBySide
    sending: Sending


def wire_compare(place: gr.Tab, tab: CompareTab, happen: Happenings) -> None:
    """Connect the tab itself; call inside the app."""
    compare, asking = happen.compare, happen.asking
    arrived = at_once([place.select], compare.arrive, tab.session, tab.widgets)
    chosen = at_once([tab.history.click], compare.choose, tab.session, tab.widgets)
    looked = at_once([tab.result.click, tab.detail.click], compare.look, tab.session, tab.widgets)
    for changed in (arrived, chosen, looked):
        compute(changed.then, compare.compute, tab.form, tab.widgets)
    compute(tab.accepted.input, compare.compute, tab.form, tab.widgets)

    told = at_once([tab.story_mode.click], compare.tell, tab.session, tab.widgets)
    gone = at_once([tab.story.click], compare.go, tab.session, tab.widgets)
    for drawn in (told, gone):
        compute(drawn.then, compare.draw_page, tab.session, tab.widgets)
    at_once([tab.back.click], compare.back, tab.session, tab.widgets)

    at_once([tab.ask_mode.click], asking.open, asking.form, tab.widgets)
    panel = tab.asking
    typed = at_once(
        [panel.question.submit, panel.ask.click], asking.begin_typed, asking.form, tab.widgets
    )
    clicked = at_once([panel.answers.click], asking.click, asking.form, tab.widgets)
    for begun in (typed, clicked):
        work(begun.then, asking.work, asking.form, tab.widgets)
    at_once([panel.stop.click], asking.stop, tab.session, tab.widgets)
    sending = happen.sending
    at_once([tab.result.click], sending.send, sending.form, sending.outputs)
    _wire_keeping(tab, happen)


def _wire_keeping(tab: CompareTab, happen: Happenings) -> None:
    keeping, panel, files = happen.keeping, tab.keeping, tab.files
    at_once([panel.keep.click], keeping.keep, tab.form, tab.widgets)
    at_once([panel.export.click], keeping.export, tab.session, tab.widgets)
    compute(panel.baseline.click, keeping.save_as_baseline, tab.session, tab.widgets)
    at_once([panel.delete.click], keeping.ask_to_delete, tab.session, tab.widgets)
    dropped = at_once([files.archive.upload], keeping.take_archive, tab.form, tab.widgets)
    deleted = at_once([panel.delete_for_good.click], keeping.delete, tab.form, tab.widgets)
    for changed in (dropped, deleted):
        compute(changed.then, happen.compare.compute, tab.form, tab.widgets)
    compute(files.html.click, keeping.report_html, tab.form, tab.widgets)
    compute(files.markdown.click, keeping.report_markdown, tab.form, tab.widgets)
