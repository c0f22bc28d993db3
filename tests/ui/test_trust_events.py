"""What a click on the Trust tab does: opening a metric, labelling, and coming too late."""

from typing import Any

import gradio as gr
import pytest

from sandbox.evaluation.runs.folder import RunFolder
from sandbox.evaluation.runs.labels import read_labels
from sandbox.evaluation.runs.records import Cell
from sandbox.files.storage import Store
from sandbox.library import Sandbox
from sandbox.models.scripted import ScriptedModels
from sandbox.models.source import Models
from sandbox.rag.pipeline import Pipeline
from sandbox.ui.ask.corpus_events import CorpusEvents
from sandbox.ui.ask.tab import AskTab, View
from sandbox.ui.parts.wiring import form_of
from sandbox.ui.trust.events import TrustEvents
from sandbox.ui.trust.labelling import LabelEvents
from sandbox.ui.trust.tab import TrustSession, TrustTab
from sandbox.ui.trust.view import TrustView
from tests.evaluation.scripted_runs import answer, make_run


class Trusting:
    """The tab with its events, on one run of four answers."""

    def __init__(self, store: Store) -> None:
        self.run: RunFolder = make_run(store, cases=4)
        for case in self.run.run.cases:
            given = answer(case, "a", 1)
            self.run.add_cell(Cell(configuration="text_k4", case=case.id, answer=given))
        with gr.Blocks(analytics_enabled=False):
            ask, self.tab = AskTab(), TrustTab()
        pipeline = Pipeline(store, ScriptedModels(lambda _system, _user: ""))
        sandbox = Sandbox(store.results, models=Models(), pipeline=pipeline)
        corpora = CorpusEvents(pipeline, store, ask, View(pipeline, ask))
        view = TrustView(store, self.tab)
        self.labelling = LabelEvents(sandbox, corpora, self.tab, view)
        self.events = TrustEvents(sandbox, self.tab, view, self.labelling)
        self.session = TrustSession()

    def begin(self) -> str:
        """Label the run; the id of the first case on offer."""
        values: dict[Any, Any] = {
            widget: getattr(widget, "value", None) for widget in form_of(self.tab)
        }
        values |= {self.tab.session: self.session, self.tab.runs: [self.run.run.id]}
        self.labelling.begin(values)
        return self.shown

    @property
    def shown(self) -> str:
        """The id of the case that is up for labelling."""
        assert self.session.proposal
        return self.session.proposal.cell.case.id

    def press(self, kind: str, case: str, label: str = "") -> dict[Any, Any]:
        """A button of the labelling panel."""
        values = {"click": kind, "run": self.run.run.id, "case": case, "label": label}
        return self.labelling.click(self.session, gr.EventData(None, values))


@pytest.fixture
def trusting(store: Store) -> Trusting:
    return Trusting(store)


def test_a_label_is_kept_and_the_next_answer_comes_up(trusting: Trusting) -> None:
    first = trusting.begin()
    drawn = trusting.press("label", first, "wrong")
    assert f"text_k4 · {first} is wrong; z takes it back" in drawn[trusting.tab.task]
    assert [label.value for label in read_labels(trusting.run.folder)] == ["wrong"]
    assert trusting.shown != first


def test_a_click_that_comes_too_late_for_its_answer_labels_nothing(trusting: Trusting) -> None:
    first = trusting.begin()
    trusting.press("skip", first)
    assert trusting.press("label", first, "right") == gr.skip()
    assert read_labels(trusting.run.folder) == ()


def test_a_label_is_taken_back_and_its_answer_comes_up_again(trusting: Trusting) -> None:
    first = trusting.begin()
    trusting.press("label", first, "right")
    drawn = trusting.press("undo", trusting.shown)
    assert "taken back; say again" in drawn[trusting.tab.task]
    assert trusting.shown == first


def test_a_second_click_on_a_metric_closes_it_but_the_way_back_does_not(
    trusting: Trusting,
) -> None:
    def click(run: str = "") -> str:
        values = {"click": "metric", "metric": "token_f1", "run": run}
        trusting.events.click(trusting.session, gr.EventData(None, values))
        return trusting.session.shown_metric

    assert [click(), click("r1"), click()] == ["token_f1", "token_f1", ""]
