"""Draws the Trust tab: what is looked at, the table, and which side is shown."""

from collections.abc import Sequence

import gradio as gr

from sandbox.evaluation.labelling.session import Labelling
from sandbox.evaluation.runs.folder import CHATTED, RunFolder, list_runs
from sandbox.files.storage import Store
from sandbox.ui.parts.progress import sentence_html
from sandbox.ui.parts.wiring import Updates, Values
from sandbox.ui.trust.metric import metric_html
from sandbox.ui.trust.session import TrustSession
from sandbox.ui.trust.tab import TrustTab
from sandbox.ui.trust.table import (
    NO_CHOICE,
    NO_RUN,
    agreements_html,
    head_html,
    needs_labels_html,
    table_html,
)


class TrustView:
    """Turns the state of a session into new values of the widgets."""

    def __init__(self, store: Store, tab: TrustTab) -> None:
        """Draw into the widgets of `tab`."""
        self._store = store
        self._tab = tab

    def open(self, values: Values) -> None:
        """Take the chosen runs and the labeller to work with, if they have changed.

        Raises:
            SandboxError: If a run cannot be read, or the labeller has no name.
        """
        session: TrustSession = values[self._tab.session]
        known = {folder.run.id: folder for folder in list_runs(self._store)}
        chosen = [known[id] for id in values[self._tab.runs] or () if id in known]
        labeller, second = values[self._tab.labeller] or "", bool(values[self._tab.second])
        session.desk = Labelling(chosen, labeller=labeller, second=second) if chosen else None

    def offer_runs(self, session: TrustSession, chosen: Sequence[str]) -> Updates:
        """List the runs; the newest evaluation is chosen until another choice is made."""
        folders = list_runs(self._store)
        newest = next((one.run.evaluation for one in folders if one.run.evaluation != CHATTED), "")
        latest = tuple(one.run.id for one in folders if one.run.evaluation == newest)
        latest = latest or tuple(one.run.id for one in folders)
        ids = {one.run.id for one in folders}
        follows = not chosen or tuple(sorted(chosen)) == tuple(sorted(session.followed))
        value = list(latest) if follows else [id for id in chosen if id in ids]
        session.followed = latest
        choices = [(_label(folder), folder.run.id) for folder in _in_order(folders)]
        return {self._tab.runs: gr.update(choices=choices, value=value, visible=bool(folders))}

    def everything(self, session: TrustSession) -> Updates:
        """The whole tab."""
        return {**self.sides(session), **self.head(session), **self.table(session)}

    def sides(self, session: TrustSession) -> Updates:
        """Either labelling or the table."""
        labelling = session.is_labelling
        return {
            self._tab.left: gr.update(visible=not labelling and bool(list_runs(self._store))),
            self._tab.result: gr.update(visible=not labelling),
            self._tab.labelling: gr.update(visible=labelling),
        }

    def head(self, session: TrustSession, *, said: str = "") -> Updates:
        """What is looked at, and whether there is anything to label."""
        desk = session.desk
        button = gr.update(
            value="See the table" if session.is_labelling else "Label answers",
            variant="secondary" if session.is_labelling else "primary",
            interactive=bool(desk and desk.cells),
            visible=bool(list_runs(self._store)),
        )
        if desk is None:
            return {self._tab.head: "", self._tab.label: button}
        runs = [folder.run for folder in desk.runs.values()]
        html = head_html(runs, desk.counts)
        if not session.is_labelling:
            html += agreements_html(desk.agreements())
        note = sentence_html(said) if said else ""
        return {self._tab.head: html + note, self._tab.label: button}

    def table(self, session: TrustSession) -> Updates:
        """The table, or what to do before there is one."""
        if session.desk is None:
            html = NO_CHOICE if list_runs(self._store) else NO_RUN
        elif session.table is not None:
            html = table_html(session.table, shown=session.shown_metric)
        else:
            html = needs_labels_html(session.desk.counts)
        return {self._tab.table: html, **self.detail(session)}

    def detail(self, session: TrustSession) -> Updates:
        """What the open metric rests on."""
        if session.table is None:
            return {self._tab.detail: ""}
        return {self._tab.detail: metric_html(session.table, session.shown_metric)}

    def unchanged(self) -> Updates:
        """What leaves everything as it is; Gradio takes an empty answer for an error."""
        return {self._tab.head: gr.update()}

    def trouble(self, sentence: str) -> Updates:
        """One sentence that says what went wrong, above everything."""
        return {self._tab.head: sentence_html(sentence, alarming=True)}


def _in_order(folders: Sequence[RunFolder]) -> list[RunFolder]:
    """The newest evaluation first, its runs as they were chosen."""
    evaluations = list(dict.fromkeys(folder.run.evaluation for folder in folders))
    return sorted(folders, key=lambda one: (evaluations.index(one.run.evaluation), one.run.place))


def _label(folder: RunFolder) -> str:
    run = folder.run
    return f"{run.configuration} · {run.test_set} · {run.started}"
