"""What is bundled is found in a checkout, and a wheel carries it."""

import tomllib
from pathlib import Path

import pytest

from sandbox.evaluation.runs.folder import find_runs
from sandbox.evaluation.runs.labels import add_labels, new_label
from sandbox.files.storage import Store, find_bundled

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("name", ["corpora", "testsets", "results"])
def test_a_checkout_serves_its_own_folders(name: str) -> None:
    assert find_bundled(name) == ROOT / name


def test_a_wheel_carries_every_corpus_and_puts_it_where_it_is_looked_for() -> None:
    with (ROOT / "pyproject.toml").open("rb") as file:
        wheel = tomllib.load(file)["tool"]["hatch"]["build"]["targets"]["wheel"]
    corpora = {f"corpora/{path.parent.name}" for path in ROOT.glob("corpora/*/corpus.json")}
    assert corpora | {"testsets", "results/runs"} <= set(wheel["only-include"])
    assert wheel["sources"] == {
        name: f"sandbox/bundled/{name}" for name in ("corpora", "results", "testsets")
    }


def test_the_bundled_ablation_is_there_under_its_name_in_any_folder(store: Store) -> None:
    runs = find_runs(store, ["bundled"])
    assert [folder.run.configuration for folder in runs] == [
        "text_k4",
        "text_k9",
        "caption_k4",
        "ctx_k4",
        "ctx_k9",
        "ctx_k9_strict",
    ]


def test_a_label_given_to_a_bundled_answer_is_kept_and_the_original_untouched(store: Store) -> None:
    (first, *_) = find_runs(store, ["bundled"])
    case = first.run.cases[0].id
    add_labels(first.folder, [new_label("text_k4", case, "unsure", labeller="Ada")])
    (again, *_) = find_runs(store, ["bundled"])
    assert "Ada" in [label.labeller for label in again.labels()]
    original = find_bundled("results") / "runs" / first.run.id / "labels.jsonl"
    assert "Ada" not in original.read_text(encoding="utf-8")
