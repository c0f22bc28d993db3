"""Evaluations go on where they stopped, whatever stopped them."""

import json
import os
import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from sandbox.errors import ModelUnavailable
from sandbox.evaluation.running.runner import evaluate
from sandbox.evaluation.runs.folder import RunFolder
from sandbox.evaluation.runs.records import Sample
from sandbox.files.storage import Store
from sandbox.progress import format_duration
from sandbox.records import Answer
from sandbox.testsets.cases import TestCase
from tests.evaluation.scripted_runs import (
    ScriptedMetric,
    answer,
    answer_scripted,
    lines,
    make_run,
)

FILES = ("answers.jsonl", "scores.jsonl")


def by_length(sample: Sample) -> float:
    return len(sample.response) / 100


def run_to_the_end(store: Store) -> list[RunFolder]:
    folders = [make_run(store, name) for name in ("text_k4", "ctx_k9")]
    for _ in evaluate(folders, answer_scripted, [ScriptedMetric(by_length)]):
        pass
    return folders


def content(folders: list[RunFolder]) -> list[list[str]]:
    return [sorted(lines(folder.folder / name)) for folder in folders for name in FILES]


def test_every_answer_comes_before_the_first_score(store: Store) -> None:
    folders = [make_run(store, name, cases=2) for name in ("text_k4", "ctx_k9")]
    metrics = [ScriptedMetric(name="one"), ScriptedMetric(name="two")]
    stages = [progress.stage for progress in evaluate(folders, answer_scripted, metrics)]
    assert stages == sorted(stages)
    assert [len(metric.asked) for metric in metrics] == [4, 4]


def test_progress_says_how_much_is_done_and_how_much_failed(store: Store) -> None:
    def fail_on_the_second(case: TestCase, configuration: str) -> Answer:
        if case.id == "case-2":
            raise RuntimeError("no")
        return answer_scripted(case, configuration)

    work = evaluate([make_run(store)], fail_on_the_second, [ScriptedMetric()])
    messages = [progress.message for progress in work]
    assert messages[0] == "0 of 3 answers (text_k4, case-1)"
    assert messages[3] == "3 of 3 answers, 1 failed (all answered)"
    assert messages[-1] == "3 of 3 scores, 1 failed (all scored)"


def test_one_failing_case_is_kept_with_its_reason_and_the_others_go_on(store: Store) -> None:
    def fail_on_the_second(case: TestCase, configuration: str) -> Answer:
        if case.id == "case-2":
            raise ZeroDivisionError("division by zero")
        return answer_scripted(case, configuration)

    folder = make_run(store)
    list(evaluate([folder], fail_on_the_second, [ScriptedMetric()]))
    failures = {case: cell.failure for case, cell in folder.cells().items()}
    assert failures == {
        "case-1": "",
        "case-2": "ZeroDivisionError: division by zero",
        "case-3": "",
    }
    assert folder.scores()["scripted", "case-2"].reason == (
        "there is no answer: ZeroDivisionError: division by zero"
    )


def test_a_metric_that_breaks_on_one_answer_leaves_the_others_scored(store: Store) -> None:
    def value(sample: Sample) -> float:
        return 1 / (len(sample.case) - len("case-1") + (sample.case != "case-2"))

    folder = make_run(store)
    list(evaluate([folder], answer_scripted, [ScriptedMetric(value)]))
    scores = folder.scores()
    assert scores["scripted", "case-1"].value == 1.0
    assert scores["scripted", "case-2"].value is None
    assert scores["scripted", "case-2"].reason == "ZeroDivisionError: division by zero"
    assert scores["scripted", "case-2"].applicable


def test_a_value_that_is_not_a_number_is_a_failure_and_never_in_a_file(store: Store) -> None:
    folder = make_run(store)
    list(evaluate([folder], answer_scripted, [ScriptedMetric(lambda sample: float("nan"))]))
    assert {score.value for score in folder.scores().values()} == {None}
    for line in lines(folder.folder / "scores.jsonl"):
        json.loads(line, parse_constant=lambda name: pytest.fail(f"{name} in a file"))


def test_what_a_metric_cannot_judge_is_not_applicable_with_the_reason(store: Store) -> None:
    folder = make_run(store)
    list(evaluate([folder], lambda case, name: answer(case, name, text=" \n"), [ScriptedMetric()]))
    (score, *_) = folder.scores().values()
    assert (score.value, score.reason, score.applicable) == (None, "the answer is empty", False)


@pytest.mark.parametrize(
    "text", ["", "x" * 20_000, '"}{\\ \u2028 \x00 ```json {"a": NaN}', "病例\u3000多。🙂"]
)
def test_hostile_answers_are_kept_as_they_are(store: Store, text: str) -> None:
    folder = make_run(store, cases=1)
    list(evaluate([folder], lambda case, name: answer(case, name, 1, text=text), []))
    kept = folder.cells()["case-1"].answer
    assert kept
    assert kept.text == (text or "text_k4 says: Ward 1 has 1 beds.")


def test_a_judge_that_is_not_there_stops_before_scoring_and_keeps_the_answers(
    store: Store,
) -> None:
    folder = make_run(store)
    with pytest.raises(ModelUnavailable, match="the judge is not running"):
        list(evaluate([folder], answer_scripted, [ScriptedMetric(unreachable_after=0)]))
    assert (len(folder.cells()), len(folder.scores())) == (3, 0)


def test_a_judge_that_goes_away_in_the_middle_stops_and_the_rest_is_done_later(
    store: Store,
) -> None:
    folder = make_run(store)
    first = ScriptedMetric(by_length, unreachable_after=2)
    with pytest.raises(ModelUnavailable):
        list(evaluate([folder], answer_scripted, [first]))
    kept = len(folder.scores())
    again = ScriptedMetric(by_length)
    list(evaluate([folder], answer_scripted, [again]))
    assert len(again.asked) == 3 - kept
    assert folder.is_finished()


def test_a_chat_model_that_is_not_there_stops_the_evaluation(store: Store) -> None:
    def unreachable(case: TestCase, configuration: str) -> Answer:
        raise ModelUnavailable("ollama is not running")

    folder = make_run(store)
    with pytest.raises(ModelUnavailable):
        list(evaluate([folder], unreachable, []))
    assert folder.cells() == {}


def test_a_finished_evaluation_does_nothing_when_it_is_started_again(store: Store) -> None:
    folders = run_to_the_end(store)
    before = content(folders)
    metric = ScriptedMetric()
    list(evaluate(folders, answer_scripted, [metric]))
    assert metric.asked == []
    assert content(folders) == before


@pytest.mark.parametrize("steps", range(1, 16, 2))
def test_closing_the_generator_at_any_step_loses_nothing(
    store: Store, tmp_path: Path, steps: int
) -> None:
    expected = content(run_to_the_end(Store(tmp_path / "whole")))
    folders = [make_run(store, name) for name in ("text_k4", "ctx_k9")]
    work = evaluate(folders, answer_scripted, [ScriptedMetric(by_length)])
    for _, _ in zip(range(steps), work, strict=False):
        pass
    work.close()
    for _ in evaluate(folders, answer_scripted, [ScriptedMetric(by_length)]):
        pass
    assert content(folders) == expected


@pytest.mark.parametrize("seed", range(20))
def test_files_cut_at_random_bytes_are_completed_to_the_uninterrupted_result(
    store: Store, tmp_path: Path, seed: int
) -> None:
    expected = content(run_to_the_end(Store(tmp_path / "whole")))
    folders = run_to_the_end(store)
    randomness = random.Random(seed)
    for folder in folders:
        scores, answers = folder.folder / "scores.jsonl", folder.folder / "answers.jsonl"
        cut = randomness.choice([scores, answers])
        if cut == answers:
            scores.write_bytes(b"")
        cut.write_bytes(cut.read_bytes()[: randomness.randrange(cut.stat().st_size)])
    for _ in evaluate(folders, answer_scripted, [ScriptedMetric(by_length)]):
        pass
    assert content(folders) == expected


@pytest.mark.parametrize("seed", range(3))
def test_a_program_killed_at_a_random_cell_goes_on_to_the_uninterrupted_result(
    store: Store, tmp_path: Path, seed: int
) -> None:
    expected = content(run_to_the_end(Store(tmp_path / "whole")))
    folders = [make_run(store, name) for name in ("text_k4", "ctx_k9")]
    code = (
        "import sys, time; from pathlib import Path\n"
        "from sandbox.evaluation.running.runner import evaluate\n"
        "from sandbox.evaluation.runs.folder import RunFolder\n"
        "from tests.evaluation.scripted_runs import ScriptedMetric, answer_scripted\n"
        "metric = ScriptedMetric(lambda sample: len(sample.response) / 100)\n"
        "runs = [RunFolder(Path(path)) for path in sys.argv[1:]]\n"
        "for _ in evaluate(runs, answer_scripted, [metric]):\n"
        "    print('step', flush=True); time.sleep(0.01)\n"
    )
    paths = [str(folder.folder) for folder in folders]
    steps = random.Random(seed).randrange(1, 14)
    root = Path(__file__).resolve().parents[3]
    with subprocess.Popen(
        [sys.executable, "-c", code, *paths], cwd=root, stdout=subprocess.PIPE, text=True
    ) as program:
        assert program.stdout
        for _ in range(steps):
            assert program.stdout.readline() == "step\n"
        os.kill(program.pid, signal.SIGKILL)
    assert program.returncode == -signal.SIGKILL
    for _ in evaluate(folders, answer_scripted, [ScriptedMetric(by_length)]):
        pass
    assert content(folders) == expected


def test_ctrl_c_during_a_slow_judgement_ends_the_program_at_once_and_keeps_what_is_done(
    store: Store,
) -> None:
    folder = make_run(store)
    code = (
        "import asyncio, sys; from pathlib import Path\n"
        "from sandbox.evaluation.running.runner import evaluate\n"
        "from sandbox.evaluation.runs.folder import RunFolder\n"
        "from tests.evaluation.scripted_runs import ScriptedMetric, answer_scripted\n"
        "class Slow(ScriptedMetric):\n"
        "    async def score(self, sample):\n"
        "        await asyncio.sleep(0 if sample.case == 'case-1' else 600)\n"
        "        return await super().score(sample)\n"
        "for step in evaluate([RunFolder(Path(sys.argv[1]))], answer_scripted, [Slow()]):\n"
        "    print(step.message, flush=True)\n"
    )
    root = Path(__file__).resolve().parents[3]
    with subprocess.Popen(
        [sys.executable, "-c", code, str(folder.folder)],
        cwd=root,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as program:
        assert program.stdout
        assert program.stderr
        while "1 of 3 scores" not in program.stdout.readline():
            pass
        program.send_signal(signal.SIGINT)
        assert program.wait(timeout=20) != 0
        assert program.stderr.read().strip().endswith("KeyboardInterrupt")
    assert list(folder.scores()) == [("scripted", "case-1")]
    assert len(folder.cells()) == 3


def test_durations_are_said_in_words() -> None:
    assert [format_duration(seconds) for seconds in (0.4, 59, 600, 7200)] == [
        "0 s",
        "59 s",
        "10 min",
        "2.0 h",
    ]
