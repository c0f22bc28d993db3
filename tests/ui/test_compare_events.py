"""What happens on the Compare tab: choosing, comparing, keeping runs, sending, asking."""

import json
from pathlib import Path
from typing import Any

import gradio as gr
import pytest

from sandbox.evaluation.runs.folder import list_runs, open_run
from sandbox.evaluation.runs.history import read_about
from sandbox.evaluation.runs.records import Judging
from sandbox.files.storage import Store
from sandbox.library import Sandbox
from sandbox.models.scripted import ScriptedModels
from sandbox.models.source import Models
from sandbox.rag.pipeline import Pipeline
from sandbox.records import Corpus
from sandbox.testsets.cases import TEST_SETS_FOLDER, load
from sandbox.ui.ask.corpus_events import CorpusEvents
from sandbox.ui.ask.session import Session
from sandbox.ui.ask.tab import AskTab, View
from sandbox.ui.compare.asking import AskingEvents
from sandbox.ui.compare.events import CompareEvents, MissingEvents
from sandbox.ui.compare.manage import RunEvents
from sandbox.ui.compare.tab import CompareSession, CompareTab
from sandbox.ui.compare.view import CompareView
from sandbox.ui.evaluate.events import EvaluateEvents
from sandbox.ui.evaluate.tab import EvaluateSession, EvaluateTab
from tests.conftest import MakePdf
from tests.evaluation.compared_runs import answer, describe, write
from tests.evaluation.scripted_runs import case
from tests.ui.compared import BOTH, FOUR, NINE, make


class Comparing:
    """The tab with its events; runs are written into its store."""

    def __init__(self, store: Store) -> None:
        with gr.Blocks(analytics_enabled=False):
            self.tabs = gr.Tabs()
            self.ask, self.evaluate = AskTab(), EvaluateTab()
            self.tab = CompareTab()
        self.store = store
        self.pipeline = Pipeline(store, ScriptedModels(lambda _system, _user: "At nine [1]."))
        sandbox = Sandbox(store.results, models=Models(), pipeline=self.pipeline)
        corpora = CorpusEvents(self.pipeline, store, self.ask, View(self.pipeline, self.ask))
        view = CompareView(sandbox, corpora, self.tab)
        evaluating = EvaluateEvents(sandbox, corpora, self.ask, self.evaluate)
        self.missing = MissingEvents(self.tab, evaluating, self.tabs)
        self.events = CompareEvents(store, self.tab, view, self.missing)
        self.runs = RunEvents(sandbox, self.tab, view)
        self.asking = AskingEvents(self.pipeline, self.ask, self.tab, view)
        self.session = CompareSession()
        self.asked = Session()
        self.evaluation = EvaluateSession()

    def values(self, **changes: Any) -> dict[Any, Any]:
        """What the widgets hold."""
        forms = {*self.asking.inputs, *self.missing.inputs}
        found = {widget: getattr(widget, "value", None) for widget in forms}
        sessions = {
            self.tab.session: self.session,
            self.ask.session: self.asked,
            self.evaluate.session: self.evaluation,
        }
        return found | sessions | {getattr(self.tab, name): new for name, new in changes.items()}

    def compare(self) -> str:
        """Arrive and compare; the result as HTML."""
        self.events.arrive(self.session)
        *_, last = self.events.compute(self.values())
        return str(last[self.tab.result])


def press(click: str, run: str = "", case: str = "") -> gr.EventData:
    return gr.EventData(None, {"click": click, "run": run, "case": case})


@pytest.fixture
def comparing(store: Store) -> Comparing:
    return Comparing(store)


def test_the_newest_evaluation_is_compared_at_once_and_only_once(comparing: Comparing) -> None:
    for config in (NINE, FOUR):
        make(comparing.store, config)
    assert "B answers more cases right" in comparing.compare()
    assert comparing.session.chosen == ("first-text_k4", "first-text_k9")
    (again,) = comparing.events.compute(comparing.values())
    assert comparing.tab.result not in again


def test_another_baseline_turns_the_comparison_around(comparing: Comparing) -> None:
    for config in (NINE, FOUR):
        make(comparing.store, config)
    comparing.compare()
    comparing.events.choose(comparing.session, press("baseline", "first-text_k9"))
    *_, last = comparing.events.compute(comparing.values())
    assert "A answers more cases right" in last[comparing.tab.result]


def test_without_runs_and_with_one_it_says_what_to_do(comparing: Comparing) -> None:
    assert "No runs yet" in comparing.compare()
    make(comparing.store, FOUR)
    assert "Choose at least two runs" in comparing.compare()


def test_runs_of_different_test_sets_say_why_they_cannot_be_compared(comparing: Comparing) -> None:
    make(comparing.store, FOUR)
    other = (case(1, question="Another question?"),)
    write(comparing.store, describe(NINE, other), {other[0].id: answer("1", 1)})
    assert "asks another question; compare runs of one test set" in comparing.compare()
    assert comparing.session.comparison is None


def test_a_flipped_case_opens_and_a_late_click_changes_nothing(comparing: Comparing) -> None:
    for config in (NINE, FOUR):
        make(comparing.store, config)
    comparing.compare()
    opened = comparing.events.click(comparing.values(), press("case", "", "case-1"))
    assert "top_k decided" in opened[comparing.tab.detail]
    gone = comparing.events.choose(comparing.session, press("toggle", "deleted-meanwhile"))
    assert gone == gr.skip()


def test_the_story_goes_on_and_back_and_stops_at_its_ends(comparing: Comparing) -> None:
    for config in (NINE, FOUR):
        make(comparing.store, config)
    comparing.compare()
    comparing.events.begin_story(comparing.session)
    comparing.events.step(comparing.session, press("back"))
    assert comparing.session.step == 0
    for _ in range(30):
        comparing.events.step(comparing.session, press("next"))
    assert comparing.session.step == 10
    assert comparing.events.draw_page(comparing.session) == {comparing.tab.story_page: ""}


def test_a_run_keeps_the_name_and_note_that_were_written(comparing: Comparing) -> None:
    folder = make(comparing.store, FOUR)
    comparing.events.arrive(comparing.session)
    comparing.events.choose(comparing.session, press("manage", folder.run.id))
    kept = comparing.runs.keep(comparing.values(name="first try", note="before the figures"))
    assert (read_about(folder).name, read_about(folder).note) == ("first try", "before the figures")
    assert "first try" in kept[comparing.tab.history]
    failed = comparing.runs.keep(comparing.values(name="x" * 81, note=""))
    assert "a name is one line of up to 80 characters" in failed[comparing.tab.run_status]


def test_choosing_another_run_leaves_an_unfinished_note_alone(comparing: Comparing) -> None:
    folder = make(comparing.store, FOUR)
    comparing.events.arrive(comparing.session)
    opened = comparing.events.choose(comparing.session, press("manage", folder.run.id))
    assert opened[comparing.tab.note] == ""
    chosen = comparing.events.choose(comparing.session, press("toggle", folder.run.id))
    again = comparing.events.arrive(comparing.session)
    assert comparing.tab.note not in {*chosen, *again}


def test_a_run_is_only_deleted_once_its_id_is_written(comparing: Comparing) -> None:
    folder = make(comparing.store, FOUR)
    comparing.events.arrive(comparing.session)
    comparing.events.choose(comparing.session, press("manage", folder.run.id))
    asked = comparing.runs.ask_to_delete(comparing.session)
    assert "8 answers, 8 scores and 8 labels would be deleted" in asked[comparing.tab.run_status]
    wrong = comparing.runs.delete(comparing.values(confirmation="yes"))
    assert "nothing was deleted" in wrong[comparing.tab.run_status]
    assert len(list_runs(comparing.store)) == 1
    comparing.runs.delete(comparing.values(confirmation=folder.run.id))
    assert list_runs(comparing.store) == ()
    assert comparing.session.managed == ""


def test_a_run_goes_out_as_a_zip_and_comes_in_again(comparing: Comparing, tmp_path: Path) -> None:
    folder = make(comparing.store, FOUR)
    comparing.events.arrive(comparing.session)
    comparing.events.choose(comparing.session, press("manage", folder.run.id))
    made = comparing.runs.export(comparing.session)[comparing.tab.made]["value"]
    twice = comparing.runs.take_archive(comparing.values(archive=made))
    assert "is there already" in twice[comparing.tab.files_status]

    elsewhere = Comparing(Store(tmp_path / "elsewhere"))
    taken = elsewhere.runs.take_archive(elsewhere.values(archive=made))
    assert "first-text_k4 is in the list above" in taken[elsewhere.tab.files_status]
    assert len(open_run(elsewhere.store, "first-text_k4").labels()) == 8


def test_a_run_is_saved_as_the_baseline_of_the_gate(comparing: Comparing) -> None:
    folder = make(comparing.store, FOUR)
    comparing.events.arrive(comparing.session)
    comparing.events.choose(comparing.session, press("manage", folder.run.id))
    said = comparing.runs.save_as_baseline(comparing.session)[comparing.tab.run_status]
    assert "sandbox check compares with it (recall@5" in said
    saved = json.loads((comparing.store.results / "baseline.json").read_text(encoding="utf-8"))
    assert saved["run"] == "first-text_k4"


def test_the_chosen_runs_are_written_up(comparing: Comparing) -> None:
    for config in (NINE, FOUR):
        make(comparing.store, config)
    comparing.compare()
    *_, last = comparing.runs.report_markdown(comparing.values())
    text = Path(last[comparing.tab.made]["value"]).read_text(encoding="utf-8")
    assert "text_k9" in text
    assert "report.md" in last[comparing.tab.files_status]


def test_missing_configurations_are_sent_as_the_baseline_was_measured(
    comparing: Comparing,
) -> None:
    cases = [case for case in load(TEST_SETS_FOLDER / "outbreak-zh.jsonl") if case.verified][:3]
    for config in (FOUR, BOTH):
        run = describe(
            config,
            cases,
            corpus="outbreak-zh",
            test_set="outbreak-zh",
            metrics=("recall@5", "token_f1"),
            judging=Judging(model="embedded:small"),
        )
        write(comparing.store, run, {case.id: answer("1", 1) for case in cases})
    comparing.compare()
    sent = comparing.events.click(comparing.values(), press("send", "first-text_k9"))

    evaluate = comparing.evaluate
    assert sent[comparing.tabs]["selected"] == "evaluate-tab"
    assert sent[evaluate.sent]["value"] == ["text_k9", "text_k4+prompt=strict"]
    assert sent[evaluate.corpus]["value"] == "outbreak-zh"
    assert sent[evaluate.test_set]["value"] == "outbreak-zh"
    assert (sent[evaluate.cases], sent[evaluate.presets]) == (3, [])
    assert sent[evaluate.metrics["ranking"]] == ["recall@5"]
    assert sent[evaluate.metrics["no judge"]] == ["token_f1"]
    assert sent[evaluate.judge] == "embedded:small"
    assert "<bdi>text_k9</bdi>, <bdi>text_k4+prompt=strict</bdi>" in sent[evaluate.configurations]
    assert list(comparing.evaluation.sent) == ["text_k9", "text_k4+prompt=strict"]
    assert set(sent) <= {*comparing.missing.outputs, comparing.tab.detail}


def test_nothing_is_sent_into_a_running_evaluation(comparing: Comparing) -> None:
    for config in (FOUR, BOTH):
        make(comparing.store, config)
    comparing.compare()
    comparing.evaluation.work = "evaluate"
    sent = comparing.events.click(comparing.values(), press("send", "first-text_k9"))
    assert "an evaluation is running" in sent[comparing.tab.detail]


def test_a_corpus_that_is_gone_is_said_where_configurations_would_be_sent(
    comparing: Comparing,
) -> None:
    for config in (FOUR, BOTH):
        make(comparing.store, config)
    comparing.compare()
    sent = comparing.events.click(comparing.values(), press("send", "first-text_k9"))
    assert "the corpus wards is gone" in sent[comparing.tab.detail]


@pytest.fixture
def ferry(comparing: Comparing, make_pdf: MakePdf) -> Comparing:
    reading = comparing.pipeline.read([make_pdf("The ferry leaves at nine.")])
    while True:
        try:
            next(reading)
        except StopIteration as end:
            comparing.asked.corpus = Corpus(name="ferry", documents=end.value.documents)
            return comparing


def test_one_question_is_answered_under_every_configuration(ferry: Comparing) -> None:
    ferry.asking.begin_typed(ferry.values(question="When does the ferry leave?"))
    assert [column.state for column in ferry.session.columns] == ["pending", "pending"]
    *_, last = ferry.asking.work(ferry.values())
    html = last[ferry.tab.answers]
    assert html.count("At nine [1].") == 2
    assert "1 of 1 chunks" in html
    assert not ferry.session.is_asking


def test_a_chunk_of_an_answer_is_shown_on_its_page(ferry: Comparing) -> None:
    ferry.asking.begin_typed(ferry.values(question="When does the ferry leave?"))
    *_, last = ferry.asking.work(ferry.values())
    assert "data-click='page' data-column='0' data-rank='1'" in last[ferry.tab.answers]
    clicked = gr.EventData(None, {"click": "page", "column": "0", "rank": "1"})
    page = ferry.asking.click(ferry.values(), clicked)[ferry.tab.ask_page]
    assert "data:image/png;base64," in page
    late = gr.EventData(None, {"click": "page", "column": "7", "rank": "1"})
    assert ferry.asking.click(ferry.values(), late) == gr.skip()


def test_what_waits_is_not_asked_after_a_stop(ferry: Comparing) -> None:
    ferry.asking.begin_typed(ferry.values(question="When does the ferry leave?"))
    working = ferry.asking.work(ferry.values())
    next(working)
    ferry.asking.stop(ferry.session)
    list(working)
    assert [column.note for column in ferry.session.columns] == ["stopped", "stopped"]


def test_one_configuration_twice_is_refused(ferry: Comparing) -> None:
    values = ferry.values(question="When does the ferry leave?")
    values[ferry.tab.configs["B"]] = "text_k4"
    begun = ferry.asking.begin_typed(values)
    assert "these are one configuration; choose two that differ" in begun[ferry.tab.answers]


def test_a_question_without_a_corpus_says_what_to_do(comparing: Comparing) -> None:
    begun = comparing.asking.begin_typed(comparing.values(question="When?"))
    assert "nothing to ask yet" in begun[comparing.tab.answers]
