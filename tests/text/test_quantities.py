from decimal import Decimal

import pytest

from sandbox.text.quantities import MARK, Number, find_digits, read


def values(text: str) -> list[str]:
    return [format(number.value.normalize(), "f") for number in read(text).numbers]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("四百零三例", ["403"]),
        ("一萬五千人", ["15000"]),
        ("1.5萬人", ["15000"]),
        ("二〇一八年", ["2018"]),
        ("一百〇三", ["103"]),
        ("兩百", ["200"]),
        ("１２，３４５人", ["12345"]),
        ("8,642人", ["8642"]),
        ("11\u202f240 homes", ["11240"]),
        ("103，104，105年", ["103", "104", "105"]),
        ("EUR 3.5 million", ["3500000"]),
        ("€3,500,000", ["3500000"]),
        ("three days", ["3"]),
        ("民國107年", ["2018"]),
        ("民國一百零七年", ["2018"]),
        ("民國元年", ["1912"]),
        ("民國前1年", ["1911"]),
        ("-3.2%", ["-3.2"]),
        ("負3.2%", ["-3.2"]),
        ("20-29", ["20", "29"]),
        ("B3, W-110, Q2", []),
        ("萬一, 五六人, 千百年", []),
    ],
)
def test_numbers_are_read_as_a_person_reads_them(text: str, expected: list[str]) -> None:
    assert values(text) == expected


@pytest.mark.parametrize(
    "texts",
    [
        ("百分之四十二點五", "42.5％", "42.5 percent", "42.5 per cent"),
        ("二十至二十九歲", "20–29歲", "20 ~ 29 岁"),
        ("2 August 2024", "August 2nd, 2024", "2024-08-02", "2024年8月2日", "二〇二四年八月二日"),
        ("€30", "EUR 30", "30 euros", "EUR30"),
        ("in May", "in 5月"),
        ("5 公里", "5 kilometres", "5km"),
    ],
)
def test_ways_to_write_the_same_have_one_reading(texts: tuple[str, ...]) -> None:
    assert len({read(text) for text in texts}) == 1


def test_the_text_around_numbers_keeps_a_mark_for_each() -> None:
    assert read("共 403 例，占 12 %").shape == f"共{MARK}例,占{MARK}%"


def test_a_number_without_its_scale_stands_for_the_scaled_one_but_not_the_reverse() -> None:
    millions = Number(Decimal(84_600_000), Decimal("84.6"))
    plain = Number(Decimal("84.6"), Decimal("84.6"))
    assert millions.is_meant_by(plain)
    assert not plain.is_meant_by(millions)


def test_a_mark_in_the_text_itself_is_no_number() -> None:
    assert read(f"a{MARK}b").numbers == ()
    assert MARK not in read(f"a{MARK}b").shape


def test_numbers_in_digits_keep_their_place_and_compare_by_value() -> None:
    numbers = find_digits("1,030 of 12.5 % (2019, 1030)")
    assert [(number.start, number.text) for number in numbers] == [
        (0, "1,030"),
        (9, "12.5"),
        (17, "2019"),
        (23, "1030"),
    ]
    assert numbers[0].value == numbers[3].value == Decimal(1030)


def test_a_comma_that_groups_no_thousands_separates_two_numbers() -> None:
    assert [number.text for number in find_digits("103,104,1055")] == ["103,104", "1055"]
