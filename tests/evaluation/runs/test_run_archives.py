"""A run as one zip file: whole when it comes from here, refused when it was made to harm."""

import stat
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from sandbox.errors import SandboxError
from sandbox.evaluation.runs import history as past_runs
from sandbox.evaluation.runs.folder import RunFolder, list_runs
from sandbox.evaluation.runs.history import export_run, import_run, past_run, rename_run
from sandbox.files.storage import Store
from tests.evaluation.compared_runs import good, scored_run


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "results")


@pytest.fixture
def there(tmp_path: Path) -> RunFolder:
    """A run on another machine."""
    return scored_run(Store(tmp_path / "there"), "ctx_k9", good)


def packed(path: Path, members: Mapping[str, str]) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return path


def content_of(folder: RunFolder, **changes: str) -> dict[str, str]:
    """The members of an archive of that run."""
    files = ("run.json", "answers.jsonl", "scores.jsonl", "labels.jsonl")
    texts = {name: (folder.folder / name).read_text(encoding="utf-8") for name in files}
    return {f"{folder.run.id}/{name}": text for name, text in {**texts, **changes}.items()}


def assert_nothing_was_written(store: Store) -> None:
    assert list_runs(store) == ()
    assert [path.name for path in store.results.rglob("*") if path.is_file()] == []
    assert list(store.results.glob(".import-*")) == []


def test_a_run_comes_back_as_it_went(store: Store, there: RunFolder, tmp_path: Path) -> None:
    rename_run(there, "The one for the board")
    back = import_run(store, export_run(there, tmp_path / "out" / "run.zip"))
    assert back.run == there.run
    assert (back.cells(), back.scores(), back.labels()) == (
        there.cells(),
        there.scores(),
        there.labels(),
    )
    assert past_run(back).name == "The one for the board"
    assert [path.name for path in store.results.iterdir()] == ["runs"]


def test_equal_runs_make_equal_files(there: RunFolder, tmp_path: Path) -> None:
    first = export_run(there, tmp_path / "first.zip").read_bytes()
    assert export_run(there, tmp_path / "second.zip").read_bytes() == first


def test_files_that_only_lock_a_run_stay_at_home(there: RunFolder, tmp_path: Path) -> None:
    with there.writing():
        archive = export_run(there, tmp_path / "run.zip")
    with zipfile.ZipFile(archive) as packed:
        names = {Path(name).name for name in packed.namelist()}
    assert names == {"run.json", "answers.jsonl", "scores.jsonl", "labels.jsonl"}


def test_a_line_that_is_being_written_is_left_out(
    store: Store, there: RunFolder, tmp_path: Path
) -> None:
    with (there.folder / "scores.jsonl").open("a", encoding="utf-8") as file:
        file.write('{"configuration": "ctx')
    back = import_run(store, export_run(there, tmp_path / "run.zip"))
    assert len(back.scores()) == 24


def test_a_run_that_is_there_already_is_not_replaced(
    store: Store, there: RunFolder, tmp_path: Path
) -> None:
    archive = export_run(there, tmp_path / "run.zip")
    import_run(store, archive)
    with pytest.raises(SandboxError, match="first-ctx_k9 is there already; delete it first"):
        import_run(store, archive)
    assert len(list_runs(store)) == 1


@pytest.mark.parametrize(
    "name",
    [
        "../run.json",
        "../../evil.txt",
        "/tmp/evil.txt",
        "first-ctx_k9/../../evil.txt",
        "first-ctx_k9/deeper/run.json",
        "first-ctx_k9/evil.sh",
        "first-ctx_k9/.lock",
        "C:\\evil.txt",
        "../",
    ],
)
def test_a_member_that_is_no_part_of_a_run_refuses_the_whole_archive(
    store: Store, there: RunFolder, tmp_path: Path, name: str
) -> None:
    archive = packed(tmp_path / "evil.zip", {**content_of(there), name: "evil"})
    with pytest.raises(SandboxError, match="which is no part of a run; nothing was unpacked"):
        import_run(store, archive)
    assert_nothing_was_written(store)
    assert not list(tmp_path.rglob("evil.txt"))


def test_a_symbolic_link_is_no_part_of_a_run(
    store: Store, there: RunFolder, tmp_path: Path
) -> None:
    path = packed(tmp_path / "evil.zip", content_of(there))
    link = zipfile.ZipInfo("first-ctx_k9/about.json")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr(link, "/etc/passwd")
    with pytest.raises(SandboxError, match="no part of a run"):
        import_run(store, path)
    assert_nothing_was_written(store)


def test_two_runs_in_one_archive_are_refused(
    store: Store, there: RunFolder, tmp_path: Path
) -> None:
    archive = packed(tmp_path / "two.zip", {**content_of(there), "other/about.json": "{}"})
    with pytest.raises(SandboxError, match="holds no run, or several"):
        import_run(store, archive)
    assert_nothing_was_written(store)


def test_a_member_that_unpacks_to_too_much_is_stopped(
    store: Store, there: RunFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(past_runs, "LARGEST_MEMBER", 1024**2)
    path = tmp_path / "bomb.zip"
    members = content_of(there, **{"labels.jsonl": "\n" * (5 * 1024**2)})
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    assert path.stat().st_size < 100_000
    with pytest.raises(SandboxError, match="unpacks to more than 1 MB; nothing was taken over"):
        import_run(store, path)
    assert_nothing_was_written(store)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"run.json": "{}"}, "does not describe a run of this version"),
        ({"answers.jsonl": "{}\n"}, "line 1 of .*answers.jsonl cannot be read"),
        ({"labels.jsonl": "nonsense\n"}, "line 1 of .*labels.jsonl cannot be read"),
    ],
)
def test_a_part_that_cannot_be_read_refuses_the_archive(
    store: Store, there: RunFolder, tmp_path: Path, change: dict[str, str], message: str
) -> None:
    archive = packed(tmp_path / "broken.zip", content_of(there, **change))
    with pytest.raises(SandboxError, match=message):
        import_run(store, archive)
    assert_nothing_was_written(store)


@pytest.mark.parametrize("id", ["../../escaped", "..", ".hidden", "a/b", "", "x" * 200])
def test_an_id_that_is_no_folder_name_is_refused(
    store: Store, there: RunFolder, tmp_path: Path, id: str
) -> None:
    description = content_of(there)["first-ctx_k9/run.json"]
    changed = description.replace('"id": "first-ctx_k9"', f'"id": "{id}"', 1)
    assert changed != description
    archive = packed(tmp_path / "id.zip", content_of(there, **{"run.json": changed}))
    with pytest.raises(SandboxError, match="is no folder name"):
        import_run(store, archive)
    assert_nothing_was_written(store)


def test_answers_to_cases_that_the_run_does_not_hold_are_refused(
    store: Store, there: RunFolder, tmp_path: Path
) -> None:
    scores = content_of(there)["first-ctx_k9/scores.jsonl"].replace("case-1", "other-1")
    archive = packed(tmp_path / "strange.zip", content_of(there, **{"scores.jsonl": scores}))
    with pytest.raises(SandboxError, match="answers a case that its run does not hold: 'other-1"):
        import_run(store, archive)
    assert_nothing_was_written(store)


def test_a_file_that_is_no_zip_is_refused(store: Store, tmp_path: Path) -> None:
    (tmp_path / "run.zip").write_bytes(b"PK\x03\x04 but not really")
    with pytest.raises(SandboxError, match="is no zip file that can be read"):
        import_run(store, tmp_path / "run.zip")
    with pytest.raises(SandboxError, match="there is no file"):
        import_run(store, tmp_path / "nothing.zip")


def test_a_damaged_archive_is_refused(store: Store, there: RunFolder, tmp_path: Path) -> None:
    path = export_run(there, tmp_path / "run.zip")
    content = bytearray(path.read_bytes())
    content[200:260] = bytes(60)
    path.write_bytes(content)
    with pytest.raises(SandboxError, match="is no zip file that can be read"):
        import_run(store, path)
    assert_nothing_was_written(store)
