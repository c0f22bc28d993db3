"""HTML of the retrieved chunks and of the page beneath them.

Everything that comes from a document is escaped here: markup in a document is shown as it is
written and never becomes part of the page. Leaves out where the pictures come from.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from sandbox.markup.markup import escape
from sandbox.records import LegScore, Retrieved

LEG_NAMES = {"lexical": "BM25", "dense": "vector", "fused": "fused", "reranker": "reranked"}
EMPTY_CARDS = (
    "<p class='empty'>The chunks that answer a question appear here, best first, "
    "with their place in each retriever.</p>"
)
EMPTY_PAGE = "<p class='empty'>Click a chunk or a citation to see it on its page.</p>"


@dataclass(frozen=True, slots=True, kw_only=True)
class Marks:
    """What is known about the chunks of one question besides their retrieval."""

    selected: int = 1
    """Rank of the chunk whose page is shown."""

    cited: Collection[int] = ()
    matched: Collection[int] = ()
    """Ranks that were not cited by the model but share the words of its answer."""

    sent: Collection[int] | None = None
    """Ranks that were sent to the model; None while that is not known."""

    crops: Mapping[int, str] = field(default_factory=dict)
    """Picture of a figure by rank, as a data URL."""


def cards_html(retrieved: Sequence[Retrieved], marks: Marks) -> str:
    """The retrieved chunks as cards, in order of rank."""
    if not retrieved:
        return EMPTY_CARDS
    return "<div class='cards'>" + "".join(card_html(item, marks) for item in retrieved) + "</div>"


def card_html(item: Retrieved, marks: Marks) -> str:
    """One retrieved chunk as a card."""
    chunk = item.chunk
    selected = item.rank == marks.selected
    classes = ["card"]
    classes += ["selected"] if selected else []
    classes += ["unsent"] if _is_unsent(item, marks) else []
    label = f"chunk {item.rank}, page {chunk.page}, {chunk.kind}"
    return (
        f"<article class='{' '.join(classes)}' role='button' tabindex='0' "
        f"aria-pressed='{str(selected).lower()}' aria-label='{label}' "
        f"data-click='chunk' data-rank='{item.rank}'>"
        f"<header><b class='rank'>{item.rank}</b>{_movement(item)}"
        f"<span class='where'>p. {chunk.page} · {chunk.kind}</span>"
        f"<bdi class='document' title='{escape(chunk.document)}'>{escape(chunk.document)}</bdi>"
        f"{_badges(item, marks)}</header>"
        f"{_scores(item)}{_crop(item, marks)}"
        f"<div class='text' dir='auto'>{_text(chunk.text, chunk.flagged)}</div>"
        f"{_remarks(item)}</article>"
    )


def page_html(
    document: str, page: int, page_count: int, *, picture: str, pages: Sequence[int], top: float
) -> str:
    """The picture of a page with the chunk highlighted.

    Args:
        document: Name of the document.
        page: The page shown.
        page_count: Pages of the document.
        picture: The page as a data URL.
        pages: Pages on which the chunk stands; a button each if there is more than one.
        top: Where the chunk begins, as a share of the page's height.
    """
    buttons = "".join(
        f"<button class='page-button' data-click='page' data-page='{number}' "
        f"aria-pressed='{str(number == page).lower()}'>p. {number}</button>"
        for number in pages
        if len(pages) > 1
    )
    name = escape(document)
    return (
        f"<div class='page-title'><span>page {page} of {page_count}</span>"
        f"<bdi class='document' title='{name}'>{name}</bdi>{buttons}</div>"
        f"<div class='page-scroll' data-page-shown='{page}' data-top='{top:.3f}'>"
        f"<img src='{picture}' alt='page {page} with the chunk highlighted'></div>"
    )


def _is_unsent(item: Retrieved, marks: Marks) -> bool:
    return marks.sent is not None and item.rank not in marks.sent


def _badges(item: Retrieved, marks: Marks) -> str:
    badges = []
    if item.rank in marks.matched:
        badges.append(("cited", "shares its words"))
    elif item.rank in marks.cited:
        badges.append(("cited", "cited"))
    if item.chunk.model_written:
        badges.append(("model", "written by a model"))
    elif item.chunk.ocr:
        badges.append(("ocr", "read by OCR"))
    if _is_unsent(item, marks):
        badges.append(("warning", "not sent: context full"))
    return "".join(f"<span class='badge {kind}'>{text}</span>" for kind, text in badges)


def _scores(item: Retrieved) -> str:
    parts = [_leg(name, item.legs[leg]) for leg, name in LEG_NAMES.items() if leg in item.legs]
    return f"<div class='scores'>{''.join(parts)}{_final(item)}</div>"


def _leg(name: str, leg: LegScore) -> str:
    return (
        f"<span class='leg' title='rank {leg.rank}, score {leg.score:.4f}'>"
        f"{name} <b>#{leg.rank}</b> <i>{format_score(leg.score)}</i></span>"
    )


def _final(item: Retrieved) -> str:
    """The score that decided the order, where it is none of the others."""
    if "reranker" not in item.legs:
        return ""
    score = format_score(item.score)
    return f"<span class='leg' title='decides the order'>final <i>{score}</i></span>"


def _movement(item: Retrieved) -> str:
    """How many places the reranker moved the chunk."""
    places = item.legs["fused"].rank - item.rank if "fused" in item.legs else 0
    if not places or "reranker" not in item.legs:
        return ""
    direction, arrow = ("up", "↑") if places > 0 else ("down", "↓")
    title = f"{direction} {abs(places)} by reranking"
    return f"<span class='moved' title='{title}'>{arrow}{abs(places)}</span>"


def format_score(score: float) -> str:
    """Three significant digits, without an exponent.

    >>> [format_score(score) for score in (0.031746, 12.3456, -0.5)]
    ['0.0317', '12.3', '-0.500']
    """
    size = abs(score)
    decimals = 4 if size < 0.1 else 3 if size < 1 else 2 if size < 10 else 1
    return f"{score:.{decimals}f}"


def _crop(item: Retrieved, marks: Marks) -> str:
    picture = marks.crops.get(item.rank)
    return f"<img class='crop' src='{picture}' alt='the figure'>" if picture else ""


def _text(text: str, flagged: Sequence[str]) -> str:
    """The text with the flagged words marked."""
    if not flagged:
        return escape(text)
    longest_first = sorted(flagged, key=len, reverse=True)
    pattern = "|".join(re.escape(word) for word in longest_first)
    pieces = re.split(f"({pattern})", text)
    return "".join(
        f"<mark>{escape(piece)}</mark>" if position % 2 else escape(piece)
        for position, piece in enumerate(pieces)
    )


def _remarks(item: Retrieved) -> str:
    chunk = item.chunk
    remarks = ""
    if chunk.flagged:
        words = ", ".join(escape(word) for word in chunk.flagged)
        remarks += f"<p class='remark warning'>not found in the figure: <mark>{words}</mark></p>"
    if chunk.hidden_text:
        remarks += (
            "<p class='remark hidden-text'><b>hidden on the page, not sent to the model:</b> "
            f"<span dir='auto'>{escape(chunk.hidden_text)}</span></p>"
        )
    for injection in chunk.injections:
        remarks += (
            "<p class='remark hidden-text'><b>order to a language model, not sent to it:</b> "
            f"<span dir='auto'>{escape(injection)}</span></p>"
        )
    return remarks
