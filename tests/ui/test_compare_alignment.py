from sandbox.ui.compare.alignment import align, differing
from tests.evaluation.compared_runs import retrieved
from tests.evaluation.scripted_runs import chunk


def marked(text: str, *others: str) -> list[str]:
    return [piece.text for piece in differing(text, others) if piece.differs]


def test_equal_chunks_are_joined_though_their_ids_differ() -> None:
    (first,) = retrieved(chunk(3, "Ward 3 has 3 beds.", document="wards.pdf"))
    other = retrieved(7, chunk(3, "Ward 3 has 3 beds.", document="renamed.pdf"))
    rows = align([(first,), other])
    places = [[item.rank if item else None for item in row.places] for row in rows]
    assert places == [[1, 2], [None, 1]]
    assert [row.is_shared for row in rows] == [True, False]


def test_chunks_stand_in_the_order_of_their_best_rank() -> None:
    rows = align([retrieved(1, 2, 3), retrieved(4, 3)])
    assert [row.chunk.page for row in rows] == [1, 4, 3, 2]


def test_nothing_retrieved_gives_no_rows() -> None:
    assert align([(), ()]) == ()


def test_the_words_that_another_answer_lacks_are_marked() -> None:
    assert marked("It was 1,024 in 2019.", "It was 98 in 2019.") == ["1,024"]
    assert marked("最多的是2019年", "最多的是2018年") == ["2019"]
    assert marked("equal", "equal") == []


def test_citations_are_no_difference() -> None:
    assert marked("141 cases [1]", "141 cases [2]") == []


def test_spaces_between_marked_words_are_marked_with_them() -> None:
    assert marked("the ward in the north", "the ward") == ["in the north"]


def test_pieces_are_the_whole_text_again() -> None:
    text = "It was 98 [1], in 2019。\n<b>最多</b>"
    assert "".join(piece.text for piece in differing(text, ["other words"])) == text


def test_nothing_is_marked_without_another_answer() -> None:
    assert marked("141 cases", "") == []
    assert marked("141 cases") == []
