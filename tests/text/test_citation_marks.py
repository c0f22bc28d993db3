import pytest

from sandbox.text.citation_marks import find_cited_ranks, split_citations, strip_citations


@pytest.mark.parametrize(
    ("citation", "ranks"),
    [
        ("[2]", [2]),
        ("[ 2 ]", [2]),
        ("【2】", [2]),
        ("［2］", [2]),
        ("［２］", [2]),
        ("[1-3]", [1, 2, 3]),
        ("[1–3]", [1, 2, 3]),
        ("[1—3]", [1, 2, 3]),
        ("[1; 2]", [1, 2]),
        ("[1；2]", [1, 2]),
        ("[1、2]", [1, 2]),
        ("[1,2]", [1, 2]),
        ("[1，2]", [1, 2]),
        ("[3, 1-2]", [3, 1, 2]),
        ("[2][1]", [2, 1]),
    ],
)
def test_a_citation_is_cut_out_and_gives_its_ranks(citation: str, ranks: list[int]) -> None:
    answer = f"共403例{citation}。"
    assert find_cited_ranks(answer) == ranks
    assert strip_citations(answer).split() == ["共403例", "。"]
    assert "".join(split_citations(answer)) == answer
    assert [piece for piece in split_citations(answer)[::2] if piece] == ["共403例", "。"]


@pytest.mark.parametrize(
    "brackets", ["[2024]", "[kg]", "[0.78, 0.89]", "[]", "(2)", "[a1]", "[-1]"]
)
def test_other_brackets_are_no_citation(brackets: str) -> None:
    answer = f"It weighs 3 {brackets}."
    assert find_cited_ranks(answer) == []
    assert strip_citations(answer) == answer
    assert split_citations(answer) == [answer]


def test_a_rank_cited_twice_counts_once() -> None:
    assert find_cited_ranks("a [2], b [1-2]") == [2, 1]


def test_a_range_too_long_to_be_one_is_cut() -> None:
    assert find_cited_ranks("[1-999]") == list(range(1, 52))
