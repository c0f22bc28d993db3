"""The Evaluate tab: its widgets, and what a browser tab has open on it."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from typing import Literal

import gradio as gr

from sandbox.config import DEFAULT_PRESET, PRESETS, Config
from sandbox.evaluation.metrics.catalog import METRIC_NAMES
from sandbox.evaluation.runs.read import Evaluation, RunView, read_runs
from sandbox.evaluation.runs.records import Family
from sandbox.evaluation.trust.records import TrustTable
from sandbox.ui.evaluate.view import result_html
from sandbox.ui.parts.wiring import html_block

ASK_TAB = "as on the Ask tab"
TICKED: tuple[Family, ...] = ("ranking", "no judge")
"""Families that need no judge and are there in seconds."""

ALTERNATIVES = (
    "index=text",
    "index=caption",
    "index=context",
    "retriever=lexical",
    "retriever=dense",
    "retriever=hybrid",
    "reranker=none",
    "reranker=maxsim",
    "top_k=4",
    "top_k=9",
    "chunk_characters=200",
    "chunk_characters=800",
    "prompt=default",
    "prompt=strict",
)


class EvaluateTab:
    """The widgets of the tab."""

    def __init__(self) -> None:
        """Draw them; call inside `gr.Tab`."""
        self.session = gr.State(EvaluateSession())
        with gr.Row(elem_id="evaluate-columns", equal_height=False):
            with gr.Column(elem_id="evaluate-left", min_width=0):
                self._draw_cases()
                self._draw_configurations()
                self.metrics = {family: _metrics(family) for family in METRIC_NAMES}
                self.configurations = html_block("evaluate-configurations")
                self._draw_judge()
            with gr.Column(elem_id="evaluate-right", min_width=0):
                self._draw_buttons()
                self.progress = html_block("evaluate-progress")
                self.result = html_block("evaluate-result", result_html(()))
                self.detail = html_block("evaluate-detail")

    def _draw_cases(self) -> None:
        self.corpus = _dropdown("corpus", "evaluate-corpus")
        self.test_set = _dropdown("test set", "evaluate-testset")
        self.cases_line = html_block("evaluate-cases-line")
        self.cases = gr.Number(
            0,
            label="only the first cases",
            info="0 takes all",
            precision=0,
            elem_id="evaluate-cases",
        )
        self.holdout = gr.Checkbox(
            label="show a hold-out",
            info="looking at it while choosing spoils it",
            elem_id="evaluate-holdout",
        )

    def _draw_configurations(self) -> None:
        self.presets = gr.CheckboxGroup(
            [*PRESETS, ASK_TAB],
            value=[DEFAULT_PRESET],
            label="configurations",
            elem_id="evaluate-presets",
        )
        self.sent = gr.CheckboxGroup(
            [], label="sent from Compare", visible=False, elem_id="evaluate-sent"
        )
        with gr.Accordion("one factor at a time", open=False, elem_id="evaluate-factors"):
            self.start = gr.Dropdown(
                [*PRESETS, ASK_TAB],
                value=DEFAULT_PRESET,
                label="start from",
                filterable=False,
                elem_id="evaluate-start",
            )
            self.alternatives = gr.CheckboxGroup(
                list(ALTERNATIVES), label="try instead", elem_id="evaluate-alternatives"
            )
            self.own_alternatives = gr.Textbox(
                label="others",
                placeholder="top_k=3, temperature=0.7",
                max_lines=3,
                elem_id="evaluate-own-alternatives",
            )

    def _draw_judge(self) -> None:
        self.judge = gr.Dropdown(
            ["auto"],
            value="auto",
            label="judge",
            allow_custom_value=True,
            elem_id="evaluate-judge",
        )
        with gr.Accordion("how it judges", open=False, elem_id="evaluate-judging"):
            self.judgements = gr.Number(
                1,
                label="judgements",
                info="above 1 it is sampled so often: the median counts, the spread is kept",
                precision=0,
                minimum=1,
                elem_id="evaluate-judgements",
            )
            self.rubric = gr.File(
                label="graded examples for the token judge (.jsonl, .csv)",
                file_types=[".jsonl", ".csv"],
                height=110,
                elem_id="evaluate-rubric",
            )

    def _draw_buttons(self) -> None:
        with gr.Row(elem_id="evaluate-buttons", equal_height=True):
            self.plan = gr.Button("Plan", scale=0, min_width=80, elem_id="plan")
            self.evaluate = gr.Button(
                "Evaluate", variant="primary", scale=0, min_width=100, elem_id="evaluate"
            )
            self.cancel = gr.Button(
                "Cancel", scale=0, min_width=90, visible=False, elem_id="evaluate-cancel"
            )
            self.resume = gr.Button(
                "Resume", scale=0, min_width=90, visible=False, elem_id="resume"
            )
            self.shown = _dropdown("result of", "evaluate-shown")


def _metrics(family: Family) -> gr.CheckboxGroup:
    names = list(METRIC_NAMES[family])
    ticked = names if family in TICKED else []
    with gr.Accordion(
        f"metrics: {family}", open=False, elem_id=f"evaluate-{family.replace(' ', '-')}"
    ):
        return gr.CheckboxGroup(names, value=ticked, show_label=False, label=family)


def _dropdown(label: str, elem_id: str) -> gr.Dropdown:
    """Its choices come with the visit."""
    return gr.Dropdown([], label=label, elem_id=elem_id, filterable=False)


Work = Literal["plan", "evaluate", "resume"]


@dataclass(slots=True, kw_only=True)
class EvaluateSession:
    """The state of the Evaluate tab in one browser tab; changed in place."""

    stop_requested: bool = False
    work: Work | Literal[""] = ""
    """What was begun and has not ended."""

    followed_corpus: str = ""
    """The Ask tab's corpus when it was last taken over; another choice here stays."""

    sent: dict[str, Config] = field(default_factory=dict)
    """Configurations that the Compare tab asks for, by name."""

    evaluation: Evaluation | None = None
    """The one whose result is shown."""

    views: tuple[RunView, ...] = ()
    """Its runs as they were last read."""

    doubts: Mapping[str, str] | None = None
    """Why a metric may not decide, by metric; ``None`` where the labels do not say."""

    doubts_rest_on: Hashable = None
    """The labels from which the doubts were computed."""

    def show(self, evaluation: Evaluation | None) -> None:
        """Read an evaluation as far as it has come."""
        self.evaluation = evaluation
        self.views = read_runs(evaluation.runs) if evaluation else ()
        if self.doubts_rest_on != self.labels:
            self.doubts = None

    def doubt(self, table: TrustTable) -> None:
        """Keep why some metrics may not decide; a trusted one is absent."""
        self.doubts_rest_on = self.labels
        self.doubts = {
            str(row.metric): f"{row.trust}: {row.reason}"
            for row in table.metrics
            if not row.is_trusted
        }

    @property
    def labels(self) -> Hashable:
        """The labels of the shown answers: while they are equal, so are the doubts."""
        return tuple(
            (view.run.id, case, cell.label, len(view.scores))
            for view in self.views
            for case, cell in view.cells.items()
            if cell.label is not None
        )

    @property
    def has_both_classes(self) -> bool:
        """True if some answer is labelled right and some wrong."""
        labels = {cell.label for view in self.views for cell in view.cells.values()}
        return {"right", "wrong"} <= labels
