import dataclasses
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sandbox.errors import InvalidTestSet
from sandbox.files.spreadsheets import protect, unprotect
from sandbox.testsets.cases import TestCase, load
from sandbox.testsets.files import Imported, export_cases, import_cases

TEXT = st.text(st.characters(exclude_categories=["Cs"]), min_size=1).filter(str.strip)
ANY_TEXT = st.one_of(
    TEXT,
    st.sampled_from(
        [
            "=1+1",
            "'=1+1",
            "-3",
            "@a",
            "\t=x",
            '"',
            'a "b" c',
            "a\r\nb",
            "[1]",
            "['a']",
            "一，二；三",
        ]
    ),
)
TEXTS = st.lists(ANY_TEXT, max_size=3).map(tuple)


@st.composite
def cases(draw: Any) -> tuple[TestCase, ...]:
    ids = draw(st.lists(ANY_TEXT, min_size=1, max_size=4, unique=True))
    return tuple(
        TestCase(
            id=name,
            question=draw(ANY_TEXT),
            reference=draw(ANY_TEXT),
            accepted_answers=draw(TEXTS),
            source=(source := draw(st.sampled_from(["text", "image", "both", "none"]))),
            category=draw(ANY_TEXT),
            relevant_pages=tuple(draw(st.lists(st.integers(1, 10**6), max_size=3))),
            quotes=draw(TEXTS),
            answerable=source != "none",
            verified=draw(st.booleans()),
            document=draw(st.one_of(st.just(""), ANY_TEXT)),
        )
        for name in ids
    )


@pytest.mark.parametrize("ending", ["jsonl", "csv"])
@pytest.mark.parametrize("names", ["sandbox", "ragas"])
@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(test_set=cases())
def test_what_is_exported_comes_back_unchanged(
    tmp_path: Path, ending: str, names: Any, test_set: tuple[TestCase, ...]
) -> None:
    file = tmp_path / f"cases.{ending}"
    export_cases(test_set, file, names=names)
    assert import_cases(file) == Imported(cases=test_set)


@given(st.text())
def test_a_protected_cell_comes_back_and_starts_no_formula(cell: str) -> None:
    assert unprotect(protect(cell)) == cell
    assert not protect(cell).startswith(("=", "+", "-", "@", "\t", "\r"))


CASE = TestCase(
    id="a-1",
    question="=HYPERLINK(1)",
    reference="二〇一八年，“141”例",
    accepted_answers=("141", "+141 例"),
    source="both",
    category="peak",
    relevant_pages=(2, 3),
    verified=True,
    document="a.pdf",
)


def write(tmp_path: Path, content: str, name: str = "cases.csv", encoding: str = "utf-8") -> Path:
    file = tmp_path / name
    file.write_bytes(content.encode(encoding))
    return file


def fault(file: Path) -> str:
    with pytest.raises(InvalidTestSet) as caught:
        import_cases(file)
    return str(caught.value).replace(str(file), "FILE")


def test_a_csv_is_as_a_spreadsheet_wants_it(tmp_path: Path) -> None:
    file = tmp_path / "cases.csv"
    export_cases([CASE], file)
    assert file.read_bytes().decode() == (
        "\ufeffid,question,reference,accepted_answers,source,category,relevant_pages,quotes,"
        "answerable,verified,document\r\n"
        'a-1,\'=HYPERLINK(1),二〇一八年，“141”例,"141\n+141 例",both,peak,"2\n3",,'
        "true,true,a.pdf\r\n"
    )


def test_an_exported_file_with_our_names_is_a_test_set(tmp_path: Path) -> None:
    file = tmp_path / "cases.jsonl"
    export_cases([CASE], file)
    assert load(file) == (CASE,)


def test_the_names_of_ragas_are_written_on_request(tmp_path: Path) -> None:
    file = tmp_path / "cases.jsonl"
    export_cases([CASE], file, names="ragas")
    assert {"user_input", "reference", "reference_contexts"} <= set(json.loads(file.read_text()))


def test_a_csv_saved_by_excel_with_semicolons_is_read(tmp_path: Path) -> None:
    file = write(
        tmp_path,
        "\ufeffsep=;\r\nid;question;reference;relevant_pages;answerable\r\n"
        '7;"Where; when?";"Here ""now""";"2; 3";WAHR\r\n;;;;\r\n',
    )
    (case,) = import_cases(file).cases
    assert (case.id, case.question, case.reference) == ("7", "Where; when?", 'Here "now"')
    assert (case.relevant_pages, case.answerable, case.verified) == ((2, 3), True, False)


def test_unicode_text_of_excel_is_read(tmp_path: Path) -> None:
    file = write(tmp_path, "question\treference\r\n哪一年？\t2018\r\n", "c.txt", "utf-16")
    assert import_cases(file).cases[0].question == "哪一年？"


def test_a_test_set_generated_by_ragas_is_read(tmp_path: Path) -> None:
    row = {
        "user_input": "Who?",
        "reference_contexts": ["Ann did it.", "Really."],
        "reference": "Ann",
        "persona_name": "Reader",
        "synthesizer_name": "single_hop",
    }
    found = import_cases(write(tmp_path, json.dumps(row), "cases.jsonl"))
    assert found.ignored == ("persona_name",)
    assert found.cases == (
        TestCase(
            id="line-1",
            question="Who?",
            reference="Ann",
            source="text",
            category="single_hop",
            quotes=("Ann did it.", "Really."),
        ),
    )


def test_a_data_frame_of_ragas_saved_as_csv_is_read(tmp_path: Path) -> None:
    file = write(
        tmp_path, "user_input,reference_contexts,reference\nWho?,\"['It''s Ann', 'b']\",Ann\n"
    )
    assert import_cases(file).cases[0].quotes == ("Its Ann", "b")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("question,reference\nWho?,\n", "FILE, line 2: reference is empty"),
        ("question\nWho?\n", "FILE, line 2: reference: field required"),
        (
            'question,reference\n"a\nb",c\nd,e,f\n',
            "FILE, line 4: 3 cells under 2 columns; put cells that hold the separator in double"
            " quotes",
        ),
        (
            "question,reference,verified\nWho?,Ann,perhaps\n",
            "FILE, line 2: verified must be true or false, not 'perhaps'",
        ),
        (
            "question,reference,relevant_pages\nWho?,Ann,iv\n",
            "FILE, line 2: relevant_pages must be page numbers, not 'iv'",
        ),
        (
            "id,question,reference\na,b,c\na,d,e\n",
            "FILE, line 3: the id 'a' is already that of line 2; give each case its own",
        ),
        ("a,a\n1,2\n", "FILE, line 1: the column 'a' stands there twice"),
        ("question,reference\n", "FILE holds no test case; it needs a line with a question"),
        ("", "FILE holds no test case; it needs a line with a question"),
        ('question,reference\nx,"y', "FILE, line 2: not CSV (unexpected end of data)"),
    ],
)
def test_a_fault_is_named_with_file_and_line(tmp_path: Path, content: str, message: str) -> None:
    assert fault(write(tmp_path, content)) == message


def test_a_file_in_another_encoding_or_format_says_what_to_do(tmp_path: Path) -> None:
    big5 = write(tmp_path, "question,reference\n哪一年,二\n", encoding="cp950")
    assert fault(big5) == "FILE is not UTF-8 text; in a spreadsheet, save it as 'CSV UTF-8'"
    assert fault(write(tmp_path, "", "a.xlsx")) == (
        "FILE is neither .jsonl nor .csv; save it as one of them"
    )
    assert fault(tmp_path / "none.csv") == "there is no file FILE"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "FILE, line 1: not JSON (Expecting property name enclosed in double quotes"),
        ("[1]", "FILE, line 1: not a JSON object"),
        ('{"question": 1, "reference": "a"}', "FILE, line 1: question: input should be a valid"),
        ('{"question": "a", "reference": NaN}', "FILE, line 1: reference: input should be a valid"),
    ],
)
def test_a_faulty_json_line_is_named(tmp_path: Path, line: str, message: str) -> None:
    assert fault(write(tmp_path, line, "cases.jsonl")).startswith(message)


def test_a_failed_export_leaves_the_old_file(tmp_path: Path) -> None:
    file = tmp_path / "cases.jsonl"
    export_cases([CASE], file)
    before = file.read_bytes()
    with pytest.raises(InvalidTestSet):
        export_cases([dataclasses.replace(CASE, question="\ud800")], file)
    with pytest.raises(InvalidTestSet, match="as .jsonl or .csv"):
        export_cases([CASE], tmp_path / "cases.xlsx")
    assert file.read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["cases.jsonl"]
