"""What a person should know about how a document was read, in sentences to act on."""

from collections.abc import Iterable, Sequence

from sandbox.documents.geometry.ocr import INSTALL_COMMAND
from sandbox.documents.worker_process import Outcome
from sandbox.records import Page

_MOST_PAGE_WARNINGS = 20


def document_warnings(pages: Sequence[Page], outcome: Outcome) -> tuple[str, ...]:
    """Warnings over all pages first, then those of single pages."""
    warnings: list[str] = []
    failed = [page.page for page in outcome.failed_pages]
    if outcome.is_repaired:
        warnings.append(_repaired(outcome, failed))
    elif failed:
        warnings.append(f"{_of(failed)} could not be read: {outcome.failed_pages[0].reason}")
    if by_ocr := [page.number for page in pages if page.source == "ocr"]:
        warnings.append(
            f"{_of(by_ocr)} {_have(by_ocr)} no usable text layer and {_were(by_ocr)} read by OCR"
        )
    if unread := [page.number for page in pages if _needs_ocr(page)]:
        warnings.append(
            f"{_of(unread)} {_have(unread)} no usable text layer and {_were(unread)} not read; "
            f"to read by OCR, run: {INSTALL_COMMAND}"
        )
    hidden = [page.number for page in pages if any(block.hidden_text for block in page.blocks)]
    if hidden:
        warnings.append(
            f"{_of(hidden)} {_hold(hidden)} text that cannot be seen on the page; "
            "it is shown with its chunk but not indexed"
        )
    empty = [page.number for page in pages if is_empty(page)]
    if empty:
        warnings.append(f"{_of(empty)} {_hold(empty)} neither text nor figures")
    single = [
        w for page in pages if not is_empty(page) and not _needs_ocr(page) for w in page.warnings
    ]
    if len(single) > _MOST_PAGE_WARNINGS:
        more = len(single) - _MOST_PAGE_WARNINGS
        single = [*single[:_MOST_PAGE_WARNINGS], f"{more} more remarks on single pages"]
    return (*warnings, *single)


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
    return ", ".join("-".join(str(number) for number in found) for found in ranges)


def _repaired(outcome: Outcome, failed: Sequence[int]) -> str:
    recovered = outcome.page_count - len(failed)
    text = (
        f"the file is damaged and was repaired: {recovered} of {outcome.page_count} pages recovered"
    )
    return f"{text}, {_of(failed)} lost" if failed else text


def _needs_ocr(page: Page) -> bool:
    return page.source == "none" and any(INSTALL_COMMAND in warning for warning in page.warnings)


def _of(numbers: Sequence[int]) -> str:
    return f"page{'s' if len(numbers) > 1 else ''} {page_ranges(numbers)}"


def _have(numbers: Sequence[int]) -> str:
    return "have" if len(numbers) > 1 else "has"


def _were(numbers: Sequence[int]) -> str:
    return "were" if len(numbers) > 1 else "was"


def _hold(numbers: Sequence[int]) -> str:
    return "hold" if len(numbers) > 1 else "holds"
