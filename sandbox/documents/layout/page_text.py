"""Fragments in reading order, put together into lines and these into paragraphs and headings.

Lines stay as printed: joining them, and undoing hyphenation, is the chunker's work.
"""

import re
import statistics
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from sandbox.documents.geometry.boxes import center_y, split_runs, union
from sandbox.documents.geometry.characters import is_cjk, join, text_width
from sandbox.documents.layout.reading_order import Placed, Row, read_columns
from sandbox.documents.layout.text_layer import SLANTED, Fragment
from sandbox.records import Block, Box, Line
from sandbox.text.sentences import ends_sentence

_ITEM = re.compile(
    r"^([•‣▪■◆●○◦–—*·-]\s|[(（]?\d{1,3}[.)）、]\s?\D|[(（][一二三四五六七八九十]{1,3}[)）]|[一二三四五六七八九十]{1,3}、|"
    r"第[一二三四五六七八九十百\d]+[章節节條条款項项]|[(（]?[a-zA-Z][.)）]\s)"
)
# Sizes and distances are shares of the font size, unless another unit is named.
_HEADING = 1.15  # of the body's size: from here on a text is a heading by its size alone
_BOLD_HEADING = 0.95  # of the body's size: a bold text this large is a heading unless a sentence
_BOLD = 0.8  # share of a row's letters that are bold in a bold row; a word within a line is not
_HEADING_CHARACTERS = 120  # Latin characters; a longer text is a paragraph
_HEADING_ROWS = 3  # rows; a heading that takes more is a paragraph
_TITLE_CHARACTERS = 30  # a longer text that ends like a sentence is one, however large it is set

_LATIN_BLANK = 0.12  # from this gap on two fragments stand apart; a narrower one is kerning
_CHINESE_BLANK = 0.6  # wider, because justified lines stretch the gaps between characters

_SAME_SIZE = 1.08  # ratio of two sizes that count as one
_NEW_PARAGRAPH = 1.3  # baselines further apart than this many usual distances begin a paragraph
_LARGEST_PITCH = 1.7  # usual distance of baselines at most: list items may stand further apart
_SHORT_ROW = 0.82  # of the column's width; a shorter row ending a sentence ends its paragraph
_INDENT = 1.2  # one letter is a blank; an indent is more


@dataclass(frozen=True, slots=True, kw_only=True)
class _PrintedRow:
    """A row as one line of text."""

    line: Line
    """The row's text, where it stands on the page."""

    box: Box
    """Where it stands on the page turned so that it reads from left to right."""

    size: float
    bold: bool
    upright: bool


def build_blocks(
    fragments: Sequence[Fragment], hidden: Sequence[Fragment], whole: Box
) -> tuple[Block, ...]:
    """Paragraphs and headings in reading order; hidden text goes to the block next to it."""
    fragments = [fragment for fragment in fragments if fragment.text]  # the rest is unreadable
    body = _body_size(fragments)
    paragraphs: list[list[_PrintedRow]] = []
    for column in read_columns(fragments, whole):
        parts = _paragraphs([_print(row) for row in column])
        if paragraphs and parts and _runs_on(paragraphs[-1], parts[0]):
            paragraphs[-1] = [*paragraphs[-1], *parts.pop(0)]
        paragraphs += parts
    blocks = [_block(paragraph, body) for paragraph in paragraphs]
    return _with_hidden(blocks, hidden)


def _body_size(fragments: Sequence[Fragment]) -> float:
    sizes = [round(f.size, 1) for f in fragments for _ in range(len(f.text))]
    return statistics.mode(sizes) if sizes else 0.0


def _print(row: Row) -> _PrintedRow:
    text = row.members[0].fragment.text
    for before, member in pairwise(row.members):
        text = join(text, member.fragment.text, apart=_are_apart(before, member))
    fragments = [member.fragment for member in row.members]
    bold = sum(len(f.text) for f in fragments if f.bold)
    return _PrintedRow(
        line=Line(text=text, box=union([f.box for f in fragments])),
        box=row.box,
        size=row.size,
        bold=bold > _BOLD * sum(len(f.text) for f in fragments),
        upright=fragments[0].direction != SLANTED,
    )


def _are_apart(before: Placed, member: Placed) -> bool:
    """Whether a reader sees a blank between two fragments of a row."""
    gap = (member.box.left - before.box.right) / member.fragment.size
    if is_cjk(before.fragment.text[-1]) and is_cjk(member.fragment.text[0]):
        return gap >= _CHINESE_BLANK
    blank = before.fragment.blank_after or member.fragment.blank_before
    return blank or gap >= _LATIN_BLANK


def _paragraphs(rows: Sequence[_PrintedRow]) -> list[list[_PrintedRow]]:
    if not rows:
        return []
    pitch = _usual_pitch(rows)
    right = max(row.box.right for row in rows)
    return split_runs(rows, lambda run, row: not _begins_paragraph(run[-1], row, pitch, right))


def _usual_pitch(rows: Sequence[_PrintedRow]) -> float:
    """Distance of baselines within a paragraph, as a share of the font size."""
    pitches = [_pitch(before, row) for before, row in pairwise(rows) if _same_size(before, row)]
    return min(_LARGEST_PITCH, statistics.median_low(pitches)) if pitches else _LARGEST_PITCH


def _pitch(before: _PrintedRow, row: _PrintedRow) -> float:
    return (center_y(row.box) - center_y(before.box)) / max(1.0, row.size)


def _same_size(before: _PrintedRow, row: _PrintedRow) -> bool:
    small, large = sorted((before.size, row.size))
    return large <= small * _SAME_SIZE


def _begins_paragraph(before: _PrintedRow, row: _PrintedRow, pitch: float, right: float) -> bool:
    if not _same_size(before, row) or before.bold != row.bold or not row.upright:
        return True
    if not 0 < _pitch(before, row) <= _NEW_PARAGRAPH * pitch or _ITEM.match(row.line.text):
        return True
    width = right - min(before.box.left, row.box.left)
    is_short = before.box.right < right - (1 - _SHORT_ROW) * width
    if is_short and ends_sentence(before.line.text):
        return True
    indent = row.box.left - before.box.left
    return indent > _INDENT * row.size and not _ITEM.match(before.line.text)


def _runs_on(paragraph: Sequence[_PrintedRow], following: Sequence[_PrintedRow]) -> bool:
    """Whether a paragraph goes on at the head of the next column."""
    last, first = paragraph[-1], following[0]
    return (
        len(paragraph) > 1
        and _same_size(last, first)
        and last.bold == first.bold
        and last.upright
        and first.upright
        and not ends_sentence(last.line.text)
        and not _ITEM.match(first.line.text)
    )


def _block(paragraph: Sequence[_PrintedRow], body: float) -> Block:
    lines = tuple(row.line for row in paragraph)
    return Block(lines=lines, heading=_is_heading(paragraph, body))


def _is_heading(paragraph: Sequence[_PrintedRow], body: float) -> bool:
    text = "".join(row.line.text for row in paragraph)
    if len(paragraph) > _HEADING_ROWS or text_width(text) > _HEADING_CHARACTERS:
        return False
    if not any(c.isalpha() for c in text):
        return False
    is_sentence = ends_sentence(text)
    if text_width(text) > _TITLE_CHARACTERS and is_sentence:
        return False
    size = paragraph[0].size
    bold = all(row.bold for row in paragraph) and size >= _BOLD_HEADING * body
    return size >= _HEADING * body or (bold and not is_sentence)


def _with_hidden(blocks: Sequence[Block], hidden: Sequence[Fragment]) -> tuple[Block, ...]:
    if not hidden:
        return tuple(blocks)
    if not blocks:
        return (Block(lines=(), hidden_text=" ".join(f.text for f in hidden)),)
    texts: dict[int, list[str]] = {}
    for fragment in hidden:
        nearest = min(range(len(blocks)), key=lambda i: _distance(blocks[i], fragment.box))
        texts.setdefault(nearest, []).append(fragment.text)
    return tuple(
        replace(block, hidden_text=" ".join(texts.get(index, ())))
        for index, block in enumerate(blocks)
    )


def _distance(block: Block, box: Box) -> float:
    return min(abs(center_y(line.box) - center_y(box)) for line in block.lines)
