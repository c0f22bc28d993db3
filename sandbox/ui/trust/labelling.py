"""Labelling on the Trust tab: one answer after the other with its page, by click or by key."""

import re
import tempfile
from pathlib import Path

import gradio as gr

from sandbox.errors import SandboxError
from sandbox.evaluation.labelling.next_labels import Proposal
from sandbox.evaluation.labelling.session import Labelling
from sandbox.evaluation.runs.folder import list_runs
from sandbox.evaluation.runs.records import Right
from sandbox.library import Sandbox
from sandbox.markup.templates import render
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
from sandbox.ui.parts.wiring import Click, Updates, Values, dispatch, unchanged
from sandbox.ui.trust.tab import TrustSession, TrustTab
from sandbox.ui.trust.view import FIRST_LABELS, TrustView, done_html, task_html

LABELS: dict[str, Right] = {"right": "right", "wrong": "wrong", "unsure": "unsure"}


class LabelEvents:
    """What happens on the labelling side of the tab."""

    def __init__(
        self, sandbox: Sandbox, corpora: CorpusEvents, tab: TrustTab, view: TrustView
    ) -> None:
        """Work on the widgets of `tab`; pages come from the corpora on the Ask tab's list."""
        self._sandbox = sandbox
        self._corpora = corpora
        self._tab = tab
        self._view = view
        self._clicks = {
            "label": self._label,
            "skip": self._skip,
            "undo": self._undo,
            "table": self._to_table,
        }
        self._evidence_clicks = {"chunk": self._show_chunk, "page": self._show_page}

    def read_form(self, values: Values) -> None:
        """Take the chosen runs and the labeller to work with.

        Raises:
            SandboxError: If a run cannot be read, or the labeller has no name.
        """
        session: TrustSession = values[self._tab.session]
        by_id = {folder.run.id: folder for folder in list_runs(self._sandbox.store)}
        chosen = [by_id[id] for id in values[self._tab.runs] or () if id in by_id]
        labeller, second = values[self._tab.labeller] or "", bool(values[self._tab.second])
        session.labelling = Labelling(chosen, labeller=labeller, second=second) if chosen else None

    def begin(self, values: Values) -> Updates:
        """Show the first answer, or the table again."""
        session: TrustSession = values[self._tab.session]
        if session.is_labelling:
            return self._to_table(session)
        try:
            self.read_form(values)
        except SandboxError as error:
            return self._view.trouble(str(error))
        if session.labelling is None:
            return self._view.everything(session)
        session.show(_next(session.labelling))
        return self._to_labelling(session)

    def open(self, session: TrustSession, click: Click) -> Updates:
        """Show one answer of the table, with its page, to look at or to change its label."""
        key = (click.text("run"), click.text("case"))
        cell = session.labelling.cell(key) if session.labelling else None
        if cell is None:
            return unchanged()
        session.show(Proposal(cell=cell, reason="opened from the table"))
        return self._to_labelling(session)

    def click(self, session: TrustSession, event: gr.EventData) -> Updates:
        """A button, or its key."""
        if session.labelling is None or not session.is_labelling:
            return unchanged()
        try:
            return dispatch(self._clicks, session, event)
        except SandboxError as error:
            return self._task(session, status=str(error))

    def click_evidence(self, session: TrustSession, event: gr.EventData) -> Updates:
        """Another chunk on its page, or another page of a chunk that stands on two."""
        return dispatch(self._evidence_clicks, session, event)

    def draw_evidence(self, session: TrustSession) -> Updates:
        """The chunks and the page of the answer, which come after its text."""
        if not session.is_labelling:
            return unchanged()
        return {**self._chunks(session), **self._page(session)}

    def take_file(self, values: Values) -> Updates:
        """Take over the labels of a dropped file."""
        session: TrustSession = values[self._tab.session]
        dropped = values[self._tab.file]
        if not dropped or session.labelling is None:
            return unchanged()
        try:
            taken = session.labelling.import_file(Path(dropped))
        except SandboxError as error:
            sentence = re.sub(r"\S*/", "", str(error))  # the copy's folder means nothing to anybody
            return {**self._view.trouble(sentence), self._tab.file: None}
        status = f"{taken} labels imported"
        return {**self._view.head(session, status=status), self._tab.file: None}

    def export(self, session: TrustSession) -> Updates:
        """Offer all labels as CSV."""
        if session.labelling is None:
            return unchanged()
        file = Path(tempfile.mkdtemp(prefix="rag-sandbox-")) / "labels.csv"
        session.labelling.export_file(file)
        return {self._tab.exported: gr.update(value=str(file), visible=True)}

    def _label(self, session: TrustSession, click: Click) -> Updates:
        """Keep the label; a click that came too late for its answer changes nothing."""
        labelling, name, label = (
            session.labelling,
            _shown_name(session, click),
            click.text("label"),
        )
        if labelling is None or not name or label not in LABELS:
            return unchanged()
        labelling.label((click.text("run"), click.text("case")), LABELS[label])
        status = f"{name} is {label}; z takes it back"
        if labelling.counts.labelled == FIRST_LABELS:
            status = f"{FIRST_LABELS} labels: enough for a first look at the table (q)"
        return self._go_on(session, labelling, status)

    def _skip(self, session: TrustSession, click: Click) -> Updates:
        labelling, name = session.labelling, _shown_name(session, click)
        if labelling is None or not name:
            return unchanged()
        labelling.skip((click.text("run"), click.text("case")))
        return self._go_on(session, labelling, f"{name} comes again at the end")

    def _undo(self, session: TrustSession, _click: Click) -> Updates:
        labelling = session.labelling
        assert labelling is not None
        if labelling.undo() is None:
            status = f"{labelling.labeller} has nothing to take back here"
            return {**self._task(session, status=status), **self._view.head(session)}
        return self._go_on(session, labelling, "taken back; say again")

    def _go_on(self, session: TrustSession, labelling: Labelling, status: str) -> Updates:
        session.show(_next(labelling))
        return {**self._task(session, status=status), **self._view.head(session)}

    def _to_labelling(self, session: TrustSession) -> Updates:
        session.is_labelling = True
        return {**self._view.sides(session), **self._view.head(session), **self._task(session)}

    def _to_table(self, session: TrustSession, _click: Click | None = None) -> Updates:
        session.is_labelling = False
        return {**self._view.sides(session), **self._view.head(session)}

    def _show_chunk(self, session: TrustSession, click: Click) -> Updates:
        session.shown_rank, session.shown_page = click.number("rank"), 0
        return {**self._chunks(session), **self._page(session)}

    def _show_page(self, session: TrustSession, click: Click) -> Updates:
        session.shown_page = click.number("page")
        return self._page(session)

    def _task(self, session: TrustSession, *, status: str = "") -> Updates:
        """The answer; its chunks and their page follow."""
        labelling, proposal = session.labelling, session.proposal
        if labelling is None or proposal is None:
            html = done_html(labelling, status=status) if labelling else ""
            return {self._tab.task: html, self._tab.cards: "", self._tab.page: ""}
        return {self._tab.task: task_html(proposal, labelling, status=status)}

    def _chunks(self, session: TrustSession) -> Updates:
        """The chunks that the answer was made from."""
        answer = session.proposal.cell.answer if session.proposal else None
        if answer is None:
            return {self._tab.cards: ""}
        if not answer.retrieved:
            return {self._tab.cards: render("ui/trust/parts.html#no_chunk")}
        marks = Marks(
            selected=session.shown_rank,
            cited=answer.citations,
            matched=answer.matched,
            sent=answer.sent or None,
            crops=crops_of(self._sandbox.pipeline, answer.retrieved),
        )
        return {self._tab.cards: cards_html(answer.retrieved, marks)}

    def _page(self, session: TrustSession) -> Updates:
        """The page of the chosen chunk."""
        item = session.visible_chunk
        if item is None or session.proposal is None:
            return {self._tab.page: "" if session.proposal is None else EMPTY_PAGE}
        try:
            corpus = self._corpus(session, session.proposal.cell.run)
        except SandboxError as error:
            return {self._tab.page: trouble_html(str(error))}
        pipeline = self._sandbox.pipeline
        page = chunk_on_page_html(pipeline, corpus, item.chunk, session.shown_page)
        return {self._tab.page: page}

    def _corpus(self, session: TrustSession, run: str) -> Corpus:
        """The documents of a run, read before and so at once.

        Raises:
            CorpusError: If the corpus is not on the list any more.
        """
        if run not in session.corpora and session.labelling:
            name = session.labelling.runs[run].run.corpus
            read = next(
                (corpus for corpus in session.corpora.values() if corpus.name == name), None
            )
            session.corpora[run] = read or self._corpora.read_named(name)
        return session.corpora[run]


def _shown_name(session: TrustSession, click: Click) -> str:
    """The shown answer's name; empty where the click is about another one."""
    cell = session.proposal.cell if session.proposal else None
    if cell is None or cell.key != (click.text("run"), click.text("case")):
        return ""
    return f"{cell.configuration} · {cell.case.id}"


def _next(labelling: Labelling) -> Proposal | None:
    return next(iter(labelling.next()), None)
