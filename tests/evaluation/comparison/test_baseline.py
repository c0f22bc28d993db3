"""A baseline on disk: what it holds, and files that are none."""

from dataclasses import replace
from pathlib import Path

import pytest

from sandbox.config import preset
from sandbox.errors import SandboxError
from sandbox.evaluation.comparison.baseline import baseline_of, read_baseline, save_baseline
from sandbox.evaluation.comparison.gate import check_run
from sandbox.evaluation.runs.folder import find_one_run
from sandbox.files.storage import Store
from tests.evaluation.compared_runs import (
    CASES,
    answer,
    bad,
    describe,
    good,
    score,
    scored_run,
    write,
)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path)


def test_a_run_that_is_not_finished_is_refused(store: Store) -> None:
    run = describe(preset("ctx_k9"), CASES, metrics=("mrr",))
    folder = write(store, run, {"case-1": answer("beds", 1)})
    with pytest.raises(SandboxError, match="is not finished; go on with: sandbox evaluate --res"):
        baseline_of(folder)


def test_a_baseline_holds_what_the_labels_trust_and_ranking(store: Store, tmp_path: Path) -> None:
    folder = scored_run(store, "ctx_k9", bad)
    for case in CASES:
        folder.add_score(case.id, score("mrr", 0.5, family="ranking"))
    saved = baseline_of(folder)
    save_baseline(saved, tmp_path / "baselines" / "first.json")
    found = read_baseline(tmp_path / "baselines" / "first.json")
    assert found == saved
    assert list(found.deciding) == ["faithfulness", "mrr"]
    assert found.metrics["faithfulness"].trusted
    assert found.metrics["faithfulness"].trust.startswith("separates")
    assert not found.metrics["mrr"].trusted
    assert check_run(folder, found).notes == ("the run is the baseline itself",)


def test_the_labels_of_the_whole_evaluation_say_what_is_trusted(store: Store) -> None:
    folder = scored_run(store, "ctx_k9", good, labelled=0)
    assert baseline_of(folder).deciding == {}
    scored_run(store, "ctx_k4", bad)
    assert list(baseline_of(folder).deciding) == ["faithfulness"]


def test_labels_of_another_run_can_say_what_is_trusted(store: Store) -> None:
    folder = scored_run(store, "ctx_k9", good, labelled=0)
    assert baseline_of(folder).deciding == {}
    other = scored_run(store, "ctx_k4", bad)
    assert list(baseline_of(folder, labelled=[other]).deciding) == ["faithfulness"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "there is no baseline at"),
        ("{}", "is no baseline that this version can read"),
        ("mrr: 0.8", "is no baseline that this version can read"),
    ],
)
def test_a_file_that_is_no_baseline_is_refused(
    tmp_path: Path, content: str | None, message: str
) -> None:
    path = tmp_path / "baseline.json"
    if content is not None:
        path.write_text(content, encoding="utf-8")
    with pytest.raises(SandboxError, match=message):
        read_baseline(path)


def test_a_newer_baseline_asks_for_a_newer_version(tmp_path: Path) -> None:
    found = baseline_of(scored_run(Store(tmp_path), "ctx_k9", bad))
    save_baseline(replace(found, format=2), tmp_path / "new.json")
    with pytest.raises(SandboxError, match="has format 2, this version reads up to 1"):
        read_baseline(tmp_path / "new.json")


def test_one_run_is_chosen_by_its_configuration(store: Store) -> None:
    scored_run(store, "ctx_k4", bad)
    scored_run(store, "ctx_k9", good)
    assert find_one_run(store, "latest", config="ctx_k9").run.id == "first-ctx_k9"
    with pytest.raises(SandboxError, match=r"stands for 2 runs \(ctx_k4, ctx_k9\)"):
        find_one_run(store, "latest")
