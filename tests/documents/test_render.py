"""A page as a picture with highlights."""

from pathlib import Path

import pymupdf
import pytest

from sandbox.documents.render import render_page
from sandbox.errors import CorpusError
from sandbox.records import Box


def saved(folder: Path, *, width: float = 400, height: float = 600, rotation: int = 0) -> Path:
    document = pymupdf.open()
    document.new_page(width=width, height=height).set_rotation(rotation)
    document.save(folder / "page.pdf")
    return folder / "page.pdf"


def color_at(png: bytes, x: int, y: int) -> tuple[int, ...]:
    return tuple(pymupdf.Pixmap(png).pixel(x, y))


def box(page: int = 1) -> Box:
    return Box(page=page, left=100, top=100, right=200, bottom=200)


def test_the_picture_has_the_width_asked_for(tmp_path: Path) -> None:
    picture = pymupdf.Pixmap(render_page(saved(tmp_path), 1, [], width_pixels=800))
    assert (picture.width, picture.height) == (800, 1200)


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_boxes_are_highlighted_where_the_page_shows_them(rotation: int, tmp_path: Path) -> None:
    pdf = saved(tmp_path, width=500, height=500, rotation=rotation)
    png = render_page(pdf, 1, [box()], width_pixels=500)
    assert (color_at(png, 150, 150) == (255, 255, 255), color_at(png, 300, 300)) == (
        False,
        (255, 255, 255),
    )


def test_a_highlight_lets_the_text_shine_through(tmp_path: Path) -> None:
    document = pymupdf.open()
    page = document.new_page(width=400, height=600)
    page.draw_rect((120, 120, 180, 180), color=None, fill=(0, 0, 0))
    document.save(tmp_path / "dark.pdf")
    png = render_page(tmp_path / "dark.pdf", 1, [box()], width_pixels=400)
    assert max(color_at(png, 150, 150)) < 120


def test_boxes_of_other_pages_are_left_out(tmp_path: Path) -> None:
    pdf = saved(tmp_path)
    assert render_page(pdf, 1, [box(page=2)]) == render_page(pdf, 1, [])


def test_the_file_is_not_changed(tmp_path: Path) -> None:
    pdf = saved(tmp_path)
    before = pdf.read_bytes()
    render_page(pdf, 1, [box()])
    assert pdf.read_bytes() == before


def test_a_gigantic_page_is_shown_smaller(tmp_path: Path) -> None:
    pdf = saved(tmp_path, width=14_400, height=14_400)
    picture = pymupdf.Pixmap(render_page(pdf, 1, [], width_pixels=20_000))
    assert picture.width * picture.height <= 8_100_000


def test_a_page_that_does_not_exist_is_a_mistake(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="page 2 of 1"):
        render_page(saved(tmp_path), 2, [])


def test_a_file_that_cannot_be_opened_is_named(tmp_path: Path) -> None:
    broken = tmp_path / "broken.pdf"
    broken.write_bytes(b"%PDF-1.7\n")
    with pytest.raises(CorpusError, match=r"^page 1 of broken\.pdf cannot be shown: "):
        render_page(broken, 1, [])
