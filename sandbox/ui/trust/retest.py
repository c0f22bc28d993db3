"""Asking the judge again about some answers: how far its own scores can be repeated."""

from collections.abc import Generator, Iterator

import gradio as gr

from sandbox.errors import ConfigError, SandboxError
from sandbox.library import Sandbox
from sandbox.progress import Progress
from sandbox.ui.parts.progress import follow, progress_html, sentence_html
from sandbox.ui.parts.wiring import Updates, Values
from sandbox.ui.trust.session import TrustSession
from sandbox.ui.trust.tab import TrustTab
from sandbox.ui.trust.view import TrustView


class RetestEvents:
    """What happens below "test the judge itself"."""

    def __init__(self, sandbox: Sandbox, tab: TrustTab, view: TrustView) -> None:
        """Work on the widgets of `tab`."""
        self._sandbox = sandbox
        self._tab = tab
        self._view = view

    def begin(self, session: TrustSession) -> Updates:
        """Put it in line behind other work of the models."""
        if session.retesting:
            return self._view.unchanged()
        session.retesting, session.stop_requested = True, False
        return {
            **self._buttons(session),
            self._tab.retest_status: sentence_html("waiting until the models are free"),
        }

    def stop(self, session: TrustSession) -> Updates:
        """Stop after the answer that is being judged."""
        session.stop_requested = True
        return {self._tab.stop: gr.update(value="Stopping", interactive=False)}

    def ask_again(self, values: Values) -> Iterator[Updates]:
        """Ask, and put what it showed below the table."""
        session: TrustSession = values[self._tab.session]
        try:
            said = yield from self._ask(session, int(values[self._tab.repeats] or 0))
        except SandboxError as error:
            said = sentence_html(str(error), alarming=True)
        session.retesting = False
        yield {
            **self._view.table(session),
            **self._buttons(session),
            self._tab.retest_status: said,
        }

    def _ask(self, session: TrustSession, repeats: int) -> Generator[Updates, None, str]:
        table, desk = session.table, session.desk
        if table is None or desk is None:
            raise ConfigError("there is no table yet; label answers first")
        judges = [folder.run.judge for folder in desk.runs.values() if folder.run.judge]
        if not judges:
            raise ConfigError("no judge scored these answers; choose runs with a judge's metrics")
        if repeats < 1:
            raise ConfigError("ask about one answer at least")
        asking = self._sandbox.steps.retest(table, repeats, judge=judges[0])
        found = yield from follow(asking, session, self._draw)
        if found is None:
            return sentence_html("stopped; nothing is said of the judge")
        if session.table is table:  # labels may have changed meanwhile
            session.table = found
        return sentence_html(f"asked again: {judges[0]}; see below the table")

    def _draw(self, progress: Progress) -> Updates:
        return {self._tab.retest_status: progress_html(progress)}

    def _buttons(self, session: TrustSession) -> Updates:
        return {
            self._tab.retest: gr.update(interactive=not session.retesting),
            self._tab.stop: gr.update(value="Stop", visible=session.retesting, interactive=True),
        }
