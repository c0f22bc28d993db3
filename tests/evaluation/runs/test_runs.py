"""Runs on disk survive kills, full disks, and two programs at once."""

import json
import shutil
import subprocess
import sys
from dataclasses import replace

import pytest

from sandbox.errors import SandboxError
from sandbox.evaluation.runs.folder import (
    CHATTED,
    RunFolder,
    create_run,
    find_runs,
    list_runs,
    newest_unfinished,
    open_run,
)
from sandbox.evaluation.runs.labels import add_labels
from sandbox.evaluation.runs.records import Cell, GradedExample, Judging, Label, Run, Score
from sandbox.files.storage import Store
from tests.evaluation.scripted_runs import answer_scripted, case, make_run, plan_run, room_for

SCORE = Score(metric="scripted", family="no judge", value=0.5)


def fill(folder: RunFolder) -> None:
    for asked in folder.run.cases:
        answer = answer_scripted(asked, folder.run.configuration)
        folder.add_cell(Cell(configuration="text_k4", case=asked.id, answer=answer))
        folder.add_score(asked.id, SCORE)


def test_a_run_reads_back_what_was_written(store: Store) -> None:
    folder = make_run(store, cases=1)
    cell = Cell(configuration="text_k4", case="case-1", answer=answer_scripted(case(1), "text_k4"))
    label = Label(
        configuration="text_k4",
        case="case-1",
        value="right",
        labeller="Ada",
        source="person",
        time="2030-01-01T00:00:00Z",
    )
    folder.add_cell(cell)
    folder.add_score("case-1", SCORE)
    add_labels(folder.folder, [label])
    again = open_run(store, folder.run.id)
    assert again.run == folder.run
    assert again.cells() == {"case-1": cell}
    assert again.scores() == {("scripted", "case-1"): SCORE}
    assert again.labels() == (label,)


def test_a_run_is_also_opened_by_its_folder(store: Store) -> None:
    folder = make_run(store)
    assert open_run(Store("elsewhere"), str(folder.folder)).run == folder.run


def test_a_run_that_is_not_there_names_the_newest(store: Store) -> None:
    make_run(store)
    with pytest.raises(SandboxError, match="no run 'nothing' in .*; the newest is first-text_k4"):
        open_run(store, "nothing")


@pytest.mark.parametrize(
    ("names", "found"),
    [
        (["latest"], ["second-ctx_k9", "second-text_k4"]),
        (["second"], ["second-ctx_k9", "second-text_k4"]),
        (["sec"], ["second-ctx_k9", "second-text_k4"]),
        (
            ["second-t", "first-text_k4", "second"],
            ["second-text_k4", "first-text_k4", "second-ctx_k9"],
        ),
        (["chat"], ["chat-text_k4"]),
    ],
)
def test_runs_are_found_by_id_evaluation_beginning_and_latest(
    store: Store, names: list[str], found: list[str]
) -> None:
    make_run(store)
    for configuration in ("text_k4", "ctx_k9"):
        make_run(store, configuration, evaluation="second", created="2030-01-02T00:00:00Z")
    make_run(store, evaluation=CHATTED, created="2030-01-03T00:00:00Z")
    assert [folder.run.id for folder in find_runs(store, names)] == found


def test_the_runs_of_an_evaluation_come_as_its_configurations_were_chosen(store: Store) -> None:
    for position, configuration in enumerate(("text_k4", "ctx_k9", "caption_k4")):
        create_run(store, replace(plan_run(configuration), position=position))
    found = [folder.run.configuration for folder in find_runs(store, ["latest"])]
    assert found == ["text_k4", "ctx_k9", "caption_k4"]


@pytest.mark.parametrize(
    ("names", "sentence"),
    [
        ([], 'no run is named; say "latest", or which'),
        (["2030-1"], "'2030-1' begins several evaluations: 2030-1a, 2030-1b; write more of it"),
        (["nothing"], "there is no run 'nothing' in"),
        ([""], "there is no run '' in"),
    ],
)
def test_names_that_stand_for_no_run_are_one_sentence(
    store: Store, names: list[str], sentence: str
) -> None:
    make_run(store, evaluation="2030-1a")
    make_run(store, evaluation="2030-1b")
    with pytest.raises(SandboxError) as caught:
        find_runs(store, names)
    assert str(caught.value).startswith(sentence)


def test_the_latest_of_no_runs_says_how_to_make_one(store: Store) -> None:
    with pytest.raises(SandboxError, match="make one with: sandbox evaluate"):
        find_runs(store, ["latest"])


@pytest.mark.parametrize("cut", [1, 20, 200])
def test_a_torn_last_line_is_dropped_and_the_next_line_is_whole(store: Store, cut: int) -> None:
    folder = make_run(store)
    fill(folder)
    path = folder.folder / "answers.jsonl"
    path.write_bytes(path.read_bytes()[:-cut])
    assert list(folder.cells()) == ["case-1", "case-2"]
    last = Cell(configuration="text_k4", case="case-3", answer=None, failure="again")
    folder.add_cell(last)
    assert folder.cells()["case-3"] == last
    assert len(path.read_bytes().splitlines()) == 3


def test_another_broken_line_is_named(store: Store) -> None:
    folder = make_run(store)
    fill(folder)
    path = folder.folder / "scores.jsonl"
    path.write_text("{}\n" + path.read_text())
    with pytest.raises(SandboxError, match=r"line 1 of .*scores.jsonl cannot be read"):
        folder.scores()


def test_half_a_surrogate_pair_in_an_answer_can_be_written(store: Store) -> None:
    folder = make_run(store)
    folder.add_cell(Cell(configuration="text_k4", case="case-1", answer=None, failure="a\ud83d"))
    assert folder.cells()["case-1"].failure == "a?"


def test_a_run_of_a_newer_version_is_refused_and_left_out_of_the_list(store: Store) -> None:
    folder = make_run(store)
    path = folder.folder / "run.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "format": 99}))
    with pytest.raises(SandboxError, match="has format 99, this version reads up to 1"):
        open_run(store, folder.run.id)
    assert list_runs(store) == ()


def test_runs_are_listed_newest_first(store: Store) -> None:
    make_run(store, evaluation="old", created="2030-01-01T00:00:00Z")
    make_run(store, evaluation="new", created="2030-01-02T00:00:00Z")
    assert [folder.run.evaluation for folder in list_runs(store)] == ["new", "old"]


def test_a_run_is_finished_when_every_case_has_an_answer_and_every_score(store: Store) -> None:
    folder = make_run(store)
    assert not folder.is_finished()
    fill(folder)
    assert folder.is_finished()


def test_the_newest_unfinished_evaluation_of_the_same_plan_is_found(store: Store) -> None:
    for evaluation, day in (("old", 1), ("middle", 2), ("done", 3)):
        for configuration in ("text_k4", "ctx_k9"):
            make_run(
                store,
                configuration,
                evaluation=evaluation,
                created=f"2030-01-0{day}T00:00:00Z",
            )
    for configuration in ("text_k4", "ctx_k9"):
        fill(open_run(store, f"done-{configuration}"))
    fill(open_run(store, "middle-text_k4"))
    wanted = [plan_run("ctx_k9"), plan_run("text_k4")]
    found = newest_unfinished(store, wanted)
    assert [folder.run.id for folder in found] == ["middle-ctx_k9", "middle-text_k4"]


@pytest.mark.parametrize(
    "wanted",
    [
        [plan_run("text_k4", cases=2)],
        [plan_run("text_k4", metrics=("other",))],
        [plan_run("text_k4"), plan_run("ctx_k9")],
    ],
)
def test_an_evaluation_of_another_plan_is_not_gone_on_with(store: Store, wanted: list[Run]) -> None:
    make_run(store)
    assert newest_unfinished(store, wanted) == ()


def test_a_run_that_another_program_writes_is_refused_in_one_sentence(store: Store) -> None:
    folder = make_run(store)
    code = (
        "import sys; from pathlib import Path\n"
        "from sandbox.evaluation.runs.folder import RunFolder\n"
        "with RunFolder(Path(sys.argv[1])).writing():\n"
        "    print('held', flush=True); sys.stdin.read()\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, str(folder.folder)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as other:
        assert other.stdout
        assert other.stdout.readline() == "held\n"
        with pytest.raises(SandboxError, match="first-text_k4 is being written by another"):
            folder.writing().__enter__()
        other.kill()
    with folder.writing():
        pass


def test_another_program_can_add_labels_while_a_run_is_written(store: Store) -> None:
    folder = make_run(store, cases=1)
    fill(folder)
    code = (
        "import sys; from pathlib import Path\n"
        "from sandbox.evaluation.runs.labels import add_labels, new_label\n"
        "label = new_label('text_k4', 'case-1', 'right', labeller='Ada')\n"
        "add_labels(Path(sys.argv[1]), [label])\n"
    )
    with folder.writing():
        subprocess.run([sys.executable, "-c", code, str(folder.folder)], check=True)
    assert [label.value for label in folder.labels()] == ["right"]


def test_a_run_that_was_deleted_meanwhile_is_not_made_again(store: Store) -> None:
    folder = make_run(store, cases=1)
    shutil.rmtree(folder.folder)
    with pytest.raises(SandboxError, match="the run first-text_k4 is no longer in"):
        folder.writing().__enter__()
    with pytest.raises(SandboxError, match="cannot write"):
        folder.add_score("case-1", SCORE)
    assert not folder.folder.exists()


def test_a_full_disk_is_one_sentence_and_leaves_the_file_as_it_was(store: Store) -> None:
    folder = make_run(store)
    fill(folder)
    path = folder.folder / "answers.jsonl"
    before = path.read_bytes()
    cell = Cell(configuration="text_k4", case="case-9", answer=None, failure="x" * 500)
    with (
        room_for(len(before) + 100),
        pytest.raises(SandboxError, match=r"cannot write .*answers.jsonl: .*; make room"),
    ):
        folder.add_cell(cell)
    assert path.read_bytes() == before
    folder.add_cell(cell)
    assert folder.cells()["case-9"] == cell


def test_the_judging_lies_flat_in_run_json_as_in_runs_of_earlier_versions(store: Store) -> None:
    judging = Judging(
        model="ollama:llama3.1-judge",
        digest="d1",
        judgements=3,
        rubric=(GradedExample(user_input="Who?", response="The clerk.", right=True),),
    )
    folder = create_run(store, replace(plan_run(), judging=judging))
    described = json.loads((folder.folder / "run.json").read_text(encoding="utf-8"))
    assert "judging" not in described
    assert {key: described[key] for key in ("judge", "judge_digest", "judgements")} == {
        "judge": "ollama:llama3.1-judge",
        "judge_digest": "d1",
        "judgements": 3,
    }
    assert [example["response"] for example in described["rubric"]] == ["The clerk."]
    assert RunFolder(folder.folder).run.judging == judging


def test_a_run_of_a_version_that_knew_no_rubric_opens(store: Store) -> None:
    folder = create_run(store, plan_run())
    described = json.loads((folder.folder / "run.json").read_text(encoding="utf-8"))
    for key in ("judgements", "rubric"):
        del described[key]
    (folder.folder / "run.json").write_text(json.dumps(described), encoding="utf-8")
    assert RunFolder(folder.folder).run.judging == Judging()
