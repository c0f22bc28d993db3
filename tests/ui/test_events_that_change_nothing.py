"""Events that find nothing to do answer still: Gradio fails on {}, and empties the rest."""

import gradio as gr
import pytest

from sandbox.files.storage import Store
from sandbox.library import Sandbox
from sandbox.models.scripted import ScriptedModels
from sandbox.models.source import Models
from sandbox.rag.pipeline import Pipeline
from sandbox.ui.ask.corpus_events import CorpusEvents
from sandbox.ui.ask.events import AskEvents
from sandbox.ui.ask.session import Session
from sandbox.ui.ask.tab import AskTab, View
from sandbox.ui.evaluate.events import EvaluateEvents
from sandbox.ui.evaluate.tab import EvaluateSession, EvaluateTab
from sandbox.ui.testset import events as testset_events
from sandbox.ui.testset import tab as testset

NOTHING_NEW = gr.update()


class Tabs:
    """The tabs with their events, on no answers at all."""

    def __init__(self, store: Store) -> None:
        self.ask: AskTab
        self.evaluate: EvaluateTab
        self.test_set: testset.TestSetTab
        with gr.Blocks(analytics_enabled=False):
            self.ask, self.evaluate = AskTab(), EvaluateTab()
            self.test_set = testset.TestSetTab()
        pipeline = Pipeline(store, ScriptedModels(lambda _system, _user: "7 [1]"))
        view = View(pipeline, self.ask)
        self.asking = AskEvents(pipeline, self.ask, view)
        self.testing = testset_events.TestSetEvents(
            pipeline, store, self.test_set, self.ask.session
        )
        self.evaluating = EvaluateEvents(
            Sandbox(store.results, models=Models(), pipeline=pipeline),
            CorpusEvents(pipeline, store, self.ask, view),
            self.ask,
            self.evaluate,
        )


@pytest.fixture
def tabs(store: Store) -> Tabs:
    return Tabs(store)


def test_coming_back_to_a_running_evaluation_changes_nothing(tabs: Tabs) -> None:
    session = EvaluateSession(work="evaluate")
    arrived = tabs.evaluating.arrive({tabs.evaluate.session: session})
    assert arrived == NOTHING_NEW


def test_evaluating_while_an_evaluation_runs_changes_nothing(tabs: Tabs) -> None:
    begun = tabs.evaluating.begin_evaluation(EvaluateSession(work="plan"))
    assert begun == NOTHING_NEW


def test_work_that_was_done_already_changes_nothing(tabs: Tabs) -> None:
    worked = list(tabs.evaluating.work({tabs.evaluate.session: EvaluateSession()}))
    assert worked == [NOTHING_NEW]


def test_a_question_that_was_answered_already_only_draws_the_conversation(tabs: Tabs) -> None:
    (drawn,) = tabs.asking.answer_next(Session())
    assert list(drawn) == [tabs.ask.chat]


def test_a_test_set_that_was_taken_out_of_the_drop_zone_changes_nothing(tabs: Tabs) -> None:
    dropped = tabs.testing.open_dropped({tabs.test_set.file: None})
    assert dropped == {tabs.test_set.file: NOTHING_NEW}
