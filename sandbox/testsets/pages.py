"""Pages of a corpus as text to draft questions from."""

from collections.abc import Sequence
from dataclasses import dataclass

from sandbox.errors import ConfigError, CorpusError
from sandbox.records import Corpus, Page
from sandbox.testsets.check import letters

LEAST_LETTERS = 40
"""A page with less text is not worth asking the model."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftPage:
    """A page to draft from."""

    document: str
    number: int
    text: str


def pages_to_draft(
    corpus: Corpus, numbers: Sequence[int] = (), *, document: str = ""
) -> tuple[DraftPage, ...]:
    """Pages of a corpus with their text and tables.

    Args:
        corpus: The corpus.
        numbers: Which pages; all where empty.
        document: Only of this document; of all where empty.

    Raises:
        CorpusError: If no such page holds text.
    """
    found = tuple(
        DraftPage(document=one.name, number=page.number, text=_text(page))
        for one in corpus.documents
        if document in ("", one.name)
        for page in one.pages
        if not numbers or page.number in numbers
    )
    found = tuple(page for page in found if len(letters(page.text)) >= LEAST_LETTERS)
    if not found:
        raise CorpusError(
            f"none of the chosen pages of {document or corpus.name} holds text to ask about;"
            " choose other pages"
        )
    return found


def page_numbers(text: str) -> tuple[int, ...]:
    """Page numbers as a person writes them; none for an empty text.

    >>> page_numbers("2, 5-7")
    (2, 5, 6, 7)

    Raises:
        ConfigError: If the text holds anything else.
    """
    found: list[int] = []
    for part in text.replace("，", ",").replace("、", ",").split(","):
        first, dash, last = part.strip().partition("-")
        if not part.strip():
            continue
        if not first.strip().isdecimal() or (dash and not last.strip().isdecimal()):
            raise ConfigError(f"pages are written as in 2,5-7, not {text!r}")
        found += range(int(first), int(last or first) + 1)
    return tuple(found)


def _text(page: Page) -> str:
    tables = [f"{table.title}\n{table.markdown}" for table in page.tables]
    return "\n".join([page.text, *tables]).strip()
