from dataclasses import replace
from pathlib import Path

import pytest

from sandbox.errors import InvalidTestSet
from sandbox.evaluation.labelling.files import compare_files
from sandbox.testsets.cases import TestCase
from sandbox.testsets.files import export_cases

CASES = tuple(
    TestCase(id=str(n), question=f"q{n}", reference=f"{n} cases.", source="text", category="c")
    for n in range(4)
)


def test_references_agree_when_only_their_writing_differs(tmp_path: Path) -> None:
    first, second = tmp_path / "a.jsonl", tmp_path / "b.csv"
    export_cases(CASES, first)
    export_cases(
        [
            replace(CASES[0], reference="０ Cases"),
            replace(CASES[1], reference="12 cases"),
            replace(CASES[2], answerable=False, source="none"),
        ],
        second,
    )
    found = {one.about: one for one in compare_files(first, second)}
    assert (found["reference"].items, found["reference"].disagreements) == (3, ("1",))
    assert found["answerable"].disagreements == ("2",)
    assert found["relevant pages"].kappa is None


def test_label_files_are_compared_and_kinds_are_not_mixed(tmp_path: Path) -> None:
    first_reader, second_reader, cases = (
        tmp_path / "first_reader.csv",
        tmp_path / "second_reader.csv",
        tmp_path / "c.jsonl",
    )
    first_reader.write_text("case,label\na,1\nb,0\nc,1\n")
    second_reader.write_text("case,label\na,right\nb,wrong\nc,wrong\n")
    export_cases(CASES, cases)
    (found,) = compare_files(first_reader, second_reader)
    assert found.kappa == pytest.approx(0.4)
    with pytest.raises(InvalidTestSet, match="of two kinds"):
        compare_files(first_reader, cases)
