"""The commands in a report make the same configurations on the same cases again."""

import shlex
from dataclasses import replace

import pytest

from sandbox.commands.options import read_config
from sandbox.config import PRESETS, Config, preset, with_changes
from sandbox.evaluation.runs.records import Judging, Run
from sandbox.report.provenance import rerun_commands
from tests.evaluation.scripted_runs import plan_run

OWN_PROMPT = "Answer in one word; don't guess."


def run_of(config: Config) -> Run:
    return replace(plan_run(config.name, cases=2), config=config.to_dict())


def option(words: list[str], name: str) -> list[str]:
    return [words[place + 1] for place, word in enumerate(words) if word == name]


@pytest.mark.parametrize(
    "config",
    [
        *PRESETS.values(),
        with_changes(preset("ctx_k9"), {"top_k": 5, "reranker": "none"}),
        with_changes(preset("text_k4"), {"prompt": OWN_PROMPT, "temperature": 0.5}),
        Config(name="entirely my own", index="caption", retriever="lexical", seed=7),
    ],
    ids=lambda config: config.name,
)
def test_a_configuration_is_made_again_as_it_was(config: Config) -> None:
    (command,) = rerun_commands([run_of(config)])
    words = shlex.split(command)
    (name,) = option(words, "--configs")
    again = read_config(name, option(words, "--set"))
    assert replace(again, name=config.name) == config


def test_presets_with_the_same_options_are_one_command() -> None:
    runs = [run_of(preset("text_k4")), run_of(preset("ctx_k9"))]
    assert rerun_commands(runs) == [
        "sandbox evaluate --corpus wards --testset wards.jsonl --configs text_k4,ctx_k9"
        " --limit 2 --metrics scripted"
    ]


def test_the_judge_and_its_repetitions_are_named() -> None:
    judging = Judging(model="ollama:small", judgements=3)
    (command,) = rerun_commands([replace(run_of(preset("text_k4")), judging=judging)])
    assert command.endswith("--judge ollama:small --judgements 3")
