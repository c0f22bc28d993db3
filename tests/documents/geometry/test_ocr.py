"""Pages without a usable text layer are read by OCR."""

import sys
from pathlib import Path

import pymupdf
import pytest

from sandbox.documents.geometry import ocr
from sandbox.documents.page_reader import read_page
from sandbox.documents.reader import read_document
from sandbox.files.storage import Store
from sandbox.records import Document, Page

LINES = ["Minutes of the meeting", "The dose is 5 mg per kg.", "Next meeting: 9 January."]

needs_ocr = pytest.mark.skipif(
    not ocr.is_available(), reason=f"OCR is not installed; run: {ocr.INSTALL_COMMAND}"
)


def scanned(lines: list[str], *, columns: tuple[int, ...] = (60,)) -> pymupdf.Pixmap:
    """A picture of a page with those lines in each of the columns."""
    page = pymupdf.open().new_page(width=595, height=842)
    for left in columns:
        for index, line in enumerate(lines):
            page.insert_text((left, 100 + 24 * index), line, fontsize=14)
    return page.get_pixmap(dpi=150)


def read(page: pymupdf.Page, folder: Path) -> Page:
    document = pymupdf.open("pdf", page.parent.tobytes())
    return read_page(document[page.number], page.number + 1, folder)


def texts(page: Page) -> list[str]:
    return [line.text for block in page.blocks for line in block.lines]


@pytest.fixture
def scan() -> pymupdf.Page:
    page = pymupdf.open().new_page(width=595, height=842)
    page.insert_image(page.rect, pixmap=scanned(LINES))
    return page


@pytest.mark.model
@needs_ocr
def test_a_scanned_page_is_read_by_ocr_and_is_no_figure(scan: pymupdf.Page, tmp_path: Path) -> None:
    page = read(scan, tmp_path)
    assert (texts(page), page.source, page.figures) == (LINES, "ocr", ())


@pytest.mark.model
@needs_ocr
def test_a_stamp_in_the_footer_does_not_hide_that_a_page_is_scanned(
    scan: pymupdf.Page, tmp_path: Path
) -> None:
    scan.insert_text((72, 830), "Scanned by office 12", fontsize=8)
    page = read(scan, tmp_path)
    assert (texts(page)[:3], page.source) == (LINES, "ocr")


@pytest.mark.model
@needs_ocr
def test_the_lines_of_a_scan_stand_where_they_are_on_the_page(
    scan: pymupdf.Page, tmp_path: Path
) -> None:
    box = read(scan, tmp_path).blocks[0].lines[0].box
    assert (abs(box.left - 60) < 5, abs(box.bottom - 103) < 6) == (True, True)


@pytest.mark.model
@needs_ocr
def test_columns_of_a_scan_are_read_one_after_the_other(tmp_path: Path) -> None:
    lines = ["the weir was inspected in", "spring and again in autumn", "by two of the engineers"]
    page = pymupdf.open().new_page(width=595, height=842)
    page.insert_image(page.rect, pixmap=scanned(lines, columns=(40, 320)))
    assert texts(read(page, tmp_path)) == lines * 2


@pytest.mark.model
@needs_ocr
def test_text_whose_font_does_not_say_what_it_is_is_read_by_ocr(tmp_path: Path) -> None:
    document = pymupdf.open()
    page = document.new_page(width=595, height=842)
    page.insert_htmlbox(
        (60, 60, 540, 300), "<p style='font-size:20px'>核准文號：青衛字第四四號</p>"
    )
    for reference in range(1, document.xref_length()):
        if document.xref_get_key(reference, "ToUnicode")[0] == "xref":
            document.xref_set_key(reference, "ToUnicode", "null")
    found = read(page, tmp_path)
    assert (texts(found), found.source) == (["核准文號：青衛字第四四號"], "ocr")


@pytest.mark.model
@needs_ocr
def test_a_document_says_which_pages_were_read_by_ocr(scan: pymupdf.Page, tmp_path: Path) -> None:
    document = pymupdf.open("pdf", scan.parent.tobytes())
    document.new_page(0).insert_text((72, 100), "This page has a text layer.")
    document.save(tmp_path / "mixed.pdf")
    found = _finished(tmp_path / "mixed.pdf", Store(tmp_path / "results"))
    assert found.warnings == ("page 2 has no usable text layer and was read by OCR",)


def test_without_ocr_a_scanned_page_names_the_command_that_brings_it(
    scan: pymupdf.Page, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "rapidocr", None)
    page = read(scan, tmp_path)
    assert (page.source, page.blocks, page.figures, page.warnings) == (
        "none",
        (),
        (),
        (
            "page 1 has no usable text layer; to read it by OCR, run: "
            "pip install 'rag-sandbox[embedded]'",
        ),
    )


def test_a_photo_with_a_caption_is_a_figure_not_a_scan(
    tmp_path: Path,
) -> None:
    page = pymupdf.open().new_page(width=595, height=842)
    page.insert_image((60, 60, 535, 400), pixmap=scanned(["photo"]), keep_proportion=False)
    page.insert_text((60, 430), "Figure 1. The weir at Birch after the storm.", fontsize=10)
    found = read(page, tmp_path)
    assert (found.source, len(found.figures)) == ("text layer", 1)


def _finished(path: Path, store: Store) -> Document:
    reading = read_document(path, store)
    while True:
        try:
            next(reading)
        except StopIteration as end:
            document: Document = end.value
            return document
