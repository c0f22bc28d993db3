"""Captions and figures of a whole document: its habit, and captions over a page break.

Pairing within one page is done in caption_matching.py.
"""

from collections.abc import Sequence
from dataclasses import replace

from sandbox.documents.figures.caption_lines import PrintedCaption, find_captions
from sandbox.documents.figures.caption_matching import Side, pair_captions
from sandbox.documents.geometry.boxes import union
from sandbox.records import Box, Figure, Line, Page

_FOOTER_BAND = 0.08


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
    found = pair_captions(
        [figure.box for figure in open_figures], captions, _paragraphs(page), side=side
    )
    return _with_captions(
        page,
        {
            figure.image: match.text
            for figure, match in zip(open_figures, found, strict=True)
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
    captions = _open_captions(page)
    if len(captions) != 1:
        return None
    above = [
        box
        for box in _contents(page, None)
        if box.bottom <= captions[0].box.top + 1 and box.bottom > _FOOTER_BAND * page.height
    ]
    return None if above else captions[0]


def _closing_caption(page: Page) -> PrintedCaption | None:
    captions = _open_captions(page)
    if len(captions) != 1:
        return None
    below = [
        box
        for box in _contents(page, None)
        if box.top >= captions[0].box.bottom - 1 and box.top < (1 - _FOOTER_BAND) * page.height
    ]
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
