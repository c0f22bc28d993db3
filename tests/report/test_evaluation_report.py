"""What an evaluation came to, as lines for a terminal and as JSON."""

from sandbox.evaluation.records import Cell, Score
from sandbox.evaluation.summary import RunSummary, summarize
from sandbox.report import evaluations
from sandbox.storage import Store
from tests.evaluation.scripted_runs import answer_scripted, case, make_run


def summary(store: Store, metric: str, value: float) -> RunSummary:
    folder = make_run(store, cases=1, metrics=(metric,))
    answer = answer_scripted(case(1), "text_k4")
    folder.add_cell(Cell(configuration="text_k4", case="case-1", answer=answer))
    folder.add_score("case-1", Score(metric=metric, family="ragas", value=value))
    return summarize(folder)


def test_a_metric_of_which_less_is_better_says_so(store: Store) -> None:
    found = [summary(store, "noise_sensitivity", 0.25)]
    _, line, *_ = evaluations.run_lines(found)
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
    (run,) = evaluations.runs(found)["runs"]
    assert run["metrics"]["noise_sensitivity"]["lower_is_better"] is True


def test_of_all_other_metrics_more_is_better(store: Store) -> None:
    found = [summary(store, "faithfulness", 0.25)]
    _, line, *_ = evaluations.run_lines(found)
    assert line.split() == ["faithfulness", "0.25", "(1", "of", "1)"]
    (run,) = evaluations.runs(found)["runs"]
    assert run["metrics"]["faithfulness"]["lower_is_better"] is False
