"""Captions are told from sentences and paired with their own figure, or with none."""

import pytest

from sandbox.documents.figures.captions import find_captions, starts_caption
from sandbox.documents.figures.pairing import pair_across_pages, pair_captions
from sandbox.records import Block, Box, Figure, Line, Page


def box(left: float, top: float, right: float, bottom: float, page: int = 1) -> Box:
    return Box(page=page, left=left, top=top, right=right, bottom=bottom)


def line(text: str, top: float, *, left: float = 60, page: int = 1) -> Line:
    return Line(text=text, box=box(left, top, left + 6 * len(text), top + 12, page))


def paired(figures: list[Box], lines: list[Line], prose: tuple[Line, ...] = ()) -> list[str]:
    captions = find_captions(lines)
    found = pair_captions(figures, captions, [one.box for one in prose])
    return [caption.text if caption else "" for caption in found]


@pytest.mark.parametrize(
    "text",
    [
        "Figure 2. Weekly visits",
        "FIGURE 2: Weekly visits",
        "Fig. 2 – Weekly visits",
        "Figure 2 Weekly visits",
        "Figure 2.1: Weekly visits",
        "Figure A-3. Weekly visits",
        "Chart 3",
        "Exhibit 4. Revenue",
        "Map 1: Districts",
        "圖二、乙區雨量",
        "圖 1　各區病例數",
        "圖1、各區病例數",
        "圖 1 民國112年各區病例數",
        "图3 各区病例数",
        "图3-1：各区病例数",
        "附圖一　位置圖",
        "圖十二：雨量",
    ],
)
def test_a_label_and_a_title_are_a_caption(text: str) -> None:
    assert starts_caption(text)


@pytest.mark.parametrize(
    "text",
    [
        "Figure 3 shows that rain was equal in both weeks.",
        "Figures 3 and 4 compare the weeks.",
        "Figure 3, which was drawn later, is different.",
        "Figure 3 and Figure 4 compare the weeks.",
        "圖二顯示乙區第一週較多。",
        "圖二所示，乙區第一週較多。",
        "圖一、圖二均顯示乙區較多。",
        "如圖二所示，乙區第一週較多。",
        "圖書館於週一休館",
        "图3说明各区情况",
        "Table 3. Visits by week",
        "表 1　各區病例數",
        "Figure 3. Weekly visits .............. 12",
        "Mapping the districts",
        "Chart of the harbor",
    ],
)
def test_a_sentence_a_table_or_a_list_entry_is_no_caption(text: str) -> None:
    assert not starts_caption(text)


def test_a_line_that_wraps_to_begin_with_a_label_is_no_caption() -> None:
    lines = [
        line("The rain of both weeks was equal, as can be seen in", 100),
        line("Figure 3. It was not so in the years before, however.", 113),
    ]
    assert find_captions(lines) == ()


def test_a_caption_goes_on_over_its_lines_and_no_further() -> None:
    lines = [
        line("Figure 3. Rain at the station, left panel, the caption runs", 100),
        line("over two lines and mentions Figure 4.", 113),
        line("The next paragraph begins after a gap.", 140),
    ]
    assert [caption.text for caption in find_captions(lines)] == [
        "Figure 3. Rain at the station, left panel, the caption runs "
        "over two lines and mentions Figure 4."
    ]


def test_a_unit_line_in_another_font_is_not_part_of_the_caption() -> None:
    lines = [line("Figure 2. Storage by month", 100), line("Storage (% of capacity)", 113)]
    styles = [frozenset({"Bold 9.0"}), frozenset({"Regular 8.0"})]
    assert [caption.text for caption in find_captions(lines, styles)] == [
        "Figure 2. Storage by month"
    ]


def test_captions_above_and_captions_below_find_their_figures() -> None:
    above = [line("圖一、甲區", 57), line("圖二、乙區", 252)]
    below = [line("Figure 1. North", 235), line("Figure 2. South", 430)]
    figures = [box(60, 80, 330, 230), box(60, 275, 330, 425)]
    assert paired(figures, above) == ["圖一、甲區", "圖二、乙區"]
    assert paired(figures, below) == ["Figure 1. North", "Figure 2. South"]


def test_captions_of_figures_side_by_side_are_not_swapped() -> None:
    lines = [line("Figure 3. Left", 611), line("Figure 4. Right", 611, left=311)]
    figures = [box(310, 470, 540, 600), box(60, 470, 290, 600)]
    assert paired(figures, lines) == ["Figure 4. Right", "Figure 3. Left"]


def test_a_caption_between_two_figures_is_given_to_neither() -> None:
    figures = [box(60, 80, 330, 230), box(60, 260, 330, 410)]
    assert paired(figures, [line("Figure 1. Rain", 239)]) == ["", ""]


def test_a_caption_does_not_reach_over_a_paragraph() -> None:
    prose = line("The paragraph between the figure and the caption.", 240)
    lines = [line("Figure 1. Rain", 262)]
    assert paired([box(60, 80, 330, 230)], lines, (prose,)) == [""]


def page(number: int, *, lines: list[Line], figures: list[Box]) -> Page:
    return Page(
        number=number,
        width=595,
        height=842,
        source="text layer",
        blocks=tuple(Block(lines=(one,)) for one in lines),
        figures=tuple(
            Figure(box=place, kind="raster", image=f"{number}-{index}.png")
            for index, place in enumerate(figures)
        ),
    )


def captions(pages: tuple[Page, ...]) -> list[list[str]]:
    return [[figure.caption for figure in page.figures] for page in pages]


def test_a_caption_at_the_top_of_the_next_page_belongs_to_the_last_figure() -> None:
    first = page(2, lines=[], figures=[box(70, 560, 490, 800, 2)])
    second = page(3, lines=[line("Figure 5. Whole year", 57, page=3)], figures=[])
    assert captions(pair_across_pages([first, second])) == [["Figure 5. Whole year"], []]


def test_a_caption_at_the_end_of_a_page_belongs_to_the_figure_that_begins_the_next() -> None:
    first = page(2, lines=[line("圖五、全年", 750, page=2)], figures=[])
    second = page(3, lines=[], figures=[box(70, 70, 490, 300, 3)])
    assert captions(pair_across_pages([first, second])) == [[], ["圖五、全年"]]


def test_a_figure_followed_by_text_takes_no_caption_from_the_next_page() -> None:
    first = page(
        2, lines=[line("Text below it.", 600, page=2)], figures=[box(70, 300, 490, 500, 2)]
    )
    second = page(3, lines=[line("Figure 5. Whole year", 57, page=3)], figures=[])
    assert captions(pair_across_pages([first, second])) == [[""], []]


def test_the_habit_of_the_document_decides_what_one_page_leaves_open() -> None:
    from dataclasses import replace

    settled = page(1, lines=[line("Figure 1. Rain", 239)], figures=[box(60, 80, 330, 230)])
    figure = replace(settled.figures[0], caption="Figure 1. Rain")
    settled = replace(settled, figures=(figure,))
    open_page = page(
        2,
        lines=[line("Figure 2. Wind", 239, page=2), line("The end of the page.", 700, page=2)],
        figures=[box(60, 80, 330, 230, 2), box(60, 260, 330, 410, 2)],
    )
    assert captions(pair_across_pages([settled, open_page])) == [
        ["Figure 1. Rain"],
        ["Figure 2. Wind", ""],
    ]
