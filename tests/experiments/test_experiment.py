"""From the runs of an evaluation back to the experiment that they belong to."""

from dataclasses import replace

import pytest

from sandbox.config import preset
from sandbox.errors import ConfigError, CorpusError
from sandbox.evaluation.metrics.plain import PLAIN_METRICS
from sandbox.evaluation.runs.records import GradedExample, Judging
from sandbox.experiments.experiment import Experiment, describe_runs
from sandbox.records import Corpus
from tests.evaluation.scripted_runs import case

CORPUS = Corpus(name="wards", documents=())
EXPERIMENT = Experiment(
    corpus=CORPUS,
    test_set="wards.jsonl",
    cases=(case(1), case(2)),
    configs=(preset("text_k4"), preset("ctx_k9")),
    metrics=tuple(metric.name for metric in PLAIN_METRICS),
    judging=Judging(
        model="auto",
        judgements=3,
        rubric=(GradedExample(user_input="Who?", response="The clerk.", right=True),),
    ),
)


def test_an_experiment_comes_back_from_its_runs_with_rubric_and_judgements() -> None:
    models = {"text_k4": {"chat_model": "a"}, "ctx_k9": {"chat_model": "a"}}
    runs = describe_runs(EXPERIMENT, PLAIN_METRICS, None, models)
    assert Experiment.from_runs(runs, CORPUS) == EXPERIMENT


def test_documents_that_changed_are_not_gone_on_with() -> None:
    models = {"text_k4": {"chat_model": "a"}, "ctx_k9": {"chat_model": "a"}}
    (run, _) = describe_runs(EXPERIMENT, PLAIN_METRICS, None, models)
    changed = Corpus(name="wards", documents=())
    assert Experiment.from_runs([run], changed).configs == (preset("text_k4"),)
    with pytest.raises(CorpusError, match="the documents of wards have changed since"):
        Experiment.from_runs([replace(run, corpus_digest="other")], changed)


def test_a_number_below_one_is_refused() -> None:
    with pytest.raises(ConfigError, match="limit is 0; choose a number from 1"):
        Experiment(corpus=CORPUS, test_set="", cases=(), configs=(), limit=0)
    with pytest.raises(ConfigError, match="judgements is 0; choose a number from 1"):
        Judging(judgements=0)
