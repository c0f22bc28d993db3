"""Printed values as numbers: signs, thousands separators, decimals, currencies and units."""

import re
from dataclasses import replace

from sandbox.documents.geometry.boxes import width
from sandbox.records import Line
from sandbox.text.languages import CJK

_VALUE = re.compile(
    r"^\(?(?P<sign>[-+−–~≈]?)\s?(?P<before>[$€£¥]|NT\$|US\$)?\s?"
    r"(?P<digits>\d{1,3}(?:[,， \u2009\u00a0\u202f]\d{3})+(?:\.\d+)?|\d+(?:[.,]\d+)?)"
    rf"\s?(?P<after>%|％|‰|[A-Za-z]{{1,3}}\b|[{CJK}]{{1,2}})?\)?(?:\s?[(（][^()（）]*[)）])?$"
)
_SEPARATOR = re.compile(r"(?<=\d)[,， \u2009\u00a0\u202f](?=\d{3}(?:\D|$))")


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
