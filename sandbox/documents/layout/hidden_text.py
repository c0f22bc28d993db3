"""Which text a reader of the page cannot see, so that it is shown as hidden and never indexed.

White on white, covered, tiny, without ink, or off the page. Only text for which there is a cheap
sign is compared with the rendered page. A scan's OCR layer has no ink either and is text.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sandbox.documents.geometry.boxes import (
    covered_share,
    height,
    holds_center,
    intersection,
    width,
)
from sandbox.documents.layout.page_survey import PageLook, capped_zoom, render
from sandbox.documents.layout.text_layer import Fragment
from sandbox.records import Box

if TYPE_CHECKING:
    import numpy
    import pymupdf

SCAN_SHARE = 0.65
"""Pictures that cover this much of a page may be the page itself, scanned."""

_LAYER_CHARACTERS = 40
_TINY_POINTS = 2.0
_LIGHT = 0.8
_COVER_AREA = 30.0
_ZOOM = 2.0
_UNIFORM_LEVELS = 10
"""Pixels (0 to 255) that differ less than this look the same."""

_SAME_COLOR_LEVELS = 90
_TEXT_KINDS = ("fill-text", "stroke-text", "ignore-text", "clip-text")


def hidden_fragments(
    page: "pymupdf.Page", fragments: Sequence[Fragment], look: PageLook, *, can_render: bool
) -> frozenset[int]:
    """Positions of the fragments that cannot be seen.

    Args:
        page: The page they were read from.
        fragments: All fragments of its text layer.
        look: What is painted on it.
        can_render: False if rendering the page would take too long; then only what shows without
            rendering is found.
    """
    hidden = {
        index
        for index, fragment in enumerate(fragments)
        if _is_tiny(fragment, look) or intersection(fragment.box, look.whole).area <= 0
    }
    unseen = {index for index, fragment in enumerate(fragments) if not fragment.inked}
    suspects = _suspects(fragments, look, without=hidden | unseen)
    unseen |= suspects.white_on_paper
    if can_render and (suspects.covered or suspects.on_areas):
        pixels, zoom = render(page, zoom=_ZOOM), capped_zoom(page, _ZOOM)
        zones = {i: _zone(pixels, fragments[i], zoom) for i in suspects.covered | suspects.on_areas}
        # A picture that lets the page shine through, such as a watermark, hides nothing.
        unseen |= {i for i in suspects.covered if not _shows_color(zones[i], fragments[i])}
        unseen |= {i for i in suspects.on_areas if _is_uniform(zones[i])}
    if _is_ocr_layer(fragments, unseen, look):
        return frozenset(hidden)
    return frozenset(hidden | unseen)


def _is_tiny(fragment: Fragment, look: PageLook) -> bool:
    limit = _TINY_POINTS * min(1.0, max(width(look.whole), height(look.whole)) / 600)
    return fragment.size < limit


def _is_ocr_layer(fragments: Sequence[Fragment], unseen: set[int], look: PageLook) -> bool:
    """Whether the text without ink is what somebody's OCR read in the picture it lies on."""
    if look.picture_share < SCAN_SHARE:
        return False
    layer = sum(len(fragments[index].text) for index in unseen)
    visible = sum(len(f.text) for index, f in enumerate(fragments) if index not in unseen)
    return layer >= _LAYER_CHARACTERS and layer > visible


@dataclass(frozen=True, slots=True, kw_only=True)
class _Suspects:
    """Positions of fragments for which there is a sign that they cannot be seen."""

    white_on_paper: frozenset[int]
    covered: frozenset[int]
    """An opaque picture was painted over them."""

    on_areas: frozenset[int]
    """They are light, or stand where something else is painted too."""


def _suspects(fragments: Sequence[Fragment], look: PageLook, *, without: set[int]) -> _Suspects:
    areas = [
        entry.box
        for entry in look.painted
        if entry.kind not in _TEXT_KINDS and entry.box.area >= _COVER_AREA
    ]
    covers = [
        (order, entry.box)
        for order, entry in enumerate(look.painted)
        if entry.kind == "fill-image"
        and any(covered_share(entry.box, box) > 0.9 for box in look.pictures)
    ]
    white, covered, on_areas = set(), set(), set()
    for index, fragment in enumerate(fragments):
        if index in without:
            continue
        if any(holds_center(area, fragment.box) for area in areas):
            on_areas.add(index)
            over = [order for order, box in covers if covered_share(fragment.box, box) > 0.9]
            if over and _last_painted(fragment, look) < max(over):
                covered.add(index)
        elif _is_white(fragment):
            white.add(index)
        elif _is_light(fragment):
            on_areas.add(index)
    return _Suspects(
        white_on_paper=frozenset(white), covered=frozenset(covered), on_areas=frozenset(on_areas)
    )


def _last_painted(fragment: Fragment, look: PageLook) -> int:
    return max(
        (
            order
            for order, entry in enumerate(look.painted)
            if entry.kind in _TEXT_KINDS and holds_center(entry.box, fragment.box)
        ),
        default=len(look.painted),
    )


def _zone(pixels: "numpy.ndarray", fragment: Fragment, zoom: float) -> "numpy.ndarray":
    """The pixels of a fragment, without the edges that a rule or a cell border may touch."""
    box: Box = fragment.box
    inset_x, inset_y = 0.05 * width(box), 0.05 * height(box)
    if fragment.direction in (0, 180):
        inset_y = 0.25 * height(box)
    elif fragment.direction in (90, 270):
        inset_x = 0.25 * width(box)
    top, bottom = int((box.top + inset_y) * zoom), int((box.bottom - inset_y) * zoom) + 1
    left, right = int((box.left + inset_x) * zoom), int((box.right - inset_x) * zoom) + 1
    return pixels[max(0, top) : bottom, max(0, left) : right].astype("int16")


def _is_uniform(zone: "numpy.ndarray") -> bool:
    if zone.size == 0:
        return False
    return int((zone.max(axis=(0, 1)) - zone.min(axis=(0, 1))).max()) < _UNIFORM_LEVELS


def _shows_color(zone: "numpy.ndarray", fragment: Fragment) -> bool:
    import numpy

    color = numpy.array(_channels(fragment.color), dtype="int16")
    return bool((abs(zone - color).max(axis=2) < _SAME_COLOR_LEVELS).any())


def _is_white(fragment: Fragment) -> bool:
    return min(_channels(fragment.color)) >= 256 - _UNIFORM_LEVELS


def _is_light(fragment: Fragment) -> bool:
    return sum(_channels(fragment.color)) / 3 / 255 >= _LIGHT


def _channels(color: int) -> tuple[int, int, int]:
    return color >> 16 & 255, color >> 8 & 255, color & 255
