"""The Test set tab: cases in a table, where they come from and go to, and what is doubtful.

Draws the widgets; what happens then is in `events.py`.
"""

import gradio as gr

from sandbox.ui.ask.session import Session
from sandbox.ui.parts.clicks import html_block
from sandbox.ui.parts.progress import sentence_html
from sandbox.ui.parts.wiring import widgets_of
from sandbox.ui.testset.table import DATATYPES, HEADERS

NOTHING_OPEN = "no test set yet; choose one, drop a file, or draft questions from pages"


class TestSetTab:
    """The widgets of the tab."""

    __test__ = False

    def __init__(self) -> None:
        """Draw them; call inside `gr.Tab`."""
        self.drafting = gr.State(Session())  # its own: to cancel here stops nothing on the Ask tab
        with gr.Row(elem_id="testset-columns", equal_height=False):
            with gr.Column(elem_id="testset-left", min_width=0):
                self._draw_sources()
                self._draw_saving()
            with gr.Column(elem_id="testset-right", min_width=0):
                self._draw_cases()

    @property
    def widgets(self) -> list[gr.blocks.Block]:
        """Everything an event may change."""
        return widgets_of(self)

    def _draw_sources(self) -> None:
        self.chosen = gr.Dropdown([], label="test set", elem_id="testset", filterable=False)
        self.show_holdout = gr.Checkbox(
            label="show a hold-out", info="looking at it while choosing spoils it"
        )
        self.file = gr.File(label="drop a .jsonl or .csv here", height=84, elem_id="testset-file")
        with gr.Accordion("draft questions", open=False, elem_id="testset-drafting"):
            self.pages = gr.Textbox(
                label="pages of the corpus on the Ask tab",
                placeholder="2,5-7; empty for all",
                elem_id="testset-pages",
            )
            self.draft = gr.Button("Draft", size="sm", elem_id="testset-draft")
        self.cancel = gr.Button("Cancel", size="sm", visible=False, elem_id="testset-cancel")

    def _draw_saving(self) -> None:
        with gr.Accordion("save and export", open=False, elem_id="testset-saving"):
            self.name = gr.Textbox(label="name", max_lines=1, elem_id="testset-name")
            self.save = gr.Button("Save", variant="primary", size="sm", elem_id="testset-save")
            self.names = gr.Radio(
                ["sandbox", "ragas"], value="sandbox", label="field names of exports"
            )
            self.export_csv = gr.Button("Export CSV", size="sm", elem_id="testset-csv")
            self.export_jsonl = gr.Button("Export JSON Lines", size="sm", elem_id="testset-jsonl")
            self.exported = gr.File(label="exported", visible=False, elem_id="testset-exported")

    def _draw_cases(self) -> None:
        self.status = html_block("testset-status", sentence_html(NOTHING_OPEN))
        self.table = gr.Dataframe(
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
        self.doubts = html_block("testset-doubts")
