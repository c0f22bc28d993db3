"""Cuts a document into chunks: text, tables, and figures with their captions.

Text is cut at the ends of Chinese and English sentences and never inside a number, and every chunk
keeps its page and boxes. A sentence that runs over a page break belongs to the page where it
begins.
"""

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil

from sandbox.config import IndexKind
from sandbox.records import Block, Box, Caption, Chunk, ChunkKind, Document, Figure, Page, Table
from sandbox.text.languages import CJK, KANA
from sandbox.text.prompt_injection import find_injections
from sandbox.text.sentences import CLOSERS, SENTENCE_END, STOPS
from sandbox.text.tokenization import estimate_embedding_tokens

CHUNKER_VERSION = 3
"""Stored with every index; raised when the same document would give other chunks."""

MAX_TOKENS = 500
"""Estimated tokens of the longest chunk: what a 512-token embedder or reranker reads whole."""

SEPARATORS = (
    r"\n",
    SENTENCE_END.pattern,
    r"(?<=[，,：:])(?!\d)",
    r"(?<=\s)",
    r"(?<![\d.,，．])(?=[\d.,])|(?<=\d)(?![\d.,，．%％])|(?<![\d\s.,])(?![\d\s.,。，；！？])",
)
"""Where a text may be cut, best first: paragraph, sentence, clause, word; never in a number."""

_UNSPACED = re.compile(f"[{CJK}{KANA}，。、；：！？（）「」『』《》]")
_MAX_CARRIED = 300
"""Characters of the next page in which the end of a broken sentence is looked for."""


@dataclass(frozen=True, slots=True)
class Span:
    """Characters [start, end) of a page's text stand in this box."""

    start: int
    end: int
    box: Box


@dataclass(frozen=True, slots=True)
class PageText:
    """The running text of one page and where its characters stand."""

    text: str
    spans: tuple[Span, ...]


def split_document(
    document: Document,
    captions: Mapping[str, Caption],
    *,
    index: IndexKind,
    chunk_characters: int,
    overlap_characters: int = 0,
) -> tuple[Chunk, ...]:
    """The chunks of a document, in the order of its pages.

    Args:
        document: What was read.
        captions: What a captioner read in each figure, by the figure's image name; figures
            without one are described by their printed caption alone.
        index: "text" leaves figures out, "caption" adds one chunk for each figure, "context" also
            joins the text of its page to it for retrieval.
        chunk_characters: Longest text chunk.
        overlap_characters: Characters that neighboring text chunks share at most.
    """
    chunks: list[Chunk] = []
    texts = join_pages(document.pages)
    for page, page_text in zip(document.pages, texts, strict=True):
        start = len(chunks)
        chunks += _text_chunks(document, page, page_text, chunk_characters, overlap_characters)
        for table in page.tables:
            chunks += _table_chunks(document, page, table, chunk_characters)
        if index != "text":
            for figure in page.figures:
                chunks.append(_figure_chunk(document, page, figure, captions.get(figure.image)))
        if index == "context":
            chunks[start:] = [_with_context(chunk, page_text.text) for chunk in chunks[start:]]
    return tuple(
        replace(chunk, id=f"{document.id}-{number}", injections=find_injections(chunk.text))
        for number, chunk in enumerate(chunks, start=1)
    )


def _chunk(document: Document, page: Page, kind: ChunkKind, text: str, boxes: list[Box]) -> Chunk:
    return Chunk(
        id="",
        document=document.name,
        document_id=document.id,
        page=page.number,
        boxes=tuple(boxes),
        text=text,
        kind=kind,
        ocr=page.source == "ocr",
    )


def _text_chunks(
    document: Document, page: Page, page_text: PageText, size: int, overlap: int
) -> Iterator[Chunk]:
    end = 0
    hidden = " ".join(block.hidden_text for block in page.blocks if block.hidden_text)
    for start, piece in _pieces(page_text.text, size, overlap):
        boxes = [
            span.box
            for span in page_text.spans
            if span.start < start + len(piece) and span.end > start
        ]
        yield replace(
            _chunk(document, page, "text", piece, boxes), hidden_text=hidden if end == 0 else ""
        )
        end = start + len(piece)
    if hidden and end == 0:
        yield replace(_chunk(document, page, "text", "", []), hidden_text=hidden)


def _pieces(text: str, size: int, overlap: int) -> Iterator[tuple[int, str]]:
    """Pieces of a text and where they begin; of about equal length, none longer than allowed."""
    if not text.strip():
        return
    from langchain_text_splitters import RecursiveCharacterTextSplitter

    even = ceil(len(text) / ceil(len(text) / size))
    splitter = RecursiveCharacterTextSplitter(
        separators=list(SEPARATORS),
        is_separator_regex=True,
        keep_separator="end",
        chunk_size=min(size, even + size // 8),
        chunk_overlap=overlap,
        strip_whitespace=True,
    )
    position = 0
    for piece in splitter.split_text(text):
        position = text.index(piece, max(0, position - overlap))
        if estimate_embedding_tokens(piece) > MAX_TOKENS and len(piece) > 100:
            for offset, part in _pieces(piece, len(piece) // 2 + 1, 0):
                yield position + offset, part
        else:
            yield position, piece
        position += len(piece)


def _table_chunks(document: Document, page: Page, table: Table, size: int) -> Iterator[Chunk]:
    """The table as one chunk, or as several that each repeat its title and header."""
    lines = table.markdown.strip().split("\n")
    header, rows = lines[:2], lines[2:]
    top = [table.title, *header] if table.title else header
    budget = max(size, 2 * len("\n".join(top)))
    group: list[str] = []
    for row in [*rows, None]:
        full = "\n".join([*top, *group, row or ""])
        too_long = len(full) > 2 * budget or estimate_embedding_tokens(full) > MAX_TOKENS
        if group and (row is None or too_long):
            yield _chunk(document, page, "table", "\n".join([*top, *group]), [table.box])
            group = []
        if row is not None:
            group.append(row)
    if not rows:
        yield _chunk(document, page, "table", "\n".join(top), [table.box])


def _figure_chunk(document: Document, page: Page, figure: Figure, caption: Caption | None) -> Chunk:
    parts = [figure.caption, caption.text if caption else ""]
    chunk = _chunk(document, page, "figure", "\n".join(filter(None, parts)), [figure.box])
    return replace(
        chunk,
        image=figure.image,
        ocr=bool(caption) and not figure.words,
        model_written=bool(caption and caption.model_written),
        flagged=caption.flagged if caption else (),
    )


def _with_context(chunk: Chunk, page_text: str) -> Chunk:
    """A figure's chunk with the text of its page, as far as an embedder reads it whole."""
    if chunk.kind != "figure":
        return chunk
    room = MAX_TOKENS - estimate_embedding_tokens(chunk.text)
    context = page_text
    while context and estimate_embedding_tokens(context) > room:
        context = context[: int(len(context) * 0.9)]
    return replace(chunk, context=context)


def join_pages(pages: Sequence[Page]) -> list[PageText]:
    """The running text of each page, sentences moved to the page where they begin."""
    texts = [_joined(page.blocks) for page in pages]
    for position, (page, following) in enumerate(itertools.pairwise(pages)):
        adjacent = following.number == page.number + 1
        if adjacent and page.blocks and following.blocks and not following.blocks[0].heading:
            texts[position], texts[position + 1] = _carry(
                texts[position], texts[position + 1], page.blocks[-1]
            )
    return texts


def _carry(current: PageText, following: PageText, last: Block) -> tuple[PageText, PageText]:
    """Move the end of a broken sentence from the following page to the current one."""
    ending = current.text.rstrip()[-1:]
    if last.heading or not ending or ending in f"{STOPS}.:：{CLOSERS}|":
        return current, following
    first_block = following.text.split("\n", 1)[0]
    match = re.search(rf"[{STOPS}][{CLOSERS}]*|[.](?=\s|$)", first_block[:_MAX_CARRIED])
    if not match or not (first_block[0].islower() or _UNSPACED.match(first_block[0])):
        return current, following
    length = match.end()
    glue = _glue(current.text, first_block)
    offset = len(current.text) + len(glue)
    carried = tuple(
        Span(span.start + offset, min(span.end, length) + offset, span.box)
        for span in following.spans
        if span.start < length
    )
    kept = tuple(
        Span(max(0, span.start - length), span.end - length, span.box)
        for span in following.spans
        if span.end > length
    )
    joined = PageText(current.text + glue + first_block[:length], current.spans + carried)
    return joined, PageText(following.text[length:], kept)


def _joined(blocks: Sequence[Block]) -> PageText:
    """One text of all blocks, a line break between blocks, with the place of every line."""
    text = ""
    spans: list[Span] = []
    for block in blocks:
        if text and block.lines:
            text += "\n"
        block_start = len(text)
        for line in block.lines:
            content = line.text.strip()
            if len(text) > block_start:
                if re.search(r"[A-Za-z]-$", text) and content[:1].islower():
                    text = text[:-1]
                else:
                    text += _glue(text, content)
            spans.append(Span(len(text), len(text) + len(content), line.box))
            text += content
    return PageText(text, tuple(spans))


def _glue(before: str, after: str) -> str:
    """A blank between words, nothing between Chinese or Japanese characters."""
    if not before or not after or before[-1].isspace():
        return ""
    unspaced = _UNSPACED.match(before[-1]) and _UNSPACED.match(after[0])
    return "" if unspaced else " "
