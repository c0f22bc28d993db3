from pathlib import Path

import pytest

from sandbox.errors import SandboxError
from sandbox.files.json_lines import append_record, append_records, read_records


def test_a_torn_last_line_is_dropped_and_cut_off_before_the_next_is_written(tmp_path: Path) -> None:
    path = tmp_path / "lines.jsonl"
    append_records(path, [{"a": 1}, {"a": 2}])
    with path.open("a") as file:
        file.write('{"a": 3')
    assert read_records(path, dict) == [{"a": 1}, {"a": 2}]
    append_record(path, {"a": 4})
    assert path.read_text() == '{"a": 1}\n{"a": 2}\n{"a": 4}\n'


def test_another_line_that_is_no_record_is_named(tmp_path: Path) -> None:
    path = tmp_path / "lines.jsonl"
    path.write_text('{"a": 1}\n[2]\n{"a": 3}\n')
    with pytest.raises(SandboxError, match="line 2 of .* cannot be read"):
        read_records(path, dict)
