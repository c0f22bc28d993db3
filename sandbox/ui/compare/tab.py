"""The Compare tab: which runs, what differs and which is better; asking side by side; a story.

Draws the widgets; what happens then is in `events.py` and the other `compare_*` files.
"""

from dataclasses import dataclass

import gradio as gr

from sandbox.ui.compare.history import NO_RUN
from sandbox.ui.compare.panels import (
    AskingPanel,
    FilesPanel,
    KeepingPanel,
    build_asking,
    build_files,
    build_keeping,
)
from sandbox.ui.compare.session import CompareSession
from sandbox.ui.parts.clicks import html_block


@dataclass(frozen=True, slots=True, kw_only=True)
class CompareTab:
    """The widgets of the tab."""

    session: gr.State
    head: gr.HTML
    ask_mode: gr.Button
    story_mode: gr.Button
    back: gr.Button
    columns: gr.Row
    history: gr.HTML
    accepted: gr.Checkbox
    keeping: KeepingPanel
    files: FilesPanel
    result: gr.HTML
    detail: gr.HTML
    asking: AskingPanel
    story_place: gr.Column
    story: gr.HTML
    story_page: gr.HTML

    @property
    def form(self) -> set[gr.components.Component]:
        """Everything that says what is compared, kept or asked."""
        return {self.session, self.accepted, *self.keeping.form, *self.files.form}

    @property
    def widgets(self) -> list[gr.blocks.Block]:
        """Everything an event may change."""
        return [
            self.head,
            self.ask_mode,
            self.story_mode,
            self.back,
            self.columns,
            self.history,
            *self.keeping.widgets,
            *self.files.widgets,
            self.result,
            self.detail,
            *self.asking.widgets,
            self.story_place,
            self.story,
            self.story_page,
        ]


def build_compare_tab() -> CompareTab:
    """Draw the tab; call inside `gr.Tab`."""
    session = gr.State(CompareSession())
    with gr.Row(elem_id="compare-head", equal_height=True):
        head = html_block("compare-facts")
        ask_mode = _button("Ask side by side", "compare-ask-mode")
        story_mode = _button("Tell it step by step", "compare-story-mode")
        back = _button("Back to the comparison", "compare-back", visible=False)
    with gr.Row(elem_id="compare-columns", equal_height=False) as columns:
        with gr.Column(elem_id="compare-left", min_width=0):
            history = html_block("compare-history")
            accepted = gr.Checkbox(
                label="count suggestions as labels",
                info="where nobody labelled; everything says so",
                elem_id="compare-accepted",
            )
            keeping = build_keeping()
            files = build_files()
        with gr.Column(elem_id="compare-right", min_width=0):
            result = html_block("compare-result", NO_RUN)
            detail = html_block("compare-detail")
    asking = build_asking()
    with gr.Column(elem_id="compare-story", min_width=0, visible=False) as story_place:
        story = html_block("story", keys=True)
        story_page = html_block("story-page")
    return CompareTab(
        session=session,
        head=head,
        ask_mode=ask_mode,
        story_mode=story_mode,
        back=back,
        columns=columns,
        history=history,
        accepted=accepted,
        keeping=keeping,
        files=files,
        result=result,
        detail=detail,
        asking=asking,
        story_place=story_place,
        story=story,
        story_page=story_page,
    )


def _button(label: str, elem_id: str, *, visible: bool = True) -> gr.Button:
    return gr.Button(label, size="sm", scale=0, min_width=130, elem_id=elem_id, visible=visible)
