"""The Ask tab: a corpus and a configuration, a conversation, the chunks on their pages.

Draws the widgets and connects them; what happens then is in `events.py`.
"""

from dataclasses import dataclass

import gradio as gr

from sandbox.ui.ask.panel import Panel, build_panel
from sandbox.ui.parts.cards import EMPTY_CARDS, EMPTY_PAGE
from sandbox.ui.parts.chat import chat_html
from sandbox.ui.parts.clicks import html_block
from sandbox.ui.parts.session import Session
from sandbox.ui.parts.status import sentence_html


@dataclass(frozen=True, slots=True, kw_only=True)
class AskTab:
    """The widgets of the tab."""

    session: gr.State
    corpus: gr.Dropdown
    files: gr.File
    corpus_status: gr.HTML
    cancel: gr.Button
    panel: Panel
    chat: gr.HTML
    examples: gr.HTML
    question: gr.Textbox
    ask: gr.Button
    stop: gr.Button
    cards: gr.HTML
    page: gr.HTML

    @property
    def widgets(self) -> list[gr.components.Component]:
        """Everything an event may change."""
        return [
            self.corpus,
            self.files,
            self.corpus_status,
            self.cancel,
            self.chat,
            self.examples,
            self.question,
            self.stop,
            self.cards,
            self.page,
            *self.panel.fields.values(),
        ]


def build_ask_tab() -> AskTab:
    """Draw the tab; call inside `gr.Blocks`."""
    session = gr.State(Session())
    with gr.Row(elem_id="ask-columns", equal_height=False):
        with gr.Column(elem_id="left", min_width=0):
            corpus = gr.Dropdown([], label="corpus", elem_id="corpus", filterable=False)
            corpus_status = html_block("corpus-status", sentence_html("opening"))
            cancel = gr.Button("Cancel", size="sm", visible=False, elem_id="cancel")
            files = gr.File(
                file_count="multiple", label="drop PDFs here", elem_id="files", height=84
            )
            panel = build_panel()
        with gr.Column(elem_id="middle", min_width=0):
            chat = html_block("chat", chat_html([], shown=-1, corpus=""))
            examples = html_block("examples")
            with gr.Row(elem_id="question-row", equal_height=True):
                question = gr.Textbox(
                    placeholder="Ask the documents; Enter sends",
                    show_label=False,
                    label="question",
                    container=False,
                    max_lines=4,
                    scale=1,
                    elem_id="question",
                    autofocus=True,
                )
                ask = gr.Button("Ask", variant="primary", scale=0, min_width=64, elem_id="ask")
                stop = gr.Button("Stop", scale=0, min_width=64, visible=False, elem_id="stop")
        with gr.Column(elem_id="right", min_width=0):
            cards = html_block("cards", EMPTY_CARDS)
            page = html_block("page", EMPTY_PAGE)
    return AskTab(
        session=session,
        corpus=corpus,
        files=files,
        corpus_status=corpus_status,
        cancel=cancel,
        panel=panel,
        chat=chat,
        examples=examples,
        question=question,
        ask=ask,
        stop=stop,
        cards=cards,
        page=page,
    )
