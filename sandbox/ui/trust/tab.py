"""The Trust tab: runs, labels, and which metrics know right from wrong.

Draws the widgets; what happens then is in `events.py` and `label_events.py`.
"""

from dataclasses import dataclass

import gradio as gr

from sandbox.evaluation.labelling.cells import ME
from sandbox.ui.parts.clicks import html_block
from sandbox.ui.trust.session import TrustSession
from sandbox.ui.trust.table import NO_RUN

YOUDEN = "best balance (Youden)"
ALLOWED = {
    YOUDEN: None,
    "lets 5 % of wrong answers pass": 0.05,
    "lets 10 % of wrong answers pass": 0.1,
    "lets 20 % of wrong answers pass": 0.2,
}
"""How a threshold is chosen, and the share of wrong answers that may pass."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrustTab:
    """The widgets of the tab."""

    session: gr.State
    left: gr.Column
    runs: gr.CheckboxGroup
    labeller: gr.Textbox
    second: gr.Checkbox
    accepted: gr.Checkbox
    allowed: gr.Dropdown
    repeats: gr.Number
    retest: gr.Button
    stop: gr.Button
    retest_status: gr.HTML
    file: gr.File
    export: gr.Button
    exported: gr.File
    head: gr.HTML
    label: gr.Button
    result: gr.Column
    table: gr.HTML
    detail: gr.HTML
    labelling: gr.Column
    task: gr.HTML
    cards: gr.HTML
    page: gr.HTML

    @property
    def form(self) -> set[gr.components.Component]:
        """Everything that says what is looked at, and by whom."""
        return {
            self.session,
            self.runs,
            self.labeller,
            self.second,
            self.accepted,
            self.allowed,
            self.repeats,
            self.file,
        }

    @property
    def widgets(self) -> list[gr.blocks.Block]:
        """Everything an event may change."""
        return [
            self.left,
            self.runs,
            self.retest,
            self.stop,
            self.retest_status,
            self.file,
            self.exported,
            self.head,
            self.label,
            self.result,
            self.table,
            self.detail,
            self.labelling,
            self.task,
            self.cards,
            self.page,
        ]


def build_trust_tab() -> TrustTab:
    """Draw the tab; call inside `gr.Tab`."""
    session = gr.State(TrustSession())
    with gr.Row(elem_id="trust-head", equal_height=True):
        head = html_block("trust-facts")
        label = gr.Button(
            "Label answers",
            variant="primary",
            size="sm",
            scale=0,
            min_width=140,
            elem_id="trust-label",
        )
    with gr.Row(elem_id="trust-columns", equal_height=False):
        with gr.Column(elem_id="trust-left", min_width=0) as left:
            runs = gr.CheckboxGroup([], label="runs", elem_id="trust-runs")
            labeller = gr.Textbox(
                ME,
                label="labelled by",
                info="how you call yourself",
                max_lines=1,
                elem_id="labeller",
            )
            second = gr.Checkbox(
                label="second opinion",
                info="label what another person labelled, without seeing it",
                elem_id="trust-second",
            )
            accepted = gr.Checkbox(
                label="count suggestions as labels",
                info="where nobody labelled; the table says so",
                elem_id="trust-accepted",
            )
            allowed = gr.Dropdown(
                list(ALLOWED),
                value=YOUDEN,
                label="threshold of a trusted metric",
                elem_id="trust-allowed",
                filterable=False,
            )
            with gr.Accordion("test the judge itself", open=False, elem_id="trust-retest"):
                repeats = gr.Number(
                    10, label="ask it again about so many answers", precision=0, minimum=1
                )
                retest = gr.Button("Ask again", size="sm", elem_id="trust-again")
                stop = gr.Button("Stop", size="sm", visible=False, elem_id="trust-stop")
                retest_status = html_block("trust-retest-status")
            with gr.Accordion("labels as a file", open=False, elem_id="trust-files"):
                file = gr.File(label="import .jsonl or .csv", height=84, elem_id="trust-file")
                export = gr.Button("Export CSV", size="sm", elem_id="trust-export")
                exported = gr.File(label="exported", visible=False, elem_id="trust-exported")
        with gr.Column(elem_id="trust-result", min_width=0) as result:
            table = html_block("trust-table", NO_RUN)
            detail = html_block("trust-detail")
    with gr.Column(elem_id="labelling", min_width=0, visible=False) as labelling:
        task = html_block("label-task", keys=True)
        cards = html_block("label-cards")
        page = html_block("label-page")
    return TrustTab(
        session=session,
        left=left,
        runs=runs,
        labeller=labeller,
        second=second,
        accepted=accepted,
        allowed=allowed,
        repeats=repeats,
        retest=retest,
        stop=stop,
        retest_status=retest_status,
        file=file,
        export=export,
        exported=exported,
        head=head,
        label=label,
        result=result,
        table=table,
        detail=detail,
        labelling=labelling,
        task=task,
        cards=cards,
        page=page,
    )
