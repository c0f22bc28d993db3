"""Which figure each caption belongs to, on a page and over page breaks.

Figures and captions are paired one to one so that as many as possible are paired and the distances
are smallest, with all captions on one side (above or below) preferred. Where two such pairings are
about equally good, only what they have in common is kept: uncertain pairings are left empty. What
one page leaves open is paired by the document's habit, then with the next page.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from sandbox.documents.figures.captions import PrintedCaption, find_captions
from sandbox.documents.geometry.boxes import (
    center_x,
    gap_x,
    gap_y,
    height,
    holds_center,
    union,
    width,
)
from sandbox.records import Box, Figure, Line, Page

Side = Literal["above", "below"]
# Lengths and costs are in points, so that distances and preferences can be added up.
_REACH = 60.0  # between a figure and a caption above or below it
_BESIDE_REACH = 25.0  # between a figure and a caption at its side
_BESIDE_COST = 30.0  # a caption beside its figure is rare: one above or below is preferred
_OTHER_SIDE_COST = 15.0  # about a line: what one caption on the other side costs
_SKEW_COST = 0.05  # a point off the middle costs this much: it decides between equals only
_UNDER = 0.3  # share of the narrower's width that a caption reaches under one of several figures
_MARGIN = 6.0  # pairings whose costs differ by less are equally good
_UNPAIRED_COST = 10_000.0  # more than all distances of a page together

_FOOTER_BAND = 0.08  # of the page's height at either end, where headers and footers stand


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

    A caption never reaches over a line of running text (`paragraphs`). The side is where the
    document prints its captions, if that is known.
    """
    if not figures or not captions:
        return (None,) * len(figures)
    sides: tuple[Side, ...] = (side,) if side else ("below", "above")
    pairings = [_best_pairing(_costs(figures, captions, paragraphs, x)) for x in sides]
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
    least_overlap = 0.0 if alone else _UNDER * min(width(figure), width(caption))
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
        return max(down, 0.0) + other_side + _SKEW_COST * skew
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


def pair_across_pages(pages: Sequence[Page]) -> tuple[Page, ...]:
    """Pair what one page alone left open: by the document's habit, then over page breaks.

    Pages come back in the same order; only `Figure.caption` is changed, where it was empty.
    """
    side = _habit(pages)
    paired = [_pair_by_habit(page, side) if side else page for page in pages]
    for index in range(len(paired) - 1):
        page, following = paired[index], paired[index + 1]
        if following.number == page.number + 1:
            paired[index], paired[index + 1] = _pair_over_break(page, following)
    return tuple(paired)


def _habit(pages: Sequence[Page]) -> Side | None:
    """The side on which the document prints its captions, where it always does."""
    above = below = 0
    for page in pages:
        for figure in page.figures:
            for caption in _captions(page):
                if _is_same(caption.text, figure.caption):
                    is_above = caption.box.top < figure.box.top
                    above, below = above + is_above, below + (not is_above)
    if above and not below:
        return "above"
    return "below" if below and not above else None


def _pair_by_habit(page: Page, side: Side) -> Page:
    open_figures = [figure for figure in page.figures if not figure.caption]
    captions = _open_captions(page)
    if not open_figures or not captions:
        return page
    matches = pair_captions(
        [figure.box for figure in open_figures], captions, _paragraphs(page), side=side
    )
    return _with_captions(
        page,
        {
            figure.image: match.text
            for figure, match in zip(open_figures, matches, strict=True)
            if match
        },
    )


def _pair_over_break(page: Page, following: Page) -> tuple[Page, Page]:
    """A figure at the end of a page with the caption that begins the next, or the reverse."""
    last, first = _last_figure(page), _first_figure(following)
    opening, closing = _opening_caption(following), _closing_caption(page)
    if last and opening:
        return _with_captions(page, {last.image: opening.text}), following
    if first and closing:
        return page, _with_captions(following, {first.image: closing.text})
    return page, following


def _last_figure(page: Page) -> Figure | None:
    """The open figure that is the last thing on a page, footer aside."""
    figures = [figure for figure in page.figures if not figure.caption]
    if not figures:
        return None
    last = max(figures, key=lambda figure: figure.box.bottom)
    below = [box for box in _contents(page, last) if box.bottom > last.box.bottom + 1]
    footer = (1 - _FOOTER_BAND) * page.height
    return last if all(box.top > footer for box in below) else None


def _first_figure(page: Page) -> Figure | None:
    """The open figure that is the first thing on a page, header aside."""
    figures = [figure for figure in page.figures if not figure.caption]
    if not figures:
        return None
    first = min(figures, key=lambda figure: figure.box.top)
    above = [box for box in _contents(page, first) if box.top < first.box.top - 1]
    return first if all(box.bottom < _FOOTER_BAND * page.height for box in above) else None


def _opening_caption(page: Page) -> PrintedCaption | None:
    """The one open caption of a page if nothing but a header stands above it."""
    captions = _open_captions(page)
    if len(captions) != 1:
        return None
    header, top = _FOOTER_BAND * page.height, captions[0].box.top + 1
    above = any(header < box.bottom <= top for box in _contents(page, None))
    return None if above else captions[0]


def _closing_caption(page: Page) -> PrintedCaption | None:
    """The one open caption of a page if nothing but a footer stands below it."""
    captions = _open_captions(page)
    if len(captions) != 1:
        return None
    footer, bottom = (1 - _FOOTER_BAND) * page.height, captions[0].box.bottom - 1
    below = any(bottom <= box.top < footer for box in _contents(page, None))
    return None if below else captions[0]


def _contents(page: Page, without: Figure | None) -> list[Box]:
    return [
        *(line.box for line in _lines(page)),
        *(table.box for table in page.tables),
        *(figure.box for figure in page.figures if figure != without),
    ]


def _open_captions(page: Page) -> list[PrintedCaption]:
    return [
        caption
        for caption in _captions(page)
        if not any(_is_same(caption.text, figure.caption) for figure in page.figures)
    ]


def _is_same(caption: str, other: str) -> bool:
    """Whether two readings begin alike; the end of a caption may be judged differently."""
    return bool(caption and other) and (caption.startswith(other) or other.startswith(caption))


def _captions(page: Page) -> tuple[PrintedCaption, ...]:
    return find_captions(_lines(page))


def _lines(page: Page) -> list[Line]:
    return [line for block in page.blocks for line in block.lines]


def _paragraphs(page: Page) -> list[Box]:
    return [
        union([line.box for line in block.lines]) for block in page.blocks if len(block.lines) > 1
    ]


def _with_captions(page: Page, captions: dict[str, str]) -> Page:
    """The page with captions set, by the figure's image."""
    return replace(
        page,
        figures=tuple(
            replace(figure, caption=captions.get(figure.image, figure.caption))
            for figure in page.figures
        ),
    )
