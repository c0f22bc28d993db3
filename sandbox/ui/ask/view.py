"""Draws a session: the conversation, the retrieved chunks and the page of the chosen one."""

from collections.abc import Sequence

from sandbox.rag.pipeline import Pipeline
from sandbox.records import Retrieved
from sandbox.ui.ask.tab import AskTab
from sandbox.ui.parts.cards import EMPTY_PAGE, Marks, cards_html
from sandbox.ui.parts.chat import chat_html, examples_html
from sandbox.ui.parts.page_picture import chunk_on_page_html, crops_of
from sandbox.ui.parts.session import Session
from sandbox.ui.parts.status import corpus_html, sentence_html
from sandbox.ui.parts.wiring import Updates


class View:
    """Turns the state of a session into new values of the widgets."""

    def __init__(self, pipeline: Pipeline, tab: AskTab) -> None:
        """Draw into the widgets of `tab`."""
        self._pipeline = pipeline
        self._tab = tab

    def everything(self, session: Session) -> Updates:
        """All that a session shows."""
        return {
            **self.corpus(session),
            **self.chat(session),
            **self.examples(session),
            **self.chunks(session),
        }

    def chat(self, session: Session) -> Updates:
        """The conversation."""
        html = chat_html(session.turns, shown=session.shown_turn, corpus=session.corpus_name)
        return {self._tab.chat: html}

    def examples(self, session: Session) -> Updates:
        """The example questions of the corpus."""
        return {self._tab.examples: examples_html(session.examples, asked=bool(session.turns))}

    def chunks(self, session: Session) -> Updates:
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

    def corpus(self, session: Session) -> Updates:
        """What was read and what was refused."""
        chunks = len(session.index.chunks) if session.index else None
        html = corpus_html(session.corpus, session.refused, chunks=chunks)
        trouble = sentence_html(session.trouble, alarming=True) if session.trouble else ""
        return {self._tab.corpus_status: html + trouble}

    def crops(self, retrieved: Sequence[Retrieved]) -> dict[int, str]:
        """Pictures of the figures among retrieved chunks, by rank."""
        return crops_of(self._pipeline, retrieved)

    def _page(self, session: Session) -> str:
        turn, item = session.visible_turn, session.visible_chunk
        if turn is None or item is None or turn.corpus is None:
            return EMPTY_PAGE
        return chunk_on_page_html(self._pipeline, turn.corpus, item.chunk, session.shown_page)
