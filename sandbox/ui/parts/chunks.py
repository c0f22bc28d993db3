"""Retrieved chunks as cards, and a chunk highlighted on the picture of its page.

Pictures are data URLs, so that the browser asks the server for no file by its path.
"""

import base64
import io
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from markupsafe import Markup

from sandbox.errors import SandboxError
from sandbox.markup.templates import render
from sandbox.rag.pipeline import Pipeline
from sandbox.records import Box, Chunk, Corpus, Document, Retrieved

LEG_NAMES = {"lexical": "BM25", "dense": "vector", "fused": "fused", "reranker": "reranked"}
EMPTY_PAGE = Markup("<p class='empty'>Click a chunk or a citation to see it on its page.</p>")
CROP_PIXELS = 640
"""Longest side of a figure's crop in a card; the original stays on disk."""


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


def cards_html(retrieved: Sequence[Retrieved], marks: Marks) -> Markup:
    """The retrieved chunks as cards, in order of rank; without any, what will be there."""

    def is_unsent(item: Retrieved) -> bool:
        return marks.sent is not None and item.rank not in marks.sent

    return render(
        "ui/parts/cards.html",
        retrieved=retrieved,
        marks=marks,
        leg_names=LEG_NAMES,
        is_unsent=is_unsent,
        digits=format_score,
        split_at=_split_at,
    )


def chunk_on_page_html(pipeline: Pipeline, corpus: Corpus, chunk: Chunk, page: int) -> Markup:
    """The page with the chunk highlighted, or why it cannot be shown; `page` 0 is its first."""
    number = page or chunk.page
    boxes = [box for box in chunk.boxes if box.page == number]
    document = next((item for item in corpus.documents if item.id == chunk.document_id), None)
    if document is None:
        return trouble_html(f"{chunk.document} has changed since, so its page cannot be shown")
    try:
        picture = pipeline.page_image(corpus, chunk.document_id, number, boxes)
    except SandboxError as error:
        return trouble_html(str(error))
    pages = sorted({chunk.page} | {box.page for box in chunk.boxes})
    top = _top(document, number, boxes)
    return page_html(document, number, picture=_data_url(picture), pages=pages, top=top)


def page_html(
    document: Document, page: int, *, picture: str, pages: Sequence[int], top: float
) -> Markup:
    """The picture of a page, and a button for each page where the chunk stands on several.

    `picture` is a data URL, `top` where the chunk begins as a share of the page's height.
    """
    return render(
        "ui/parts/page.html", document=document, page=page, picture=picture, pages=pages, top=top
    )


def trouble_html(sentence: str) -> Markup:
    """One sentence where the page would stand."""
    return render("ui/parts/progress.html#trouble", text=sentence)


def crops_of(pipeline: Pipeline, retrieved: Sequence[Retrieved]) -> dict[int, str]:
    """Pictures of the figures among retrieved chunks, by rank."""
    return {
        item.rank: crop_data_url(pipeline.figure_path(item.chunk))
        for item in retrieved
        if item.chunk.image
    }


def crop_data_url(path: Path) -> str:
    """A figure's PNG, made smaller where it is large; empty if it cannot be read."""
    from PIL import Image, UnidentifiedImageError

    try:
        with Image.open(path) as image:
            image.thumbnail((CROP_PIXELS, CROP_PIXELS))
            stream = io.BytesIO()
            image.save(stream, "PNG")
    except (OSError, UnidentifiedImageError, Image.DecompressionBombError):
        return ""
    return _data_url(stream.getvalue())


def format_score(score: float) -> str:
    """Three significant digits, without an exponent.

    >>> [format_score(score) for score in (0.031746, 12.3456, -0.5)]
    ['0.0317', '12.3', '-0.500']
    """
    size = abs(score)
    decimals = 4 if size < 0.1 else 3 if size < 1 else 2 if size < 10 else 1
    return f"{score:.{decimals}f}"


def _data_url(png: bytes) -> str:
    return "data:image/png;base64," + base64.b64encode(png).decode("ascii")


def _split_at(text: str, words: Sequence[str]) -> list[str]:
    """The text in pieces, of which every second is one of the words."""
    if not words:
        return [text]
    longest_first = sorted(words, key=len, reverse=True)
    return re.split("(" + "|".join(map(re.escape, longest_first)) + ")", text)


def _top(document: Document, number: int, boxes: Sequence[Box]) -> float:
    """Where the highest box begins, as a share of the page's height."""
    heights = [page.height for page in document.pages if page.number == number]
    if not boxes or not heights or heights[0] <= 0:
        return 0.0
    return min(box.top for box in boxes) / heights[0]
