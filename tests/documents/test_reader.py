"""Files of every kind, each ending in a document or in one sentence."""

import subprocess
from pathlib import Path

import pymupdf
import pytest

from sandbox.documents.reader import Limits, document_folder, load_document, read_document
from sandbox.errors import CorpusError
from sandbox.files.storage import Store, file_digest
from sandbox.progress import Progress
from sandbox.records import Document, FailedPage

SENTENCE = "The tank of page {} is painted grey."


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "results")


def new_pdf(pages: int) -> pymupdf.Document:
    document = pymupdf.open()
    for number in range(1, pages + 1):
        document.new_page().insert_text((72, 200), SENTENCE.format(number))
    return document


def saved(document: pymupdf.Document, path: Path) -> Path:
    document.save(path)
    return path


def read(
    path: Path, store: Store, *, name: str | None = None, limits: Limits | None = None
) -> Document:
    reading = read_document(path, store, name=name, limits=limits)
    while True:
        try:
            next(reading)
        except StopIteration as end:
            document: Document = end.value
            return document


def refusal(path: Path, store: Store, limits: Limits | None = None) -> str:
    with pytest.raises(CorpusError) as caught:
        read(path, store, limits=limits)
    assert not list(store.results.rglob("*.json"))
    return str(caught.value)


def test_progress_goes_page_by_page(tmp_path: Path, store: Store) -> None:
    path = saved(new_pdf(2), tmp_path / "two.pdf")
    steps = [step for step in read_document(path, store) if "reading" not in step.message]
    assert steps == [
        Progress(stage="read", done=0, total=2, message="2 pages to read"),
        Progress(stage="read", done=1, total=2, message="page 1 of 2"),
        Progress(stage="read", done=2, total=2, message="page 2 of 2"),
    ]


def test_a_second_call_returns_at_once_with_the_name_given_now(
    tmp_path: Path, store: Store
) -> None:
    first = saved(new_pdf(1), tmp_path / "first.pdf")
    read(first, store)
    reading = read_document(first, store, name="second.pdf")
    with pytest.raises(StopIteration) as end:
        next(reading)
    assert (end.value.value.name, end.value.value.pages[0].text) == (
        "second.pdf",
        SENTENCE.format(1),
    )


def test_a_stored_document_is_found_by_its_digest(tmp_path: Path, store: Store) -> None:
    path = saved(new_pdf(1), tmp_path / "one.pdf")
    assert load_document(file_digest(path), "one.pdf", store) is None
    document = read(path, store)
    assert load_document(file_digest(path), "one.pdf", store) == document
    assert (document_folder(document, store) / "source.pdf").read_bytes() == path.read_bytes()


def test_closing_the_progress_stops_the_worker_and_leaves_nothing(
    tmp_path: Path, store: Store
) -> None:
    path = saved(new_pdf(200), tmp_path / "long.pdf")
    reading = read_document(path, store)
    next(reading)
    reading.close()
    left = [file for file in store.results.rglob("*") if file.is_file()]
    running = subprocess.run(["ps", "-ww", "-eo", "args"], capture_output=True, text=True).stdout
    assert (left, str(store.results) in running) == ([], False)


def test_any_file_name_is_kept_as_it_is(tmp_path: Path, store: Store) -> None:
    names = [
        "..hidden.pdf",
        "-rf --help.pdf",
        "100% done #1 & more;x=1.pdf",
        "emoji 🦟 mosquito.pdf",
        "e\u0301.pdf",
        "\u00e9.pdf",
        "UPPER.PDF",
        "noextension",
        "疫情" * 40 + ".pdf",
    ]
    content = new_pdf(1).tobytes()
    documents = []
    for name in names:
        (tmp_path / name).write_bytes(content)
        documents.append(read(tmp_path / name, store))
    assert [document.name for document in documents] == names
    assert len({document.id for document in documents}) == len(names)


def test_a_name_longer_than_a_file_name_can_be_is_kept(tmp_path: Path, store: Store) -> None:
    name = "名" * 300 + ".pdf"
    assert read(saved(new_pdf(1), tmp_path / "upload.pdf"), store, name=name).name == name


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "is empty, not a PDF; copy or download it again"),
        (b"\x89PNG\r\n\x1a\n", "is a PNG picture, not a PDF; save or print it as a PDF first"),
        (
            b"<!doctype html><html><body>404 about %PDF-1.7</body></html>",
            "is an HTML page, not a PDF; save or print it as a PDF first",
        ),
        (
            b"Dear Sir,\nthe report is enclosed.\n",
            "is text, not a PDF; save or print it as a PDF first",
        ),
        (
            bytes(range(128, 256)) * 20,
            "is data of an unknown kind, not a PDF; it may be damaged; copy or download it again",
        ),
        (b"%PDF-1.7\n", "is damaged beyond repair; copy or download it again"),
    ],
)
def test_what_is_not_a_pdf_is_refused_by_its_content(
    content: bytes, reason: str, tmp_path: Path, store: Store
) -> None:
    path = tmp_path / "report.pdf"
    path.write_bytes(content)
    assert refusal(path, store) == f"report.pdf {reason}"


def test_a_missing_file_is_named(tmp_path: Path, store: Store) -> None:
    assert refusal(tmp_path / "gone.pdf", store) == (
        "gone.pdf cannot be read: No such file or directory"
    )


def test_junk_before_the_header_does_no_harm(tmp_path: Path, store: Store) -> None:
    path = tmp_path / "junk.pdf"
    path.write_bytes(b"HTTP/1.1 200 OK\r\n\r\n" + new_pdf(1).tobytes())
    assert read(path, store).pages[0].text == SENTENCE.format(1)


def test_a_file_that_needs_a_password_says_so(tmp_path: Path, store: Store) -> None:
    path = tmp_path / "locked.pdf"
    new_pdf(1).save(
        path, encryption=pymupdf.mupdf.PDF_ENCRYPT_AES_256, user_pw="open", owner_pw="own"
    )
    assert refusal(path, store) == (
        "locked.pdf needs a password; save a copy without one and add that"
    )


def test_a_file_that_only_its_owner_may_change_is_read(tmp_path: Path, store: Store) -> None:
    path = tmp_path / "owned.pdf"
    new_pdf(1).save(
        path,
        encryption=pymupdf.mupdf.PDF_ENCRYPT_AES_256,
        owner_pw="own",
        user_pw="",
        permissions=0,
    )
    assert read(path, store).pages[0].text == SENTENCE.format(1)


def test_a_truncated_file_gives_the_pages_it_still_has(tmp_path: Path, store: Store) -> None:
    document = new_pdf(6)
    path = tmp_path / "half.pdf"
    content = document.tobytes(garbage=0)
    lost = document[3].get_contents()[0]
    path.write_bytes(content[: content.index(f"\n{lost} 0 obj".encode())])
    found = read(path, store)
    assert [page.text for page in found.pages] == [SENTENCE.format(n) for n in (1, 2, 3)]
    assert found.warnings[0] == (
        "the file is damaged and was repaired: 3 of 6 pages recovered, pages 4-6 lost"
    )


def test_a_damaged_table_of_contents_is_repaired(tmp_path: Path, store: Store) -> None:
    path = tmp_path / "broken.pdf"
    path.write_bytes(new_pdf(2).tobytes().replace(b"startxref\n", b"startxref\n9"))
    found = read(path, store)
    assert (len(found.pages), found.warnings) == (
        2,
        ("the file is damaged and was repaired: 2 of 2 pages recovered",),
    )


def test_a_file_above_the_size_limit_is_refused_before_it_is_read(
    tmp_path: Path, store: Store
) -> None:
    path = tmp_path / "huge.pdf"
    with path.open("wb") as file:
        file.truncate(200_000_000)
    assert refusal(path, store) == (
        "huge.pdf has 200 MB, more than the limit of 100 MB a file; "
        "split it, or save it with smaller pictures"
    )


def test_a_file_with_too_many_pages_is_refused(tmp_path: Path, store: Store) -> None:
    path = saved(new_pdf(4), tmp_path / "long.pdf")
    assert refusal(path, store, Limits(pages=3)) == (
        "long.pdf has 4 pages, more than the limit of 3; split it"
    )


def test_a_document_that_gives_nothing_is_refused(tmp_path: Path, store: Store) -> None:
    document = pymupdf.open()
    document.new_page()
    document.new_page()
    assert refusal(saved(document, tmp_path / "blank.pdf"), store) == (
        "blank.pdf: nothing on its 2 pages could be read: pages 1-2 hold neither text nor figures"
    )


def test_a_blank_page_among_others_is_named(tmp_path: Path, store: Store) -> None:
    document = new_pdf(2)
    document.new_page(1)
    found = read(saved(document, tmp_path / "gap.pdf"), store)
    assert found.warnings == ("page 2 holds neither text nor figures",)
    assert found.pages[1].warnings == ("page 2 holds neither text nor figures",)


def test_a_page_that_takes_forever_costs_only_itself(tmp_path: Path, store: Store) -> None:
    document = new_pdf(3)
    _draw_forever(document, document[1])
    path = saved(document, tmp_path / "slow.pdf")
    found = read(path, store, limits=Limits(seconds_per_page=1.5))
    reason = "took longer than 1.5 seconds"
    assert found.failed_pages == (FailedPage(page=2, reason=reason),)
    assert [page.text for page in found.pages] == [SENTENCE.format(1), SENTENCE.format(3)]
    assert found.warnings == (f"page 2 could not be read: {reason}",)

    tried_again = read(path, store, limits=Limits(seconds_per_page=1))
    assert tried_again.failed_pages == (FailedPage(page=2, reason="took longer than 1 seconds"),)


def test_a_gigantic_picture_costs_neither_the_text_nor_the_memory(
    tmp_path: Path, store: Store
) -> None:
    document = new_pdf(1)
    _place_blank_picture(document, document[0], columns=24_000, rows=24_000)
    path = saved(document, tmp_path / "bomb.pdf")
    found = read(path, store, limits=Limits(seconds_per_page=30, memory_megabytes=2000))
    assert (found.pages[0].text, found.failed_pages) == (SENTENCE.format(1), ())
    assert found.warnings[0].startswith("page 1: a picture of 24000 x 24000 pixels was")


def test_a_page_as_large_as_a_house_is_read(tmp_path: Path, store: Store) -> None:
    document = pymupdf.open()
    document.new_page(width=14_400, height=14_400).insert_text((72, 200), "The scale is 1 to 5000.")
    found = read(saved(document, tmp_path / "wall.pdf"), store)
    assert found.pages[0].text == "The scale is 1 to 5000."


def _draw_forever(document: pymupdf.Document, page: pymupdf.Page) -> None:
    """Let the page draw forms that draw each other ten times, twelve levels deep."""
    inner = 0
    for _ in range(12):
        form = document.get_new_xref()
        resources = f"<</XObject<</F {inner} 0 R>>>>" if inner else "<<>>"
        document.update_object(
            form, f"<</Type/XObject/Subtype/Form/BBox[0 0 600 800]/Resources {resources}>>"
        )
        document.update_stream(form, b"/F Do\n" * 10 if inner else b"0 0 1 1 re f\n")
        inner = form
    fonts = document.xref_get_key(page.xref, "Resources/Font")[1]
    document.xref_set_key(page.xref, "Resources", f"<</Font {fonts}/XObject<</F {inner} 0 R>>>>")
    content = page.get_contents()[0]
    document.update_stream(content, document.xref_stream(content) + b"\n/F Do\n")


def _place_blank_picture(
    document: pymupdf.Document, page: pymupdf.Page, *, columns: int, rows: int
) -> None:
    """Put a black-and-white picture of that many columns and rows on the page."""
    small = pymupdf.Pixmap(pymupdf.csRGB, pymupdf.IRect(0, 0, 8, 8), 0)
    picture = page.insert_image((72, 300, 400, 628), pixmap=small)
    document.update_object(
        picture,
        f"<</Type/XObject/Subtype/Image/Width {columns}/Height {rows}/ColorSpace/DeviceGray"
        "/BitsPerComponent 1>>",
    )
    document.update_stream(picture, bytes(columns // 8 * rows))
