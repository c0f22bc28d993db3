import gradio as gr
import pytest

from sandbox.config import preset
from sandbox.files.storage import Store
from sandbox.models.scripted import ScriptedModels
from sandbox.rag.index import Index
from sandbox.rag.pipeline import Pipeline
from sandbox.records import Corpus
from sandbox.ui.ask.events import AskEvents
from sandbox.ui.ask.session import Session
from sandbox.ui.ask.tab import AskTab, View
from tests.conftest import MakePdf


class Asking:
    """The events of the tab with scripted models, and a corpus of one page."""

    def __init__(self, store: Store) -> None:
        with gr.Blocks(analytics_enabled=False):
            self.tab: AskTab = AskTab()
        self.pipeline = Pipeline(store, ScriptedModels(lambda _system, _user: "At nine [1]."))
        self.events = AskEvents(self.pipeline, self.tab, View(self.pipeline, self.tab))
        self.session = Session()

    def submit(self, question: str) -> None:
        values = {widget: widget.value for widget in self.tab.panel.inputs}
        form = values | {self.tab.session: self.session, self.tab.question: question}
        self.events.submit_typed(form)


@pytest.fixture
def asking(store: Store, make_pdf: MakePdf) -> Asking:
    asking = Asking(store)
    reading = asking.pipeline.read([make_pdf("The ferry leaves at nine.")])
    while True:
        try:
            next(reading)
        except StopIteration as end:
            asking.session.corpus = Corpus(name="ferry", documents=end.value.documents)
            return asking


def test_a_question_is_answered_with_its_chunks_on_their_page(asking: Asking) -> None:
    asking.submit("When does the ferry leave?")
    drawn = list(asking.events.answer_next(asking.session))

    (turn,) = asking.session.turns
    assert turn.state == "done"
    assert turn.text == "At nine [1]."
    assert isinstance(asking.session.index, Index)
    assert "data:image/png;base64," in drawn[-1][asking.tab.page]
    assert "The ferry leaves at nine." in drawn[-1][asking.tab.cards]
    assert not asking.session.is_busy


def test_an_empty_question_is_not_asked(asking: Asking) -> None:
    asking.submit("   ")
    assert asking.session.turns == []


def test_a_stopped_question_keeps_what_was_written(asking: Asking) -> None:
    asking.submit("When does the ferry leave?")
    answering = asking.events.answer_next(asking.session)
    for _ in answering:
        if asking.session.turns[0].state == "answering":
            asking.events.stop(asking.session)
    assert asking.session.turns[0].state == "stopped"
    assert asking.session.turns[0].text.startswith("At")
    assert not asking.session.stop_requested


def test_a_question_without_a_corpus_says_what_to_do(asking: Asking) -> None:
    asking.session.corpus = None
    asking.submit("When does the ferry leave?")
    list(asking.events.answer_next(asking.session))
    assert asking.session.turns[0].state == "failed"
    assert asking.session.turns[0].note == (
        "nothing to ask yet; choose a corpus or drop a PDF on the left"
    )


def test_a_setting_out_of_range_fails_the_question_with_its_sentence(asking: Asking) -> None:
    asking.tab.panel.fields["candidates"].value = 0
    asking.submit("When does the ferry leave?")
    assert asking.session.turns[0].state == "failed"
    assert asking.session.turns[0].note == "candidates is 0; choose a number from 1 to 1000"
    assert asking.session.turns[0].config == preset("ctx_k9")
