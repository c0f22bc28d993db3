"""What happens on the Compare tab: runs are chosen, compared and told as a story.

Configurations missing between two runs are sent to the Evaluate tab.
"""

from collections.abc import Hashable, Iterator, Sequence

import gradio as gr

from sandbox.errors import SandboxError
from sandbox.evaluation.comparison.compare import compare_named
from sandbox.evaluation.metrics.catalog import METRIC_NAMES
from sandbox.evaluation.runs.folder import find_runs
from sandbox.evaluation.runs.records import Run
from sandbox.files.storage import Store
from sandbox.markup.templates import render
from sandbox.testsets.cases import TestCase, load
from sandbox.ui.compare.result import case_html, diagnosis_html, names_of
from sandbox.ui.compare.story import steps_of
from sandbox.ui.compare.tab import CompareSession, CompareTab
from sandbox.ui.compare.view import CompareView
from sandbox.ui.evaluate.events import EvaluateEvents
from sandbox.ui.evaluate.tab import EvaluateSession
from sandbox.ui.parts.progress import sentence_html
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
)


class MissingEvents:
    """Fills the Evaluate tab's form with what is missing, and nothing else."""

    def __init__(self, tab: CompareTab, evaluate: EvaluateEvents, tabs: gr.Tabs) -> None:
        """Send from `tab` to the tab of `evaluate`, which is then chosen among `tabs`."""
        self._tab = tab
        self._evaluate = evaluate.tab
        self._events = evaluate
        self._tabs = tabs

    @property
    def inputs(self) -> set[gr.components.Component]:
        """The shown pair, and everything that the Evaluate tab is filled from."""
        return {self._tab.session, *self._events.inputs}

    @property
    def outputs(self) -> list[gr.blocks.Block]:
        """The Evaluate tab, and which tab is shown."""
        return [self._tabs, *widgets_of(self._evaluate)]

    def send(self, values: Values) -> Updates:
        """Send the missing configurations of the shown pair and go to the Evaluate tab."""
        compared: CompareSession = values[self._tab.session]
        comparison, pair = compared.comparison, compared.pair
        if comparison is None or pair is None or not pair.difference.missing:
            return unchanged()
        evaluate, form = self._evaluate, self._events.form
        session: EvaluateSession = values[evaluate.session]
        try:
            if session.work:
                raise SandboxError("an evaluation is running; wait for its end, or cancel it")
            filled = self._fields(comparison.runs[0])
        except SandboxError as error:
            trouble = render("ui/compare/detail.html#trouble", text=str(error))
            return {self._tab.detail: trouble}
        missing = {config.name: config for config in pair.difference.missing}
        session.sent, compared.awaited = missing, frozenset(missing)
        session.followed_corpus = form.asked_corpus(values)
        sent = {**values, **filled, evaluate.sent: list(missing)}
        names = names_of(comparison)
        between = f"in between {names[pair.a]} and {names[pair.b]}"
        return {
            **self._events.arrive(sent),
            **filled,
            **form.describe(sent),
            evaluate.corpus: gr.update(choices=form.corpora(), value=filled[evaluate.corpus]),
            evaluate.test_set: gr.update(
                choices=list(form.test_sets()), value=filled[evaluate.test_set]
            ),
            evaluate.sent: gr.update(
                choices=list(missing), value=list(missing), info=between, visible=True
            ),
            self._tabs: gr.update(selected="evaluate-tab"),
        }

    def _fields(self, run: Run) -> Updates:
        """The form as the run was made.

        Raises:
            SandboxError: If its corpus or test set is gone.
        """
        evaluate, form = self._evaluate, self._events.form
        corpora, files = dict(form.corpora()), form.test_sets()
        if run.corpus not in corpora:
            raise SandboxError(f"the corpus {run.corpus} is gone; drop its PDFs on the Ask tab")
        if run.test_set not in files:
            raise SandboxError(
                f"the test set {run.test_set} is gone; import it on the Test set tab"
            )
        return {
            evaluate.corpus: corpora[run.corpus],
            evaluate.test_set: run.test_set,
            evaluate.cases: _first_cases(run, load(files[run.test_set])),
            evaluate.presets: [],
            evaluate.alternatives: [],
            evaluate.own_alternatives: "",
            evaluate.judge: run.judge or "auto",
            evaluate.judgements: run.judging.judgements,
            **{
                box: [name for name in run.metrics if name in METRIC_NAMES[family]]
                for family, box in evaluate.metrics.items()
            },
        }


class CompareEvents:
    """What happens on the side of the comparison, and in its story."""

    def __init__(
        self, store: Store, tab: CompareTab, view: CompareView, missing: MissingEvents
    ) -> None:
        """Work on the widgets of `tab`."""
        self._store = store
        self._tab = tab
        self._view = view
        self._missing = missing
        self._clicks = {
            "pair": self._open_pair,
            "case": self._open_case,
            "diagnosis": self._open_diagnosis,
            "add": self._add,
            "send": self._send,
            "nothing": self._close,
        }
        self._history_clicks = {
            "toggle": self._toggle,
            "baseline": self._make_baseline,
            "manage": self._manage,
        }
        self._story_clicks = {"next": self._next_step, "back": self._previous_step}

    def wire(self, place: gr.Tab) -> None:
        """Connect the comparison and its story; call inside the app."""
        tab, form, changed = self._tab, form_of(self._tab), widgets_of(self._tab)
        arrived = at_once([place.select], self.arrive, tab.session, changed)
        chosen = at_once([tab.history.click], self.choose, tab.session, changed)
        clicked = at_once(
            [tab.result.click, tab.detail.click],
            self.click,
            self._missing.inputs,
            [*changed, *self._missing.outputs],
        )
        for begun in (arrived, chosen, clicked):
            compute(begun.then, self.compute, form, changed)
        compute(tab.accepted.input, self.compute, form, changed)
        begun = at_once([tab.story_mode.click], self.begin_story, tab.session, changed)
        stepped = at_once([tab.story.click], self.step, tab.session, changed)
        for drawn in (begun, stepped):
            compute(drawn.then, self.draw_page, tab.session, changed)
        at_once([tab.back.click], self.back, tab.session, changed)

    def arrive(self, session: CompareSession) -> Updates:
        """List the runs there are by now, and show what is chosen."""
        if session.is_asking:
            return unchanged()
        managed = session.managed
        self._view.read_runs(session)
        drawn = {**self._view.sides(session), **self._view.runs(session)}
        if session.managed != managed:
            drawn |= self._view.managed(session)
        return drawn

    def choose(self, session: CompareSession, event: gr.EventData) -> Updates:
        """Take a run in or out, make it the baseline, or open its form."""
        if Click.from_event(event).text("run") not in session.names:
            return unchanged()
        return dispatch(self._history_clicks, session, event)

    def compute(self, values: Values) -> Iterator[Updates]:
        """Compare what is chosen; nothing is computed twice."""
        session: CompareSession = values[self._tab.session]
        accept = bool(values[self._tab.accepted])
        if len(session.chosen) < 2:
            session.comparison, session.computed_for = None, None
            yield self._compared(session)
            return
        try:
            compute_for = (accept, self._state_of(session.chosen))
            if compute_for == session.computed_for:
                yield self._view.sides(session)
                return
            yield {self._tab.result: sentence_html("comparing, with intervals over the cases")}
            comparison = compare_named(self._store, session.chosen, accept_suggestions=accept)
        except SandboxError as error:
            session.comparison, session.computed_for = None, None
            yield {**self._compared(session), **self._view.trouble(str(error))}
            return
        session.comparison, session.computed_for = comparison, compute_for
        session.shown_pair, session.step = min(session.shown_pair, len(comparison.pairs) - 1), 0
        yield self._compared(session)

    def click(self, values: Values, event: gr.EventData) -> Updates:
        """Open what was clicked, add a run, or send what is missing to the Evaluate tab."""
        return dispatch(self._clicks, values, event)

    def step(self, session: CompareSession, event: gr.EventData) -> Updates:
        """One step on in the story, or back."""
        return dispatch(self._story_clicks, session, event)

    def draw_page(self, session: CompareSession) -> Updates:
        """The page that the step is about, once its words are there."""
        return self._view.story_page(session) if session.mode == "story" else unchanged()

    def begin_story(self, session: CompareSession) -> Updates:
        """Begin the story of the shown pair."""
        session.mode, session.step = "story", 0
        return {
            **self._view.sides(session),
            **self._view.head(session),
            **self._view.story(session),
        }

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

    def _toggle(self, session: CompareSession, click: Click) -> Updates:
        session.toggle(click.text("run"))
        return self._view.runs(session)

    def _make_baseline(self, session: CompareSession, click: Click) -> Updates:
        session.make_baseline(click.text("run"))
        return self._view.runs(session)

    def _manage(self, session: CompareSession, click: Click) -> Updates:
        run = click.text("run")
        session.managed = "" if session.managed == run else run
        session.is_deleting = False
        return {**self._view.runs(session), **self._view.managed(session)}

    def _open_pair(self, values: Values, click: Click) -> Updates:
        session: CompareSession = values[self._tab.session]
        session.show_pair(click.text("run"))
        return {**self._view.result(session), **self._view.detail("")}

    def _open_case(self, values: Values, click: Click) -> Updates:
        """A case under both runs of its pair, which is shown first if it is another one."""
        session: CompareSession = values[self._tab.session]
        drawn: Updates = {}
        run = click.text("run")
        if run and session.pair and run not in (session.pair.a, session.pair.b):
            session.show_pair(run)
            drawn = self._view.result(session)
        comparison, pair = session.comparison, session.pair
        html = case_html(comparison, pair, click.text("case")) if comparison and pair else ""
        return {**drawn, **self._view.detail(html)}

    def _open_diagnosis(self, values: Values, click: Click) -> Updates:
        comparison = values[self._tab.session].comparison
        run, kind = click.text("run"), click.text("metric")
        return self._view.detail(diagnosis_html(comparison, run, kind) if comparison else "")

    def _add(self, values: Values, click: Click) -> Updates:
        session: CompareSession = values[self._tab.session]
        run = click.text("run")
        if run not in session.names or run in session.chosen:
            return self._view.detail("")
        session.toggle(run)
        return self._view.runs(session)

    def _send(self, values: Values, _click: Click) -> Updates:
        return self._missing.send(values)

    def _close(self, _values: Values, _click: Click) -> Updates:
        return self._view.detail("")

    def _next_step(self, session: CompareSession, _click: Click) -> Updates:
        last = len(steps_of(session.pair)) - 1 if session.pair else 0
        session.step = min(session.step + 1, last)
        return self._view.story(session)

    def _previous_step(self, session: CompareSession, _click: Click) -> Updates:
        session.step = max(session.step - 1, 0)
        return self._view.story(session)

    def _state_of(self, runs: tuple[str, ...]) -> Hashable:
        """What a comparison rests on: as long as it is equal, so is the comparison."""
        return tuple(
            (folder.run.id, folder.labels(), len(folder.cells()), len(folder.scores()))
            for folder in find_runs(self._store, runs)
        )


def _first_cases(run: Run, cases: Sequence[TestCase]) -> int:
    """How many of the first verified cases the run asked; 0 where it asked all, or others."""
    verified, size = [case.id for case in cases if case.verified], len(run.cases)
    asked_the_first = [case.id for case in run.cases] == verified[:size]
    return size if asked_the_first and size < len(verified) else 0
