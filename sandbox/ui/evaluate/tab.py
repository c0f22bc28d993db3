"""The Evaluate tab: configurations and metrics on a test set, the plan, the run and its result.

Draws the widgets; what happens then is in `events.py`.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import gradio as gr

from sandbox.config import DEFAULT_PRESET, PRESETS
from sandbox.evaluation.metrics.catalog import METRIC_NAMES
from sandbox.evaluation.runs.records import Family
from sandbox.ui.evaluate.session import EvaluateSession
from sandbox.ui.evaluate.tables import EMPTY_RESULT
from sandbox.ui.parts.clicks import html_block

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


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluateTab:
    """The widgets of the tab."""

    session: gr.State
    corpus: gr.Dropdown
    test_set: gr.Dropdown
    holdout: gr.Checkbox
    cases: gr.Number
    cases_line: gr.HTML
    presets: gr.CheckboxGroup
    sent: gr.CheckboxGroup
    start: gr.Dropdown
    alternatives: gr.CheckboxGroup
    own_alternatives: gr.Textbox
    configurations: gr.HTML
    metrics: Mapping[Family, gr.CheckboxGroup]
    judge: gr.Dropdown
    judgements: gr.Number
    rubric: gr.File
    plan: gr.Button
    evaluate: gr.Button
    cancel: gr.Button
    resume: gr.Button
    shown: gr.Dropdown
    progress: gr.HTML
    result: gr.HTML
    detail: gr.HTML

    @property
    def form(self) -> set[gr.components.Component]:
        """Everything an experiment is read from, besides the Ask tab's panel."""
        return {
            self.session,
            self.corpus,
            self.test_set,
            self.holdout,
            self.cases,
            self.presets,
            self.sent,
            self.start,
            self.alternatives,
            self.own_alternatives,
            *self.metrics.values(),
            self.judge,
            self.judgements,
            self.rubric,
        }

    @property
    def widgets(self) -> list[gr.components.Component]:
        """Everything an event may change."""
        return [
            self.corpus,
            self.test_set,
            self.cases_line,
            self.configurations,
            self.judge,
            self.plan,
            self.evaluate,
            self.cancel,
            self.resume,
            self.shown,
            self.progress,
            self.result,
            self.detail,
        ]


def build_evaluate_tab() -> EvaluateTab:
    """Draw the tab; call inside `gr.Tab`."""
    session = gr.State(EvaluateSession())
    with gr.Row(elem_id="evaluate-columns", equal_height=False):
        with gr.Column(elem_id="evaluate-left", min_width=0):
            corpus = _dropdown([], label="corpus", elem_id="evaluate-corpus")
            test_set = _dropdown([], label="test set", elem_id="evaluate-testset")
            cases_line = html_block("evaluate-cases-line")
            cases = gr.Number(
                0,
                label="only the first cases",
                info="0 takes all",
                precision=0,
                elem_id="evaluate-cases",
            )
            holdout = gr.Checkbox(
                label="show a hold-out",
                info="looking at it while choosing spoils it",
                elem_id="evaluate-holdout",
            )
            presets = gr.CheckboxGroup(
                [*PRESETS, ASK_TAB],
                value=[DEFAULT_PRESET],
                label="configurations",
                elem_id="evaluate-presets",
            )
            sent = gr.CheckboxGroup(
                [], label="sent from Compare", visible=False, elem_id="evaluate-sent"
            )
            with gr.Accordion("one factor at a time", open=False, elem_id="evaluate-factors"):
                start = _dropdown(
                    [*PRESETS, ASK_TAB],
                    label="start from",
                    elem_id="evaluate-start",
                    value=DEFAULT_PRESET,
                )
                alternatives = gr.CheckboxGroup(
                    list(ALTERNATIVES), label="try instead", elem_id="evaluate-alternatives"
                )
                own_alternatives = gr.Textbox(
                    label="others",
                    placeholder="top_k=3, temperature=0.7",
                    max_lines=3,
                    elem_id="evaluate-own-alternatives",
                )
            metrics = _build_metrics()
            configurations = html_block("evaluate-configurations")
            judge = gr.Dropdown(
                ["auto"],
                value="auto",
                label="judge",
                allow_custom_value=True,
                elem_id="evaluate-judge",
            )
            with gr.Accordion("how it judges", open=False, elem_id="evaluate-judging"):
                judgements = gr.Number(
                    1,
                    label="judgements",
                    info="above 1 it is sampled so often: the median counts, the spread is kept",
                    precision=0,
                    minimum=1,
                    elem_id="evaluate-judgements",
                )
                rubric = gr.File(
                    label="graded examples for the token judge (.jsonl, .csv)",
                    file_types=[".jsonl", ".csv"],
                    height=110,
                    elem_id="evaluate-rubric",
                )
        with gr.Column(elem_id="evaluate-right", min_width=0):
            with gr.Row(elem_id="evaluate-buttons", equal_height=True):
                plan = gr.Button("Plan", scale=0, min_width=80, elem_id="plan")
                evaluate = gr.Button(
                    "Evaluate", variant="primary", scale=0, min_width=100, elem_id="evaluate"
                )
                cancel = gr.Button(
                    "Cancel", scale=0, min_width=90, visible=False, elem_id="evaluate-cancel"
                )
                resume = gr.Button("Resume", scale=0, min_width=90, visible=False, elem_id="resume")
                shown = _dropdown([], label="result of", elem_id="evaluate-shown")
            progress = html_block("evaluate-progress")
            result = html_block("evaluate-result", EMPTY_RESULT)
            detail = html_block("evaluate-detail")
    return EvaluateTab(
        session=session,
        corpus=corpus,
        test_set=test_set,
        holdout=holdout,
        cases=cases,
        cases_line=cases_line,
        presets=presets,
        sent=sent,
        start=start,
        alternatives=alternatives,
        own_alternatives=own_alternatives,
        configurations=configurations,
        metrics=metrics,
        judge=judge,
        judgements=judgements,
        rubric=rubric,
        plan=plan,
        evaluate=evaluate,
        cancel=cancel,
        resume=resume,
        shown=shown,
        progress=progress,
        result=result,
        detail=detail,
    )


def _build_metrics() -> dict[Family, gr.CheckboxGroup]:
    metrics: dict[Family, gr.CheckboxGroup] = {}
    for family, names in METRIC_NAMES.items():
        ticked = family in TICKED
        with gr.Accordion(
            f"metrics: {family}", open=False, elem_id=f"evaluate-{family.replace(' ', '-')}"
        ):
            metrics[family] = gr.CheckboxGroup(
                list(names), value=list(names) if ticked else [], show_label=False, label=family
            )
    return metrics


def _dropdown(
    choices: list[str], *, label: str, elem_id: str, value: str | None = None
) -> gr.Dropdown:
    return gr.Dropdown(choices, value=value, label=label, elem_id=elem_id, filterable=False)
