"""Joins the lines of each page into running text and keeps the place of every line.

A sentence that runs over a page break belongs to the page where it begins.
"""

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass

from sandbox.records import Block, Box, Page
from sandbox.text.languages import CJK, KANA
from sandbox.text.sentences import CLOSERS, STOPS

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
