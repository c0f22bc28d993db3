"""Running headers and footers leave the text, what only looks like them stays."""

from sandbox.documents.across_pages import remove_headers_footers
from sandbox.records import Block, Box, Line, Page

HEIGHT = 842.0


def line(page: int, top: float, text: str, *, height: float = 12) -> Line:
    box = Box(page=page, left=60, top=top, right=400, bottom=top + height)
    return Line(text=text, box=box)


def page_of(number: int, *lines: Line) -> Page:
    blocks = tuple(Block(lines=(item,)) for item in lines)
    return Page(number=number, width=595, height=HEIGHT, source="text layer", blocks=blocks)


def body(number: int) -> list[Line]:
    return [line(number, 120 + 16 * row, f"Body {number}, row {row}.") for row in range(5)]


def texts(pages: tuple[Page, ...]) -> list[list[str]]:
    return [
        [item.text for block in page.blocks for item in block.lines if "Body" not in item.text]
        for page in pages
    ]


def test_headers_footers_and_page_numbers_leave_the_text() -> None:
    pages = [
        page_of(n, line(n, 30, "Annual report 2023"), *body(n), line(n, 806, f"Page {n + 2} of 14"))
        for n in range(1, 5)
    ]
    assert texts(remove_headers_footers(pages)) == [[], [], [], []]


def test_two_pages_are_too_few_to_agree() -> None:
    pages = [page_of(n, line(n, 30, "Annual report 2023"), *body(n)) for n in (1, 2)]
    assert texts(remove_headers_footers(pages)) == [["Annual report 2023"]] * 2


def test_headers_of_odd_and_even_pages_alternate() -> None:
    pages = [
        page_of(n, line(n, 30, "The author" if n % 2 else "The title"), *body(n))
        for n in range(1, 9)
    ]
    assert texts(remove_headers_footers(pages)) == [[]] * 8


def test_each_chapter_may_have_a_header_of_its_own() -> None:
    pages = [
        page_of(n, line(n, 30, "Chapter 1" if n <= 4 else "Chapter 2"), *body(n))
        for n in range(1, 41)
    ]
    assert texts(remove_headers_footers(pages)) == [[]] * 40


def test_a_heading_in_the_body_with_the_words_of_the_header_stays() -> None:
    pages = [page_of(n, line(n, 30, "Vaccine storage"), *body(n)) for n in range(1, 6)]
    heading = line(3, 100, "Vaccine storage")
    pages[2] = page_of(3, line(3, 30, "Vaccine storage"), heading, *body(3))
    assert texts(remove_headers_footers(pages)) == [[], [], ["Vaccine storage"], [], []]


def test_lines_that_differ_in_their_numbers_are_facts_not_furniture() -> None:
    amounts = [4200, 1310, 977, 5016]
    pages = [
        page_of(n, line(n, 50, f"The tank holds {amount} litres"), *body(n))
        for n, amount in enumerate(amounts, start=1)
    ]
    assert texts(remove_headers_footers(pages)) == [[f"The tank holds {a} litres"] for a in amounts]


def test_a_repeated_line_that_touches_the_text_below_is_part_of_it() -> None:
    pages = [page_of(n, line(n, 60, "Dear reader,"), line(n, 73, f"Body {n}")) for n in range(1, 5)]
    assert texts(remove_headers_footers(pages)) == [["Dear reader,"]] * 4


def test_a_large_title_that_repeats_stays() -> None:
    pages = [page_of(n, line(n, 40, "Results", height=30), *body(n)) for n in range(1, 5)]
    assert texts(remove_headers_footers(pages)) == [["Results"]] * 4


def test_a_page_that_holds_nothing_else_keeps_its_lines() -> None:
    pages = [page_of(n, line(n, 30, "Annual report"), *body(n)) for n in range(1, 5)]
    pages[1] = page_of(2, line(2, 30, "Annual report"))
    assert texts(remove_headers_footers(pages)) == [[], ["Annual report"], [], []]


def test_roman_page_numbers_leave_the_text() -> None:
    numerals = ["i", "ii", "iii", "iv", "v"]
    pages = [
        page_of(n, *body(n), line(n, 806, numeral)) for n, numeral in enumerate(numerals, start=1)
    ]
    assert texts(remove_headers_footers(pages)) == [[]] * 5


def test_hidden_text_of_a_header_moves_to_the_text_beside_it() -> None:
    pages = [page_of(n, *body(n), line(n, 806, "Confidential")) for n in range(1, 4)]
    last = Block(lines=(line(1, 806, "Confidential"),), hidden_text="an order")
    pages[0] = page_of(1, *body(1))
    pages[0] = Page(
        number=1,
        width=595,
        height=HEIGHT,
        source="text layer",
        blocks=(*pages[0].blocks, last),
    )
    stripped = remove_headers_footers(pages)[0]
    assert (len(stripped.blocks), stripped.blocks[-1].hidden_text) == (5, "an order")
