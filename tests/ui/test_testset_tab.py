import pytest

from sandbox.errors import InvalidTestSet
from sandbox.testsets.cases import TEST_SETS_FOLDER, load
from sandbox.ui.testset.tab import HEADERS, Row, to_cases, to_rows

CASES = load(TEST_SETS_FOLDER / "outbreak-zh.jsonl")


def row(**values: object) -> Row:
    return [values.get(name, "") for name in HEADERS]


def test_cases_come_back_from_the_table_unchanged() -> None:
    assert to_cases(to_rows(CASES)) == CASES


def test_a_new_row_is_filled_in_and_empty_ones_are_left_out() -> None:
    rows = [
        row(),
        row(question="When?", reference="2018", relevant_pages="2, 3", verified=True),
        row(verified=None, question=float("nan")),
    ]
    (case,) = to_cases(rows)
    assert (case.id, case.source, case.answerable) == ("line-2", "text", True)
    assert (case.relevant_pages, case.verified) == ((2, 3), True)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"question": "When?"}, "row 2: reference is empty"),
        ({"question": "a", "reference": "b", "relevant_pages": "iv"}, "row 2: relevant_pages must"),
        ({"question": "a", "reference": "b", "id": "x"}, "row 2: the id 'x' is that of row 1"),
    ],
)
def test_a_faulty_row_is_named(values: dict[str, object], message: str) -> None:
    with pytest.raises(InvalidTestSet) as caught:
        to_cases([row(id="x", question="Who?", reference="Ann"), row(**values)])
    assert str(caught.value).startswith(message)
