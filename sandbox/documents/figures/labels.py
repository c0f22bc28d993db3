"""The labels printed inside a figure: words of the text layer that stand together."""

import re
from collections.abc import Sequence

from sandbox.documents.figures.printed_lines import PrintedLine, is_number
from sandbox.documents.geometry.boxes import height, holds_center, union
from sandbox.records import Box, Line

_IN_THOUSANDS = re.compile(r"\d{1,2}( \d{3})+$")


def labels_inside(
    region: Box, lines: Sequence[PrintedLine], captions: Sequence[Box]
) -> tuple[Line, ...]:
    """The figure's labels, in the order of the text layer; captions are left out."""
    labels: list[Line] = []
    for line in lines:
        words = [
            word
            for word in line.words
            if holds_center(region, word.box)
            and not any(holds_center(caption, word.box) for caption in captions)
        ]
        if line.slanted and words:
            labels.append(Line(text=line.text, box=union([word.box for word in words])))
        else:
            labels += _grouped(words)
    return tuple(labels)


def _grouped(words: Sequence[Line]) -> list[Line]:
    """Join words of one label; values in a row, such as the numbers of an axis, stay apart."""
    groups: list[list[Line]] = []
    for word in words:
        if groups and _same_label(groups[-1][-1], word):
            groups[-1].append(word)
        else:
            groups.append([word])
    return [
        Line(text=" ".join(word.text for word in group), box=union([word.box for word in group]))
        for group in groups
    ]


def _same_label(left: Line, right: Line) -> bool:
    if (
        is_number(left.text)
        and is_number(right.text)
        and not _IN_THOUSANDS.match(f"{left.text} {right.text}")
    ):
        return False
    tall = max(height(left.box), height(right.box))
    across = right.box.left - left.box.right
    down = abs((left.box.top + left.box.bottom) - (right.box.top + right.box.bottom)) / 2
    return (across < 0.6 * tall and down < 0.5 * tall) or _is_turned(left, right)


def _is_turned(left: Line, right: Line) -> bool:
    """Words of a label that runs upwards or downwards stand over one another."""
    return (
        abs(left.box.left - right.box.left) < 1
        and abs(left.box.right - right.box.right) < 1
        and height(left.box) > 1.2 * (left.box.right - left.box.left)
    )
