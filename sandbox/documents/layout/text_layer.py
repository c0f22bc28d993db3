"""The text layer of a page as fragments: runs of text on one baseline, where they stand.

Their order is found in reading_order.py, and which of them a reader can see in hidden_text.py.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sandbox.documents.geometry.boxes import displayed_box, intersection, page_box, union
from sandbox.documents.geometry.characters import clean_text, count_garbage, superscript
from sandbox.records import Box

if TYPE_CHECKING:
    import pymupdf

SLANTED = -1
_LEVEL_DEGREES = 6  # text may lean this much, as on a crooked scan, and still be level
_GAP_SHARE = 1.6  # of the font size; runs of one baseline further apart are two fragments
_MIXED_SHARE = 0.3  # ratio of sizes; below it one run may be too small to be seen: two fragments
_BOLD_SHARE = 0.5  # of the letters that make a fragment bold


@dataclass(frozen=True, slots=True, kw_only=True)
class Fragment:
    """A run of text on one baseline."""

    text: str
    box: Box
    size: float
    """Font size in points."""

    bold: bool = False
    direction: int = 0
    """0 for upright text, 90, 180 or 270 degrees clockwise; -1 for anything slanted."""

    color: int = 0
    """0xRRGGBB."""

    inked: bool = True
    """False for text that is drawn with no ink at all, as OCR layers are."""

    blank_before: bool = False
    blank_after: bool = False
    """Whether the file puts a blank between this fragment and its neighbor."""

    garbage: int = 0
    """How many characters have no meaning because the font does not say what they are."""


def read_fragments(page: "pymupdf.Page", number: int) -> tuple[Fragment, ...]:
    """Every fragment of the text layer, also those that cannot be seen, in the file's order."""
    import pymupdf

    # Without the flag for ligatures they are expanded; without the one for character ids, a font
    # that does not say what its characters are gives U+FFFD instead of arbitrary letters.
    flags = pymupdf.TEXT_PRESERVE_WHITESPACE | pymupdf.TEXT_CLIP
    return tuple(_fragments(page, number, page.get_textpage(flags=flags)))


def read_off_page(page: "pymupdf.Page", number: int) -> tuple[Fragment, ...]:
    """Fragments that lie wholly outside the page."""
    import pymupdf

    flags = pymupdf.TEXT_PRESERVE_WHITESPACE
    text_page = page.get_textpage(clip=pymupdf.INFINITE_RECT(), flags=flags)
    whole = page_box(page, number)
    return tuple(
        fragment
        for fragment in _fragments(page, number, text_page)
        if intersection(fragment.box, whole).area == 0
    )


def _fragments(
    page: "pymupdf.Page", number: int, text_page: "pymupdf.TextPage"
) -> Iterator[Fragment]:
    for block in text_page.extractDICT()["blocks"]:
        for line in block.get("lines", ()):
            direction = _direction(page, line)
            for spans in _runs(line["spans"]):
                if fragment := _fragment(page, number, spans, direction):
                    yield fragment


def _runs(spans: Sequence[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    """Spans that belong together: close to each other, and seen in the same way."""
    run: list[dict[str, Any]] = []
    for span in spans:
        if run and not _continues(run[-1], span):
            yield run
            run = []
        run.append(span)
    if run:
        yield run


def _continues(before: dict[str, Any], span: dict[str, Any]) -> bool:
    same_ink = _is_inked(before) == _is_inked(span)
    small, large = sorted((before["size"], span["size"]))
    if not same_ink or before["color"] != span["color"] or small < _MIXED_SHARE * large:
        return False
    left, right = before["bbox"], span["bbox"]
    gap = math.hypot(
        max(0.0, right[0] - left[2], left[0] - right[2]),
        max(0.0, right[1] - left[3], left[1] - right[3]),
    )
    return bool(gap <= _GAP_SHARE * large)


def _fragment(
    page: "pymupdf.Page", number: int, spans: Sequence[dict[str, Any]], direction: int
) -> Fragment | None:
    import pymupdf

    printed = [span for span in spans if span["text"].strip()]
    if not printed:
        return None
    raw = "".join(_span_text(span, index > 0) for index, span in enumerate(spans))
    text = clean_text(raw)
    garbage = count_garbage(raw)
    if not text and not garbage:
        return None
    longest = max(printed, key=lambda span: len(span["text"]))
    bold = sum(len(s["text"]) for s in printed if s["flags"] & pymupdf.TEXT_FONT_BOLD)
    return Fragment(
        text=text,
        box=union([displayed_box(page, number, span["bbox"]) for span in printed]),
        size=float(longest["size"]),
        bold=bold > _BOLD_SHARE * sum(len(span["text"]) for span in printed),
        direction=direction,
        color=int(longest["color"]),
        inked=_is_inked(longest),
        blank_before=raw[0].isspace(),
        blank_after=raw[-1].isspace(),
        garbage=garbage,
    )


def _span_text(span: dict[str, Any], follows: bool) -> str:
    import pymupdf

    text = str(span["text"])
    raised = follows and span["flags"] & pymupdf.TEXT_FONT_SUPERSCRIPT
    return superscript(text) if raised else text


def _is_inked(span: dict[str, Any]) -> bool:
    import pymupdf

    painted = pymupdf.mupdf.FZ_STEXT_FILLED | pymupdf.mupdf.FZ_STEXT_STROKED
    return bool(span["char_flags"] & painted) and bool(span["alpha"] > 0)


def _direction(page: "pymupdf.Page", line: dict[str, Any]) -> int:
    """Reading direction as displayed; vertical Chinese writing reads like text turned by 90."""
    across, down = line["dir"]
    angle = math.degrees(math.atan2(down, across)) + page.rotation
    if line["wmode"] == 1:
        angle = 90 + page.rotation
    turns = round(angle / 90)
    return turns % 4 * 90 if abs(angle - turns * 90) < _LEVEL_DEGREES else SLANTED
