"""The series of a chart comes from where its labels stand, or not at all."""

from typing import Any

import pytest

from sandbox.documents.charts.labels import read_number, split_numbers, unit_of
from sandbox.documents.charts.series import drop_misread, recover_chart
from sandbox.records import Box, Line


def label(text: str, x: float, y: float, *, wide: float = 8) -> Line:
    """A label whose middle is at x, y."""
    half = wide * max(len(text), 1) / 2
    return Line(text=text, box=Box(page=1, left=x - half, top=y - 6, right=x + half, bottom=y + 6))


def flush_right(text: str, right: float, y: float) -> Line:
    return label(text, right - 4 * len(text), y)


def series(labels: list[Line]) -> dict[str, list[str]] | None:
    chart = recover_chart(labels)
    if chart is None:
        return None
    return {one.label: [value.text for value in one.values] for one in chart.categories}


def upright(values: dict[str, str], *, step: float = 60) -> list[Line]:
    """Bars up to 200 high on a baseline at 300: category below, value above."""
    labels = []
    for index, (name, value) in enumerate(values.items()):
        x = 100 + step * index
        labels += [label(name, x, 315), label(value, x, 290 - (read_number(value) or 0))]
    return labels


TICKS = [flush_right(str(tick), 70, 300 - tick) for tick in (0, 50, 100, 150, 200)]


def test_values_above_their_categories_are_paired_by_column() -> None:
    labels = upright({"東澤": "143", "西澤": "111", "南澤": "87", "港口": "50"})
    assert series(labels) == {"東澤": ["143"], "西澤": ["111"], "南澤": ["87"], "港口": ["50"]}


def test_years_are_categories_and_axis_numbers_are_no_values() -> None:
    labels = upright({"104": "29", "105": "14", "106": "37", "107": "141", "108": "90"})
    assert series([*TICKS, *labels, label("cases", 30, 200)]) == {
        "104": ["29"],
        "105": ["14"],
        "106": ["37"],
        "107": ["141"],
        "108": ["90"],
    }


def test_values_beside_horizontal_bars_are_paired_by_row() -> None:
    rows = {"Very satisfied": "1,204", "Satisfied": "856", "Neither": "402", "Dissatisfied": "97"}
    labels = []
    for index, (name, value) in enumerate(rows.items()):
        y = 50 + 40 * index
        number = read_number(value) or 0
        labels += [flush_right(name, 150, y), label(value, 190 + number / 10, y)]
    axis = [label(str(tick), 160 + tick / 10, 210) for tick in (0, 500, 1000)]
    assert series([*labels, *axis]) == {name: [value] for name, value in rows.items()}


def test_a_category_of_two_lines_is_one_category() -> None:
    labels = [
        flush_right("Neither satisfied", 150, 44),
        flush_right("nor dissatisfied", 150, 57),
        label("40", 200, 50),
        flush_right("Satisfied", 150, 110),
        label("90", 260, 110),
        flush_right("Other", 150, 170),
        label("12", 180, 170),
    ]
    assert series(labels) == {
        "Neither satisfied nor dissatisfied": ["40"],
        "Satisfied": ["90"],
        "Other": ["12"],
    }


def test_rates_percentages_and_units_are_values() -> None:
    labels = upright({"North": "12.5%", "South": "3.4%", "East": "108.8%"}, step=90)
    assert series(labels) == {"North": ["12.5%"], "South": ["3.4%"], "East": ["108.8%"]}


def test_grouped_bars_give_their_values_in_order() -> None:
    labels = []
    for index, (name, first, second) in enumerate(
        (("North", 29, 35), ("South", 31, 28), ("East", 40, 44))
    ):
        x = 100 + 100 * index
        labels += [
            label(name, x, 315),
            label(str(first), x - 20, 290 - first),
            label(str(second), x + 20, 290 - second),
        ]
    assert series(labels) == {"North": ["29", "35"], "South": ["31", "28"], "East": ["40", "44"]}


def test_a_number_that_belongs_to_no_category_makes_it_uncertain() -> None:
    labels = upright({"A": "20", "B": "40", "C": "60", "D": "80"})
    assert series([*labels, label("75", 100, 150)]) is None


def test_a_curve_with_nothing_but_axes_has_no_series() -> None:
    across = [label(str(week), 100 + 6 * week, 315) for week in (0, 10, 20, 30, 40)]
    assert series([*TICKS, *across, label("week", 220, 335)]) is None


def test_one_value_that_was_not_read_leaves_the_others() -> None:
    labels = upright({"A": "20", "B": "40", "C": "60", "D": "80", "E": "50"})
    missing = [one for one in labels if one.text != "40"]
    assert series(missing) == {"A": ["20"], "B": [], "C": ["60"], "D": ["80"], "E": ["50"]}


def test_half_of_the_values_are_not_enough() -> None:
    labels = upright({"A": "20", "B": "40", "C": "60", "D": "80"})
    assert series([one for one in labels if one.text not in ("20", "40")]) is None


def test_upright_text_below_the_bars_is_paired_too() -> None:
    labels = []
    for index, (name, value) in enumerate((("Influenza", 125), ("Measles", 34), ("Dengue", 88))):
        x, length = 100 + 80 * index, 8 * len(name)
        turned = Box(page=1, left=x - 6, top=310, right=x + 6, bottom=310 + length)
        labels += [Line(text=name, box=turned), label(str(value), x, 290 - value)]
    assert series(labels) == {"Influenza": ["125"], "Measles": ["34"], "Dengue": ["88"]}


def test_numbers_read_as_one_line_are_taken_apart() -> None:
    one_line = Line(text="104 105 106", box=Box(page=1, left=0, top=0, right=110, bottom=12))
    assert [(one.text, one.box.left, one.box.right) for one in split_numbers(one_line)] == [
        ("104", 0, 30),
        ("105", 40, 70),
        ("106", 80, 110),
    ]


@pytest.mark.parametrize(
    ("text", "number", "unit"),
    [
        ("1,204", 1204.0, ""),
        ("1 204", 1204.0, ""),
        ("12.5%", 12.5, "%"),
        ("12,5 %", 12.5, "%"),
        ("141例", 141.0, "例"),
        ("$3.2", 3.2, "$"),
        ("−4", -4.0, ""),
        ("29 (12%)", 29.0, ""),
        ("10-19", None, ""),
        ("10歲以上", None, ""),
        ("Northport", None, ""),
        ("民國112年", None, ""),
    ],
)
def test_printed_values_are_read(text: str, number: float | None, unit: str) -> None:
    assert (read_number(text), unit_of(text)) == (number, unit)


def test_a_value_misread_by_ocr_is_taken_back() -> None:
    labels = upright(
        {"104": "29", "105": "14", "106": "37", "107": "141", "108": "90", "109": "60"}
    )
    misread: list[Any] = [
        Line(text="14", box=one.box) if one.text == "141" else one for one in labels
    ]
    chart = recover_chart(misread)
    assert chart is not None
    checked = drop_misread(chart)
    assert [[value.text for value in one.values] for one in checked.categories] == [
        ["29"],
        ["14"],
        ["37"],
        [],
        ["90"],
        ["60"],
    ]


def test_values_that_stand_where_they_belong_are_kept() -> None:
    chart = recover_chart(upright({"A": "20", "B": "40", "C": "60", "D": "80", "E": "150"}))
    assert chart is not None
    assert drop_misread(chart) == chart
