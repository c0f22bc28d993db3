"""What the widgets of the Evaluate tab say, as an experiment."""

import json
from pathlib import Path
from typing import Any

import gradio as gr
import pytest

from sandbox.errors import InvalidTestSet
from sandbox.evaluation.runs.records import Judging
from sandbox.files.storage import Store, to_json
from sandbox.models.scripted import ScriptedModels
from sandbox.rag.pipeline import Pipeline
from sandbox.records import Corpus
from sandbox.ui.ask.corpus_events import CorpusEvents
from sandbox.ui.ask.tab import AskTab, View
from sandbox.ui.evaluate.form import EvaluateForm
from sandbox.ui.evaluate.tab import EvaluateTab
from sandbox.ui.parts.wiring import form_of
from tests.evaluation.scripted_runs import case

CORPUS = Corpus(name="wards", documents=())


@pytest.fixture
def form(tmp_path: Path) -> tuple[EvaluateForm, EvaluateTab, dict[Any, Any]]:
    """The form, its widgets and what they hold: the preset, and a hold-out as test set."""
    folder = tmp_path / "testsets"
    folder.mkdir()
    for name in ("wards", "wards.holdout"):
        (folder / f"{name}.jsonl").write_text(to_json(case(1)) + "\n", encoding="utf-8")
    with gr.Blocks(analytics_enabled=False):
        ask, tab = AskTab(), EvaluateTab()
    values = {widget: getattr(widget, "value", None) for widget in form_of(tab)}
    values[tab.test_set] = "wards"
    store = Store(tmp_path)
    pipeline = Pipeline(store, ScriptedModels(lambda _system, _user: ""))
    corpora = CorpusEvents(pipeline, store, ask, View(pipeline, ask))
    return EvaluateForm(tab, ask, corpora, store), tab, values


def test_what_nobody_touched_is_judged_once_and_without_examples(
    form: tuple[EvaluateForm, EvaluateTab, dict[Any, Any]],
) -> None:
    reader, _, values = form
    experiment = reader.experiment(values, CORPUS)
    assert (experiment.judging, experiment.limit) == (Judging(model="auto"), None)
    assert [config.name for config in experiment.configs] == ["ctx_k9"]


def test_judgements_and_graded_examples_are_part_of_the_experiment(
    form: tuple[EvaluateForm, EvaluateTab, dict[Any, Any]], tmp_path: Path
) -> None:
    reader, tab, values = form
    rubric = tmp_path / "rubric.jsonl"
    line = {"user_input": "Who?", "response": "The clerk.", "label": "right"}
    rubric.write_text(json.dumps(line), encoding="utf-8")
    values |= {tab.judgements: 3, tab.rubric: str(rubric)}
    experiment = reader.experiment(values, CORPUS)
    assert experiment.judging.judgements == 3
    assert [example.response for example in experiment.judging.rubric] == ["The clerk."]


def test_a_hold_out_is_refused_until_its_box_is_ticked(
    form: tuple[EvaluateForm, EvaluateTab, dict[Any, Any]],
) -> None:
    reader, tab, values = form
    values[tab.test_set] = "wards.holdout"
    with pytest.raises(InvalidTestSet, match="is a hold-out"):
        reader.experiment(values, CORPUS)
    values[tab.holdout] = True
    assert len(reader.experiment(values, CORPUS).cases) == 1
