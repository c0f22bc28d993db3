"""What a file really is, told by its first bytes: names lie, and MuPDF opens more than PDFs."""

import zipfile
from pathlib import Path

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


def foreign_type(path: Path) -> str:
    """What the file is, as words for a sentence; empty if it may be a PDF.

    >>> import tempfile, pathlib
    >>> file = pathlib.Path(tempfile.mkdtemp()) / "chart.pdf"
    >>> _ = file.write_bytes(bytes.fromhex("89504e470d0a1a0a"))
    >>> foreign_type(file)
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
