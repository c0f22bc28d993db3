"""Draws a session: the conversation, the retrieved chunks and the page of the chosen one."""

from collections.abc import Mapping, Sequence
from typing import Any

from sandbox.errors import SandboxError
from sandbox.pipeline import Pipeline
from sandbox.records import Box, Corpus, Retrieved
from sandbox.ui.ask import AskTab
from sandbox.ui.cards import EMPTY_PAGE, Marks, cards_html, escape, page_html
from sandbox.ui.chat import chat_html, examples_html
from sandbox.ui.pictures import crop_data_url, png_data_url
from sandbox.ui.session import Session
from sandbox.ui.status import corpus_html, sentence_html

Values = Mapping[Any, Any]
"""Value by widget, as the browser sent it."""

Updates = dict[Any, Any]
"""New value by widget."""


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
        return {
            item.rank: crop_data_url(self._pipeline.figure_path(item.chunk))
            for item in retrieved
            if item.chunk.image
        }

    def _page(self, session: Session) -> str:
        turn, item = session.visible_turn, session.visible_chunk
        if turn is None or item is None or turn.corpus is None:
            return EMPTY_PAGE
        chunk = item.chunk
        page = session.shown_page or chunk.page
        boxes = [box for box in chunk.boxes if box.page == page]
        try:
            picture = self._pipeline.page_image(turn.corpus, chunk.document_id, page, boxes)
        except SandboxError as error:
            return f"<p class='empty failed' role='alert'>{escape(str(error))}</p>"
        document = next(item for item in turn.corpus.documents if item.id == chunk.document_id)
        return page_html(
            document.name,
            page,
            document.page_count,
            picture=png_data_url(picture),
            pages=sorted({chunk.page} | {box.page for box in chunk.boxes}),
            top=_top(turn.corpus, chunk.document_id, page, boxes),
        )


def _top(corpus: Corpus, document_id: str, page: int, boxes: list[Box]) -> float:
    """Where the highest box begins, as a share of the page's height."""
    heights = [
        item.height
        for document in corpus.documents
        if document.id == document_id
        for item in document.pages
        if item.number == page and item.height > 0
    ]
    return min(box.top for box in boxes) / heights[0] if boxes and heights else 0.0
