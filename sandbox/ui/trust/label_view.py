"""Draws labelling: the answer, its chunks, and the page of the chosen one."""

from sandbox.errors import SandboxError
from sandbox.library import Sandbox
from sandbox.records import Corpus
from sandbox.ui.ask.corpus_events import CorpusEvents
from sandbox.ui.parts.chunks import (
    EMPTY_PAGE,
    Marks,
    cards_html,
    chunk_on_page_html,
    crops_of,
    trouble_html,
)
from sandbox.ui.parts.wiring import Updates
from sandbox.ui.trust.label_panel import done_html, task_html
from sandbox.ui.trust.session import TrustSession
from sandbox.ui.trust.tab import TrustTab


class LabelView:
    """Turns what is being labelled into new values of the widgets."""

    def __init__(self, sandbox: Sandbox, corpora: CorpusEvents, tab: TrustTab) -> None:
        """Draw into the widgets of `tab`; pages come from the corpora on the Ask tab's list."""
        self._sandbox = sandbox
        self._corpora = corpora
        self._tab = tab

    def task(self, session: TrustSession, *, said: str = "") -> Updates:
        """The answer; its chunks and their page follow."""
        desk, proposal = session.desk, session.proposal
        if desk is None or proposal is None:
            html = done_html(desk, said=said) if desk else ""
            return {self._tab.task: html, self._tab.cards: "", self._tab.page: ""}
        return {self._tab.task: task_html(proposal, desk, said=said)}

    def chunks(self, session: TrustSession) -> Updates:
        """The chunks that the answer was made from."""
        answer = session.proposal.cell.answer if session.proposal else None
        if answer is None:
            return {self._tab.cards: ""}
        marks = Marks(
            selected=session.shown_rank,
            cited=answer.citations,
            matched=answer.matched,
            sent=answer.sent or None,
            crops=crops_of(self._sandbox.pipeline, answer.retrieved),
        )
        if not answer.retrieved:
            return {self._tab.cards: "<p class='empty'>Nothing was retrieved.</p>"}
        return {self._tab.cards: cards_html(answer.retrieved, marks)}

    def page(self, session: TrustSession) -> Updates:
        """The page of the chosen chunk."""
        item = session.visible_chunk
        if item is None or session.proposal is None:
            return {self._tab.page: "" if session.proposal is None else EMPTY_PAGE}
        try:
            corpus = self._corpus(session, session.proposal.cell.run)
        except SandboxError as error:
            return {self._tab.page: trouble_html(str(error))}
        pipeline = self._sandbox.pipeline
        html = chunk_on_page_html(pipeline, corpus, item.chunk, session.shown_page)
        return {self._tab.page: html}

    def _corpus(self, session: TrustSession, run: str) -> Corpus:
        """The documents of a run, read before and so at once.

        Raises:
            CorpusError: If the corpus is not on the list any more.
        """
        if run not in session.corpora and session.desk:
            name = session.desk.runs[run].run.corpus
            known = next((one for one in session.corpora.values() if one.name == name), None)
            session.corpora[run] = known or self._corpora.read_named(name)
        return session.corpora[run]
