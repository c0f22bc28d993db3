"""What a citation looks like in an answer."""

import re

_CITATION = re.compile(r"[\[［【]\s*\d{1,3}(?:\s*[-–,，、;]\s*\d{1,3})*\s*[\]］】]")


def without_citations(text: str) -> str:
    """The text without its citations.

    >>> without_citations("It rose [2], then fell [1, 3-4].").split()
    ['It', 'rose', ',', 'then', 'fell', '.']
    """
    return _CITATION.sub(" ", text)
