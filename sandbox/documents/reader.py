"""A PDF read into a Document, once: pages by the worker process, then what needs several pages.

Everything read is kept in the store under the digest of the file's bytes, so that a second call
returns at once, and the PDF behind a chunk is found again. Chunks and captions written by models
are made elsewhere.
"""

import shutil
from collections.abc import Generator, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from sandbox.documents.figures.extract import drop_repeated
from sandbox.documents.figures.pairing import pair_across_pages
from sandbox.documents.file_type import foreign_type
from sandbox.documents.geometry import ocr
from sandbox.documents.layout.headers_footers import remove_headers_footers
from sandbox.documents.reading_warnings import document_warnings
from sandbox.documents.tables.continued import join_continued_tables
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

    Args:
        path: The file, whatever it is called.
        store: Where everything read is kept.
        name: The file's name as the user knows it; the path's by default.
        limits: What reading may cost.

    Returns:
        The document, as the generator's value.

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
        kind = foreign_type(path)
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
        warnings=document_warnings(pages, outcome),
    )
    if not any(page.blocks or page.tables or page.figures for page in pages):
        reasons = "; ".join(document.warnings) or "its pages hold neither text nor figures"
        raise CorpusError(f"{name}: nothing on its {_pages(outcome)} could be read: {reasons}")
    return document


def _pages(outcome: Outcome) -> str:
    return "one page" if outcome.page_count == 1 else f"{outcome.page_count} pages"


def find_source(store: Store, document_id: str, name: str) -> Path | None:
    """The copy of the PDF in the store; ``None`` if it is no longer there.

    Args:
        store: Where documents lie.
        document_id: As chunks state it.
        name: The document's name, which is part of the id.
    """
    for source, digest in _sources(store):
        if Document(digest=digest, name=name, page_count=0, pages=()).id == document_id:
            return source
    return None


def _sources(store: Store) -> Iterator[tuple[Path, str]]:
    folder = store.document_folder("", READER_VERSION).parent
    for source in sorted(folder.glob(f"*-*/{SOURCE_FILE}")):
        yield source, file_digest(source)
