"""Pages with charts for the tests: drawn with PyMuPDF, or by matplotlib as vectors or pixels."""

import io
from collections.abc import Callable, Sequence
from typing import Any, Literal

import pymupdf

PROSE = (
    "The department collected reports from every district during the year and compared them with "
    "earlier surveys. Most of the change can be explained by better reporting and by a spring that "
    "was colder than usual, and only little of it by the new service that was opened in the north. "
)


def new_page() -> pymupdf.Page:
    """An empty A4 page of a new document."""
    page: pymupdf.Page = pymupdf.open().new_page(width=595, height=842)
    return page


def reopened(page: pymupdf.Page) -> pymupdf.Page:
    """The page as a reader finds it in a file."""
    document = pymupdf.open("pdf", page.parent.tobytes(deflate=True))
    again: pymupdf.Page = document[page.number]
    return again


def add_prose(page: pymupdf.Page, top: float, *, left: float = 72, right: float = 523) -> float:
    """Write a paragraph; returns where it ends."""
    box = pymupdf.Rect(left, top, right, top + 400)
    return top + 400 - float(page.insert_textbox(box, PROSE, fontsize=10))


def add_level_bars(page: pymupdf.Page, top: float, values: dict[str, int]) -> None:
    """Horizontal bars with the category left of the bar and the value right of it, no axis."""
    for index, (name, value) in enumerate(values.items()):
        y = top + 26 * index
        page.draw_rect((140, y, 140 + 4 * value, y + 14), color=None, fill=(0.2, 0.4, 0.7))
        page.insert_text((104, y + 11), name, fontname="china-t", fontsize=10)
        page.insert_text((144 + 4 * value, y + 11), str(value), fontsize=9)


def add_upright_bars(
    page: pymupdf.Page, left: float, bottom: float, values: dict[str, int]
) -> None:
    """Vertical bars on an axis with the category below the bar and the value above it."""
    for index, (name, value) in enumerate(values.items()):
        x = left + 10 + 45 * index
        page.draw_rect((x, bottom - 3 * value, x + 26, bottom), color=None, fill=(0.8, 0.4, 0.2))
        page.insert_text((x + 3, bottom + 12), name, fontname="china-t", fontsize=8)
        page.insert_text((x + 7, bottom - 3 * value - 3), str(value), fontsize=8)
    page.draw_line((left, bottom), (left + 45 * len(values) + 10, bottom))


def plot(
    draw: Callable[[Any], None],
    kind: Literal["pdf", "png"],
    *,
    inches: tuple[float, float] = (6, 3.6),
) -> bytes:
    """A chart made by matplotlib; `draw` gets the axes."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=inches, layout="tight")
    FigureCanvasAgg(figure)
    draw(figure.add_subplot())
    buffer = io.BytesIO()
    figure.savefig(buffer, format=kind, dpi=130)
    return buffer.getvalue()


def place_plot(
    page: pymupdf.Page,
    box: Sequence[float],
    draw: Callable[[Any], None],
    *,
    kind: Literal["pdf", "png"] = "pdf",
) -> None:
    """Put a chart made by matplotlib on the page, drawn or as a picture."""
    left, top, right, bottom = box
    data = plot(draw, kind, inches=((right - left) / 66, (bottom - top) / 66))
    if kind == "png":
        page.insert_image(pymupdf.Rect(box), stream=data)
    else:
        page.show_pdf_page(pymupdf.Rect(box), pymupdf.open("pdf", data), 0)


def picture(color: tuple[int, int, int], *, columns: int = 200, rows: int = 120) -> pymupdf.Pixmap:
    """A white picture with a band of one color across its middle."""
    made = pymupdf.Pixmap(pymupdf.csRGB, pymupdf.IRect(0, 0, columns, rows))
    made.set_rect(made.irect, (255, 255, 255))
    made.set_rect(pymupdf.IRect(0, rows // 3, columns, 2 * rows // 3), color)
    return made
