import pytest

from sandbox.text.sentences import ends_sentence, split_sentences


def test_sentences_end_at_chinese_and_english_stops_but_not_inside_numbers() -> None:
    text = "共3.5例。他說：「好！」走了；It rose to 1.2 million. Then it fell."
    assert split_sentences(text) == [
        "共3.5例。",
        "他說：「好！」",
        "走了；",
        "It rose to 1.2 million.",
        "Then it fell.",
    ]


def test_an_abbreviation_does_not_end_a_sentence() -> None:
    text = (
        "Dr. Li and Mrs. Wu met at St. Mary, i.e. the clinic of Fig. 2. No. 7 stayed. Was it? No."
    )
    assert split_sentences(text) == [
        "Dr. Li and Mrs. Wu met at St. Mary, i.e. the clinic of Fig. 2.",
        "No. 7 stayed.",
        "Was it?",
        "No.",
    ]


def test_a_word_that_only_ends_like_an_abbreviation_ends_a_sentence() -> None:
    assert split_sentences("It ate a fig. It was ripe. It ran past. They saw.") == [
        "It ate a fig.",
        "It was ripe.",
        "It ran past.",
        "They saw.",
    ]


@pytest.mark.parametrize("line", ["共 403 例。", "他說：「好。」", "rose to 12.5%.", "namely:"])
def test_a_line_that_stops_ends_a_sentence(line: str) -> None:
    assert ends_sentence(line)


@pytest.mark.parametrize("line", ["Cases by year", "月港區（續）", "12.5%", ""])
def test_a_label_ends_no_sentence(line: str) -> None:
    assert not ends_sentence(line)
