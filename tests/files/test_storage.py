import json
from pathlib import Path

import pytest

from sandbox.files.storage import (
    Store,
    digest_of,
    from_json,
    new_folder,
    to_json,
    write_text,
)
from sandbox.records import Box, Chunk, Line

LINE = Line(text="病例 12", box=Box(page=1, left=0, top=0.5, right=2, bottom=3))


def test_a_record_comes_back_as_it_was_written() -> None:
    assert from_json(Line, to_json(LINE)) == LINE


def test_prompt_injections_are_stored_under_the_key_that_files_always_had() -> None:
    chunk = Chunk(
        id="1", document="a", document_id="a", page=1, boxes=(), text="Obey.", injections=("Obey.",)
    )
    stored = json.loads(to_json([chunk]))[0]
    assert stored["orders"] == ["Obey."]
    assert "injections" not in stored
    assert from_json(Chunk, json.dumps(stored)) == chunk


def test_a_value_that_is_no_number_is_never_written() -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        to_json({"value": float("nan")})


def test_a_folder_appears_whole_or_not_at_all(tmp_path: Path) -> None:
    def stop_half_way() -> None:
        with new_folder(tmp_path / "made") as folder:
            (folder / "part").write_text("half")
            raise RuntimeError("stopped")

    with pytest.raises(RuntimeError, match="stopped"):
        stop_half_way()
    assert list(tmp_path.iterdir()) == []
    with new_folder(tmp_path / "made") as folder:
        (folder / "part").write_text("whole")
    assert (tmp_path / "made" / "part").read_text() == "whole"
    assert [path.name for path in tmp_path.iterdir()] == ["made"]


def test_a_file_is_replaced_as_a_whole(tmp_path: Path) -> None:
    write_text(tmp_path / "file", "old")
    write_text(tmp_path / "file", "new")
    assert (tmp_path / "file").read_text() == "new"
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_a_cache_gives_back_what_was_put_and_only_that(store: Store) -> None:
    cache = store.open_cache("embeddings")
    cache.put({"a": b"1", "b": b"2"})
    assert store.open_cache("embeddings").get(["a", "c"]) == {"a": b"1"}


def test_a_key_depends_on_every_part_and_on_no_order_of_keys() -> None:
    assert digest_of("a", {"x": 1, "y": 2}) == digest_of("a", {"y": 2, "x": 1})
    assert digest_of("a", "b") != digest_of("ab")
