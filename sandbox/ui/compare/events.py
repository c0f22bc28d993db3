"""What happens on the Compare tab: choosing runs, comparing them, looking into it, telling it."""

from collections.abc import Hashable, Iterator

import gradio as gr

from sandbox.errors import SandboxError
from sandbox.evaluation.comparison.compare import compare_named
from sandbox.evaluation.runs.folder import find_runs
from sandbox.files.storage import Store
from sandbox.ui.compare.session import CompareSession
from sandbox.ui.compare.story import steps_of
from sandbox.ui.compare.tab import CompareTab
from sandbox.ui.compare.view import CompareView
from sandbox.ui.parts.progress import sentence_html
from sandbox.ui.parts.wiring import Updates, Values


class CompareEvents:
    """What happens on the side of the comparison."""

    def __init__(self, store: Store, tab: CompareTab, view: CompareView) -> None:
        """Work on the widgets of `tab`."""
        self._store = store
        self._tab = tab
        self._view = view

    def arrive(self, session: CompareSession) -> Updates:
        """List the runs there are by now, and show what is chosen."""
        if session.is_asking:
            return self._view.unchanged()
        managed = session.managed
        self._view.read_runs(session)
        drawn = {**self._view.sides(session), **self._view.runs(session)}
        if session.managed != managed:
            drawn |= self._view.keeping(session)
        return drawn

    def choose(self, session: CompareSession, event: gr.EventData) -> Updates:
        """Take a run in or out, make it the baseline, or open its form."""
        show, run = str(getattr(event, "click", "")), str(getattr(event, "run", ""))
        if run not in session.names:
            return self._view.unchanged()
        if show == "manage":
            session.managed = "" if session.managed == run else run
            session.is_deleting = False
            return {**self._view.runs(session), **self._view.keeping(session)}
        if show == "baseline":
            session.make_baseline(run)
        else:
            session.toggle(run)
        return self._view.runs(session)

    def compute(self, values: Values) -> Iterator[Updates]:
        """Compare what is chosen; nothing is computed twice."""
        session: CompareSession = values[self._tab.session]
        accept = bool(values[self._tab.accepted])
        if len(session.chosen) < 2:
            session.comparison, session.computed_for = None, None
            yield self._compared(session)
            return
        try:
            wanted = (accept, self._state_of(session.chosen))
            if wanted == session.computed_for:
                yield self._view.sides(session)
                return
            yield {self._tab.result: sentence_html("comparing, with intervals over the cases")}
            found = compare_named(self._store, session.chosen, accept_suggestions=accept)
        except SandboxError as error:
            session.comparison, session.computed_for = None, None
            yield {**self._compared(session), **self._view.trouble(str(error))}
            return
        session.comparison, session.computed_for = found, wanted
        session.shown_pair, session.step = min(session.shown_pair, len(found.pairs) - 1), 0
        yield self._compared(session)

    def look(self, session: CompareSession, event: gr.EventData) -> Updates:
        """Open what was clicked: a pair, a case, the cases of a diagnosis; add a run."""
        show, run = str(getattr(event, "click", "")), str(getattr(event, "run", ""))
        if show == "send":  # send_missing.py
            return self._view.unchanged()
        if show == "pair":
            self._open_pair(session, run)
            return {**self._view.result(session), **self._view.detail("")}
        if show == "case":
            return self._look_at_case(session, run, str(getattr(event, "case", "")))
        if show == "diagnosis":
            return self._view.diagnosis(session, run, str(getattr(event, "metric", "")))
        if show == "add" and run in session.names and run not in session.chosen:
            session.toggle(run)
            return self._view.runs(session)
        return self._view.detail("")

    def go(self, session: CompareSession, event: gr.EventData) -> Updates:
        """One step on in the story, or back."""
        steps = steps_of(session.pair) if session.pair else ()
        step = session.step + {"next": 1, "back": -1}.get(str(getattr(event, "click", "")), 0)
        session.step = max(0, min(step, len(steps) - 1))
        return self._view.story(session)

    def draw_page(self, session: CompareSession) -> Updates:
        """The page that the step is about, once its words are there."""
        if session.mode != "story":
            return self._view.unchanged()
        return self._view.story_page(session)

    def tell(self, session: CompareSession) -> Updates:
        """Begin the story of the shown pair."""
        session.mode, session.step = "story", 0
        drawn = {**self._view.sides(session), **self._view.head(session)}
        return {**drawn, **self._view.story(session)}

    def back(self, session: CompareSession) -> Updates:
        """Back to the comparison."""
        session.mode = "compare"
        return {**self._view.sides(session), **self._view.head(session)}

    def _compared(self, session: CompareSession) -> Updates:
        if session.comparison is None and session.mode == "story":
            session.mode = "compare"
        return {
            **self._view.sides(session),
            **self._view.result(session),
            **self._view.detail(""),
        }

    def _open_pair(self, session: CompareSession, run: str) -> None:
        pairs = session.comparison.pairs if session.comparison else ()
        places = [place for place, pair in enumerate(pairs) if pair.b == run]
        session.shown_pair, session.step = (places or [session.shown_pair])[0], 0

    def _look_at_case(self, session: CompareSession, run: str, case: str) -> Updates:
        """A case of another run than the shown ones opens its pair first."""
        if run and session.pair and run not in (session.pair.a, session.pair.b):
            self._open_pair(session, run)
            return {**self._view.result(session), **self._view.case(session, case)}
        return self._view.case(session, case)

    def _state_of(self, runs: tuple[str, ...]) -> Hashable:
        """What a comparison rests on: as long as it is equal, so is the comparison."""
        return tuple(
            (folder.run.id, folder.labels(), len(folder.cells()), len(folder.scores()))
            for folder in find_runs(self._store, runs)
        )
