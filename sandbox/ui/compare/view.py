"""Draws the Compare tab: the runs there are, the comparison, and which side is shown."""

from collections.abc import Sequence

import gradio as gr

from sandbox.errors import SandboxError
from sandbox.evaluation.runs.history import PastRun, history, newest_evaluation
from sandbox.library import Sandbox
from sandbox.ui.ask.corpus_events import CorpusEvents
from sandbox.ui.compare.case import case_html, diagnosis_html
from sandbox.ui.compare.history import (
    NO_RUN,
    ONE_RUN,
    history_html,
    managed_html,
)
from sandbox.ui.compare.overview import comparison_html, head_html
from sandbox.ui.compare.session import CompareSession
from sandbox.ui.compare.story import evidence_of, steps_of, story_html
from sandbox.ui.compare.tab import CompareTab
from sandbox.ui.parts.chunks import chunk_on_page_html, trouble_html
from sandbox.ui.parts.progress import sentence_html
from sandbox.ui.parts.wiring import Updates


class CompareView:
    """Turns the state of a session into new values of the widgets."""

    def __init__(self, sandbox: Sandbox, corpora: CorpusEvents, tab: CompareTab) -> None:
        """Draw into the widgets of `tab`; pages come from the corpora on the Ask tab's list."""
        self._sandbox = sandbox
        self._corpora = corpora
        self._tab = tab

    def read_runs(self, session: CompareSession) -> None:
        """Take in the runs there are by now."""
        past = history(self._sandbox.store)
        session.take(past, newest_evaluation(past))

    def sides(self, session: CompareSession) -> Updates:
        """The comparison, asking, or the story."""
        mode = session.mode
        return {
            self._tab.columns: gr.update(visible=mode == "compare"),
            self._tab.asking.place: gr.update(visible=mode == "ask"),
            self._tab.story_place: gr.update(visible=mode == "story"),
            self._tab.ask_mode: gr.update(visible=mode != "ask"),
            self._tab.story_mode: gr.update(
                visible=mode != "story", interactive=session.comparison is not None
            ),
            self._tab.back: gr.update(visible=mode != "compare"),
        }

    def runs(self, session: CompareSession) -> Updates:
        """The list of runs."""
        listed = history_html(session.past, session.chosen, managed=session.managed)
        return {self._tab.history: listed}

    def keeping(self, session: CompareSession, *, said: str = "") -> Updates:
        """The form of the run that is looked after, with what is kept of it."""
        panel = self._tab.keeping
        past = _past(session.past, session.managed)
        confirming = session.is_deleting and past is not None
        return {
            panel.place: gr.update(visible=past is not None),
            panel.about: managed_html(past) if past else "",
            panel.name: past.about.name if past else "",
            panel.note: past.about.note if past else "",
            panel.delete: gr.update(value="Keep it" if confirming else "Delete"),
            panel.confirmation: gr.update(visible=confirming, value=""),
            panel.delete_for_good: gr.update(visible=confirming),
            panel.said: said,
        }

    def head(self, session: CompareSession) -> Updates:
        """What is compared, in one line."""
        return {self._tab.head: head_html(session.comparison) if session.comparison else ""}

    def result(self, session: CompareSession) -> Updates:
        """The comparison, or what to do before there is one."""
        comparison, pair = session.comparison, session.pair
        if comparison is None or pair is None:
            html = ONE_RUN if session.past else NO_RUN
        else:
            html = comparison_html(comparison, pair)
        return {**self.head(session), self._tab.result: html}

    def case(self, session: CompareSession, case: str) -> Updates:
        """A case under both runs of the shown pair."""
        comparison, pair = session.comparison, session.pair
        return self.detail(case_html(comparison, pair, case) if comparison and pair else "")

    def diagnosis(self, session: CompareSession, run: str, kind: str) -> Updates:
        """The cases of one run with one diagnosis."""
        comparison = session.comparison
        return self.detail(diagnosis_html(comparison, run, kind) if comparison else "")

    def detail(self, html: str) -> Updates:
        """What a click opened."""
        return {self._tab.detail: html}

    def story(self, session: CompareSession) -> Updates:
        """The step that is shown; the page follows."""
        comparison, pair = session.comparison, session.pair
        if comparison is None or pair is None:
            return {self._tab.story: "", self._tab.story_page: ""}
        html = story_html(comparison, pair, session.step)
        return {self._tab.story: html, self._tab.story_page: ""}

    def story_page(self, session: CompareSession) -> Updates:
        """The page of the chunk that made the difference, where the step is about one."""
        pair = session.pair
        steps = steps_of(pair) if pair else ()
        found = evidence_of(pair, steps[session.step]) if pair and steps else None
        if found is None or session.comparison is None:
            return {self._tab.story_page: ""}
        name = next(run.corpus for run in session.comparison.runs if run.id == found[0])
        try:
            if name not in session.corpora:
                session.corpora[name] = self._corpora.read_named(name)
        except SandboxError as error:
            return {self._tab.story_page: trouble_html(str(error))}
        corpus = session.corpora[name]
        chunk = found[1].chunk
        html = chunk_on_page_html(self._sandbox.pipeline, corpus, chunk, chunk.page)
        return {self._tab.story_page: html}

    def unchanged(self) -> Updates:
        """What leaves everything as it is; Gradio takes an empty answer for an error."""
        return {self._tab.detail: gr.update()}

    def trouble(self, sentence: str) -> Updates:
        """One sentence that says what went wrong, in place of the comparison."""
        return {self._tab.head: "", self._tab.result: sentence_html(sentence, alarming=True)}


def _past(past: Sequence[PastRun], id: str) -> PastRun | None:
    return next((one for one in past if one.run.id == id), None)
