"""The Compare tab: its widgets, and what a browser tab has open on it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import gradio as gr

from sandbox.config import PRESETS, Config
from sandbox.evaluation.comparison.records import Comparison, PairComparison
from sandbox.evaluation.runs.history import PastRun, newest_evaluation
from sandbox.markup.templates import render
from sandbox.records import Corpus
from sandbox.ui.compare.columns import Column
from sandbox.ui.evaluate.tab import ASK_TAB
from sandbox.ui.parts.wiring import html_block

NO_THIRD = "none"
FIRST, SECOND = "text_k4", "ctx_k9"
LANGUAGES = {"English": "en", "繁體中文": "zh"}


class CompareTab:
    """The widgets of the tab."""

    def __init__(self) -> None:
        """Draw them; call inside `gr.Tab`."""
        self.session = gr.State(CompareSession())
        with gr.Row(elem_id="compare-head", equal_height=True):
            self.head = html_block("compare-facts")
            self.ask_mode = _head_button("Ask side by side", "compare-ask-mode")
            self.story_mode = _head_button("Tell it step by step", "compare-story-mode")
            self.back = _head_button("Back to the comparison", "compare-back", visible=False)
        with gr.Row(elem_id="compare-columns", equal_height=False) as self.columns:
            with gr.Column(elem_id="compare-left", min_width=0):
                self.history = html_block("compare-history")
                self.accepted = gr.Checkbox(
                    label="count suggestions as labels",
                    info="where nobody labelled; everything says so",
                    elem_id="compare-accepted",
                )
                self._draw_run()
                self._draw_files()
            with gr.Column(elem_id="compare-right", min_width=0):
                self.result = html_block("compare-result", render("ui/compare/history.html#no_run"))
                self.detail = html_block("compare-detail")
        self._draw_asking()
        with gr.Column(elem_id="compare-story", min_width=0, visible=False) as self.story_place:
            self.story = html_block("story", keys=True)
            self.story_page = html_block("story-page")

    def _draw_run(self) -> None:
        """One run's name, note and files; hidden until a run is picked."""
        with gr.Column(elem_id="compare-keeping", min_width=0, visible=False) as self.run:
            self.about = html_block("compare-about")
            self.name = gr.Textbox(label="name", max_lines=1, elem_id="compare-name")
            self.note = gr.Textbox(label="note", lines=2, max_lines=6, elem_id="compare-note")
            with gr.Row(elem_id="compare-keep-buttons"):
                self.keep = _button("Keep name and note", "compare-keep")
                self.export = _button("Export .zip", "compare-export")
                self.baseline = _button("Save as baseline", "compare-baseline")
                self.delete = _button("Delete", "compare-delete")
            self.run_status = html_block("compare-keeping-said")
            self.confirmation = gr.Textbox(
                label="write its id to delete it",
                max_lines=1,
                visible=False,
                elem_id="compare-confirmation",
            )
            self.delete_for_good = gr.Button(
                "Delete for good",
                size="sm",
                variant="stop",
                visible=False,
                elem_id="compare-for-good",
            )

    def _draw_files(self) -> None:
        """Reports and imported runs, folded; the file that was made is offered below."""
        with gr.Accordion("report and files", open=False, elem_id="compare-files"):
            self.report_question = gr.Textbox(
                label="the question the report answers",
                placeholder="Should figures be indexed?",
                max_lines=3,
                elem_id="compare-report-question",
            )
            self.language = gr.Radio(
                list(LANGUAGES), value="English", label="language", elem_id="compare-language"
            )
            with gr.Row(elem_id="compare-report-buttons"):
                self.report_html = _button("Report .html", "compare-html")
                self.report_markdown = _button("Report .md", "compare-markdown")
            self.archive = gr.File(
                label="import a run (.zip)",
                file_types=[".zip"],
                height=84,
                elem_id="compare-archive",
            )
        self.made = gr.File(label="made", interactive=False, visible=False, elem_id="compare-made")
        self.files_status = html_block("compare-files-said")

    def _draw_asking(self) -> None:
        """One question to two or three configurations; hidden until it is asked for."""
        with gr.Column(elem_id="compare-asking", min_width=0, visible=False) as self.asking:
            with gr.Row(elem_id="compare-question-row", equal_height=True):
                self.question = gr.Textbox(
                    placeholder="Ask all of them the same; Enter sends",
                    show_label=False,
                    label="question",
                    container=False,
                    max_lines=3,
                    scale=1,
                    elem_id="compare-question",
                )
                self.ask = gr.Button(
                    "Ask", variant="primary", scale=0, min_width=64, elem_id="compare-ask"
                )
                self.stop = gr.Button(
                    "Stop", scale=0, min_width=64, visible=False, elem_id="compare-stop"
                )
            with gr.Row(elem_id="compare-configs"):
                self.configs = {
                    letter: _configuration(letter, value)
                    for letter, value in (("A", FIRST), ("B", SECOND), ("C", NO_THIRD))
                }
            with gr.Row(elem_id="compare-asked", equal_height=False):
                self.answers = html_block("compare-answers")
                self.ask_page = html_block("compare-ask-page")


def _configuration(letter: str, value: str) -> gr.Dropdown:
    names = [*PRESETS, ASK_TAB]
    return gr.Dropdown(
        [NO_THIRD, *names] if value == NO_THIRD else names,
        value=value,
        label=letter,
        filterable=False,
        min_width=120,
        elem_id=f"compare-config-{letter.lower()}",
    )


def _head_button(label: str, elem_id: str, *, visible: bool = True) -> gr.Button:
    return gr.Button(label, size="sm", scale=0, min_width=130, elem_id=elem_id, visible=visible)


def _button(label: str, elem_id: str) -> gr.Button:
    return gr.Button(label, size="sm", min_width=90, elem_id=elem_id)


Mode = Literal["compare", "ask", "story"]


@dataclass(slots=True, kw_only=True)
class CompareSession:
    """The state of the Compare tab in one browser tab; changed in place."""

    mode: Mode = "compare"
    past: tuple[PastRun, ...] = ()
    """The runs there are, as they were last read; the newest first."""

    chosen: tuple[str, ...] = ()
    """Ids of the runs to compare, the baseline first."""

    followed: tuple[str, ...] = ()
    """The newest evaluation's runs when they were last chosen by themselves."""

    awaited: frozenset[str] = frozenset()
    """Configurations that were sent to the Evaluate tab; a new run of one joins the choice."""

    comparison: Comparison | None = None
    computed_for: object = None
    """What it was computed for: nothing is computed twice."""

    shown_pair: int = 0
    managed: str = ""
    """Id of the run that is being renamed, noted, exported or deleted; empty for none."""

    is_deleting: bool = False
    """True once deletion was asked for and is to be confirmed."""

    step: int = 0
    """Of the story."""

    corpora: dict[str, Corpus] = field(default_factory=dict)
    """Documents by the corpus's name, to show their pages."""

    asked: str = ""
    """The question that was asked side by side."""

    asked_of: Corpus | None = None
    """The documents that it was asked of."""

    configs: tuple[Config, ...] = ()
    """Under which it was asked."""

    columns: list[Column] = field(default_factory=list)
    """Its answers as far as they have come."""

    is_asking: bool = False
    stop_requested: bool = False

    def take(self, past: Sequence[PastRun]) -> None:
        """Take in the runs there are; the newest evaluation's stay chosen until others are."""
        ids, newest = {past_run.run.id for past_run in past}, newest_evaluation(past)
        follows = not self.awaited and self.chosen in ((), self.followed)
        kept = tuple(id for id in self.chosen if id in ids)
        self.chosen = newest if follows else (*kept, *self._arrived(past))
        self.past, self.followed = tuple(past), newest
        self.managed = self.managed if self.managed in ids else ""

    def toggle(self, run: str) -> None:
        """Choose a run, or leave it out."""
        if run in self.chosen:
            self.chosen = tuple(id for id in self.chosen if id != run)
        else:
            self.chosen = (*self.chosen, run)

    def make_baseline(self, run: str) -> None:
        """Compare with this one."""
        self.chosen = (run, *(id for id in self.chosen if id != run))

    def show_pair(self, run: str) -> None:
        """Show a run against the baseline; the story begins anew."""
        pairs = self.comparison.pairs if self.comparison else ()
        places = [place for place, pair in enumerate(pairs) if pair.b == run]
        self.shown_pair, self.step = (places or [self.shown_pair])[0], 0

    def _arrived(self, past: Sequence[PastRun]) -> list[str]:
        """New runs of what was sent to be measured."""
        before = set(self.names)
        arrived = [
            past_run.run
            for past_run in past
            if past_run.run.id not in before and past_run.run.configuration in self.awaited
        ]
        self.awaited -= {run.configuration for run in arrived}
        return sorted(run.id for run in arrived)

    @property
    def pair(self) -> PairComparison | None:
        """The pair that is shown."""
        pairs = self.comparison.pairs if self.comparison else ()
        return pairs[min(self.shown_pair, len(pairs) - 1)] if pairs else None

    @property
    def names(self) -> Mapping[str, str]:
        """What a run is called, by id."""
        return {past_run.run.id: past_run.name for past_run in self.past}
