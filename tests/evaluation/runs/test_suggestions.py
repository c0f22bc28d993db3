import pytest

from sandbox.evaluation.runs.suggestions import Expected, suggest


def verdict(response: str, *accepted: str, question: str = "多少？", reference: str = "") -> str:
    expected = Expected(question=question, reference=reference, accepted_answers=accepted)
    return suggest(response, expected, refused=False).value


@pytest.mark.parametrize(
    ("response", "accepted"),
    [
        ("共四百零三例。", "403"),
        ("共403例[1][2]。", "四百零三例"),
        ("約１５，０００人", "一萬五千"),
        ("以五月最多", "5月"),
        ("5 月最多", "五月"),
        ("占 42.5 %", "百分之四十二點五"),
        ("2018年最多", "民國107年"),
        ("民國107年最多", "2018"),
        ("It was raised to €3,500,000 [2].", "EUR 3.5 million"),
        ("EUR 84.6 million", "84.6"),
        ("On August 2nd.", "2 August"),
        ("Within 6 weeks.", "six weeks"),
        ("月港区最多", "月港區"),
        ("The PELLAN works.", "Pellan"),
        ("20～29歲", "20至29歲"),
        ("42.50 percent", "42.5%"),
    ],
)
def test_another_way_to_write_an_accepted_answer_is_right(response: str, accepted: str) -> None:
    assert verdict(response, accepted) == "right"


@pytest.mark.parametrize(
    "citation", ["[2]", "[1-3]", "【2】", "［2］", "[1; 2]", "[1、2]", "[1,2]", "[1][3]"]
)
def test_citations_in_every_form_are_no_numbers_of_the_answer(citation: str) -> None:
    assert verdict(f"There were 403 cases {citation}.", "403") == "right"
    assert verdict(f"共四百零三例{citation}。", "403例") == "right"
    assert verdict(f"There were some cases {citation}.", "2") == "wrong"


def test_a_year_in_brackets_is_a_number_of_the_answer() -> None:
    assert verdict("in the year [2019]", "2019") == "right"


@pytest.mark.parametrize(
    ("response", "accepted"),
    [
        ("共120例", "12"),
        ("15月最多", "5月"),
        ("共 12,403 例", "403"),
        ("B12型", "12"),
        ("The Pellans", "Pellan"),
        ("the warrior", "war"),
        ("-3.2%", "3.2%"),
        ("138 million", "138 m"),
        ("2017年", "民國107年"),
    ],
)
def test_a_part_of_a_number_or_word_is_wrong(response: str, accepted: str) -> None:
    assert verdict(response, accepted) != "right"


@pytest.mark.parametrize(
    ("response", "accepted"),
    [
        ("不是403例", "403"),
        ("並非月港區", "月港區"),
        ("It is not Pellan but Stennock.", "Pellan"),
        ("不到403例", "403例"),
        ("more than 403", "403"),
        ("403例，一說為512例", "403例"),
        ("Pellan or Stennock", "Pellan"),
        ("可能是月港區", "月港區"),
        ("46名病人", "46例"),
        ("3.5", "3.5 million"),
        ("Moon Harbor", "月港區"),
    ],
)
def test_a_negation_a_doubt_another_number_or_another_unit_is_unsure(
    response: str, accepted: str
) -> None:
    assert verdict(response, accepted) == "unsure"


def test_numbers_of_the_question_and_the_reference_raise_no_doubt() -> None:
    assert (
        verdict(
            "民國103年至112年之間，107年最多，164例[1]。",
            "107年",
            question="民國103年至112年之間，哪一年最多？",
            reference="民國107年，164例。",
        )
        == "right"
    )


def test_a_bare_year_is_of_the_republic_where_the_question_speaks_of_it() -> None:
    assert verdict("2018年", "107年", question="民國哪一年最多？") == "right"
    assert verdict("2018年", "107年", question="多少？") == "wrong"


def test_an_unanswerable_question_is_answered_right_only_by_a_refusal() -> None:
    expected = Expected(question="Who?", answerable=False)
    assert suggest("The material does not say.", expected, refused=True).value == "right"
    assert suggest("Somebody.", expected, refused=False).value == "wrong"


def test_a_refusal_of_an_answerable_question_is_wrong_unless_it_holds_the_answer() -> None:
    expected = Expected(question="How many?", accepted_answers=("403",))
    assert suggest("I do not know.", expected, refused=True).value == "wrong"
    assert suggest("I do not know, 403?", expected, refused=True).value == "unsure"


def test_without_accepted_answers_nothing_is_suggested() -> None:
    suggestion = suggest("403", Expected(question="How many?"), refused=False)
    assert suggestion.value == "unsure"
    assert suggestion.reason == "the test case accepts no answers to compare"


def test_the_number_that_raises_a_doubt_is_named() -> None:
    expected = Expected(question="多少？", accepted_answers=("403例",))
    assert "so does 512," in suggest("403例，512例", expected, refused=False).reason
