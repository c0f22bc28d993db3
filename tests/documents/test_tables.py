"""Tables as Markdown, and what only looks like a table."""

from pathlib import Path

import pymupdf
import pytest

from sandbox.documents.across_pages import join_continued_tables
from sandbox.documents.page_reader import read_page
from sandbox.records import Block, Box, Line, Page, Table

ROWS = [
    ["Station", "Pumps", "Output (m3)", "Remark"],
    ["Alder", "4", "1,204", "new in 2021"],
    ["Birch", "12", "988", "repaired"],
    ["Cedar", "7", "15,310", ""],
    ["Total", "23", "17,502", ""],
]
MARKDOWN = (
    "|Station|Pumps|Output (m3)|Remark|\n"
    "|---|---|---|---|\n"
    "|Alder|4|1,204|new in 2021|\n"
    "|Birch|12|988|repaired|\n"
    "|Cedar|7|15,310||\n"
    "|Total|23|17,502||"
)
EDGES = [60, 180, 260, 380, 520]
TOP, ROW = 200, 18
PROSE = [
    "The stations were inspected in spring and again in the autumn of the same year.",
    "Each of them was found to be in good order, apart from the weir at Birch.",
]


@pytest.fixture
def new_page() -> pymupdf.Page:
    page = pymupdf.open().new_page(width=595, height=842)
    for index, text in enumerate(PROSE):
        page.insert_text((60, 100 + 14 * index), text, fontsize=10)
    return page


def write_cells(page: pymupdf.Page, rows: list[list[str]], edges: list[int]) -> None:
    for number, row in enumerate(rows):
        for left, text in zip(edges, row, strict=False):
            page.insert_text((left + 4, TOP + ROW * number + 13), text, fontsize=10)


def draw_grid(page: pymupdf.Page, rows: int, edges: list[int]) -> None:
    for number in range(rows + 1):
        page.draw_line((edges[0], TOP + ROW * number), (edges[-1], TOP + ROW * number))
    for left in edges:
        page.draw_line((left, TOP), (left, TOP + ROW * rows))


def read(page: pymupdf.Page, folder: Path) -> Page:
    document = pymupdf.open("pdf", page.parent.tobytes())
    return read_page(document[page.number], page.number + 1, folder)


@pytest.mark.parametrize("style", ["grid", "three rules", "shaded rows", "no rules"])
def test_a_table_is_read_as_markdown_with_its_title(
    style: str, new_page: pymupdf.Page, tmp_path: Path
) -> None:
    new_page.insert_text((60, TOP - 8), "Table 3. Pumping stations", fontsize=10)
    if style == "grid":
        draw_grid(new_page, len(ROWS), EDGES)
    elif style == "three rules":
        for row in (0, 1, len(ROWS)):
            new_page.draw_line((60, TOP + ROW * row), (520, TOP + ROW * row))
    elif style == "shaded rows":
        for row in range(0, len(ROWS), 2):
            area = (60, TOP + ROW * row, 520, TOP + ROW * (row + 1))
            new_page.draw_rect(area, color=None, fill=(0.9, 0.9, 0.9))
    write_cells(new_page, ROWS, EDGES)
    page = read(new_page, tmp_path)
    assert [(table.title, table.markdown) for table in page.tables] == [
        ("Table 3. Pumping stations", MARKDOWN)
    ]
    assert page.text == " ".join(PROSE)


@pytest.mark.parametrize("rotation", [90, 180, 270])
def test_a_table_on_a_turned_page_lies_where_it_is_displayed(
    rotation: int, new_page: pymupdf.Page, tmp_path: Path
) -> None:
    write_cells(new_page, ROWS, EDGES)
    draw_grid(new_page, len(ROWS), EDGES)
    turned = pymupdf.open()
    width, height = (595, 842) if rotation == 180 else (842, 595)
    page = turned.new_page(width=width, height=height)
    page.show_pdf_page(page.rect, new_page.parent, 0, rotate=rotation)
    page.set_rotation(rotation)
    tables = read(page, tmp_path).tables
    assert [(t.markdown, round(t.box.left), round(t.box.top)) for t in tables] == [
        (MARKDOWN, 60, TOP)
    ]


def test_a_title_may_stand_below(new_page: pymupdf.Page, tmp_path: Path) -> None:
    write_cells(new_page, ROWS, EDGES)
    draw_grid(new_page, len(ROWS), EDGES)
    below = TOP + ROW * len(ROWS) + 16
    new_page.insert_text((60, below), "表三 各抽水站", fontsize=10, fontname="china-t")
    page = read(new_page, tmp_path)
    assert [table.title for table in page.tables] == ["表三 各抽水站"]


def test_two_header_rows_become_one(new_page: pymupdf.Page, tmp_path: Path) -> None:
    edges = [60, 160, 260, 360, 410, 480]
    rows = [
        ["Year", "Cases", "", "Deaths"],
        ["", "male", "female", "male", "female"],
        ["2019", "12", "14", "1", "0"],
        ["2020", "22", "24", "2", "1"],
    ]
    write_cells(new_page, rows, edges)
    for row in (0, 2, 3, 4):
        new_page.draw_line((60, TOP + ROW * row), (480, TOP + ROW * row))
    new_page.draw_line((160, TOP + ROW), (480, TOP + ROW))
    for left in edges:
        start = TOP + ROW if left in (260, 410) else TOP
        new_page.draw_line((left, start), (left, TOP + 4 * ROW))
    page = read(new_page, tmp_path)
    assert [table.markdown for table in page.tables] == [
        "|Year|Cases male|Cases female|Deaths male|Deaths female|\n"
        "|---|---|---|---|---|\n"
        "|2019|12|14|1|0|\n"
        "|2020|22|24|2|1|"
    ]


def test_a_bar_in_a_cell_is_escaped(new_page: pymupdf.Page, tmp_path: Path) -> None:
    rows = [["Sign", "Meaning"], ["a|b", "either"], ["a&b", "both"]]
    write_cells(new_page, rows, [60, 180])
    draw_grid(new_page, 3, [60, 180, 320])
    page = read(new_page, tmp_path)
    assert page.tables[0].markdown.split("\n")[2] == "|a\\|b|either|"


def test_text_that_cannot_be_seen_stays_out_of_a_table(
    new_page: pymupdf.Page, tmp_path: Path
) -> None:
    write_cells(new_page, ROWS, EDGES)
    draw_grid(new_page, len(ROWS), EDGES)
    new_page.insert_text((384, TOP + 3 * ROW + 13), "order", fontsize=10, color=(1, 1, 1))
    page = read(new_page, tmp_path)
    assert (page.tables[0].markdown, page.blocks[0].hidden_text) == (MARKDOWN, "order")


def test_a_frame_around_the_page_and_a_note_in_a_box_are_no_tables(
    new_page: pymupdf.Page, tmp_path: Path
) -> None:
    new_page.draw_rect((30, 30, 565, 812))
    new_page.draw_rect((60, 200, 400, 260))
    new_page.insert_text((70, 230), "Table 9 of the annex was not printed.", fontsize=10)
    assert read(new_page, tmp_path).tables == ()


def test_a_list_of_contents_is_no_table(new_page: pymupdf.Page, tmp_path: Path) -> None:
    for index, title in enumerate(["Introduction", "Stations", "Weirs", "Outlook"]):
        y = 200 + 16 * index
        new_page.insert_text((60, y), f"{index + 1}", fontsize=10)
        new_page.insert_text((90, y), title + " . " * 40, fontsize=10)
        new_page.insert_text((520, y), str(3 * index + 1), fontsize=10)
    page = read(new_page, tmp_path)
    assert (page.tables, "1 Introduction … 1" in page.text) == ((), True)


def test_columns_of_prose_are_no_table(new_page: pymupdf.Page, tmp_path: Path) -> None:
    for index in range(12):
        new_page.insert_text(
            (60, 200 + 14 * index), "the weir was inspected in spring", fontsize=10
        )
        new_page.insert_text((320, 200 + 14 * index), "and was found in good order", fontsize=10)
    assert read(new_page, tmp_path).tables == ()


def table_on(page: int, markdown: str, *, top: float, title: str = "") -> Table:
    box = Box(page=page, left=60, top=top, right=520, bottom=top + 100)
    return Table(box=box, markdown=markdown, title=title)


def page_with(number: int, table: Table, *lines: tuple[float, str]) -> Page:
    blocks = tuple(
        Block(
            lines=(
                Line(text=text, box=Box(page=number, left=60, top=top, right=300, bottom=top + 12)),
            )
        )
        for top, text in lines
    )
    return Page(
        number=number, width=595, height=842, source="text layer", blocks=blocks, tables=(table,)
    )


def test_a_table_over_a_page_break_gets_its_header_and_title_again() -> None:
    first = table_on(1, "|Year|Cases|\n|---|---|\n|2019|12|", top=600, title="Table 1 Cases")
    second = table_on(2, "|2020|13|\n|---|---|\n|2021|14|", top=80)
    pages = join_continued_tables([page_with(1, first, (100, "Text")), page_with(2, second)])
    assert [(table.title, table.markdown) for page in pages for table in page.tables] == [
        ("Table 1 Cases", "|Year|Cases|\n|---|---|\n|2019|12|"),
        ("Table 1 Cases", "|Year|Cases|\n|---|---|\n|2020|13|\n|2021|14|"),
    ]


def test_a_header_that_is_printed_again_is_not_doubled() -> None:
    first = table_on(1, "|Year|Cases|\n|---|---|\n|2019|12|", top=600, title="Table 1 Cases")
    second = table_on(2, "|Year|Cases|\n|---|---|\n|2020|13|", top=80)
    pages = join_continued_tables(
        [page_with(1, first), page_with(2, second, (60, "Table 1 (continued)"))]
    )
    assert pages[1].tables[0].markdown == "|Year|Cases|\n|---|---|\n|2020|13|"


def test_text_between_two_tables_keeps_them_apart() -> None:
    first = table_on(1, "|Year|Cases|\n|---|---|\n|2019|12|", top=600)
    second = table_on(2, "|Town|Cases|\n|---|---|\n|Alder|13|", top=200)
    pages = join_continued_tables([page_with(1, first), page_with(2, second, (100, "By town:"))])
    assert pages[1].tables == (second,)


def test_a_table_with_a_title_of_its_own_is_another_table() -> None:
    first = table_on(1, "|Year|Cases|\n|---|---|\n|2019|12|", top=600, title="Table 1 Cases")
    second = table_on(2, "|Town|Cases|\n|---|---|\n|Alder|13|", top=80, title="Table 2 Towns")
    pages = join_continued_tables([page_with(1, first), page_with(2, second)])
    assert pages[1].tables == (second,)


def test_a_footnote_mark_in_a_cell_is_no_part_of_its_number(
    new_page: pymupdf.Page, tmp_path: Path
) -> None:
    draw_grid(new_page, 5, EDGES)
    write_cells(new_page, [*ROWS[:1], ["Alder", "4", "1,204"]], EDGES)
    end = EDGES[2] + 4 + pymupdf.get_text_length("1,204", fontsize=10)
    new_page.insert_text((end, TOP + ROW + 9), "3", fontsize=6)
    write_cells(new_page, [[""] * 4, ["", "", "", "new in 2021"], *ROWS[2:]], EDGES)
    (table,) = read(new_page, tmp_path).tables
    assert "|Alder|4|1,204³|new in 2021|" in table.markdown
