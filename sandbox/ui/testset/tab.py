"""The Test set tab: cases in a table, where they come from and go to, and what is doubtful.

Draws the widgets; what happens then is in `events.py`.
"""

from dataclasses import dataclass

import gradio as gr

from sandbox.ui.parts.clicks import html_block
from sandbox.ui.parts.session import Session
from sandbox.ui.parts.status import sentence_html
from sandbox.ui.testset.table import DATATYPES, HEADERS

NOTHING_OPEN = "no test set yet; choose one, drop a file, or draft questions from pages"


@dataclass(frozen=True, slots=True, kw_only=True)
class TestSetTab:
    """The widgets of the tab."""

    drafting: gr.State
    """A `Session` of its own, so that cancelling here stops nothing on the Ask tab."""

    chosen: gr.Dropdown
    show_holdout: gr.Checkbox
    file: gr.File
    status: gr.HTML
    table: gr.Dataframe
    doubts: gr.HTML
    name: gr.Textbox
    save: gr.Button
    names: gr.Radio
    export_csv: gr.Button
    export_jsonl: gr.Button
    exported: gr.File
    pages: gr.Textbox
    draft: gr.Button
    cancel: gr.Button

    @property
    def widgets(self) -> list[gr.components.Component]:
        """Everything an event may change."""
        return [
            self.chosen,
            self.file,
            self.status,
            self.table,
            self.doubts,
            self.name,
            self.exported,
            self.cancel,
        ]


def build_testset_tab() -> TestSetTab:
    """Draw the tab; call inside `gr.Tab`."""
    drafting = gr.State(Session())
    with gr.Row(elem_id="testset-columns", equal_height=False):
        with gr.Column(elem_id="testset-left", min_width=0):
            chosen = gr.Dropdown([], label="test set", elem_id="testset", filterable=False)
            show_holdout = gr.Checkbox(
                label="show a hold-out", info="looking at it while choosing spoils it"
            )
            file = gr.File(label="drop a .jsonl or .csv here", height=84, elem_id="testset-file")
            with gr.Accordion("draft questions", open=False, elem_id="testset-drafting"):
                pages = gr.Textbox(
                    label="pages of the corpus on the Ask tab",
                    placeholder="2,5-7; empty for all",
                    elem_id="testset-pages",
                )
                draft = gr.Button("Draft", size="sm", elem_id="testset-draft")
            cancel = gr.Button("Cancel", size="sm", visible=False, elem_id="testset-cancel")
            with gr.Accordion("save and export", open=False, elem_id="testset-saving"):
                name = gr.Textbox(label="name", max_lines=1, elem_id="testset-name")
                save = gr.Button("Save", variant="primary", size="sm", elem_id="testset-save")
                names = gr.Radio(
                    ["sandbox", "ragas"], value="sandbox", label="field names of exports"
                )
                export_csv = gr.Button("Export CSV", size="sm", elem_id="testset-csv")
                export_jsonl = gr.Button("Export JSON Lines", size="sm", elem_id="testset-jsonl")
                exported = gr.File(label="exported", visible=False, elem_id="testset-exported")
        with gr.Column(elem_id="testset-right", min_width=0):
            status = html_block("testset-status", sentence_html(NOTHING_OPEN))
            table = gr.Dataframe(
                headers=list(HEADERS.values()),
                datatype=DATATYPES,  # type: ignore[arg-type]
                type="array",
                interactive=True,
                wrap=True,
                show_row_numbers=True,
                max_height=520,
                column_widths=[96, 280, 240, 160, 70, 80, 120, 90, 200, 140, 130],
                show_label=False,
                elem_id="testset-table",
            )
            doubts = html_block("testset-doubts")
    return TestSetTab(
        drafting=drafting,
        chosen=chosen,
        show_holdout=show_holdout,
        file=file,
        status=status,
        table=table,
        doubts=doubts,
        name=name,
        save=save,
        names=names,
        export_csv=export_csv,
        export_jsonl=export_jsonl,
        exported=exported,
        pages=pages,
        draft=draft,
        cancel=cancel,
    )
