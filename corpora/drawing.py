"""Draw report pages with PyMuPDF: text set in lines, ruled tables, bar and line charts, pictures.

Positions are in points from the top-left corner. Everything is deterministic. Leaves out what the
reports say.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import pymupdf

Color = tuple[float, float, float]
Point = tuple[float, float]
Align = Literal["left", "center", "right"]

INK: Color = (0.13, 0.14, 0.16)
MUTED: Color = (0.40, 0.43, 0.47)
RULE: Color = (0.75, 0.78, 0.81)
WHITE: Color = (1.0, 1.0, 1.0)

# A line must not begin with the first group nor end with the second.
_CLOSING = "，。、；：！？）」』％"
_OPENING = "（「『"
_TOKEN = re.compile(r"[!-~–—’“”°²³×·•£€]+ ?|\s|.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """How a piece of text looks."""

    font: str = "cjk"
    """A font that comes with PyMuPDF: "cjk", "helv", "hebo", "heit", "tiro"..."""

    size: float = 10.5
    leading: float = 1.62
    """Distance of two baselines, as a multiple of the size."""

    color: Color = INK
    bold: bool = False
    """Thicken the letters; for "cjk", which has one weight only."""

    indent: float = 0.0
    """First line's indent, as a multiple of the size."""

    @property
    def line_height(self) -> float:
        """Distance of two baselines in points."""
        return self.size * self.leading


def text_width(text: str, style: Style) -> float:
    """Width in points of a text on one line."""
    return float(pymupdf.Font(style.font).text_length(text, fontsize=style.size))


def put_text(
    page: pymupdf.Page, at: Point, text: str, style: Style, *, align: Align = "left"
) -> None:
    """Write one line whose baseline passes through a point."""
    shift = {"left": 0.0, "center": 0.5, "right": 1.0}[align] * text_width(text, style)
    writer = pymupdf.TextWriter(page.rect)
    font = pymupdf.Font(style.font)
    writer.append((at[0] - shift, at[1]), text, font=font, fontsize=style.size)
    _write(writer, page, style)


def put_paragraph(
    page: pymupdf.Page, at: Point, width: float, text: str, style: Style, *, justify: bool = True
) -> float:
    """Set a text in lines of a width; returns the top of what may follow.

    Args:
        page: Page to write on.
        at: Top-left corner of the paragraph.
        width: Width of the column.
        text: One paragraph.
        style: How it looks.
        justify: Stretch all lines but the last to the full width.
    """
    font = pymupdf.Font(style.font)
    writer = pymupdf.TextWriter(page.rect)
    lines = break_lines(text, width, style)
    baseline = at[1] + style.size
    for number, tokens in enumerate(lines):
        x = at[0] + (style.indent * style.size if number == 0 else 0.0)
        used = text_width("".join(tokens).rstrip(), style)
        slack = at[0] + width - x - used
        gaps = [token.endswith(" ") or not token.isascii() for token in tokens[:-1]]
        stretch = slack / sum(gaps) if justify and number + 1 < len(lines) and any(gaps) else 0.0
        for token, is_gap in zip(tokens, [*gaps, False], strict=True):
            writer.append((x, baseline), token, font=font, fontsize=style.size)
            x += text_width(token, style) + stretch * is_gap
        baseline += style.line_height
    _write(writer, page, style)
    return at[1] + len(lines) * style.line_height


def break_lines(text: str, width: float, style: Style) -> list[list[str]]:
    """The lines of a paragraph as tokens: one Chinese character, or one word with its space."""
    lines: list[list[str]] = [[]]
    used = style.indent * style.size
    for token in _tokens(text):
        size = text_width(token.rstrip(), style)
        if used + size > width + 0.01 and lines[-1]:
            lines.append([])
            used = 0.0
        lines[-1].append(token)
        used += text_width(token, style)
    return lines


def _tokens(text: str) -> list[str]:
    tokens: list[str] = []
    glue = False
    for part in _TOKEN.findall(text):
        if tokens and (glue or part in _CLOSING):
            tokens[-1] += part
        else:
            tokens.append(part)
        glue = part in _OPENING
    return tokens


def _write(writer: pymupdf.TextWriter, page: pymupdf.Page, style: Style) -> None:
    # Render mode 2 fills and strokes.
    writer.write_text(page, color=style.color, render_mode=2 if style.bold else 0)


def put_line(
    page: pymupdf.Page, start: Point, end: Point, *, color: Color = RULE, width: float = 0.7
) -> None:
    """Draw a straight line."""
    page.draw_line(start, end, color=color, width=width)


def put_box(
    page: pymupdf.Page,
    box: tuple[float, float, float, float],
    *,
    fill: Color | None,
    edge: Color | None = None,
) -> None:
    """Draw a rectangle given as left, top, right, bottom."""
    page.draw_rect(pymupdf.Rect(box), color=edge, fill=fill, width=0.7 if edge else 0)


def put_table(
    page: pymupdf.Page,
    at: Point,
    widths: Sequence[float],
    rows: Sequence[Sequence[str]],
    style: Style,
    *,
    row_height: float = 19.0,
    accent: Color = MUTED,
    strong_rows: Sequence[int] = (),
    words: int = 1,
) -> float:
    """Draw a ruled table whose first row is the head; returns its bottom.

    The first columns, which hold words, are set to the left, all others to the right.
    """
    left, top = at
    right = left + sum(widths)
    put_box(page, (left, top, right, top + row_height), fill=accent)
    for number, row in enumerate(rows):
        row_top = top + number * row_height
        baseline = row_top + row_height / 2 + style.size * 0.36
        strong = number == 0 or number in strong_rows
        cell = _cell_style(style, strong=strong, color=WHITE if number == 0 else style.color)
        x = left
        for column, (value, width) in enumerate(zip(row, widths, strict=True)):
            if column < words:
                put_text(page, (x + 6, baseline), value, cell)
            else:
                put_text(page, (x + width - 6, baseline), value, cell, align="right")
            x += width
        put_line(page, (left, row_top + row_height), (right, row_top + row_height))
    bottom = top + len(rows) * row_height
    x = left
    for width in (*widths, 0.0):
        put_line(page, (x, top), (x, bottom))
        x += width
    put_line(page, (left, bottom), (right, bottom), color=accent, width=1.2)
    return bottom


def _cell_style(style: Style, *, strong: bool, color: Color) -> Style:
    thick = strong and style.font == "cjk"
    font = "hebo" if strong and style.font == "helv" else style.font
    return Style(font=font, size=style.size, color=color, bold=thick)


def picture_of(page: pymupdf.Page, *, dpi: int) -> bytes:
    """The page rendered as a PNG."""
    return bytes(page.get_pixmap(dpi=dpi).tobytes("png"))


def new_sheet(width: float, height: float) -> pymupdf.Page:
    """A white page in a document of its own, to be turned into a picture."""
    page = pymupdf.open().new_page(width=width, height=height)
    put_box(page, (0, 0, width, height), fill=WHITE)
    return page


def put_picture(page: pymupdf.Page, box: tuple[float, float, float, float], png: bytes) -> None:
    """Put a PNG into a rectangle given as left, top, right, bottom."""
    page.insert_image(pymupdf.Rect(box), stream=png)


def finish(document: pymupdf.Document, title: str, subject: str) -> bytes:
    """The PDF's bytes, the same on every run."""
    day = "D:20250401000000Z"
    document.set_metadata(
        {
            "title": title,
            "subject": subject,
            "author": "rag-sandbox",
            "producer": "corpora/build.py",
            "creationDate": day,
            "modDate": day,
        }
    )
    document.subset_fonts()
    return bytes(document.tobytes(garbage=4, deflate=True, no_new_id=True))
