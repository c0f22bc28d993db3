"""Each run of a comparison by itself: rate of right answers, cost, front and slices."""

from pathlib import Path

import pytest

from sandbox.config import preset
from sandbox.evaluation.comparison.compare import compare_runs
from sandbox.evaluation.comparison.records import Comparison
from sandbox.evaluation.comparison.slices import slices_across
from sandbox.evaluation.runs.folder import RunFolder
from sandbox.evaluation.runs.read import read_runs
from sandbox.evaluation.runs.records import Cell
from sandbox.files.storage import Store
from tests.evaluation.compared_runs import CASES, answer, bad, describe, good, scored_run, write


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path)


def compare(*folders: RunFolder) -> Comparison:
    return compare_runs(read_runs(folders))


def test_an_answer_that_is_missing_is_said(store: Store) -> None:
    short = write(store, describe(preset("ctx_k9"), CASES[:2]), {"case-1": answer("1 beds", 1)})
    short.add_cell(Cell(configuration="ctx_k9", case="case-2", answer=None, failure="cut off"))
    found = compare(scored_run(store, "ctx_k4", bad), short)
    (pair,) = found.pairs
    assert pair.layers == {"retrieval": 1, "generation": 0, "same": 0, "unknown": 1}
    assert pair.warnings == ("1 of 2 cases lack an answer in one of the two",)


def test_a_run_without_answers_has_no_rate_and_says_why(store: Store) -> None:
    empty = write(store, describe(preset("ctx_k9"), CASES[:2]), {})
    rate = compare(scored_run(store, "ctx_k4", bad), empty).findings[1].pass_rate
    assert (rate.rate, rate.no_correction) == (None, "there is no answer yet")


def test_a_partly_labelled_run_gets_a_corrected_rate(store: Store) -> None:
    found = compare(
        scored_run(store, "ctx_k4", bad), scored_run(store, "ctx_k9", good, labelled=12)
    )
    whole, part = (finding.pass_rate for finding in found.findings)
    assert (whole.right, whole.wrong, whole.corrected) == (6, 18, None)
    assert whole.no_correction == "every answer is labelled, so nothing has to be predicted"
    assert (part.right, part.wrong, part.unlabelled) == (11, 1, 12)
    assert part.corrected is not None
    assert part.corrected.by == "combined"
    assert part.corrected.low < 0.875 < part.corrected.high


def test_no_rate_is_corrected_without_a_trusted_metric_or_labels(store: Store) -> None:
    def noise(number: int, right: bool) -> float:
        return number % 3 / 10

    found = compare(
        scored_run(store, "ctx_k4", good, labelled=8, values=noise),
        scored_run(store, "ctx_k9", good, labelled=8, values=noise),
    )
    reasons = [finding.pass_rate.no_correction for finding in found.findings]
    assert reasons == ["no metric is trusted here, so none may stand in for labels"] * 2
    few = compare(
        scored_run(Store(store.results / "few"), "ctx_k4", bad),
        scored_run(Store(store.results / "few"), "ctx_k9", good, labelled=9),
    )
    assert few.findings[1].pass_rate.no_correction == (
        "it needs 10 labelled answers of this run; there are 9"
    )


def test_a_run_that_is_better_and_faster_is_alone_on_the_front(store: Store) -> None:
    found = compare(
        scored_run(store, "ctx_k4", bad, seconds=3.0),
        scored_run(store, "ctx_k9", good, seconds=2.0),
    )
    assert found.quality == "right"
    assert [finding.on_front for finding in found.findings] == [False, True]
    assert [finding.cost.seconds for finding in found.findings] == [3.0, 2.0]
    assert found.findings[0].cost.prompt_tokens == 100.0


def test_the_weakest_slice_comes_first_with_its_n(store: Store) -> None:
    found = compare(scored_run(store, "ctx_k4", bad), scored_run(store, "ctx_k9", good))
    first = found.findings[0].slices[0]
    assert (first.by, first.name, first.cases, first.right) == ("category", "odd", 12, 0)
    assert {one.by for one in found.findings[0].slices} == {
        "source",
        "category",
        "language",
        "answerable",
    }


def test_slices_of_all_runs_stand_in_the_order_of_their_mean_quality(store: Store) -> None:
    found = compare(scored_run(store, "ctx_k4", bad), scored_run(store, "ctx_k9", good))
    slices = slices_across(found.findings, found.quality)
    assert [(part.by, part.name) for part in slices] == [("category", "odd"), ("category", "even")]
    assert [part.right for part in slices[0].runs if part] == [0, 12]
    assert slices[0].cases == 12
