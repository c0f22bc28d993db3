"""What happens on the Trust tab beside labelling: choosing, computing, looking into numbers."""

from collections.abc import Iterator

import gradio as gr

from sandbox.errors import SandboxError
from sandbox.evaluation.labelling.session import Key, Labelling
from sandbox.evaluation.runs.read import RunView, read_run
from sandbox.evaluation.trust.table import Choices
from sandbox.library import Sandbox
from sandbox.ui.evaluate.detail import detail_html
from sandbox.ui.evaluate.parts import target
from sandbox.ui.parts.progress import sentence_html
from sandbox.ui.parts.wiring import Updates, Values
from sandbox.ui.trust.label_events import LabelEvents
from sandbox.ui.trust.session import TrustSession
from sandbox.ui.trust.tab import ALLOWED, YOUDEN, TrustTab
from sandbox.ui.trust.view import TrustView


class TrustEvents:
    """What happens on the table's side of the tab."""

    def __init__(
        self, sandbox: Sandbox, tab: TrustTab, view: TrustView, labelling: LabelEvents
    ) -> None:
        """Work on the widgets of `tab`."""
        self._sandbox = sandbox
        self._tab = tab
        self._view = view
        self._labelling = labelling

    def arrive(self, values: Values) -> Updates:
        """Offer the runs there are by now, and show what is chosen."""
        session: TrustSession = values[self._tab.session]
        if session.is_labelling:
            return self._view.unchanged()
        offered = self._view.offer_runs(session, values[self._tab.runs] or ())
        chosen = offered[self._tab.runs]["value"]
        return {**offered, **self.choose({**values, self._tab.runs: chosen})}

    def choose(self, values: Values) -> Updates:
        """Look at other runs, or as somebody else."""
        session: TrustSession = values[self._tab.session]
        session.table, session.computed_for = None, None
        try:
            self._view.open(values)
        except SandboxError as error:
            return self._view.trouble(str(error))
        return self._view.everything(session)

    def compute(self, values: Values) -> Iterator[Updates]:
        """The table of the labels there are by now; nothing is computed twice."""
        session: TrustSession = values[self._tab.session]
        desk, accept = session.desk, bool(values[self._tab.accepted])
        if desk is None or session.is_labelling:
            yield self._view.unchanged()
            return
        rate = ALLOWED[values[self._tab.allowed] or YOUDEN]
        wanted = (tuple(desk.runs), tuple(cell.labels for cell in desk.cells), accept, rate)
        if not accept and not (desk.counts.right and desk.counts.wrong):
            session.table, session.computed_for = None, None
        elif wanted != session.computed_for:
            yield {self._tab.table: sentence_html("computing intervals over resampled cases")}
            try:
                session.table = self._sandbox.trust(
                    tuple(desk.runs),
                    accept_suggestions=accept,
                    choices=Choices(false_alarm_rate=rate),
                )
            except SandboxError as error:
                yield {self._tab.table: sentence_html(str(error), alarming=True)}
                return
            session.computed_for = wanted
        yield {**self._view.head(session), **self._view.table(session)}

    def look(self, session: TrustSession, event: gr.EventData) -> Updates:
        """Open what was clicked: a metric, an answer's score, the answer with its page."""
        show = str(getattr(event, "click", ""))
        metric = str(getattr(event, "metric", ""))
        key = (str(getattr(event, "run", "")), str(getattr(event, "case", "")))
        if show == "open":
            return self._labelling.open(session, key)
        if show in ("score", "cell"):
            return {self._tab.detail: self._answer_html(session, show, metric, key)}
        again = show == "metric" and metric == session.shown_metric and not key[0]
        session.shown_metric = metric if show == "metric" and not again else ""
        return self._view.table(session)

    def _answer_html(self, session: TrustSession, show: str, metric: str, key: Key) -> str:
        """One score with prompt and reply, or all scores of an answer; with the way to its page."""
        outcome = self._outcome(session.desk, key[0])
        if outcome is None:
            return ""
        html = ""
        if show == "score":
            html = detail_html(outcome, show="score", metric=metric, case=key[1])
        html = html or detail_html(outcome, show="cell", case=key[1])
        link = target("open", key[0], case=key[1])
        back = target("metric", key[0], metric=session.shown_metric)
        shown = session.shown_metric
        ways = f"<button class='back' {back}>back to {shown}</button>" if shown else ""
        ways += f"<button class='back' {link}>see it on its page, or label it anew</button>"
        return f"{html}<p class='ways'>{ways}</p>" if html else ""

    def _outcome(self, desk: Labelling | None, run: str) -> RunView | None:
        if desk is None or run not in desk.runs:
            return None
        return read_run(desk.runs[run])
