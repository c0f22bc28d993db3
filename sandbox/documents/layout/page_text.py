"""Fragments in reading order, put together into lines and these into paragraphs and headings.

Lines stay as printed: joining them, and undoing hyphenation, is the chunker's work.
"""

import re
import statistics
from collections.abc import Sequence
from dataclasses import dataclass, replace

from sandbox.documents.geometry.boxes import center_y, union
from sandbox.documents.geometry.characters import is_cjk, join, text_width
from sandbox.documents.layout.reading_order import Placed, Row, read_columns
from sandbox.documents.layout.text_layer import SLANTED, Fragment
from sandbox.records import Block, Box, Line
from sandbox.text.sentences import ends_sentence

_ITEM = re.compile(
    r"^([•‣▪■◆●○◦–—*·-]\s|[(（]?\d{1,3}[.)）、]\s?\D|[(（][一二三四五六七八九十]{1,3}[)）]|[一二三四五六七八九十]{1,3}、|"
    r"第[一二三四五六七八九十百\d]+[章節节條条款項项]|[(（]?[a-zA-Z][.)）]\s)"
)
_HEADING_SHARE = 1.15
_HEADING_WIDTH = 120
_HEADING_ROWS = 3
_TITLE_WIDTH = 30
"""A longer text that ends like a sentence is one, however large it is set."""

_LATIN_BLANK = 0.12
_CHINESE_BLANK = 0.6
"""Gaps from which on two fragments stand apart, as shares of the font size."""

_PITCH_SHARE = 1.3
"""Baselines further apart than this share of the usual distance begin a paragraph."""

_LARGEST_PITCH = 1.7
"""Usual distance of baselines at most, as a share of the font size."""

_SIZE_STEP = 1.08
_SHORT_SHARE = 0.82
_INDENT = 1.2


@dataclass(frozen=True, slots=True, kw_only=True)
class _PrintedRow:
    """A row as one line of text."""

    line: Line
    row: Row
    bold: bool
    upright: bool


def build_blocks(
    fragments: Sequence[Fragment], hidden: Sequence[Fragment], whole: Box
) -> tuple[Block, ...]:
    """Paragraphs and headings in reading order; hidden text goes to the block next to it."""
    body = _body_size(fragments)
    paragraphs: list[list[_PrintedRow]] = []
    for column in read_columns(fragments, whole):
        parts = _paragraphs([_printed(row) for row in column])
        if paragraphs and parts and _runs_on(paragraphs[-1], parts[0]):
            paragraphs[-1] = [*paragraphs[-1], *parts.pop(0)]
        paragraphs += parts
    blocks = [_block(paragraph, body) for paragraph in paragraphs]
    return _with_hidden(blocks, hidden)


def _body_size(fragments: Sequence[Fragment]) -> float:
    sizes = [round(f.size, 1) for f in fragments for _ in range(len(f.text))]
    return statistics.mode(sizes) if sizes else 0.0


def _printed(row: Row) -> _PrintedRow:
    text = row.members[0].fragment.text
    for before, member in zip(row.members, row.members[1:], strict=False):
        text = join(text, member.fragment.text, apart=_are_apart(before, member))
    fragments = [member.fragment for member in row.members]
    bold = sum(len(f.text) for f in fragments if f.bold)
    return _PrintedRow(
        line=Line(text=text, box=union([f.box for f in fragments])),
        row=row,
        bold=bold > 0.8 * sum(len(f.text) for f in fragments),
        upright=fragments[0].direction != SLANTED,
    )


def _are_apart(before: Placed, member: Placed) -> bool:
    """Whether a reader sees a blank between two fragments of a row."""
    gap = (member.left - before.right) / member.fragment.size
    if is_cjk(before.fragment.text[-1]) and is_cjk(member.fragment.text[0]):
        return gap >= _CHINESE_BLANK
    blank = before.fragment.blank_after or member.fragment.blank_before
    return blank or gap >= _LATIN_BLANK


def _paragraphs(rows: Sequence[_PrintedRow]) -> list[list[_PrintedRow]]:
    if not rows:
        return []
    pitch = _usual_pitch(rows)
    right = max(row.row.right for row in rows)
    paragraphs = [[rows[0]]]
    for before, row in zip(rows, rows[1:], strict=False):
        if _begins_paragraph(before, row, pitch, right):
            paragraphs.append([row])
        else:
            paragraphs[-1].append(row)
    return paragraphs


def _usual_pitch(rows: Sequence[_PrintedRow]) -> float:
    """Distance of baselines within a paragraph, as a share of the font size."""
    pitches = [
        _pitch(before, row)
        for before, row in zip(rows, rows[1:], strict=False)
        if _same_size(before, row)
    ]
    return min(_LARGEST_PITCH, statistics.median_low(pitches)) if pitches else _LARGEST_PITCH


def _pitch(before: _PrintedRow, row: _PrintedRow) -> float:
    middle = (row.row.top + row.row.bottom - before.row.top - before.row.bottom) / 2
    return middle / max(1.0, row.row.size)


def _same_size(before: _PrintedRow, row: _PrintedRow) -> bool:
    small, large = sorted((before.row.size, row.row.size))
    return large <= small * _SIZE_STEP


def _begins_paragraph(before: _PrintedRow, row: _PrintedRow, pitch: float, right: float) -> bool:
    if not _same_size(before, row) or before.bold != row.bold or not row.upright:
        return True
    if not 0 < _pitch(before, row) <= _PITCH_SHARE * pitch or _ITEM.match(row.line.text):
        return True
    width = right - min(before.row.left, row.row.left)
    is_short = before.row.right < right - (1 - _SHORT_SHARE) * width
    if is_short and ends_sentence(before.line.text):
        return True
    indent = row.row.left - before.row.left
    return indent > _INDENT * row.row.size and not _ITEM.match(before.line.text)


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
    if len(paragraph) > _HEADING_ROWS or text_width(text) > _HEADING_WIDTH:
        return False
    if not any(c.isalpha() for c in text):
        return False
    if text_width(text) > _TITLE_WIDTH and ends_sentence(text):
        return False
    size = paragraph[0].row.size
    bold = all(row.bold for row in paragraph) and size >= 0.95 * body
    return size >= _HEADING_SHARE * body or (bold and not ends_sentence(text))


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
