"""The process that opens PDFs: pages go to a folder as JSON, messages to standard output.

    python -m sandbox.documents.worker SOURCE FOLDER FIRST_PAGE MEMORY_MEGABYTES [text-only]

A process of its own, so that a crash, a hang or a memory bomb costs one page. Ends by itself when
its standard input is closed, which happens when the process that started it ends.
"""

import os
import sys
import threading
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TextIO

from sandbox.files.storage import to_json
from sandbox.records import Page

if TYPE_CHECKING:
    import pymupdf

PAGES_FOLDER = "pages"
FIGURES_FOLDER = "figures"

_BEYOND_REPAIR = "is damaged beyond repair; copy or download it again"


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One line from the worker."""

    kind: Literal["opened", "page", "failed", "refused"]
    page: int = 0
    page_count: int = 0
    figures: int = 0
    is_repaired: bool = False
    reason: str = ""


def page_file(folder: Path, number: int) -> Path:
    """Where the worker leaves a page."""
    return folder / PAGES_FOLDER / f"{number:06}.json"


def main(arguments: list[str]) -> None:
    """Read the pages from the first one on; the first may be read for its text only."""
    source, folder, first, memory = arguments[:4]
    messages = _own_output()
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _limit_memory(int(memory))
    document = _open(Path(source), messages)
    if document is None:
        return
    for name in (PAGES_FOLDER, FIGURES_FOLDER):
        (Path(folder) / name).mkdir(exist_ok=True)
    opened = Message(
        kind="opened", page_count=document.page_count, is_repaired=document.is_repaired
    )
    from sandbox.documents import page_reader  # noqa: F401, so that no page's time is spent on it

    _send(messages, opened)
    for number in range(int(first), document.page_count + 1):
        text_only = "text-only" in arguments and number == int(first)
        _send(messages, _read(document, number, Path(folder), text_only=text_only))


def _open(source: Path, messages: TextIO) -> "pymupdf.Document | None":
    import pymupdf

    try:
        document = pymupdf.open(source, filetype="pdf")
    except (RuntimeError, ValueError, pymupdf.mupdf.FzErrorBase):
        _send(messages, Message(kind="refused", reason=_BEYOND_REPAIR))
        return None
    reason = ""
    if document.needs_pass:
        reason = "needs a password; save a copy without one and add that"
    elif not document.is_pdf:
        reason = "is not a PDF"
    elif document.page_count == 0:
        reason = "holds no page that could be recovered"
    if reason:
        _send(messages, Message(kind="refused", reason=reason))
        return None
    return document


def _read(document: "pymupdf.Document", number: int, folder: Path, *, text_only: bool) -> Message:
    """Read one page; what fails beside the text costs the rest of the page, not the text."""
    import pymupdf

    from sandbox.documents.page_reader import read_page, read_text_only

    errors = (RuntimeError, ValueError, MemoryError, pymupdf.mupdf.FzErrorBase)
    try:
        loaded = document.load_page(number - 1)
        if document.is_repaired and not _has_content(document, loaded):
            return Message(kind="failed", page=number, reason="its content is lost")
        try:
            if text_only:
                page = read_text_only(loaded, number)
            else:
                page = read_page(loaded, number, folder / FIGURES_FOLDER)
        except errors as error:
            if text_only:
                raise
            page = with_warning(read_text_only(loaded, number), _first_line(error))
    except errors as error:
        return Message(kind="failed", page=number, reason=_first_line(error))
    finally:
        pymupdf.TOOLS.store_shrink(100)
    page_file(folder, number).write_text(to_json(page), encoding="utf-8")
    return Message(kind="page", page=number, figures=len(page.figures))


def with_warning(page: Page, reason: str) -> Page:
    """The page, saying that only its text was read."""
    warning = f"page {page.number}: figures and tables were left out ({reason})"
    return replace(page, warnings=(*page.warnings, warning))


def _has_content(document: "pymupdf.Document", page: "pymupdf.Page") -> bool:
    return any(document.xref_is_stream(reference) for reference in page.get_contents())


def _first_line(error: BaseException) -> str:
    lines = str(error).strip().splitlines()
    return lines[0][:200] if lines else type(error).__name__


def _send(messages: TextIO, message: Message) -> None:
    messages.write(to_json(message) + "\n")
    messages.flush()


def _own_output() -> TextIO:
    """Keep standard output for messages; what libraries print goes to standard error."""
    messages = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    return messages


def _end_with_parent() -> None:
    sys.stdin.read()
    os._exit(0)


def _limit_memory(megabytes: int) -> None:
    if sys.platform == "win32":
        return  # no address-space limit there
    import resource

    resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))


if __name__ == "__main__":
    main(sys.argv[1:])
