import json
from pathlib import Path
from typing import Any

import pytest

from sandbox.errors import InvalidTestSet
from sandbox.records import Corpus, Document
from sandbox.testsets.cases import TestCase, check_pages, load

CASE: dict[str, Any] = {
    "id": "a-1",
    "question": "How many pumps?",
    "reference": "Seven pumps.",
    "accepted_answers": ["seven", "7"],
    "source": "text",
    "category": "count",
    "relevant_pages": [2],
    "verified": True,
    "document": "pumps.pdf",
}


def write(path: Path, *cases: object) -> Path:
    file = path / "cases.jsonl"
    file.write_text("".join(json.dumps(case) + "\n" for case in cases), encoding="utf-8")
    return file


def fault(file: Path) -> str:
    with pytest.raises(InvalidTestSet) as caught:
        load(file)
    return str(caught.value).replace(str(file), "FILE")


def test_a_line_becomes_a_case_with_the_defaults_of_the_record(tmp_path: Path) -> None:
    assert load(write(tmp_path, CASE)) == (
        TestCase(
            id="a-1",
            question="How many pumps?",
            reference="Seven pumps.",
            accepted_answers=("seven", "7"),
            source="text",
            category="count",
            relevant_pages=(2,),
            quotes=(),
            answerable=True,
            verified=True,
            document="pumps.pdf",
        ),
    )


def test_empty_lines_and_a_byte_order_mark_are_skipped(tmp_path: Path) -> None:
    file = write(tmp_path, CASE)
    file.write_bytes(b"\xef\xbb\xbf\r\n" + file.read_bytes().replace(b"\n", b"\r\n") + b"  \n")
    assert [case.id for case in load(file)] == ["a-1"]


def test_a_line_separator_inside_a_question_does_not_end_the_line(tmp_path: Path) -> None:
    file = tmp_path / "cases.jsonl"
    line = json.dumps({**CASE, "question": "a\u2028b"}, ensure_ascii=False)
    file.write_text(line, encoding="utf-8")
    assert load(file)[0].question == "a\u2028b"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"source": "table"}, "source: input should be 'text', 'image', 'both' or 'none'"),
        ({"relevant_pages": [0]}, "relevant_pages count from 1, not 0"),
        ({"relevant_pages": ["2"]}, "relevant_pages.0: input should be a valid integer"),
        ({"accepted_answers": "7"}, "accepted_answers: input should be a valid array"),
        ({"question": " "}, "question is empty"),
        ({"quotes": [""]}, "an accepted answer or a quote is empty"),
        ({"pages": [2]}, "unknown field 'pages'; known: accepted_answers, answerable"),
        ({"answerable": False}, "answerable is false but source is 'text'"),
    ],
)
def test_a_faulty_field_is_named_with_file_and_line(
    tmp_path: Path, change: dict[str, Any], message: str
) -> None:
    said = fault(write(tmp_path, CASE, {**CASE, "id": "a-2", **change}))
    assert said.startswith(f"FILE, line 2: {message}")


def test_a_missing_field_is_named(tmp_path: Path) -> None:
    case = {key: value for key, value in CASE.items() if key != "reference"}
    assert fault(write(tmp_path, case)) == "FILE, line 1: reference: field required"


def test_a_line_that_is_not_json_says_where(tmp_path: Path) -> None:
    file = write(tmp_path, CASE)
    with file.open("a", encoding="utf-8") as stream:
        stream.write('{"id": ')
    assert fault(file) == "FILE, line 2: not JSON (Expecting value at character 8)"


def test_a_line_that_is_not_an_object_says_so(tmp_path: Path) -> None:
    assert fault(write(tmp_path, ["a"])) == "FILE, line 1: not a JSON object"


def test_an_id_used_twice_names_both_lines(tmp_path: Path) -> None:
    said = fault(write(tmp_path, CASE, CASE))
    assert said == "FILE, line 2: the id 'a-1' is already that of line 1; give each case its own"


def test_a_missing_an_empty_and_a_binary_file_each_say_what_is_wrong(tmp_path: Path) -> None:
    assert fault(tmp_path / "none.jsonl") == "there is no test set at FILE"
    assert fault(write(tmp_path)) == "FILE holds no test case; write one JSON object a line"
    binary = tmp_path / "binary.jsonl"
    binary.write_bytes(b"\xff\xfe\x00")
    assert fault(binary).startswith("FILE cannot be read as UTF-8 text: ")


def corpus(*names: str) -> Corpus:
    return Corpus(
        name="plant",
        documents=tuple(Document(digest=name, name=name, page_count=2, pages=()) for name in names),
    )


def test_cases_whose_pages_exist_pass(tmp_path: Path) -> None:
    check_pages(load(write(tmp_path, CASE)), corpus("pumps.pdf", "pipes.pdf"))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"relevant_pages": [2, 3]}, "case 'a-1' names page 3, but pumps.pdf has 2 pages"),
        ({"document": "x.pdf"}, "case 'a-1' is about 'x.pdf', which is not in the corpus 'plant'"),
        ({"document": ""}, "case 'a-1' names pages but not the document they are in"),
    ],
)
def test_a_page_or_document_that_does_not_exist_is_named(
    tmp_path: Path, change: dict[str, Any], message: str
) -> None:
    cases = load(write(tmp_path, {**CASE, **change}))
    with pytest.raises(InvalidTestSet) as caught:
        check_pages(cases, corpus("pumps.pdf", "pipes.pdf"))
    assert str(caught.value).startswith(message)
