"""The Test set tab: cases in a table, where they come from and go to, and what is doubtful.

Draws the widgets and turns test cases into rows of the table and back.
"""

from collections.abc import Sequence
from typing import Any

import gradio as gr

from sandbox.errors import InvalidTestSet
from sandbox.testsets.cases import TestCase
from sandbox.testsets.files import read_cells, write_cells
from sandbox.ui.ask.session import Session
from sandbox.ui.parts.progress import sentence_html
from sandbox.ui.parts.wiring import html_block, widgets_of

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


HEADERS = {
    "verified": "verified",
    "question": "question",
    "reference": "reference",
    "accepted_answers": "accepted answers",
    "relevant_pages": "pages",
    "source": "source",
    "category": "category",
    "answerable": "answerable",
    "quotes": "quotes",
    "document": "document",
    "id": "id",
}
"""Column title by field; the order of the columns."""

FLAGS = ("verified", "answerable")
DATATYPES = ["bool" if name in FLAGS else "str" for name in HEADERS]

Row = list[Any]


def to_rows(cases: Sequence[TestCase]) -> list[Row]:
    """A row for each case; a list has one item a line."""
    return [_row(case) for case in cases]


def to_cases(rows: Sequence[Row]) -> tuple[TestCase, ...]:
    """The cases of a table; rows without question and reference are left out.

    Raises:
        InvalidTestSet: If a row is no test case, or two have one id; the message names the row.
    """
    cases: list[TestCase] = []
    numbers: dict[str, int] = {}
    for number, row in enumerate(rows, start=1):
        values = {name: _as_text(value) for name, value in zip(HEADERS, row, strict=True)}
        if not values["source"] and values["answerable"] != "True":
            values["answerable"] = ""  # a new row, whose box nobody has ticked yet
        if not values["question"].strip() and not values["reference"].strip():
            continue
        try:
            case = read_cells(values, number)
        except ValueError as error:
            raise InvalidTestSet(f"row {number}: {error}") from error
        if case.id in numbers:
            raise InvalidTestSet(
                f"row {number}: the id {case.id!r} is that of row {numbers[case.id]}"
            )
        numbers[case.id] = number
        cases.append(case)
    return tuple(cases)


def _row(case: TestCase) -> Row:
    cells = write_cells(case)
    return [getattr(case, name) if name in FLAGS else cells[name] for name in HEADERS]


def _as_text(value: object) -> str:
    """A cell as text; a new row's cells may be empty in several ways."""
    if value is None or value != value:  # NaN
        return ""
    return str(value)
