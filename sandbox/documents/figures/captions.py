"""Which lines of a page are captions of figures.

A caption begins with a label ("Figure 2", "Fig. 2.", "圖二", "图3", "Chart 4", "Exhibit 5",
"Map 1") and may run over several lines. A sentence such as "Figure 3 shows ..." or "圖二顯示…" is
none, the title of a table is none, and neither is an entry in a list of figures.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from sandbox.documents.geometry.boxes import center_y, gap_x, gap_y, height, union, width
from sandbox.records import Box, Line
from sandbox.text.sentences import ends_sentence

_LATIN_NUMERAL = r"(?:(?:[A-Z][.\-–]?)?\d+(?:[.\-–—]\d+)*[a-z]?\b|[IVX]+\b)"
_HAN_NUMERAL = (
    r"(?:[A-Z]?\d+(?:\s?[.\-–—－]\s?\d+)*[a-zA-Z]?(?![年月日%\d])"
    r"|[一二三四五六七八九十百]+(?:[之\-–—－][一二三四五六七八九十\d]+)?)"
)
_LATIN_LABEL = re.compile(
    r"[\[(]?(?:(?:Supplementary|Appendix|Text)\s)?"
    r"(?:fig(?:ure|\.)?|chart|graph|exhibit|map|plate|diagram|scheme|illustration|photo(?:graph)?)"
    rf"\s*(?:no\.?\s*)?{_LATIN_NUMERAL}",
    re.IGNORECASE,
)
_HAN_LABEL = re.compile(rf"[\[(【〔（]?(?:附|地|插|示意)?[圖图](?:表|片|說|说)?\s*{_HAN_NUMERAL}")
_SEPARATOR = re.compile(r"\s*[)\]】〕）]?\s*[.:：．、。—–|│\u3000-]\s*")
_LIST_GOES_ON = re.compile(
    r"(?:(?:and|to|&|及|和|與|与|至)\s*)?"
    rf"(?:[圖图]\s*{_HAN_NUMERAL}|[一二三四五六七八九十]+(?:[、，及和與与所顯显]|$)"
    rf"|fig(?:ure|s|\.)?\s*{_LATIN_NUMERAL})",
    re.IGNORECASE,
)
_HAN_SENTENCE = re.compile(
    r"[，,；;）)]|(?:所示|所列|所呈|顯示|显示|呈現|呈现|說明|说明|可見|可见|可知|可以|列出|指出|表明|表示|反映|"
    r"比較|比较|給出|给出|展示|描繪|描绘|描述|則|则|即|為|为|是|中|及|和|與|与|或|至|到|的|之|裡|里|內|内|右|左|上|下)"
)
_LIST_ENTRY = re.compile(r"(?:\.\s?){4,}|…{2,}|·{4,}")
# Lengths are in heights of the caption's line, unless another unit is named.
_MAX_LINES = 8
_LINE_GAP = 0.45  # between two lines of a caption
_SAME_HEIGHT = 0.25  # by which heights of its lines may differ
_OVERLAP = 0.5  # share of the narrower line's width that lies under the other
_OVERHANG = 2.0  # by which a further line may be longer than the caption so far
_SHORT = 0.7  # share of the caption's width; a shorter last line ends it, as it ends a paragraph
_BESIDE_GAP = 3.0  # between a bare label and the title at its right
_OFF_BASELINE = 0.4  # by which that title may stand higher or lower

# A line that goes on with a sentence of the line above.
_SENTENCE_GAP = 0.6  # to the line above
_SENTENCE_PITCH = 2.0  # between the middles of both
_SENTENCE_WIDTH = 0.8  # share of this line's width; a shorter line above ends its paragraph
_SENTENCE_CHARACTERS = 12  # a shorter line is a label
_SAME_MARGIN = 30.0  # points between the left ends: an indent at most
_SAME_SIZE = 2.0  # points between the heights


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedCaption:
    """A caption where it stands on its page."""

    text: str
    box: Box


def find_captions(
    lines: Sequence[Line], styles: Sequence[frozenset[str]] = ()
) -> tuple[PrintedCaption, ...]:
    """The captions among a page's lines, in the order of those lines.

    The styles are the fonts of each line, where they are known: a caption does not change its font.
    """
    starts = [
        index
        for index, line in enumerate(lines)
        if starts_caption(line.text) and not _is_wrapped_sentence(line, lines)
    ]
    captions = []
    for start in starts:
        free = [
            line
            for index, line in enumerate(lines)
            if (index == start or index not in starts)  # another caption is no part of this one
            and (not styles or styles[index] & styles[start])
        ]
        members = _members(lines[start], free)
        captions.append(
            PrintedCaption(
                text=_join_texts([line.text for line in members]),
                box=union([line.box for line in members]),
            )
        )
    return tuple(captions)


def starts_caption(text: str) -> bool:
    """Whether a line of text is the beginning of a figure's caption.

    >>> starts_caption("圖二、乙區雨量"), starts_caption("圖二顯示乙區雨量")
    (True, False)
    """
    text = text.strip()
    if _LIST_ENTRY.search(text):
        return False
    if label := _HAN_LABEL.match(text):
        return _follows_han_label(text[label.end() :])
    if label := _LATIN_LABEL.match(text):
        return _follows_latin_label(text[label.end() :])
    return False


def _follows_han_label(rest: str) -> bool:
    title, has_separator = _split_title(rest)
    if _LIST_GOES_ON.match(title):
        return False
    return has_separator or not (_HAN_SENTENCE.match(title) or "。" in title)


def _follows_latin_label(rest: str) -> bool:
    title, has_separator = _split_title(rest)
    if _LIST_GOES_ON.match(title):
        return False
    if has_separator or not title:
        return True
    # Without a separator only a capital, a digit or a Chinese character begins a title.
    begins_title = not title[0].islower() and (title[0].isalnum() or title[0] in "“\"'")
    return rest[:1].isspace() and begins_title


def _split_title(rest: str) -> tuple[str, bool]:
    """What follows a label, and whether a separator stands between."""
    separator = _SEPARATOR.match(rest)
    return (rest[separator.end() :], True) if separator else (rest.strip(), False)


def _is_wrapped_sentence(line: Line, lines: Sequence[Line]) -> bool:
    """Whether a line goes on with a sentence of the line above ("... as seen in / Figure 3.")."""
    for other in lines:
        below = line.box.top - other.box.bottom
        if (
            center_y(other.box) < center_y(line.box)
            and below < _SENTENCE_GAP * height(line.box)
            and abs(other.box.left - line.box.left) < _SAME_MARGIN
            and abs(height(other.box) - height(line.box)) < _SAME_SIZE
            and width(other.box) >= _SENTENCE_WIDTH * width(line.box)
            and center_y(line.box) - center_y(other.box) < _SENTENCE_PITCH * height(line.box)
            and not ends_sentence(other.text)
            and not starts_caption(other.text)
            and len(other.text) >= _SENTENCE_CHARACTERS
        ):
            return True
    return False


def _members(start: Line, lines: Sequence[Line]) -> list[Line]:
    """The caption's lines: its first, what stands right of a bare label, and what runs on below."""
    members = [start]
    if _is_bare_label(start.text):
        members += [
            line
            for line in lines
            if 0 <= line.box.left - start.box.right < _BESIDE_GAP * height(start.box)
            and abs(center_y(line.box) - center_y(start.box)) < _OFF_BASELINE * height(start.box)
        ]
    while len(members) < _MAX_LINES:
        following = _next_line(members, lines)
        if following is None:
            break
        members.append(following)
    return members


def _next_line(members: Sequence[Line], lines: Sequence[Line]) -> Line | None:
    last, area = members[-1], union([line.box for line in members])
    below = [
        line
        for line in lines
        if line not in members
        and center_y(line.box) > center_y(last.box)
        and gap_y(area, line.box) < _LINE_GAP * height(last.box)
        and gap_x(area, line.box) < -_OVERLAP * min(width(area), width(line.box))
        and abs(height(line.box) - height(last.box)) < _SAME_HEIGHT * height(last.box)
        and line.box.right <= area.right + _OVERHANG * height(last.box)
    ]
    if not below or _ends_early(last.box, area, below[0]):
        return None
    return min(below, key=lambda line: line.box.top)


def _ends_early(last: Box, area: Box, following: Line) -> bool:
    """A last line much shorter than the caption ends it, as it ends a paragraph."""
    return last.right < area.left + _SHORT * width(area) and following.box.left <= last.left + 1


def _is_bare_label(text: str) -> bool:
    text = text.strip()
    label = _HAN_LABEL.match(text) or _LATIN_LABEL.match(text)
    return label is not None and len(text) - label.end() <= 1


def _join_texts(texts: Sequence[str]) -> str:
    """Lines as one text; Chinese lines are joined without a space."""
    joined = ""
    for text in texts:
        space = " " if joined and (joined[-1].isascii() or text[:1].isascii()) else ""
        joined += space + text.strip()
    return joined
