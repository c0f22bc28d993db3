"""HTML of a chunk on its page, for every tab that shows one."""

from collections.abc import Sequence

from sandbox.errors import SandboxError
from sandbox.markup.markup import escape
from sandbox.rag.pipeline import Pipeline
from sandbox.records import Box, Chunk, Corpus, Retrieved
from sandbox.ui.parts.cards import page_html
from sandbox.ui.parts.pictures import crop_data_url, png_data_url


def chunk_on_page_html(pipeline: Pipeline, corpus: Corpus, chunk: Chunk, page: int) -> str:
    """The page with the chunk highlighted, or why it cannot be shown.

    Args:
        pipeline: Renders the page.
        corpus: The documents that were asked.
        chunk: What is highlighted.
        page: Which of its pages; 0 for the one on which it begins.
    """
    shown = page or chunk.page
    boxes = [box for box in chunk.boxes if box.page == shown]
    document = next((one for one in corpus.documents if one.id == chunk.document_id), None)
    if document is None:
        return trouble_html(f"{chunk.document} has changed since, so its page cannot be shown")
    try:
        picture = pipeline.page_image(corpus, chunk.document_id, shown, boxes)
    except SandboxError as error:
        return trouble_html(str(error))
    return page_html(
        document.name,
        shown,
        document.page_count,
        picture=png_data_url(picture),
        pages=sorted({chunk.page} | {box.page for box in chunk.boxes}),
        top=_top(corpus, chunk.document_id, shown, boxes),
    )


def crops_of(pipeline: Pipeline, retrieved: Sequence[Retrieved]) -> dict[int, str]:
    """Pictures of the figures among retrieved chunks, by rank."""
    return {
        item.rank: crop_data_url(pipeline.figure_path(item.chunk))
        for item in retrieved
        if item.chunk.image
    }


def trouble_html(sentence: str) -> str:
    """One sentence where the page would stand."""
    return f"<p class='empty failed' role='alert'>{escape(sentence)}</p>"


def _top(corpus: Corpus, document_id: str, page: int, boxes: list[Box]) -> float:
    """Where the highest box begins, as a share of the page's height."""
    heights = [
        item.height
        for document in corpus.documents
        if document.id == document_id
        for item in document.pages
        if item.number == page and item.height > 0
    ]
    return min(box.top for box in boxes) / heights[0] if boxes and heights else 0.0
