"""Which figure of a page each caption belongs to; uncertain pairings are left empty.

Figures and captions are paired one to one so that as many as possible are paired and the distances
are smallest, with all captions on one side (above or below) preferred. Where two such pairings are
about equally good, only what they have in common is kept.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from sandbox.documents.figures.caption_lines import PrintedCaption
from sandbox.documents.geometry.boxes import center_x, gap_x, gap_y, height, holds_center, width
from sandbox.records import Box

Side = Literal["above", "below"]

_REACH = 60.0
_BESIDE_REACH = 25.0
_BESIDE_COST = 30.0
_OTHER_SIDE_COST = 15.0
_MARGIN = 6.0
"""Pairings whose costs differ by less than this many points are equally good."""

_UNPAIRED_COST = 10_000.0


@dataclass(frozen=True, slots=True, kw_only=True)
class _Pairing:
    pairs: frozenset[tuple[int, int]]
    """Positions of a figure and of its caption."""

    cost: float


def pair_captions(
    figures: Sequence[Box],
    captions: Sequence[PrintedCaption],
    paragraphs: Sequence[Box],
    *,
    side: Side | None = None,
) -> tuple[PrintedCaption | None, ...]:
    """The caption of each figure of a page, or None.

    Args:
        figures: Where the figures stand.
        captions: The page's captions.
        paragraphs: Lines of running text; a caption never reaches over them.
        side: Where the document prints its captions, if that is known.
    """
    if not figures or not captions:
        return (None,) * len(figures)
    sides: tuple[Side, ...] = (side,) if side else ("below", "above")
    pairings = [_best_pairing(_costs(figures, captions, paragraphs, one)) for one in sides]
    lowest = min(pairing.cost for pairing in pairings)
    equal = [pairing.pairs for pairing in pairings if pairing.cost <= lowest + _MARGIN]
    certain = dict(frozenset.intersection(*equal))
    return tuple(
        captions[certain[index]] if index in certain else None for index in range(len(figures))
    )


def _costs(
    figures: Sequence[Box],
    captions: Sequence[PrintedCaption],
    paragraphs: Sequence[Box],
    side: Side,
) -> list[list[float]]:
    """What each pairing costs, figures by captions; infinite where it is impossible."""
    return [
        [
            _cost(
                figure,
                caption.box,
                figures,
                [
                    *(other.box for other in captions if other != caption),
                    *(box for box in paragraphs if not holds_center(caption.box, box)),
                ],
                side,
            )
            for caption in captions
        ]
        for figure in figures
    ]


def _cost(
    figure: Box, caption: Box, figures: Sequence[Box], texts: Sequence[Box], side: Side
) -> float:
    across, down = gap_x(figure, caption), gap_y(figure, caption)
    alone = not any(gap_y(figure, box) < 0 for box in figures if box != figure)
    least_overlap = 0.0 if alone else 0.3 * min(width(figure), width(caption))
    if across < -least_overlap and down <= _REACH:
        corridor = replace(
            figure,
            left=max(figure.left, caption.left),
            right=min(figure.right, caption.right),
            top=min(figure.bottom, caption.bottom),
            bottom=max(figure.top, caption.top),
        )
        between = [*texts, *(box for box in figures if box != figure)]
        if down > 0 and any(_meets(corridor, box) for box in between):
            return float("inf")
        is_above = caption.top + caption.bottom < figure.top + figure.bottom
        other_side = _OTHER_SIDE_COST if is_above != (side == "above") else 0.0
        skew = min(abs(center_x(figure) - center_x(caption)), abs(figure.left - caption.left))
        return max(down, 0.0) + other_side + 0.05 * skew
    if 0 <= across <= _BESIDE_REACH and down < -0.5 * height(caption):
        return across + _BESIDE_COST
    return float("inf")


def _meets(corridor: Box, box: Box) -> bool:
    return (
        gap_x(corridor, box) < -1
        and corridor.top - 1 < (box.top + box.bottom) / 2 < corridor.bottom + 1
    )


def _best_pairing(costs: list[list[float]]) -> _Pairing:
    """The cheapest one-to-one pairing, without those pairs that could as well be others."""
    best = _cheapest(costs)
    certain = set(best.pairs)
    for figure, caption in best.pairs:
        without = [list(row) for row in costs]
        without[figure][caption] = float("inf")
        if _cheapest(without).cost <= best.cost + _MARGIN:
            certain.discard((figure, caption))
    return _Pairing(pairs=frozenset(certain), cost=best.cost)


def _cheapest(costs: list[list[float]]) -> _Pairing:
    import numpy
    from scipy.optimize import linear_sum_assignment

    matrix = numpy.minimum(numpy.array(costs, dtype=float), _UNPAIRED_COST)
    rows, columns = linear_sum_assignment(matrix)
    return _Pairing(
        pairs=frozenset(
            (int(row), int(column))
            for row, column in zip(rows, columns, strict=True)
            if matrix[row, column] < _UNPAIRED_COST
        ),
        cost=float(matrix[rows, columns].sum()),
    )
