"""Pictures come out as they look on the page, and huge ones do no harm."""

import io
from pathlib import Path

import pymupdf
import pytest
from PIL import Image

from sandbox.documents.figures.extract import FiguresOnPage, extract_figures
from sandbox.records import Figure
from tests.documents.chart_pages import (
    new_page,
    picture,
    reopened,
)


def extracted(page: pymupdf.Page, folder: Path, number: int = 1) -> FiguresOnPage:
    return extract_figures(reopened(page), number, folder)


def words(figure: Figure) -> list[str]:
    return [word.text for word in figure.words]


def color_at(folder: Path, figure: Figure, across: float, down: float) -> tuple[int, ...]:
    """Color of the crop at a place given as shares of its width and height."""
    pixels = pymupdf.Pixmap(str(folder / figure.image))
    color: tuple[int, ...] = pixels.pixel(
        int(across * (pixels.width - 1)), int(down * (pixels.height - 1))
    )
    return color


def test_a_picture_keeps_its_white_ground_and_colors(tmp_path: Path) -> None:
    page = new_page()
    page.insert_image(pymupdf.Rect(100, 100, 400, 280), pixmap=picture((200, 0, 0)))
    found = extracted(page, tmp_path)
    (figure,) = found.figures
    assert figure.kind == "raster"
    assert color_at(tmp_path, figure, 0.5, 0.1) == (255, 255, 255)
    assert color_at(tmp_path, figure, 0.5, 0.5) == (200, 0, 0)


def test_a_masked_picture_over_black_comes_out_as_on_the_page(tmp_path: Path) -> None:
    hidden_black = pymupdf.Pixmap(pymupdf.csRGB, pymupdf.IRect(0, 0, 100, 100), True)
    hidden_black.set_rect(hidden_black.irect, (0, 0, 0, 0))
    hidden_black.set_rect(pymupdf.IRect(40, 0, 60, 100), (0, 0, 200, 255))
    page = new_page()
    page.insert_image(pymupdf.Rect(100, 100, 300, 300), pixmap=hidden_black)
    (figure,) = extracted(page, tmp_path).figures
    assert color_at(tmp_path, figure, 0.1, 0.5) == (255, 255, 255)
    assert color_at(tmp_path, figure, 0.5, 0.5) == (0, 0, 200)


def test_a_cmyk_picture_keeps_its_colors(tmp_path: Path) -> None:
    cyan, buffer = Image.new("CMYK", (100, 100)), io.BytesIO()
    cyan.paste((255, 0, 0, 0), (0, 40, 100, 60))
    cyan.save(buffer, "JPEG")
    page = new_page()
    page.insert_image(pymupdf.Rect(100, 100, 300, 300), stream=buffer.getvalue())
    (figure,) = extracted(page, tmp_path).figures
    red, green, blue = color_at(tmp_path, figure, 0.5, 0.5)
    assert red < 80 < green < blue
    assert color_at(tmp_path, figure, 0.5, 0.1) == (255, 255, 255)


def test_strips_of_one_picture_are_one_figure(tmp_path: Path) -> None:
    page = new_page()
    for strip in range(6):
        box = pymupdf.Rect(100, 100 + 30 * strip, 400, 130 + 30 * strip)
        page.insert_image(box, pixmap=picture((0, 40 * strip, 90), columns=200, rows=20))
    (figure,) = extracted(page, tmp_path).figures
    assert (figure.box.top, figure.box.bottom) == pytest.approx((97, 283), abs=4)


def test_labels_printed_over_a_picture_belong_to_it(tmp_path: Path) -> None:
    page = new_page()
    page.insert_image(pymupdf.Rect(100, 100, 400, 280), pixmap=picture((200, 220, 240)))
    page.insert_text((150, 190), "Northport", fontsize=9)
    (figure,) = extracted(page, tmp_path).figures
    assert words(figure) == ["Northport"]


def test_a_scan_and_an_icon_are_no_figures(tmp_path: Path) -> None:
    page = new_page()
    scanned = picture((90, 90, 90), columns=595, rows=842)
    page.insert_image(pymupdf.Rect(0, 0, 595, 842), pixmap=scanned)
    scan = extracted(page, tmp_path)
    page = new_page()
    page.insert_image(pymupdf.Rect(72, 300, 92, 320), pixmap=picture((90, 90, 90)))
    icon = extracted(page, tmp_path)
    assert (scan.figures, icon.figures) == ((), ())


def test_a_blank_picture_is_left_out_and_said(tmp_path: Path) -> None:
    page = new_page()
    page.insert_image(pymupdf.Rect(100, 100, 400, 280), pixmap=picture((255, 255, 255)))
    found = extracted(page, tmp_path, number=7)
    assert found.figures == ()
    assert found.warnings == ("page 7: a picture that is blank or cannot be read was left out",)


def picture_of_size(page: pymupdf.Page, columns: int, rows: int) -> None:
    """A one-bit picture that only states its size; its data are empty."""
    page.insert_image(pymupdf.Rect(100, 100, 400, 280), pixmap=picture((200, 0, 0)))
    xref = page.get_images()[0][0]
    document = page.parent
    document.xref_set_key(xref, "Width", str(columns))
    document.xref_set_key(xref, "Height", str(rows))
    document.xref_set_key(xref, "ColorSpace", "/DeviceGray")
    document.xref_set_key(xref, "BitsPerComponent", "1")


def test_a_gigantic_picture_is_never_decoded(tmp_path: Path) -> None:
    page = new_page()
    picture_of_size(page, 60_000, 60_000)
    found = extracted(page, tmp_path, number=2)
    assert found.figures == ()
    assert found.warnings == (
        "page 2: a picture of 60000 x 60000 pixels was left out because it is too large",
    )


def test_a_large_picture_is_scaled_down_and_said(tmp_path: Path) -> None:
    page = new_page()
    picture_of_size(page, 9_000, 9_000)
    assert (
        "page 1: a picture of 9000 x 9000 pixels was scaled down"
        in extracted(page, tmp_path).warnings
    )


def test_a_figure_on_a_gigantic_page_is_rendered_within_bounds(tmp_path: Path) -> None:
    document = pymupdf.open()
    page = document.new_page(width=14_400, height=14_400)
    page.insert_image(pymupdf.Rect(1000, 1000, 9000, 7000), pixmap=picture((200, 0, 0)))
    (figure,) = extract_figures(page, 1, tmp_path).figures
    pixels = pymupdf.Pixmap(str(tmp_path / figure.image))
    assert max(pixels.width, pixels.height) in (1400, 1401)


def test_places_are_those_of_the_page_as_it_is_shown(tmp_path: Path) -> None:
    page = new_page()
    page.insert_image(pymupdf.Rect(100, 500, 300, 620), pixmap=picture((200, 0, 0)))
    page.set_rotation(90)
    (figure,) = extracted(page, tmp_path).figures
    places = (figure.box.left, figure.box.top, figure.box.right, figure.box.bottom)
    assert places == pytest.approx((222, 100, 342, 300), abs=4)
    assert color_at(tmp_path, figure, 0.5, 0.5) == (200, 0, 0)
