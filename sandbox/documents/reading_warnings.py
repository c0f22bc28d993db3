"""What a person should know about how a document was read, in sentences to act on."""

from collections.abc import Iterable, Sequence

from sandbox.documents.geometry.ocr import INSTALL_COMMAND
from sandbox.documents.worker_process import Outcome
from sandbox.records import Page

_MOST_PAGE_WARNINGS = 20  # remarks on single pages that are listed; the rest are counted


def document_warnings(pages: Sequence[Page], outcome: Outcome) -> tuple[str, ...]:
    """Warnings over all pages first, then those of single pages."""
    by_ocr = [page.number for page in pages if page.source == "ocr"]
    unread = [page.number for page in pages if _needs_ocr(page)]
    hidden = [page.number for page in pages if any(block.hidden_text for block in page.blocks)]
    empty = [page.number for page in pages if is_empty(page)]
    warnings = [
        _about_failures(outcome),
        _about(by_ocr, "{have} no usable text layer and {were} read by OCR"),
        _about(
            unread,
            "{have} no usable text layer and {were} not read; to read by OCR, run: "
            + INSTALL_COMMAND,
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


def is_empty(page: Page) -> bool:
    """Whether a page gave nothing although nothing failed."""
    return not (page.blocks or page.tables or page.figures) and not _needs_ocr(page)


def page_ranges(numbers: Iterable[int]) -> str:
    """Page numbers as people write them.

    >>> page_ranges([1, 3, 4, 5])
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
    return f"page{'s' if len(numbers) > 1 else ''} {page_ranges(numbers)}"


def _needs_ocr(page: Page) -> bool:
    return page.source == "none" and any(INSTALL_COMMAND in warning for warning in page.warnings)
