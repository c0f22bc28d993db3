"""Reads a PDF into a Document, once: pages by the worker process, then what needs several pages.

Everything read is kept in the store under the digest of the file's bytes, so that a second call
returns at once, and the PDF behind a chunk is found again. What a file really is, its first bytes
tell: names lie, and MuPDF opens more than PDFs.
"""

import shutil
import zipfile
from collections.abc import Generator, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from sandbox.documents.across_pages import join_continued_tables, remove_headers_footers
from sandbox.documents.figures.extract import drop_repeated
from sandbox.documents.figures.pairing import pair_across_pages
from sandbox.documents.geometry import ocr
from sandbox.documents.worker import FIGURES_FOLDER, PAGES_FOLDER, page_file
from sandbox.documents.worker_process import Limits, Outcome, read_pages
from sandbox.errors import CorpusError
from sandbox.files.storage import (
    FORMAT,
    Store,
    file_digest,
    from_json,
    new_folder,
    to_json,
    write_text,
)
from sandbox.progress import Progress
from sandbox.records import Document, Page

__all__ = ["READER_VERSION", "Limits", "document_folder", "load_document", "read_document"]
READER_VERSION = 2
"""Raised whenever the same PDF would be read differently."""

SOURCE_FILE = "source.pdf"
DOCUMENT_FILE = "document.json"

_HEAD_BYTES = 4096  # enough for a header with junk before it, and to tell text from data
_HEADER_BYTES = 1024
"""A PDF may have this much in front of its header (ISO 32000, implementation note 13)."""

_SIGNATURES = (
    (b"\x89PNG\r\n", "a PNG picture"),
    (b"\xff\xd8\xff", "a JPEG picture"),
    (b"GIF8", "a GIF picture"),
    (b"II*\x00", "a TIFF picture"),
    (b"MM\x00*", "a TIFF picture"),
    (b"BM", "a BMP picture"),
    (b"\xd0\xcf\x11\xe0", "an old Office document"),
    (b"{\\rtf", "an RTF document"),
    (b"%!PS", "a PostScript file"),
    (b"Rar!", "a RAR archive"),
    (b"7z\xbc\xaf", "a 7z archive"),
    (b"\x1f\x8b", "a gzip archive"),
)
_IN_ARCHIVES = (
    ("word/", "a Word document"),
    ("xl/", "an Excel workbook"),
    ("ppt/", "a PowerPoint presentation"),
    ("META-INF/container.xml", "an EPUB book"),
)
_MARKUP = (
    (b"<!doctype html", "an HTML page"),
    (b"<html", "an HTML page"),
    (b"<svg", "an SVG picture"),
)

_MOST_PAGE_WARNINGS = 20  # remarks on single pages that are listed; the rest are counted


@dataclass(frozen=True, slots=True, kw_only=True)
class _Reading:
    """A document as it is stored, with what its reading depended on."""

    format: int
    with_ocr: bool
    limits: Limits
    document: Document


def read_document(
    path: Path, store: Store, *, name: str | None = None, limits: Limits | None = None
) -> Generator[Progress, None, Document]:
    """Read a PDF, telling the progress page by page; closing the generator leaves nothing behind.

    The name is the file's as the user knows it, by default the path's. The document is the
    generator's value.

    Raises:
        CorpusError: If the file gives nothing; one sentence: the file, the fault, the remedy.
    """
    limits = limits or Limits()
    shown_name = name or path.name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    digest = _checked_digest(path, shown_name, limits)
    stored = _load(digest, store, limits)
    if stored is not None:
        return replace(stored, name=shown_name)
    with new_folder(store.document_folder(digest, READER_VERSION)) as folder:
        source = folder / SOURCE_FILE
        shutil.copyfile(path, source)
        outcome = yield from read_pages(folder, source, shown_name, limits)
        document = _assemble(folder, digest, shown_name, outcome)
        reading = _Reading(
            format=FORMAT, with_ocr=ocr.is_available(), limits=limits, document=document
        )
        write_text(folder / DOCUMENT_FILE, to_json(reading))
    return document


def load_document(digest: str, name: str, store: Store) -> Document | None:
    """A document that was read before, by the digest of its bytes; None if it was not."""
    stored = _load(digest, store, None)
    return replace(stored, name=name) if stored else None


def document_folder(document: Document, store: Store) -> Path:
    """Where `source.pdf` and the folder `figures` of a document lie."""
    return store.document_folder(document.digest, READER_VERSION)


def _checked_digest(path: Path, name: str, limits: Limits) -> str:
    """The digest of a file that may be a PDF and is not too large."""
    try:
        megabytes = path.stat().st_size / 1e6
        if megabytes > limits.file_megabytes:
            raise CorpusError(
                f"{name} has {megabytes:.0f} MB, more than the limit of {limits.file_megabytes} MB "
                "a file; split it, or save it with smaller pictures"
            )
        kind = _foreign_type(path)
        if kind:
            raise CorpusError(f"{name} is {kind}, not a PDF; {_remedy(kind)}")
        return file_digest(path)
    except OSError as error:
        raise CorpusError(f"{name} cannot be read: {error.strerror or error}") from error


def _remedy(kind: str) -> str:
    if kind == "empty":
        return "copy or download it again"
    if kind.startswith("data"):
        return "it may be damaged; copy or download it again"
    return "save or print it as a PDF first"


def _load(digest: str, store: Store, limits: Limits | None) -> Document | None:
    """A stored document, unless reading it again now could give more."""
    file = store.document_folder(digest, READER_VERSION) / DOCUMENT_FILE
    try:
        reading = from_json(_Reading, file.read_bytes())
    except (OSError, ValueError):
        return None
    document = reading.document
    if limits is not None and document.failed_pages and limits != reading.limits:
        return None
    has_unread = any(page.source == "none" for page in document.pages)
    if has_unread and not reading.with_ocr and ocr.is_available():
        return None
    return document


def _assemble(folder: Path, digest: str, name: str, outcome: Outcome) -> Document:
    """The document made of the pages in the folder.

    Raises:
        CorpusError: If nothing on any page could be read.
    """
    numbers = range(1, outcome.page_count + 1)
    texts = [file.read_text("utf-8") for n in numbers if (file := page_file(folder, n)).exists()]
    pages = tuple(from_json(list[Page], f"[{','.join(texts)}]"))
    shutil.rmtree(folder / PAGES_FOLDER)
    (folder / FIGURES_FOLDER).mkdir(exist_ok=True)
    pages = drop_repeated(pages, folder / FIGURES_FOLDER)
    pages = join_continued_tables(pair_across_pages(remove_headers_footers(pages)))
    document = Document(
        digest=digest,
        name=name,
        page_count=outcome.page_count,
        pages=pages,
        failed_pages=tuple(outcome.failed_pages),
        warnings=_document_warnings(pages, outcome),
    )
    if not any(page.blocks or page.tables or page.figures for page in pages):
        reasons = "; ".join(document.warnings) or "its pages hold neither text nor figures"
        raise CorpusError(f"{name}: nothing on its {_pages(outcome)} could be read: {reasons}")
    return document


def _pages(outcome: Outcome) -> str:
    return "one page" if outcome.page_count == 1 else f"{outcome.page_count} pages"


def find_source(store: Store, document_id: str, name: str) -> Path | None:
    """The copy of the PDF in the store, ``None`` if it is gone; the id depends on the name too."""
    folder = store.document_folder("", READER_VERSION).parent
    for source in sorted(folder.glob(f"*-*/{SOURCE_FILE}")):
        digest = file_digest(source)
        if Document(digest=digest, name=name, page_count=0, pages=()).id == document_id:
            return source
    return None


def _foreign_type(path: Path) -> str:
    """What the file is, as words for a sentence; empty if it may be a PDF.

    >>> import tempfile, pathlib
    >>> file = pathlib.Path(tempfile.mkdtemp()) / "chart.pdf"
    >>> _ = file.write_bytes(bytes.fromhex("89504e470d0a1a0a"))
    >>> _foreign_type(file)
    'a PNG picture'
    """
    with path.open("rb") as file:
        head = file.read(_HEAD_BYTES)
    if not head:
        return "empty"
    for signature, name in _SIGNATURES:
        if head.startswith(signature):
            return name
    if head.startswith(b"PK\x03\x04"):
        return _archive_type(path)
    start = head.lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    for mark, name in _MARKUP:
        if start.startswith(mark):
            return name
    if b"%PDF-" in head[:_HEADER_BYTES] or b" obj" in head:
        return ""
    return "text" if _is_text(head) else "data of an unknown kind"


def _archive_type(path: Path) -> str:
    try:
        with zipfile.ZipFile(path) as archive:
            names = archive.namelist()
    except (zipfile.BadZipFile, OSError):
        return "a ZIP archive"
    for mark, name in _IN_ARCHIVES:
        if any(entry.startswith(mark) for entry in names):
            return name
    return "a ZIP archive"


def _is_text(head: bytes) -> bool:
    try:
        head[:-4].decode("utf-8")
    except UnicodeDecodeError:
        return False
    return b"\x00" not in head


def _document_warnings(pages: Sequence[Page], outcome: Outcome) -> tuple[str, ...]:
    """Warnings over all pages first, then those of single pages."""
    by_ocr = [page.number for page in pages if page.source == "ocr"]
    unread = [page.number for page in pages if _needs_ocr(page)]
    hidden = [page.number for page in pages if any(block.hidden_text for block in page.blocks)]
    empty = [page.number for page in pages if _is_empty(page)]
    warnings = [
        _about_failures(outcome),
        _about(by_ocr, "{have} no usable text layer and {were} read by OCR"),
        _about(
            unread,
            "{have} no usable text layer and {were} not read; to read by OCR, run: "
            + ocr.INSTALL_COMMAND,
        ),
        _about(
            hidden,
            "{hold} text that cannot be seen on the page; "
            "it is shown with its chunk but not indexed",
        ),
        _about(empty, "{hold} neither text nor figures"),
    ]
    rest = [page for page in pages if page.number not in (*empty, *unread)]
    return (*(warning for warning in warnings if warning), *_about_single_pages(rest))


def _about_single_pages(pages: Sequence[Page]) -> list[str]:
    warnings = [warning for page in pages for warning in page.warnings]
    if len(warnings) <= _MOST_PAGE_WARNINGS:
        return warnings
    more = len(warnings) - _MOST_PAGE_WARNINGS
    return [*warnings[:_MOST_PAGE_WARNINGS], f"{more} more remarks on single pages"]


def _is_empty(page: Page) -> bool:
    """Whether a page gave nothing although nothing failed."""
    return not (page.blocks or page.tables or page.figures) and not _needs_ocr(page)


def _page_ranges(numbers: Iterable[int]) -> str:
    """Page numbers as people write them.

    >>> _page_ranges([1, 3, 4, 5])
    '1, 3-5'
    """
    ranges: list[list[int]] = []
    for number in sorted(numbers):
        if ranges and number == ranges[-1][-1] + 1:
            ranges[-1] = [ranges[-1][0], number]
        else:
            ranges.append([number])
    return ", ".join("-".join(str(number) for number in ends) for ends in ranges)


def _about_failures(outcome: Outcome) -> str:
    failed = [page.page for page in outcome.failed_pages]
    if not outcome.is_repaired:
        return (
            f"{_name(failed)} could not be read: {outcome.failed_pages[0].reason}" if failed else ""
        )
    recovered = outcome.page_count - len(failed)
    text = (
        f"the file is damaged and was repaired: {recovered} of {outcome.page_count} pages recovered"
    )
    return f"{text}, {_name(failed)} lost" if failed else text


def _about(numbers: Sequence[int], sentence: str) -> str:
    """A sentence about pages, its verbs in their number; empty if it is about none."""
    if not numbers:
        return ""
    is_one = len(numbers) == 1
    verbs = {
        "have": "has" if is_one else "have",
        "were": "was" if is_one else "were",
        "hold": "holds" if is_one else "hold",
    }
    return f"{_name(numbers)} {sentence.format(**verbs)}"


def _name(numbers: Sequence[int]) -> str:
    return f"page{'s' if len(numbers) > 1 else ''} {_page_ranges(numbers)}"


def _needs_ocr(page: Page) -> bool:
    return page.source == "none" and any(ocr.INSTALL_COMMAND in text for text in page.warnings)
