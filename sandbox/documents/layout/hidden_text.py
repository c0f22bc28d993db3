"""Which text a reader of the page cannot see, so that it is shown as hidden and never indexed.

White on white, covered, tiny, without ink, or off the page. Only text for which there is a cheap
sign is compared with the rendered page. A scan's OCR layer has no ink either and is text.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sandbox.documents.geometry.boxes import (
    covered_share,
    height,
    holds_center,
    intersection,
    limit_zoom,
    width,
)
from sandbox.documents.layout.page_survey import MAX_RENDERED_PIXELS, PageSurvey, render
from sandbox.documents.layout.text_layer import Fragment
from sandbox.records import Box

if TYPE_CHECKING:
    import numpy
    import pymupdf

_LAYER_CHARACTERS = 40  # fewer on a scan are a hidden note rather than what OCR read in it
_TINY_POINTS = 2.0  # font size on a page with a side of 600 points or more; smaller is illegible
_FULL_SIDE_POINTS = 600.0  # on smaller pages, such as labels, the limit shrinks with the page
_COVER_AREA = 30.0  # square points; what covers text is larger than a dot or a piece of a rule
_COVERED = 0.9  # share of a box under another from which on it counts as covered
_ZOOM = 2.0  # 144 pixels an inch: strokes of small letters are a pixel wide

# Brightness of a channel, between 0 and 255.
_UNIFORM_LEVELS = 10  # pixels that differ less look the same
_SAME_COLOR_LEVELS = 90  # smoothing the edges of thin letters makes their color this much paler
_LIGHT_LEVEL = 204  # a text whose channels are brighter on average is compared with its ground

# Edges of a fragment's box that a rule or a cell border may touch, as shares of its sides.
_INSET_ALONG = 0.05
_INSET_ACROSS = 0.25

_TEXT_KINDS = ("fill-text", "stroke-text", "ignore-text", "clip-text")


@dataclass(slots=True, kw_only=True)
class _Suspects:
    """Positions of fragments for which there is a sign that they cannot be seen."""

    white_on_paper: set[int] = field(default_factory=set)
    covered: set[int] = field(default_factory=set)
    """An opaque picture was painted over them."""

    on_areas: set[int] = field(default_factory=set)
    """They are light, or stand where something else is painted too."""


def find_hidden(
    page: "pymupdf.Page", fragments: Sequence[Fragment], survey: PageSurvey, *, can_render: bool
) -> frozenset[int]:
    """Positions of the fragments of a page's text layer that cannot be seen.

    If rendering the page would take too long, it cannot be rendered, and less is found.
    """
    hidden = {
        index
        for index, fragment in enumerate(fragments)
        if _is_tiny(fragment, survey) or intersection(fragment.box, survey.whole).area <= 0
    }
    unseen = {index for index, fragment in enumerate(fragments) if not fragment.inked}
    suspects = _find_suspects(fragments, survey, without=hidden | unseen)
    unseen |= suspects.white_on_paper
    if can_render and (suspects.covered or suspects.on_areas):
        zoom = limit_zoom(page, _ZOOM, most_pixels=MAX_RENDERED_PIXELS)
        pixels = render(page, zoom=zoom)
        zones = {i: _zone(pixels, fragments[i], zoom) for i in suspects.covered | suspects.on_areas}
        # A picture that lets the page shine through, such as a watermark, hides nothing.
        unseen |= {i for i in suspects.covered if not _shows_color(zones[i], fragments[i])}
        unseen |= {i for i in suspects.on_areas if _is_uniform(zones[i])}
    if _is_ocr_layer(fragments, unseen, survey):
        return frozenset(hidden)
    return frozenset(hidden | unseen)


def _is_tiny(fragment: Fragment, survey: PageSurvey) -> bool:
    side = max(width(survey.whole), height(survey.whole))
    return fragment.size < _TINY_POINTS * min(1.0, side / _FULL_SIDE_POINTS)


def _is_ocr_layer(fragments: Sequence[Fragment], unseen: set[int], survey: PageSurvey) -> bool:
    """Whether the text without ink is what somebody's OCR read in the picture it lies on."""
    if not survey.may_be_scan:
        return False
    layer = sum(len(fragments[index].text) for index in unseen)
    visible = sum(len(f.text) for index, f in enumerate(fragments) if index not in unseen)
    return layer >= _LAYER_CHARACTERS and layer > visible


def _find_suspects(
    fragments: Sequence[Fragment], survey: PageSurvey, *, without: set[int]
) -> _Suspects:
    areas = [
        entry.box
        for entry in survey.painted
        if entry.kind not in _TEXT_KINDS and entry.box.area >= _COVER_AREA
    ]
    covers = _opaque_pictures(survey)
    suspects = _Suspects()
    for index, fragment in enumerate(fragments):
        if index in without:
            continue
        if any(holds_center(area, fragment.box) for area in areas):
            suspects.on_areas.add(index)
            over = [order for order, box in covers if covered_share(fragment.box, box) > _COVERED]
            if over and _last_painted(fragment, survey) < max(over):
                suspects.covered.add(index)
        elif _is_white(fragment):
            suspects.white_on_paper.add(index)
        elif _is_light(fragment):
            suspects.on_areas.add(index)
    return suspects


def _opaque_pictures(survey: PageSurvey) -> list[tuple[int, Box]]:
    """Pictures without a soft mask, and their places in the order of painting."""
    return [
        (order, entry.box)
        for order, entry in enumerate(survey.painted)
        if entry.kind == "fill-image"
        and any(covered_share(entry.box, box) > _COVERED for box in survey.pictures)
    ]


def _last_painted(fragment: Fragment, survey: PageSurvey) -> int:
    return max(
        (
            order
            for order, entry in enumerate(survey.painted)
            if entry.kind in _TEXT_KINDS and holds_center(entry.box, fragment.box)
        ),
        default=len(survey.painted),
    )


def _zone(pixels: "numpy.ndarray", fragment: Fragment, zoom: float) -> "numpy.ndarray":
    """The pixels of a fragment, without the edges that a rule or a cell border may touch."""
    box: Box = fragment.box
    inset_x, inset_y = _INSET_ALONG * width(box), _INSET_ALONG * height(box)
    if fragment.direction in (0, 180):
        inset_y = _INSET_ACROSS * height(box)
    elif fragment.direction in (90, 270):
        inset_x = _INSET_ACROSS * width(box)
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
    return sum(_channels(fragment.color)) / 3 >= _LIGHT_LEVEL


def _channels(color: int) -> tuple[int, int, int]:
    return color >> 16 & 255, color >> 8 & 255, color & 255
