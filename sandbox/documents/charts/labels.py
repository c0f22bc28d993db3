"""The labels of a chart: printed values as numbers, and labels that stand in one row or column.

Values may have signs, thousands separators, decimals, currencies and units. Labels in one row are
the categories of the chart or the ticks of its axis.
"""

import re
import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from sandbox.documents.geometry.boxes import (
    center_x,
    center_y,
    gap_y,
    height,
    split_runs,
    union,
    width,
)
from sandbox.records import Box, Line
from sandbox.text.languages import CJK

_VALUE = re.compile(
    r"^\(?(?P<sign>[-+−–~≈]?)\s?(?P<before>[$€£¥]|NT\$|US\$)?\s?"
    r"(?P<digits>\d{1,3}(?:[,， \u2009\u00a0\u202f]\d{3})+(?:\.\d+)?|\d+(?:[.,]\d+)?)"
    rf"\s?(?P<after>%|％|‰|[A-Za-z]{{1,3}}\b|[{CJK}]{{1,2}})?\)?(?:\s?[(（][^()（）]*[)）])?$"
)
_SEPARATOR = re.compile(r"(?<=\d)[,， \u2009\u00a0\u202f](?=\d{3}(?:\D|$))")

# In heights of a letter.
_TURNED = 1.5  # a label higher than this is turned
_TOLERANCE = 0.5  # how far labels of one row or column may stand apart from its line
_WRAPPED = 0.35  # gap between the lines of one label at most

_SAME_STEP = 0.15  # by which steps between categories may differ and still be even
_OFF_SCALE = 0.04  # of an axis's length: how far a tick may stand from where its number belongs
_LEAST_TICKS = 3  # two numbers always grow evenly


def read_number(text: str) -> float | None:
    """The number of a printed value, or None for a label that is none.

    >>> read_number("1,204"), read_number("12.5%"), read_number("141例"), read_number("10-19")
    (1204.0, 12.5, 141.0, None)
    """
    match = _VALUE.match(text.strip())
    if not match:
        return None
    digits = _SEPARATOR.sub("", match["digits"]).replace(",", ".")
    return -float(digits) if match["sign"] in ("-", "−", "–") else float(digits)


def unit_of(text: str) -> str:
    """What is printed around the number: "%", "例", "$", or nothing."""
    match = _VALUE.match(text.strip())
    return (match["before"] or "") + (match["after"] or "") if match else ""


def split_numbers(label: Line) -> list[Line]:
    """Numbers that were read as one line ("104 105 106") as single labels, each at its place."""
    tokens = label.text.split()
    if len(tokens) < 2 or any(read_number(token) is None for token in tokens):
        return [label]
    in_threes = all(len(token) == 3 and token.isdigit() and token[0] != "0" for token in tokens)
    if read_number(label.text) is not None and not in_threes:
        return [label]
    letter = width(label.box) / len(label.text)
    pieces, start = [], 0
    for token in tokens:
        start = label.text.index(token, start)
        left = label.box.left + start * letter
        start += len(token)
        right = label.box.left + start * letter
        pieces.append(Line(text=token, box=replace(label.box, left=left, right=right)))
    return pieces


@dataclass(frozen=True, slots=True, kw_only=True)
class Axis:
    """The direction in which categories follow each other."""

    along: Callable[[Box], float]
    away: Callable[[Box], float]
    """Grows with the distance from the category labels, on the side of the values."""


UPRIGHT = Axis(along=center_x, away=lambda box: -center_y(box))
LEVEL = Axis(along=center_y, away=center_x)


def find_rows(pieces: Sequence[Line]) -> list[list[Line]]:
    """Labels on one baseline, or hanging from one height where they are turned."""
    rows = _aligned(pieces, center_y)
    turned = [piece for piece in pieces if height(piece.box) > _TURNED * line_height(pieces)]
    return rows + _aligned(turned, lambda box: box.top) + _aligned(turned, lambda box: box.bottom)


def find_columns(pieces: Sequence[Line]) -> list[list[Line]]:
    """Labels flush right, flush left or centered, wrapped ones joined."""
    columns = []
    for edge in (lambda box: box.right, lambda box: box.left, center_x):
        columns += [_unwrapped(column) for column in _aligned(pieces, edge)]
    return [column for column in columns if len(column) >= 2]


def _aligned(pieces: Sequence[Line], place: Callable[[Box], float]) -> list[list[Line]]:
    """Groups of two or more pieces at the same place, within half the height of a letter."""
    tolerance = _TOLERANCE * line_height(pieces)
    groups = split_runs(
        sorted(pieces, key=lambda piece: place(piece.box)),
        lambda group, piece: place(piece.box) - place(group[0].box) <= tolerance,
    )
    return [group for group in groups if len(group) >= 2]


def line_height(pieces: Sequence[Line]) -> float:
    """Height of a letter of the labels, which may be turned; 0 without any."""
    return statistics.median(min(height(p.box), width(p.box)) for p in pieces) if pieces else 0.0


def _unwrapped(column: Sequence[Line]) -> list[Line]:
    """Join the lines of a label that takes several."""
    joined: list[Line] = []
    for piece in sorted(column, key=lambda piece: piece.box.top):
        above = joined[-1] if joined else None
        if (
            above
            and gap_y(above.box, piece.box) < _WRAPPED * height(piece.box)
            and read_number(piece.text) is None
            and read_number(above.text) is None
        ):
            space = " " if piece.text[:1].isascii() else ""
            joined[-1] = Line(
                text=above.text + space + piece.text, box=union([above.box, piece.box])
            )
        else:
            joined.append(piece)
    return joined


def without_strangers(labels: Sequence[Line], axis: Axis) -> list[Line]:
    """Drop the axis's name or a tick that stands in line with the categories, at either end."""
    kept = list(labels)
    for end in (0, -1):
        if len(kept) < 3:
            break
        rest = kept[1:] if end == 0 else kept[:-1]
        kinds = {read_number(label.text) is None for label in rest}
        is_other_kind = len(kinds) == 1 and (read_number(kept[end].text) is None) not in kinds
        if is_other_kind or _is_out_of_step(kept, rest, end, axis):
            kept = rest
    return kept


def _is_out_of_step(labels: Sequence[Line], rest: Sequence[Line], end: int, axis: Axis) -> bool:
    if len(rest) < 3:
        return False
    places = [axis.along(label.box) for label in rest]
    steps = [after - before for before, after in pairwise(places)]
    even = max(steps) < (1 + _SAME_STEP) * min(steps)
    step = abs(axis.along(labels[end].box) - axis.along(rest[end].box))
    return even and not (1 - _SAME_STEP) * min(steps) < step < (1 + _SAME_STEP) * max(steps)


def without_ticks(numbers: Sequence[Line], axis: Axis) -> list[Line]:
    """Leave out the numbers of the value axis: in line, growing evenly with the place."""
    ticks = evenly_growing(numbers) if axis is UPRIGHT else _ticks(numbers, center_y, center_x)
    return [number for number in numbers if number not in ticks]


def evenly_growing(numbers: Sequence[Line]) -> list[Line]:
    """The numbers of an upright axis: flush on one side, growing evenly with their height."""
    return [
        *_ticks(numbers, lambda box: box.right, center_y),
        *_ticks(numbers, lambda box: box.left, center_y),
    ]


def _ticks(
    numbers: Sequence[Line], edge: Callable[[Box], float], place: Callable[[Box], float]
) -> list[Line]:
    return [
        number
        for group in _aligned(numbers, edge)
        if len(group) >= _LEAST_TICKS and _grows_evenly(group, place)
        for number in group
    ]


def _grows_evenly(group: Sequence[Line], place: Callable[[Box], float]) -> bool:
    points = sorted((place(line.box), read_number(line.text) or 0.0) for line in group)
    (start, low), (end, high) = points[0], points[-1]
    if start == end or low == high:
        return False
    slope = (high - low) / (end - start)
    return all(
        abs(low + slope * (where - start) - number) <= _OFF_SCALE * abs(high - low)
        for where, number in points
    )
