"""What happens on the Trust tab beside labelling: choosing runs, computing, looking closer."""

from collections.abc import Generator, Iterator

import gradio as gr

from sandbox.errors import ConfigError, SandboxError
from sandbox.evaluation.runs.read import read_run
from sandbox.evaluation.trust.table import Choices
from sandbox.library import Sandbox
from sandbox.markup.templates import render
from sandbox.progress import Progress
from sandbox.ui.evaluate.view import detail_html
from sandbox.ui.parts.progress import follow, progress_html, sentence_html
from sandbox.ui.parts.wiring import (
    Click,
    Updates,
    Values,
    at_once,
    compute,
    dispatch,
    form_of,
    unchanged,
    widgets_of,
    work,
)
from sandbox.ui.trust.labelling import LabelEvents
from sandbox.ui.trust.tab import ALLOWED, YOUDEN, TrustSession, TrustTab
from sandbox.ui.trust.view import TrustView


class TrustEvents:
    """What happens on the table's side of the tab, and in "test the judge itself"."""

    def __init__(
        self, sandbox: Sandbox, tab: TrustTab, view: TrustView, labelling: LabelEvents
    ) -> None:
        """Work on the widgets of `tab`."""
        self._sandbox = sandbox
        self._tab = tab
        self._view = view
        self._labelling = labelling
        self._clicks = {
            "metric": self._open_metric,
            "score": self._open_answer,
            "cell": self._open_answer,
            "open": labelling.open,
            "nothing": self._close,
        }

    def wire(self, place: gr.Tab) -> None:
        """Connect everything on the tab; call inside the app."""
        tab, labels, form, changed = (
            self._tab,
            self._labelling,
            form_of(self._tab),
            widgets_of(self._tab),
        )
        asked = at_once([tab.retest.click], self.begin_retest, tab.session, changed)
        work(asked.then, self.retest, form, changed)
        at_once([tab.stop.click], self.stop, tab.session, changed)
        arrived = at_once([place.select], self.arrive, form, changed)
        choices = [tab.runs.input, tab.labeller.submit, tab.labeller.blur, tab.second.input]
        chosen = at_once(choices, self.choose, form, changed)
        begun = at_once([tab.label.click], labels.begin, form, changed)
        pressed = at_once([tab.task.click], labels.click, tab.session, changed)
        clicked = at_once([tab.table.click, tab.detail.click], self.click, tab.session, changed)
        dropped = at_once([tab.file.upload], labels.take_file, form, changed)
        for drawn in (begun, pressed, clicked):
            drawn.then(
                labels.draw_evidence,
                tab.session,
                changed,
                queue=False,
                show_progress="hidden",
                api_visibility="private",
            )
        for counted in (arrived, chosen, begun, pressed, dropped):
            compute(counted.then, self.compute, form, changed)
        for choice in (tab.accepted, tab.allowed):
            compute(choice.input, self.compute, form, changed)
        at_once([tab.cards.click, tab.page.click], labels.click_evidence, tab.session, changed)
        at_once([tab.export.click], labels.export, tab.session, changed)

    def arrive(self, values: Values) -> Updates:
        """Offer the runs there are by now, and show what is chosen."""
        session: TrustSession = values[self._tab.session]
        if session.is_labelling:
            return unchanged()
        offered = self._view.runs(session, values[self._tab.runs] or ())
        chosen = offered[self._tab.runs]["value"]
        return {**offered, **self.choose({**values, self._tab.runs: chosen})}

    def choose(self, values: Values) -> Updates:
        """Look at other runs, or as somebody else."""
        session: TrustSession = values[self._tab.session]
        session.table, session.computed_for = None, None
        try:
            self._labelling.read_form(values)
        except SandboxError as error:
            return self._view.trouble(str(error))
        return self._view.everything(session)

    def compute(self, values: Values) -> Iterator[Updates]:
        """The table of the labels there are by now; nothing is computed twice."""
        session: TrustSession = values[self._tab.session]
        labelling, accept = session.labelling, bool(values[self._tab.accepted])
        if labelling is None or session.is_labelling:
            yield unchanged()
            return
        rate = ALLOWED[values[self._tab.allowed] or YOUDEN]
        labels = tuple(cell.labels for cell in labelling.cells)
        compute_for = (tuple(labelling.runs), labels, accept, rate)
        if not accept and not (labelling.counts.right and labelling.counts.wrong):
            session.table, session.computed_for = None, None
        elif compute_for != session.computed_for:
            yield {self._tab.table: sentence_html("computing intervals over resampled cases")}
            try:
                session.table = self._sandbox.trust(
                    tuple(labelling.runs),
                    accept_suggestions=accept,
                    choices=Choices(false_alarm_rate=rate),
                )
            except SandboxError as error:
                yield {self._tab.table: sentence_html(str(error), alarming=True)}
                return
            session.computed_for = compute_for
        yield {**self._view.head(session), **self._view.table(session)}

    def click(self, session: TrustSession, event: gr.EventData) -> Updates:
        """Open what was clicked: a metric, an answer's score, the answer with its page."""
        return dispatch(self._clicks, session, event)

    def begin_retest(self, session: TrustSession) -> Updates:
        """Put asking the judge again in line behind other work of the models."""
        if session.retesting:
            return unchanged()
        session.retesting, session.stop_requested = True, False
        status = sentence_html("waiting until the models are free")
        return {**self._retest_buttons(session), self._tab.retest_status: status}

    def stop(self, session: TrustSession) -> Updates:
        """Stop after the answer that is being judged."""
        session.stop_requested = True
        return {self._tab.stop: gr.update(value="Stopping", interactive=False)}

    def retest(self, values: Values) -> Iterator[Updates]:
        """Ask the judge again about some answers, and show below the table how far it agrees."""
        session: TrustSession = values[self._tab.session]
        try:
            status = yield from self._retest(session, int(values[self._tab.repeats] or 0))
        except SandboxError as error:
            status = sentence_html(str(error), alarming=True)
        session.retesting = False
        yield {
            **self._view.table(session),
            **self._retest_buttons(session),
            self._tab.retest_status: status,
        }

    def _open_metric(self, session: TrustSession, click: Click) -> Updates:
        """A second click on the open metric closes it; the way back from an answer does not."""
        metric = click.text("metric")
        closes = metric == session.shown_metric and not click.text("run")
        session.shown_metric = "" if closes else metric
        return self._view.table(session)

    def _close(self, session: TrustSession, _click: Click) -> Updates:
        session.shown_metric = ""
        return self._view.table(session)

    def _open_answer(self, session: TrustSession, click: Click) -> Updates:
        """One score with prompt and reply, or all scores of an answer; with the way to its page."""
        run, case = click.text("run"), click.text("case")
        folder = session.labelling.runs.get(run) if session.labelling else None
        if folder is None:
            return {self._tab.detail: ""}
        read = read_run(folder)
        detail = ""
        if click.kind == "score":
            detail = detail_html(read, show="score", metric=click.text("metric"), case=case)
        detail = detail or detail_html(read, show="cell", case=case)
        if not detail:
            return {self._tab.detail: ""}
        ways = {"run": run, "case": case, "metric": session.shown_metric}
        return {self._tab.detail: render("ui/trust/parts.html#answer", detail=detail, **ways)}

    def _retest(self, session: TrustSession, repeats: int) -> Generator[Updates, None, str]:
        """Do it, and return the sentence that concludes it."""
        table, labelling = session.table, session.labelling
        if table is None or labelling is None:
            raise ConfigError("there is no table yet; label answers first")
        judges = [folder.run.judge for folder in labelling.runs.values() if folder.run.judge]
        if not judges:
            raise ConfigError("no judge scored these answers; choose runs with a judge's metrics")
        if repeats < 1:
            raise ConfigError("ask about one answer at least")

        def draw(progress: Progress) -> Updates:
            return {self._tab.retest_status: progress_html(progress)}

        asking = self._sandbox.steps.retest(table, repeats, judge=judges[0])
        retested = yield from follow(asking, session, draw)
        if retested is None:
            return sentence_html("stopped; nothing is said of the judge")
        if session.table is table:  # labels may have changed meanwhile
            session.table = retested
        return sentence_html(f"asked again: {judges[0]}; see below the table")

    def _retest_buttons(self, session: TrustSession) -> Updates:
        return {
            self._tab.retest: gr.update(interactive=not session.retesting),
            self._tab.stop: gr.update(value="Stop", visible=session.retesting, interactive=True),
        }
