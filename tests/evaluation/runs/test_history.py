"""The runs there are: listed, named, noted, and deleted only by their id."""

from pathlib import Path

import pytest

from sandbox.config import preset
from sandbox.errors import SandboxError
from sandbox.evaluation.runs.folder import list_runs
from sandbox.evaluation.runs.history import (
    delete_question,
    delete_run,
    history,
    note_run,
    past_run,
    read_about,
    rename_run,
)
from sandbox.files.storage import Store
from tests.evaluation.compared_runs import CASES, answer, bad, describe, good, scored_run, write


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path)


def test_the_newest_run_comes_first_with_what_it_came_to(store: Store) -> None:
    scored_run(store, "ctx_k4", bad)
    later = describe(preset("ctx_k9"), CASES[:2], id="later", created="2030-02-01T00:00:00Z")
    write(store, later, {"case-1": answer("1 beds", 1)})
    found = history(store)
    assert [(past.name, past.headline, past.finished) for past in found] == [
        ("later", "1 of 2 answered; 1 right of 1, as suggested", False),
        ("first-ctx_k4", "6 right of 24 labelled", True),
    ]


def test_a_run_without_labels_and_suggestions_shows_a_mean(store: Store) -> None:
    asked = describe(preset("ctx_k9"), [CASES[0]], metrics=("mrr",))
    folder = write(
        store,
        asked,
        {"case-1": answer("either 1 or 3 beds", 1)},
        scores={"mrr": {"case-1": 0.5}},
        family="ranking",
    )
    assert past_run(folder).headline == "mrr 0.50, 1 scored"


def test_a_name_and_a_note_stand_beside_the_run_and_leave_it_as_it_is(store: Store) -> None:
    folder = scored_run(store, "ctx_k9", good)
    before = (folder.folder / "run.json").read_bytes()
    rename_run(folder, " The one for the board ")
    note_run(folder, "Ask again\nin spring")
    assert past_run(folder).name == "The one for the board"
    assert read_about(folder).note == "Ask again\nin spring"
    assert (folder.folder / "run.json").read_bytes() == before
    rename_run(folder, "")
    assert past_run(folder).name == "first-ctx_k9"
    assert read_about(folder).note == "Ask again\nin spring"


@pytest.mark.parametrize("name", ["x" * 81, "two\nlines"])
def test_a_name_is_one_short_line(store: Store, name: str) -> None:
    with pytest.raises(SandboxError, match="a name is one line of up to 80 characters"):
        rename_run(scored_run(store, "ctx_k9", good), name)


def test_a_broken_note_does_not_hide_the_run(store: Store) -> None:
    folder = scored_run(store, "ctx_k9", good)
    (folder.folder / "about.json").write_text("{", encoding="utf-8")
    assert past_run(folder).name == "first-ctx_k9"


def test_what_is_lost_is_said_before_a_run_is_deleted(store: Store) -> None:
    folder = scored_run(store, "ctx_k9", good)
    assert delete_question(folder) == (
        "first-ctx_k9: 24 answers, 24 scores and 24 labels would be deleted for good"
    )


def test_a_run_is_deleted_only_by_its_id(store: Store) -> None:
    folder, other = scored_run(store, "ctx_k9", good), scored_run(store, "ctx_k4", bad)
    for confirmation in ("", "yes", "first-ctx_k4"):
        with pytest.raises(SandboxError, match="nothing was deleted"):
            delete_run(store, folder, confirmation=confirmation)
    delete_run(store, folder, confirmation="first-ctx_k9")
    assert [one.run.id for one in list_runs(store)] == [other.run.id]
    assert [path.name for path in store.results.iterdir()] == ["runs"]


def test_a_run_that_is_being_written_is_not_deleted(store: Store) -> None:
    folder = scored_run(store, "ctx_k9", good)
    with folder.writing(), pytest.raises(SandboxError, match="written by another evaluation"):
        delete_run(store, folder, confirmation="first-ctx_k9")
    assert len(list_runs(store)) == 1


def test_a_run_outside_of_the_results_is_not_deleted(store: Store, tmp_path: Path) -> None:
    folder = scored_run(Store(tmp_path / "elsewhere"), "ctx_k9", good)
    with pytest.raises(SandboxError, match="lies outside of"):
        delete_run(store, folder, confirmation="first-ctx_k9")
