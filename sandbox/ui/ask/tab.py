"""The Ask tab: a corpus and a configuration, a conversation, the chunks on their pages.

Draws the widgets, and a session into them; what happens on an event is in `events.py` and
`corpus_events.py`.
"""

from collections.abc import Sequence

import gradio as gr

from sandbox.rag.pipeline import Pipeline
from sandbox.records import Retrieved
from sandbox.ui.ask.panel import Panel
from sandbox.ui.ask.session import Session
from sandbox.ui.ask.view import conversation_html, corpus_html, examples_html
from sandbox.ui.parts.chunks import EMPTY_PAGE, Marks, cards_html, chunk_on_page_html, crops_of
from sandbox.ui.parts.clicks import html_block
from sandbox.ui.parts.progress import sentence_html
from sandbox.ui.parts.wiring import Updates, widgets_of


class AskTab:
    """The widgets of the tab."""

    def __init__(self) -> None:
        """Draw them; call inside `gr.Tab`."""
        self.session = gr.State(Session())
        with gr.Row(elem_id="ask-columns", equal_height=False):
            with gr.Column(elem_id="left", min_width=0):
                self._draw_corpus()
                self.panel = Panel()
            with gr.Column(elem_id="middle", min_width=0):
                self._draw_conversation()
            with gr.Column(elem_id="right", min_width=0):
                self.cards = html_block("cards", cards_html((), Marks()))
                self.page = html_block("page", EMPTY_PAGE)

    def _draw_corpus(self) -> None:
        self.corpus = gr.Dropdown([], label="corpus", elem_id="corpus", filterable=False)
        self.corpus_status = html_block("corpus-status", sentence_html("opening"))
        self.cancel = gr.Button("Cancel", size="sm", visible=False, elem_id="cancel")
        self.files = gr.File(
            file_count="multiple", label="drop PDFs here", elem_id="files", height=84
        )

    def _draw_conversation(self) -> None:
        self.chat = html_block("chat", conversation_html([], shown=-1, corpus=""))
        self.examples = html_block("examples")
        with gr.Row(elem_id="question-row", equal_height=True):
            self.question = gr.Textbox(
                placeholder="Ask the documents; Enter sends",
                show_label=False,
                label="question",
                container=False,
                max_lines=4,
                scale=1,
                elem_id="question",
                autofocus=True,
            )
            self.ask = gr.Button("Ask", variant="primary", scale=0, min_width=64, elem_id="ask")
            self.stop = gr.Button("Stop", scale=0, min_width=64, visible=False, elem_id="stop")

    @property
    def widgets(self) -> list[gr.blocks.Block]:
        """Everything an event may change."""
        return [*widgets_of(self), *self.panel.fields.values()]


class View:
    """Turns the state of a session into new values of the widgets."""

    def __init__(self, pipeline: Pipeline, tab: AskTab) -> None:
        """Draw into the widgets of `tab`."""
        self._pipeline = pipeline
        self._tab = tab

    def draw(self, session: Session) -> Updates:
        """All that a session shows."""
        return {
            **self.draw_corpus(session),
            **self.draw_chat(session),
            **self.draw_examples(session),
            **self.draw_chunks(session),
        }

    def draw_chat(self, session: Session) -> Updates:
        """The conversation."""
        turns, name = session.turns, session.corpus_name
        return {self._tab.chat: conversation_html(turns, shown=session.shown_turn, corpus=name)}

    def draw_examples(self, session: Session) -> Updates:
        """The example questions of the corpus."""
        return {self._tab.examples: examples_html(session.examples, asked=bool(session.turns))}

    def draw_chunks(self, session: Session) -> Updates:
        """The cards of the shown turn and the page of the chosen chunk."""
        turn = session.visible_turn
        if turn is None:
            return {self._tab.cards: cards_html((), Marks()), self._tab.page: EMPTY_PAGE}
        marks = Marks(
            selected=session.shown_rank,
            cited=turn.answer.citations if turn.answer else (),
            matched=turn.answer.matched if turn.answer else (),
            sent=turn.answer.sent if turn.answer else None,
            crops=turn.crops,
        )
        return {
            self._tab.cards: cards_html(turn.retrieved, marks),
            self._tab.page: self._page(session),
        }

    def draw_corpus(self, session: Session) -> Updates:
        """What was read and what was refused."""
        chunks = len(session.index.chunks) if session.index else None
        html = corpus_html(session.corpus, session.refused, chunks=chunks)
        trouble = sentence_html(session.trouble, alarming=True) if session.trouble else ""
        return {self._tab.corpus_status: html + trouble}

    def draw_crops(self, retrieved: Sequence[Retrieved]) -> dict[int, str]:
        """Pictures of the figures among retrieved chunks, by rank."""
        return crops_of(self._pipeline, retrieved)

    def draw_stop(self, session: Session) -> Updates:
        """The button, there while a question waits or is being answered."""
        return {self._tab.stop: gr.update(value="Stop", visible=session.is_busy)}

    def _page(self, session: Session) -> str:
        turn, item = session.visible_turn, session.visible_chunk
        if turn is None or item is None or turn.corpus is None:
            return EMPTY_PAGE
        return chunk_on_page_html(self._pipeline, turn.corpus, item.chunk, session.shown_page)
