"""How pages of the annual report look: furniture, headings, paragraphs, columns, captions."""

from collections.abc import Sequence

import pymupdf
from drawing import MUTED, Color, Style, put_line, put_paragraph, put_table, put_text

from annual import facts

WIDTH, HEIGHT = 595.0, 842.0
LEFT, RIGHT = 62.0, 533.0
COLUMN = RIGHT - LEFT
GUTTER = 22.0
HALF = (COLUMN - GUTTER) / 2
TOP = 78.0

BLUE: Color = (0.07, 0.27, 0.45)
SKY: Color = (0.33, 0.59, 0.77)
GREEN: Color = (0.30, 0.56, 0.36)
AMBER: Color = (0.85, 0.55, 0.16)

BODY = Style(font="helv", size=10.4, leading=1.52)
LABEL = Style(font="helv", size=8.7)
NOTE = Style(font="helv", size=7.8, color=MUTED)
_CHAPTER = Style(font="hebo", size=21, color=BLUE)
_HEADING = Style(font="hebo", size=11.5, color=BLUE)
_CAPTION = Style(font="hebo", size=9.2)


def put_furniture(page: pymupdf.Page, number: int) -> None:
    """The running header and footer."""
    put_text(page, (LEFT, 42), facts.COMPANY, NOTE)
    put_text(page, (RIGHT, 42), f"Annual Report {facts.YEAR}", NOTE, align="right")
    put_line(page, (LEFT, 49), (RIGHT, 49))
    put_line(page, (LEFT, 797), (RIGHT, 797))
    notice = "Demonstration document: the company, its places and all figures are invented"
    put_text(page, (LEFT, 810), notice, NOTE)
    put_text(page, (RIGHT, 810), str(number), NOTE, align="right")


def put_chapter(page: pymupdf.Page, title: str) -> float:
    """The title of a chapter at the top of a page; returns the top of what follows."""
    put_text(page, (LEFT, TOP + 16), title, _CHAPTER)
    put_line(page, (LEFT, TOP + 28), (LEFT + 60, TOP + 28), color=AMBER, width=2.2)
    return TOP + 46


def put_section(
    page: pymupdf.Page, top: float, title: str, paragraphs: Sequence[str], *, left: float = LEFT
) -> float:
    """A heading and its paragraphs over the full width, or a half from `left` on."""
    width = COLUMN if left == LEFT else RIGHT - left
    return _set(page, (left, top), width, [(title, paragraphs)])


def put_columns(
    page: pymupdf.Page,
    top: float,
    first: Sequence[tuple[str, Sequence[str]]],
    second: Sequence[tuple[str, Sequence[str]]],
) -> float:
    """Two columns of sections, each a heading and its paragraphs; returns the longer's end."""
    ends = (
        _set(page, (LEFT, top), HALF, first),
        _set(page, (LEFT + HALF + GUTTER, top), HALF, second),
    )
    return max(ends)


def _set(
    page: pymupdf.Page,
    at: tuple[float, float],
    width: float,
    sections: Sequence[tuple[str, Sequence[str]]],
) -> float:
    left, top = at
    for title, paragraphs in sections:
        if title:
            put_text(page, (left, top + _HEADING.size), title, _HEADING)
            top += 20
        for paragraph in paragraphs:
            top = put_paragraph(page, (left, top), width, paragraph, BODY, justify=False) + 5
        top += 9
    return top


def put_caption(page: pymupdf.Page, top: float, text: str) -> float:
    """The printed caption above a figure or table; returns the top of what follows."""
    put_text(page, (LEFT, top + _CAPTION.size), text, _CAPTION)
    return top + 18


def put_note(page: pymupdf.Page, top: float, text: str) -> float:
    """A source note below a figure or table; returns the top of what follows."""
    put_text(page, (LEFT, top + NOTE.size + 3), text, NOTE)
    return top + 30


def put_captioned_table(
    page: pymupdf.Page,
    top: float,
    caption: str,
    rows: Sequence[Sequence[str]],
    widths: Sequence[float],
    *,
    words: int = 1,
    strong_rows: Sequence[int] = (),
) -> float:
    """A table below its caption; returns its bottom."""
    return put_table(
        page,
        (LEFT, put_caption(page, top, caption)),
        widths,
        rows,
        LABEL,
        row_height=17.8,
        accent=BLUE,
        strong_rows=strong_rows,
        words=words,
    )
