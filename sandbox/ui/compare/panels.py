"""The parts of the Compare tab that are forms: keeping a run, files, asking side by side.

Draws the widgets; what happens then is in manage.py and asking.py.
"""

from dataclasses import dataclass

import gradio as gr

from sandbox.config import PRESETS
from sandbox.ui.evaluate.tab import ASK_TAB
from sandbox.ui.parts.clicks import html_block

NO_THIRD = "none"
FIRST, SECOND = "text_k4", "ctx_k9"
LANGUAGES = {"English": "en", "繁體中文": "zh"}


@dataclass(frozen=True, slots=True, kw_only=True)
class KeepingPanel:
    """What is done with one run."""

    place: gr.Column
    about: gr.HTML
    name: gr.Textbox
    note: gr.Textbox
    keep: gr.Button
    export: gr.Button
    baseline: gr.Button
    delete: gr.Button
    confirmation: gr.Textbox
    delete_for_good: gr.Button
    said: gr.HTML

    @property
    def form(self) -> set[gr.components.Component]:
        """What a person writes."""
        return {self.name, self.note, self.confirmation}

    @property
    def widgets(self) -> list[gr.blocks.Block]:
        """Everything an event may change."""
        return [
            self.place,
            self.about,
            self.name,
            self.note,
            self.delete,
            self.confirmation,
            self.delete_for_good,
            self.said,
        ]


@dataclass(frozen=True, slots=True, kw_only=True)
class FilesPanel:
    """What goes out as a file, and comes in as one."""

    question: gr.Textbox
    language: gr.Radio
    html: gr.Button
    markdown: gr.Button
    archive: gr.File
    made: gr.File
    said: gr.HTML

    @property
    def form(self) -> set[gr.components.Component]:
        """What a person chooses."""
        return {self.question, self.language, self.archive}

    @property
    def widgets(self) -> list[gr.blocks.Block]:
        """Everything an event may change."""
        return [self.archive, self.made, self.said]


@dataclass(frozen=True, slots=True, kw_only=True)
class AskingPanel:
    """One question to two or three configurations."""

    place: gr.Column
    question: gr.Textbox
    configs: tuple[gr.Dropdown, gr.Dropdown, gr.Dropdown]
    ask: gr.Button
    stop: gr.Button
    answers: gr.HTML
    page: gr.HTML

    @property
    def form(self) -> set[gr.components.Component]:
        """The question and the configurations."""
        return {self.question, *self.configs}

    @property
    def widgets(self) -> list[gr.blocks.Block]:
        """Everything an event may change."""
        return [self.place, self.question, self.ask, self.stop, self.answers, self.page]


def build_keeping() -> KeepingPanel:
    """Draw it; hidden until a run is picked."""
    with gr.Column(elem_id="compare-keeping", min_width=0, visible=False) as place:
        about = html_block("compare-about")
        name = gr.Textbox(label="name", max_lines=1, elem_id="compare-name")
        note = gr.Textbox(label="note", lines=2, max_lines=6, elem_id="compare-note")
        with gr.Row(elem_id="compare-keep-buttons"):
            keep = _button("Keep name and note", "compare-keep")
            export = _button("Export .zip", "compare-export")
            baseline = _button("Save as baseline", "compare-baseline")
            delete = _button("Delete", "compare-delete")
        said = html_block("compare-keeping-said")
        confirmation = gr.Textbox(
            label="write its id to delete it",
            max_lines=1,
            visible=False,
            elem_id="compare-confirmation",
        )
        delete_for_good = gr.Button(
            "Delete for good", size="sm", variant="stop", visible=False, elem_id="compare-for-good"
        )
    return KeepingPanel(
        place=place,
        about=about,
        name=name,
        note=note,
        keep=keep,
        export=export,
        baseline=baseline,
        delete=delete,
        confirmation=confirmation,
        delete_for_good=delete_for_good,
        said=said,
    )


def build_files() -> FilesPanel:
    """Draw it, folded; what was made stands below."""
    with gr.Accordion("report and files", open=False, elem_id="compare-files"):
        question = gr.Textbox(
            label="the question the report answers",
            placeholder="Should figures be indexed?",
            max_lines=3,
            elem_id="compare-report-question",
        )
        language = gr.Radio(
            list(LANGUAGES), value="English", label="language", elem_id="compare-language"
        )
        with gr.Row(elem_id="compare-report-buttons"):
            html = _button("Report .html", "compare-html")
            markdown = _button("Report .md", "compare-markdown")
        archive = gr.File(
            label="import a run (.zip)", file_types=[".zip"], height=84, elem_id="compare-archive"
        )
    made = gr.File(label="made", visible=False, elem_id="compare-made")
    said = html_block("compare-files-said")
    return FilesPanel(
        question=question,
        language=language,
        html=html,
        markdown=markdown,
        archive=archive,
        made=made,
        said=said,
    )


def build_asking() -> AskingPanel:
    """Draw it; hidden until it is asked for."""
    names = [*PRESETS, ASK_TAB]
    with gr.Column(elem_id="compare-asking", min_width=0, visible=False) as place:
        with gr.Row(elem_id="compare-question-row", equal_height=True):
            question = gr.Textbox(
                placeholder="Ask all of them the same; Enter sends",
                show_label=False,
                label="question",
                container=False,
                max_lines=3,
                scale=1,
                elem_id="compare-question",
            )
            ask = gr.Button("Ask", variant="primary", scale=0, min_width=64, elem_id="compare-ask")
            stop = gr.Button("Stop", scale=0, min_width=64, visible=False, elem_id="compare-stop")
        with gr.Row(elem_id="compare-configs"):
            first = _config("A", names, FIRST)
            second = _config("B", names, SECOND)
            third = _config("C", [NO_THIRD, *names], NO_THIRD)
        with gr.Row(elem_id="compare-asked", equal_height=False):
            answers = html_block("compare-answers")
            page = html_block("compare-ask-page")
    return AskingPanel(
        place=place,
        question=question,
        configs=(first, second, third),
        ask=ask,
        stop=stop,
        answers=answers,
        page=page,
    )


def _config(letter: str, names: list[str], value: str) -> gr.Dropdown:
    return gr.Dropdown(
        names,
        value=value,
        label=letter,
        filterable=False,
        min_width=120,
        elem_id=f"compare-config-{letter.lower()}",
    )


def _button(label: str, elem_id: str) -> gr.Button:
    return gr.Button(label, size="sm", min_width=90, elem_id=elem_id)
