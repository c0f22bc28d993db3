"""The Trust tab: its widgets, and what a browser tab has open on it."""

from dataclasses import dataclass, field

import gradio as gr

from sandbox.evaluation.labelling.next_labels import Proposal
from sandbox.evaluation.labelling.session import ME, Labelling
from sandbox.evaluation.trust.records import TrustTable
from sandbox.markup.templates import render
from sandbox.records import Corpus, Retrieved
from sandbox.ui.parts.wiring import html_block

YOUDEN = "best balance (Youden)"
ALLOWED = {
    YOUDEN: None,
    "lets 5 % of wrong answers pass": 0.05,
    "lets 10 % of wrong answers pass": 0.1,
    "lets 20 % of wrong answers pass": 0.2,
}
"""How a threshold is chosen, and the share of wrong answers that may pass."""


class TrustTab:
    """The widgets of the tab."""

    def __init__(self) -> None:
        """Draw them; call inside `gr.Tab`."""
        self.session = gr.State(TrustSession())
        with gr.Row(elem_id="trust-head", equal_height=True):
            self.head = html_block("trust-facts")
            self.label = gr.Button(
                "Label answers",
                variant="primary",
                size="sm",
                scale=0,
                min_width=140,
                elem_id="trust-label",
            )
        with gr.Row(elem_id="trust-columns", equal_height=False):
            with gr.Column(elem_id="trust-left", min_width=0) as self.left:
                self._draw_choices()
                self._draw_retest()
                self._draw_files()
            with gr.Column(elem_id="trust-result", min_width=0) as self.result:
                self.table = html_block("trust-table", render("ui/trust/parts.html#no_run"))
                self.detail = html_block("trust-detail")
        with gr.Column(elem_id="labelling", min_width=0, visible=False) as self.labelling:
            self.task = html_block("label-task", keys=True)
            self.cards = html_block("label-cards")
            self.page = html_block("label-page")

    def _draw_choices(self) -> None:
        self.runs = gr.CheckboxGroup([], label="runs", elem_id="trust-runs")
        self.labeller = gr.Textbox(
            ME,
            label="labelled by",
            info="how you call yourself",
            max_lines=1,
            elem_id="labeller",
        )
        self.second = gr.Checkbox(
            label="second opinion",
            info="label what another person labelled, without seeing it",
            elem_id="trust-second",
        )
        self.accepted = gr.Checkbox(
            label="count suggestions as labels",
            info="where nobody labelled; the table says so",
            elem_id="trust-accepted",
        )
        self.allowed = gr.Dropdown(
            list(ALLOWED),
            value=YOUDEN,
            label="threshold of a trusted metric",
            elem_id="trust-allowed",
            filterable=False,
        )

    def _draw_retest(self) -> None:
        with gr.Accordion("test the judge itself", open=False, elem_id="trust-retest"):
            self.repeats = gr.Number(
                10, label="ask it again about so many answers", precision=0, minimum=1
            )
            self.retest = gr.Button("Ask again", size="sm", elem_id="trust-again")
            self.stop = gr.Button("Stop", size="sm", visible=False, elem_id="trust-stop")
            self.retest_status = html_block("trust-retest-status")

    def _draw_files(self) -> None:
        with gr.Accordion("labels as a file", open=False, elem_id="trust-files"):
            self.file = gr.File(label="import .jsonl or .csv", height=84, elem_id="trust-file")
            self.export = gr.Button("Export CSV", size="sm", elem_id="trust-export")
            self.exported = gr.File(
                label="exported", interactive=False, visible=False, elem_id="trust-exported"
            )


@dataclass(slots=True, kw_only=True)
class TrustSession:
    """The state of the Trust tab in one browser tab; changed in place."""

    labelling: Labelling | None = None
    """The chosen runs, being labelled; ``None`` while none is chosen."""

    is_labelling: bool = False
    proposal: Proposal | None = None
    """The answer that is shown for labelling."""

    shown_rank: int = 0
    shown_page: int = 0
    """Page to show; 0 for the page on which the shown chunk begins."""

    corpora: dict[str, Corpus] = field(default_factory=dict)
    """Documents by run, to show their pages."""

    table: TrustTable | None = None
    computed_for: object = None
    """What the table was computed for: nothing is computed twice."""

    shown_metric: str = ""
    retesting: bool = False
    """True while the judge is asked again, or waits for that."""

    stop_requested: bool = False

    followed: tuple[str, ...] = ()
    """The runs of the newest evaluation when it was last chosen by itself."""

    def show(self, proposal: Proposal | None) -> None:
        """Put an answer up for labelling, on the page of what it cites first."""
        self.proposal = proposal
        self.shown_rank, self.shown_page = 0, 0
        answer = proposal.cell.answer if proposal else None
        if answer is not None:
            first = answer.retrieved[0].rank if answer.retrieved else 0
            self.shown_rank = answer.citations[0] if answer.citations else first

    @property
    def visible_chunk(self) -> Retrieved | None:
        """The chunk whose page is shown."""
        retrieved = self.proposal.cell.retrieved if self.proposal else ()
        return next((item for item in retrieved if item.rank == self.shown_rank), None)
