"""The Compare tab: which runs, what differs and which is better; asking side by side; a story."""

import gradio as gr

from sandbox.config import PRESETS
from sandbox.markup.templates import render
from sandbox.ui.compare.session import CompareSession
from sandbox.ui.evaluate.tab import ASK_TAB
from sandbox.ui.parts.clicks import html_block

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
