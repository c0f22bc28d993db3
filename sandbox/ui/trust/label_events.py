"""What happens while labelling: one answer after the other, by click or by key."""

import re
import tempfile
from pathlib import Path

import gradio as gr

from sandbox.errors import SandboxError
from sandbox.evaluation.labelling.next_labels import Proposal
from sandbox.evaluation.labelling.session import Key, Labelling
from sandbox.evaluation.runs.records import Right
from sandbox.ui.parts.wiring import Updates, Values
from sandbox.ui.trust.label_view import LabelView
from sandbox.ui.trust.session import TrustSession
from sandbox.ui.trust.tab import TrustTab
from sandbox.ui.trust.table import FIRST_LABELS
from sandbox.ui.trust.view import TrustView

VERDICTS: dict[str, Right] = {"right": "right", "wrong": "wrong", "unsure": "unsure"}


class LabelEvents:
    """What happens on the labelling side of the tab."""

    def __init__(self, tab: TrustTab, view: TrustView, labels: LabelView) -> None:
        """Work on the widgets of `tab`."""
        self._tab = tab
        self._view = view
        self._labels = labels

    def begin(self, values: Values) -> Updates:
        """Show the first answer, or the table again."""
        session: TrustSession = values[self._tab.session]
        if session.is_labelling:
            return self._to_table(session)
        try:
            self._view.open(values)
        except SandboxError as error:
            return self._view.trouble(str(error))
        if session.desk is None:
            return self._view.everything(session)
        session.show(_first(session.desk))
        return self._to_labelling(session)

    def open(self, session: TrustSession, key: Key) -> Updates:
        """Show one answer of the table, with its page, to look at or to label anew."""
        cell = session.desk.cell(key) if session.desk else None
        if cell is None:
            return self._view.unchanged()
        session.show(Proposal(cell=cell, reason="opened from the table"))
        return self._to_labelling(session)

    def press(self, session: TrustSession, event: gr.EventData) -> Updates:
        """A button, or its key."""
        show = str(getattr(event, "click", ""))
        key = (str(getattr(event, "run", "")), str(getattr(event, "case", "")))
        if session.desk is None or not session.is_labelling:
            return self._view.unchanged()
        if show == "table":
            return self._to_table(session)
        try:
            said = self._do(session, session.desk, show, key, str(getattr(event, "verdict", "")))
        except SandboxError as error:
            return self._labels.task(session, said=str(error))
        if said is None:
            return self._view.unchanged()
        return {**self._labels.task(session, said=said), **self._view.head(session)}

    def look_at_card(self, session: TrustSession, event: gr.EventData) -> Updates:
        """Show another chunk on its page."""
        session.shown_rank, session.shown_page = int(event.rank), 0
        return {**self._labels.chunks(session), **self._labels.page(session)}

    def look_at_page(self, session: TrustSession, event: gr.EventData) -> Updates:
        """Show another page of a chunk that stands on two."""
        session.shown_page = int(event.page)
        return self._labels.page(session)

    def draw_evidence(self, session: TrustSession) -> Updates:
        """The chunks and the page of the answer, which come after its text."""
        if not session.is_labelling:
            return self._view.unchanged()
        return {**self._labels.chunks(session), **self._labels.page(session)}

    def take_file(self, values: Values) -> Updates:
        """Take over the labels of a dropped file."""
        session: TrustSession = values[self._tab.session]
        dropped = values[self._tab.file]
        if not dropped or session.desk is None:
            return self._view.unchanged()
        try:
            taken = session.desk.import_file(Path(dropped))
        except SandboxError as error:
            sentence = re.sub(r"\S*/", "", str(error))  # the copy's folder means nothing to anybody
            return {**self._view.trouble(sentence), self._tab.file: None}
        said = f"{taken} labels imported"
        return {**self._view.head(session, said=said), self._tab.file: None}

    def export(self, session: TrustSession) -> Updates:
        """Offer all labels as CSV."""
        if session.desk is None:
            return self._view.unchanged()
        target = Path(tempfile.mkdtemp(prefix="rag-sandbox-")) / "labels.csv"
        session.desk.export_file(target)
        return {self._tab.exported: gr.update(value=str(target), visible=True)}

    def _do(
        self, session: TrustSession, desk: Labelling, show: str, key: Key, verdict: str
    ) -> str | None:
        """What was done, in words; ``None`` where the press came too late for its answer."""
        if show == "undo":
            return self._undo(session, desk)
        if session.proposal is None or key != session.proposal.cell.key:
            return None
        name = f"{session.proposal.cell.configuration} · {key[1]}"
        if show == "label" and verdict in VERDICTS:
            desk.label(key, VERDICTS[verdict])
            said = f"{name} is {verdict}; z takes it back"
            if desk.counts.labelled == FIRST_LABELS:
                said = f"{FIRST_LABELS} labels: enough for a first look at the table (q)"
        elif show == "skip":
            desk.skip(key)
            said = f"{name} comes again at the end"
        else:
            return None
        session.show(_first(desk))
        return said

    def _undo(self, session: TrustSession, desk: Labelling) -> str:
        if desk.undo() is None:
            return f"{desk.labeller} has nothing to take back here"
        session.show(_first(desk))
        return "taken back; say again"

    def _to_labelling(self, session: TrustSession) -> Updates:
        session.is_labelling = True
        return {
            **self._view.sides(session),
            **self._view.head(session),
            **self._labels.task(session),
        }

    def _to_table(self, session: TrustSession) -> Updates:
        session.is_labelling = False
        return {**self._view.sides(session), **self._view.head(session)}


def _first(desk: Labelling) -> Proposal | None:
    return next(iter(desk.next()), None)
