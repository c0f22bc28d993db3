from sandbox.ui.compare.alignment import differing


def marked(text: str, *others: str) -> list[str]:
    return [piece.text for piece in differing(text, others) if piece.differs]


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
