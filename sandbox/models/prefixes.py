"""Words that some embedders expect before a question or a passage; others expect none."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Prefixes:
    """What is put before a text."""

    passage: str = ""
    question: str = ""


# From the model cards; the first whose name is part of the model's name is taken.
KNOWN = {
    "nomic-embed": Prefixes(passage="search_document: ", question="search_query: "),
    "e5-": Prefixes(passage="passage: ", question="query: "),
    "mxbai-embed": Prefixes(
        question="Represent this sentence for searching relevant passages: ",
    ),
    "embeddinggemma": Prefixes(
        passage="title: none | text: ", question="task: search result | query: "
    ),
}


def prefixes_for(model: str) -> Prefixes:
    """The prefixes of that model.

    >>> prefixes_for("nomic-embed-text:latest").question
    'search_query: '
    """
    return next((value for key, value in KNOWN.items() if key in model.lower()), Prefixes())
