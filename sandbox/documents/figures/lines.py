"""The lines of a page's text layer as they stand on it, and which of them are running text.

Used to tell the labels of a chart from the paragraphs around it; reading order is left out.
"""

import re
import statistics
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from sandbox.documents.geometry.boxes import (
    center_y,
    displayed_box,
    gap_x,
    gap_y,
    height,
    split_runs,
    union,
)
from sandbox.documents.geometry.characters import text_width
from sandbox.records import Box, Line
from sandbox.text.sentences import ends_sentence

if TYPE_CHECKING:
    import pymupdf

# Running text; lengths in Latin characters.
_PARAGRAPH = 80  # a run of lines at least this long is prose
_SENTENCE = 36  # a run that ends like a sentence is prose from here on
_MANY_LINES = 4  # so many lines are prose even where they are short
_SHORT_LINE = 10  # unless they are shorter than this: a list of labels

# Lines of one run.
_LINE_GAP = 0.7  # in heights of a line
_SAME_SIZE = 0.6  # points by which font sizes may differ

# Sizes of headings, as shares of the body's: by size alone, and with a number before them.
_HEADING = 1.15
_NUMBERED = 0.95
_SLANT = 0.1  # sine of the angle from which on text is slanted
_NUMBERED_HEADING = re.compile(
    r"^(\d{1,2}(\.\d{1,2}){0,3}[.、]?\s+\D|[一二三四五六七八九十]{1,3}、|第[一二三四五六七八九十\d]+[章節节]|"
    r"(Chapter|Section|Appendix|Part)\s)"
)
_VALUE_LABEL = re.compile(r"^[-+−–~≈<>≤≥(]?[$€£¥]?\d[\d,.  ]*\s?[%％‰]?[)]?\S{0,3}$")


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedLine:
    """One line of the text layer; text far apart on one baseline is several lines."""

    text: str
    box: Box
    size: float
    """Font size in points, of the line's longest run."""

    styles: frozenset[str]
    """Fonts and sizes that occur in it."""

    slanted: bool
    """True for text that runs neither across nor up or down the page."""

    flowing: bool
    """True for a line of a paragraph."""

    words: tuple[Line, ...]

    @property
    def weight(self) -> int:
        """Length of the text, a Chinese character counted twice."""
        return text_width(self.text)


def is_number(text: str) -> bool:
    """Whether a label is a printed value such as "1,204", "12.5%" or "141例"."""
    return bool(_VALUE_LABEL.match(text.strip()))


def read_lines(page: "pymupdf.Page", number: int) -> tuple[PrintedLine, ...]:
    """All lines of the text layer, in coordinates of the page as it is displayed."""
    import pymupdf

    text_page = page.get_textpage(flags=pymupdf.TEXTFLAGS_WORDS)
    words: dict[tuple[int, int], list[Line]] = defaultdict(list)
    for left, top, right, bottom, text, block, line, _ in text_page.extractWORDS():
        box = displayed_box(page, number, (left, top, right, bottom))
        words[block, line].append(Line(text=text, box=box))
    lines: list[PrintedLine] = []
    for block in text_page.extractDICT()["blocks"]:
        printed = [
            _print_line(page, number, line, words[block["number"], index])
            for index, line in enumerate(block.get("lines", ()))
        ]
        lines += _mark_flow([line for line in printed if line.text])
    return tuple(lines)


def body_size(lines: Sequence[PrintedLine]) -> float:
    """Font size of the running text; infinite where the page has none."""
    sizes = [line.size for line in lines if line.flowing for _ in range(line.weight)]
    return statistics.median(sizes) if sizes else float("inf")


def is_heading(line: PrintedLine, body: float) -> bool:
    """Whether a line is a heading of the text rather than a label or title of a chart."""
    return line.size >= _HEADING * body or bool(
        _NUMBERED_HEADING.match(line.text)
        and line.size >= _NUMBERED * body
        and not is_number(line.text)
    )


def _print_line(
    page: "pymupdf.Page", number: int, line: dict[str, Any], words: Sequence[Line]
) -> PrintedLine:
    spans = [span for span in line["spans"] if span["text"].strip()]
    longest = max(spans, key=lambda span: len(span["text"]), default=None)
    return PrintedLine(
        text="".join(span["text"] for span in line["spans"]).strip(),
        box=union([word.box for word in words])
        if words
        else displayed_box(page, number, line["bbox"]),
        size=float(longest["size"]) if longest else 0.0,
        styles=frozenset(f"{span['font']} {span['size']:.1f}" for span in spans),
        slanted=min(abs(line["dir"][0]), abs(line["dir"][1])) > _SLANT,
        flowing=False,
        words=tuple(words),
    )


def _mark_flow(block: Sequence[PrintedLine]) -> list[PrintedLine]:
    """Mark the lines of a block that run on from line to line, or are a sentence."""
    runs = split_runs(block, lambda run, line: _runs_on(run[-1], line))
    return [replace(line, flowing=_is_paragraph(run)) for run in runs for line in run]


def _runs_on(above: PrintedLine, line: PrintedLine) -> bool:
    return (
        center_y(line.box) > center_y(above.box)
        and gap_y(above.box, line.box) < _LINE_GAP * height(line.box)
        and gap_x(above.box, line.box) < 0
        and abs(above.size - line.size) < _SAME_SIZE
        and not is_number(line.text)
    )


def _is_paragraph(run: Sequence[PrintedLine]) -> bool:
    weight = sum(line.weight for line in run)
    if len(run) >= _MANY_LINES:
        return weight >= _SHORT_LINE * len(run)
    if weight >= _PARAGRAPH:
        return True
    return weight >= _SENTENCE and ends_sentence(run[-1].text)
