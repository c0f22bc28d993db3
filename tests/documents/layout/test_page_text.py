"""Text in the order it is read, and text that nobody can see."""

from collections.abc import Callable
from pathlib import Path

import pymupdf
import pytest

from sandbox.documents.page_reader import read_page
from sandbox.records import Block, Page

LEFT = [
    "The committee reviewed the annual",
    "report of the Linden laboratory and",
    "found that strain K7 takes nine days",
    "to show, two days longer than before.",
]
RIGHT = [
    "Strain M2 was isolated from river",
    "water at the Sorrel weir in spring",
    "and does not grow below ten degrees",
    "however long the samples are kept.",
]
THIRD = [
    "A third group was",
    "kept in the dark at",
    "eight degrees for",
    "the whole winter.",
]


@pytest.fixture
def new_page() -> pymupdf.Page:
    return pymupdf.open().new_page(width=595, height=842)


def read(page: pymupdf.Page, folder: Path) -> Page:
    document = pymupdf.open("pdf", page.parent.tobytes())
    return read_page(document[page.number], page.number + 1, folder)


def texts(page: Page) -> list[str]:
    return [" ".join(line.text for line in block.lines) for block in page.blocks]


def write(page: pymupdf.Page, x: float, y: float, lines: list[str], *, pitch: float = 14) -> None:
    for index, line in enumerate(lines):
        page.insert_text((x, y + index * pitch), line, fontsize=10)


def test_columns_whose_lines_alternate_in_the_file_are_read_one_after_the_other(
    new_page: pymupdf.Page, tmp_path: Path
) -> None:
    for index, (left, right) in enumerate(zip(LEFT, RIGHT, strict=True)):
        write(new_page, 60, 100 + 14 * index, [left])
        write(new_page, 320, 100 + 14 * index, [right])
    assert texts(read(new_page, tmp_path)) == [" ".join(LEFT), " ".join(RIGHT)]


def test_a_footer_with_its_page_number_at_the_right_does_not_mix_the_columns_above(
    new_page: pymupdf.Page, tmp_path: Path
) -> None:
    for index, (left, right) in enumerate(zip(LEFT, RIGHT, strict=True)):
        write(new_page, 60, 100 + 14 * index, [left])
        write(new_page, 320, 100 + 14 * index, [right])
    write(
        new_page,
        60,
        800,
        ["Demonstration document: the laboratory and all of its strains are invented"],
    )
    write(new_page, 520, 800, ["8"])
    assert texts(read(new_page, tmp_path))[:2] == [" ".join(LEFT), " ".join(RIGHT)]


def test_columns_on_different_baselines_are_told_apart(
    new_page: pymupdf.Page, tmp_path: Path
) -> None:
    write(new_page, 60, 100, LEFT)
    write(new_page, 320, 105, RIGHT, pitch=13)
    assert texts(read(new_page, tmp_path)) == [" ".join(LEFT), " ".join(RIGHT)]


def test_a_heading_over_both_columns_stands_between_what_is_above_and_below(
    new_page: pymupdf.Page, tmp_path: Path
) -> None:
    write(new_page, 60, 100, LEFT)
    write(new_page, 320, 100, RIGHT)
    new_page.insert_text((180, 190), "Results of the second summer of trials", fontsize=14)
    write(new_page, 60, 220, RIGHT)
    write(new_page, 320, 220, LEFT)
    assert texts(read(new_page, tmp_path)) == [
        " ".join(LEFT),
        " ".join(RIGHT),
        "Results of the second summer of trials",
        " ".join(RIGHT),
        " ".join(LEFT),
    ]


def test_a_page_may_go_from_one_column_to_three(new_page: pymupdf.Page, tmp_path: Path) -> None:
    wide = [
        "This report covers everything that was measured at the three stations between March and",
        "October, and repeats the figures of the year before where a comparison can be made.",
    ]
    write(new_page, 60, 100, wide)
    write(new_page, 60, 160, THIRD)
    write(new_page, 230, 160, [line.replace("third", "fourth") for line in THIRD])
    write(new_page, 400, 160, [line.replace("third", "fifth") for line in THIRD])
    assert texts(read(new_page, tmp_path)) == [
        " ".join(wide),
        " ".join(THIRD),
        " ".join(THIRD).replace("third", "fourth"),
        " ".join(THIRD).replace("third", "fifth"),
    ]


def test_names_and_values_in_two_columns_are_read_row_by_row(
    new_page: pymupdf.Page, tmp_path: Path
) -> None:
    write(new_page, 60, 100, ["Cedar", "Dogwood"])
    write(new_page, 300, 100, ["14 beds", "22 beds"])
    page = read(new_page, tmp_path)
    assert [line.text for block in page.blocks for line in block.lines] == [
        "Cedar 14 beds",
        "Dogwood 22 beds",
    ]


def test_boxes_of_a_rotated_page_are_where_the_text_is_displayed(
    new_page: pymupdf.Page, tmp_path: Path
) -> None:
    new_page.insert_text((50, 100), "turned with the page", fontsize=10, rotate=90)
    new_page.set_rotation(90)
    page = read(new_page, tmp_path)
    box = page.blocks[0].lines[0].box
    assert (page.width, page.height) == (842, 595)
    assert (round(box.left), round(box.right - box.left) > 80) == (842 - 100, True)


def test_text_written_sideways_is_read_in_its_own_direction(
    new_page: pymupdf.Page, tmp_path: Path
) -> None:
    for index, line in enumerate(LEFT):
        new_page.insert_text((100 + 14 * index, 700), line, fontsize=10, rotate=90)
    assert texts(read(new_page, tmp_path)) == [" ".join(LEFT)]


def test_a_large_line_is_a_heading_and_a_sentence_is_not(
    new_page: pymupdf.Page, tmp_path: Path
) -> None:
    new_page.insert_text((60, 80), "Two strains compared", fontsize=16)
    write(new_page, 60, 110, LEFT)
    page = read(new_page, tmp_path)
    assert [block.heading for block in page.blocks] == [True, False]


def test_numbered_items_are_paragraphs_of_their_own(new_page: pymupdf.Page, tmp_path: Path) -> None:
    for index, line in enumerate(["一、接種日期及地點", "由中心公告之。", "二、費用由本府負擔。"]):
        new_page.insert_text((60, 100 + 16 * index), line, fontsize=11, fontname="china-t")
    page = read(new_page, tmp_path)
    assert [[line.text for line in block.lines] for block in page.blocks] == [
        ["一、接種日期及地點", "由中心公告之。"],
        ["二、費用由本府負擔。"],
    ]


def test_a_footnote_mark_does_not_become_part_of_the_number(
    new_page: pymupdf.Page, tmp_path: Path
) -> None:
    new_page.insert_htmlbox((60, 60, 400, 120), "<p>There were 1,204<sup>3</sup> cases.</p>")
    assert texts(read(new_page, tmp_path)) == ["There were 1,204³ cases."]


def white(page: pymupdf.Page) -> None:
    page.insert_text((60, 200), "secret order", color=(1, 1, 1))


def nearly_white_on_white(page: pymupdf.Page) -> None:
    page.insert_text((60, 200), "secret order", color=(0.99, 0.99, 0.99))


def yellow_on_yellow(page: pymupdf.Page) -> None:
    page.draw_rect((50, 180, 300, 210), color=None, fill=(1, 1, 0))
    page.insert_text((60, 200), "secret order", color=(1, 1, 0))


def black_under_black(page: pymupdf.Page) -> None:
    page.insert_text((60, 200), "secret order")
    page.draw_rect((50, 180, 300, 210), color=None, fill=(0, 0, 0))


def tiny(page: pymupdf.Page) -> None:
    page.insert_text((60, 200), "secret order", fontsize=0.6)


def without_ink(page: pymupdf.Page) -> None:
    page.insert_text((60, 200), "secret order", render_mode=3)


def transparent(page: pymupdf.Page) -> None:
    page.insert_text((60, 200), "secret order", fill_opacity=0)


def off_the_page(page: pymupdf.Page) -> None:
    page.insert_text((60, 900), "secret order")


def under_a_picture(page: pymupdf.Page) -> None:
    page.insert_text((60, 200), "secret order")
    page.insert_image((50, 150, 150, 250), pixmap=picture(alpha=False))


def picture(*, alpha: bool) -> pymupdf.Pixmap:
    """A colorful picture, half transparent on request."""
    samples = bytes(
        value
        for row in range(60)
        for column in range(60)
        for value in (220, 2 * column + 100, 2 * row + 100, 90)[: 4 if alpha else 3]
    )
    return pymupdf.Pixmap(pymupdf.csRGB, 60, 60, samples, alpha)


HIDDEN = [
    white,
    nearly_white_on_white,
    yellow_on_yellow,
    black_under_black,
    tiny,
    without_ink,
    transparent,
    off_the_page,
    under_a_picture,
]


@pytest.mark.parametrize("hide", HIDDEN)
def test_text_that_cannot_be_seen_is_kept_apart(
    hide: Callable[[pymupdf.Page], None], new_page: pymupdf.Page, tmp_path: Path
) -> None:
    write(new_page, 60, 100, LEFT)
    hide(new_page)
    page = read(new_page, tmp_path)
    assert [(t, b.hidden_text) for t, b in zip(texts(page), page.blocks, strict=True)] == [
        (" ".join(LEFT), "secret order")
    ]


def test_hidden_text_beside_visible_text_in_one_line_is_found(
    new_page: pymupdf.Page, tmp_path: Path
) -> None:
    new_page.insert_htmlbox(
        (60, 60, 500, 120),
        '<p>The bid was 3.48 <span style="color:#ffffff">or 9.99</span> crowns.</p>',
    )
    page = read(new_page, tmp_path)
    assert [(t, b.hidden_text) for t, b in zip(texts(page), page.blocks, strict=True)] == [
        ("The bid was 3.48 crowns.", "or 9.99")
    ]


def test_white_text_on_a_dark_box_is_ordinary_text(new_page: pymupdf.Page, tmp_path: Path) -> None:
    new_page.draw_rect((50, 80, 300, 120), color=None, fill=(0.1, 0.1, 0.4))
    new_page.insert_text((60, 105), "Opening hours", color=(1, 1, 1))
    assert texts(read(new_page, tmp_path)) == ["Opening hours"]


def test_text_on_a_page_painted_white_first_is_ordinary_text(
    new_page: pymupdf.Page, tmp_path: Path
) -> None:
    new_page.draw_rect(new_page.rect, color=None, fill=(1, 1, 1))
    write(new_page, 60, 100, LEFT)
    assert texts(read(new_page, tmp_path)) == [" ".join(LEFT)]


def test_a_watermark_over_the_text_hides_nothing(new_page: pymupdf.Page, tmp_path: Path) -> None:
    write(new_page, 60, 100, LEFT)
    new_page.insert_image((50, 80, 350, 250), pixmap=picture(alpha=True))
    assert " ".join(texts(read(new_page, tmp_path))) == " ".join(LEFT)


def test_the_text_layer_of_a_scan_is_text_although_it_has_no_ink(
    new_page: pymupdf.Page, tmp_path: Path
) -> None:
    new_page.insert_image(new_page.rect, pixmap=picture(alpha=False), keep_proportion=False)
    for index, line in enumerate(LEFT):
        new_page.insert_text((60, 100 + 14 * index), line, fontsize=10, render_mode=3)
    page = read(new_page, tmp_path)
    assert (texts(page), page.source, page.figures) == ([" ".join(LEFT)], "text layer", ())


def test_hidden_text_on_a_page_without_other_text_is_shown_as_hidden(
    new_page: pymupdf.Page, tmp_path: Path
) -> None:
    white(new_page)
    assert read(new_page, tmp_path).blocks == (Block(lines=(), hidden_text="secret order"),)


def test_a_sign_that_no_font_explains_does_not_cost_the_page(
    new_page: pymupdf.Page, tmp_path: Path
) -> None:
    new_page.insert_font(fontname="mark", fontbuffer=pymupdf.Font("symb").buffer)
    write(new_page, 75, 100, LEFT)
    new_page.insert_text((60, 100), "\x04", fontname="mark", fontsize=10)
    assert " ".join(LEFT) in " ".join(texts(read(new_page, tmp_path)))
