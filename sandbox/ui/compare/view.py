"""Draws the Compare tab: the runs there are, the comparison, and which side is shown."""

from collections.abc import Sequence
from itertools import groupby

import gradio as gr
from markupsafe import Markup

from sandbox.errors import SandboxError
from sandbox.evaluation.runs.history import PastRun, history, preset_position
from sandbox.library import Sandbox
from sandbox.markup.templates import render
from sandbox.ui.ask.corpus_events import CorpusEvents
from sandbox.ui.compare.result import comparison_html, head_html
from sandbox.ui.compare.story import evidence_of, steps_of, story_html
from sandbox.ui.compare.tab import CompareSession, CompareTab
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
        session.take(history(self._sandbox.store))

    def sides(self, session: CompareSession) -> Updates:
        """The comparison, asking, or the story."""
        mode = session.mode
        return {
            self._tab.columns: gr.update(visible=mode == "compare"),
            self._tab.asking: gr.update(visible=mode == "ask"),
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

    def managed(self, session: CompareSession, *, status: str = "") -> Updates:
        """The form of the run that is looked after, with its name and note as they are kept."""
        past = next((past for past in session.past if past.run.id == session.managed), None)
        confirming = session.is_deleting and past is not None
        return {
            self._tab.run: gr.update(visible=past is not None),
            self._tab.about: about_html(past) if past else "",
            self._tab.name: past.about.name if past else "",
            self._tab.note: past.about.note if past else "",
            self._tab.delete: gr.update(value="Keep it" if confirming else "Delete"),
            self._tab.confirmation: gr.update(visible=confirming, value=""),
            self._tab.delete_for_good: gr.update(visible=confirming),
            self._tab.run_status: status,
        }

    def head(self, session: CompareSession) -> Updates:
        """What is compared, in one line."""
        return {self._tab.head: head_html(session.comparison) if session.comparison else ""}

    def result(self, session: CompareSession) -> Updates:
        """The comparison, or what to do before there is one."""
        comparison, pair = session.comparison, session.pair
        if comparison is None or pair is None:
            html = render(f"ui/compare/history.html#{'one_run' if session.past else 'no_run'}")
        else:
            html = comparison_html(comparison, pair)
        return {**self.head(session), self._tab.result: html}

    def detail(self, html: str) -> Updates:
        """What a click opened."""
        return {self._tab.detail: html}

    def story(self, session: CompareSession) -> Updates:
        """The step that is shown; the page follows."""
        comparison, pair = session.comparison, session.pair
        html = story_html(comparison, pair, session.step) if comparison and pair else ""
        return {self._tab.story: html, self._tab.story_page: ""}

    def story_page(self, session: CompareSession) -> Updates:
        """The page of the chunk that made the difference, where the step is about one."""
        comparison, pair = session.comparison, session.pair
        evidence = evidence_of(pair, steps_of(pair)[session.step]) if pair else None
        if evidence is None or comparison is None:
            return {self._tab.story_page: ""}
        id, item = evidence
        name = next(run.corpus for run in comparison.runs if run.id == id)
        try:
            if name not in session.corpora:
                session.corpora[name] = self._corpora.read_named(name)
        except SandboxError as error:
            return {self._tab.story_page: trouble_html(str(error))}
        pipeline, corpus = self._sandbox.pipeline, session.corpora[name]
        page = chunk_on_page_html(pipeline, corpus, item.chunk, item.chunk.page)
        return {self._tab.story_page: page}

    def trouble(self, sentence: str) -> Updates:
        """One sentence that says what went wrong, in place of the comparison."""
        return {self._tab.head: "", self._tab.result: sentence_html(sentence, alarming=True)}


def history_html(past: Sequence[PastRun], chosen: Sequence[str], *, managed: str = "") -> str:
    """Every run with what it came to; those chosen are numbered."""
    if not past:
        return ""
    evaluations = list(dict.fromkeys(past_run.run.evaluation for past_run in past))

    def place(past_run: PastRun) -> tuple[int, tuple[int, str]]:
        return evaluations.index(past_run.run.evaluation), preset_position(
            past_run.run.configuration
        )

    groups = groupby(sorted(past, key=place), key=lambda past_run: past_run.run.evaluation)
    return render(
        "ui/compare/history.html#list",
        groups=[list(runs) for _, runs in groups],
        chosen=list(chosen),
        managed=managed,
    )


def about_html(past: PastRun) -> Markup:
    """The run that is renamed, noted, exported or deleted."""
    return render("ui/compare/history.html#about", past=past)
