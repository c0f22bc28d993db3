"""What an evaluation came to, as lines for a terminal and as JSON."""

from sandbox.commands.output import evaluations
from sandbox.evaluation.running.plan import Plan
from sandbox.evaluation.runs.read import RunSummary, read_run
from sandbox.evaluation.runs.records import Cell, Score
from sandbox.files.storage import Store
from tests.evaluation.scripted_runs import answer_scripted, case, make_run


def summary(store: Store, metric: str, value: float) -> RunSummary:
    folder = make_run(store, cases=1, metrics=(metric,))
    answer = answer_scripted(case(1), "text_k4")
    folder.add_cell(Cell(configuration="text_k4", case="case-1", answer=answer))
    folder.add_score("case-1", Score(metric=metric, family="ragas", value=value))
    return read_run(folder).summary


def test_a_metric_of_which_less_is_better_says_so(store: Store) -> None:
    summaries = [summary(store, "noise_sensitivity", 0.25)]
    _, line, *_ = evaluations.runs_to_lines(summaries)
    assert line.split() == [
        "noise_sensitivity",
        "(lower",
        "is",
        "better)",
        "0.25",
        "(1",
        "of",
        "1)",
    ]
    (run,) = evaluations.runs_to_json(summaries)["runs"]
    assert run["metrics"]["noise_sensitivity"]["lower_is_better"] is True


def test_of_all_other_metrics_more_is_better(store: Store) -> None:
    summaries = [summary(store, "faithfulness", 0.25)]
    _, line, *_ = evaluations.runs_to_lines(summaries)
    assert line.split() == ["faithfulness", "0.25", "(1", "of", "1)"]
    (run,) = evaluations.runs_to_json(summaries)["runs"]
    assert run["metrics"]["faithfulness"]["lower_is_better"] is False


def test_a_plan_is_told_by_metric_and_by_configuration() -> None:
    planned = Plan(
        answers=4,
        judge_calls={"faithfulness": 6, "complete": 2},
        judge_calls_by_configuration={
            "text_k4": {"faithfulness": 4, "complete": 1},
            "ctx_k9": {"faithfulness": 2, "complete": 1},
        },
        after_cache=7,
        tokens=700,
        overflowing_prompts=1,
        minutes=2.0,
        answer_minutes=3.0,
        answer_pace="earlier runs",
        warnings=("the judge judges itself",),
    )
    assert list(evaluations.plan_to_lines(planned)) == [
        "4 answers to make, about 3 min as in earlier runs",
        "faithfulness: 6 judge calls",
        "complete: 2 judge calls",
        "  text_k4: 5 (faithfulness 4, complete 1)",
        "  ctx_k9: 3 (faithfulness 2, complete 1)",
        "7 judge calls after known and equal ones, about 700 tokens, about 2 min",
        "1 prompts do not fit the judge's context",
        "note: the judge judges itself",
    ]


def test_a_plan_says_why_the_time_of_answering_is_not_known() -> None:
    planned = Plan(
        answers=4,
        judge_calls={},
        after_cache=0,
        tokens=0,
        overflowing_prompts=0,
        answer_pace="how long it takes is known after the first run",
    )
    first, *_ = evaluations.plan_to_lines(planned)
    assert first == "4 answers to make; how long it takes is known after the first run"


def test_repeated_judgements_are_told_with_their_spread(store: Store) -> None:
    folder = make_run(store, cases=1, metrics=("complete",))
    answer = answer_scripted(case(1), "text_k4")
    folder.add_cell(Cell(configuration="text_k4", case="case-1", answer=answer))
    score = Score(
        metric="complete",
        family="token judge",
        value=0.5,
        judgements=(0.25, 0.75, None),
        standard_deviation=0.3536,
    )
    folder.add_score("case-1", score)
    summaries = [read_run(folder).summary]
    assert list(evaluations.runs_to_lines(summaries))[-1] == (
        "  complete: 3 judgements, 1 failed; the mean standard deviation within an answer is 0.35"
    )
    (run,) = evaluations.runs_to_json(summaries)["runs"]
    assert run["judgements"] == {"complete": {"case-1": (0.25, 0.75, None)}}
