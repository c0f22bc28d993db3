"""Where a page shows pictures: placements joined and filtered, sizes checked before any decoding.

Pictures are not extracted: the region of the page is rendered later, so that masks, color spaces,
stencils and inline pictures look as they do on the page.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sandbox.documents.geometry.boxes import (
    covered_share,
    displayed_box,
    gap_x,
    gap_y,
    height,
    intersection,
    merge_boxes,
    page_box,
    width,
)
from sandbox.records import Box

if TYPE_CHECKING:
    import pymupdf

MAX_PIXELS = 50_000_000
"""Above this a picture is decoded only if that can be done strip by strip."""

MAX_STRIP_PIXELS = 600_000_000
"""Above this a picture is never decoded: a file of a few kilobytes would take many seconds."""

BACKGROUND_SHARE = 0.85
"""A picture that covers this much of its page is a scan or a background, not a figure.

Higher than the share from which on a page may be a scan (page_survey.py, where both were measured),
so that a photograph or map over most of a page stays a figure.
"""

_STRIP_FILTERS = ("FlateDecode", "CCITTFaxDecode")  # MuPDF decodes these strip by strip
_SMALLEST_PIXELS = 1_000  # fewer are a spacer, a bullet or a piece of a rule
_TOUCHING_POINTS = 1.5  # tiles of one picture may be rounded apart by this much
_LAID_OVER = 0.3  # share of the smaller picture that lies on the other
_WHOLE_SIDE = 0.9  # share of a side along which tiles of one picture touch
_SAME_PICTURE = 0.5  # share of a placement inside the region it became part of


@dataclass(frozen=True, slots=True, kw_only=True)
class Pictures:
    """The regions of a page that show pictures."""

    boxes: tuple[Box, ...]
    skipped: tuple[Box, ...]
    """Regions that must not be rendered: decoding them would take too much memory or time."""

    warnings: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Placement:
    box: Box
    columns: int
    rows: int

    @property
    def pixels(self) -> int:
        return self.columns * self.rows


def find_pictures(page: "pymupdf.Page", number: int) -> Pictures:
    """Find the pictures worth showing; scans, backgrounds and spacers are not."""
    whole = page_box(page, number)
    placements = _placements(page, number, whole)
    filters = _filters(page) if any(p.pixels > MAX_PIXELS for p in placements) else {}
    accepted, skipped, warnings = [], [], []
    for placement in placements:
        size = f"picture of {placement.columns} x {placement.rows} pixels"
        if placement.pixels <= MAX_PIXELS:
            accepted.append(placement)
        elif (
            placement.pixels <= MAX_STRIP_PIXELS
            and filters.get((placement.columns, placement.rows)) in _STRIP_FILTERS
        ):
            accepted.append(placement)
            warnings.append(f"page {number}: a {size} was scaled down")
        else:
            skipped.append(placement.box)
            warnings.append(f"page {number}: a {size} was left out because it is too large")
    return Pictures(
        boxes=_worth_showing(accepted, whole),
        skipped=tuple(skipped),
        warnings=tuple(dict.fromkeys(warnings)),
    )


def _placements(page: "pymupdf.Page", number: int, whole: Box) -> list[_Placement]:
    # Without xrefs: asking for them computes digests, which decodes every picture (PyMuPDF 2.0).
    placements = [
        _Placement(
            box=intersection(displayed_box(page, number, info["bbox"]), whole),
            columns=info["width"],
            rows=info["height"],
        )
        for info in page.get_image_info()
    ]
    return [placement for placement in placements if placement.box.area > 0]


def _filters(page: "pymupdf.Page") -> dict[tuple[int, int], str]:
    """Compression by pixel size; pictures with a soft mask are left out, inline ones unknown."""
    return {
        (columns, rows): compression
        for _, soft_mask, columns, rows, _, _, _, _, compression in page.get_images()
        if not soft_mask
    }


def _worth_showing(placements: Sequence[_Placement], whole: Box) -> tuple[Box, ...]:
    regions = merge_boxes([placement.box for placement in placements], _is_one_picture)
    return tuple(
        region
        for region in regions
        if covered_share(whole, region) < BACKGROUND_SHARE
        and sum(p.pixels for p in placements if covered_share(p.box, region) > _SAME_PICTURE)
        >= _SMALLEST_PIXELS
    )


def _is_one_picture(first: Box, second: Box) -> bool:
    """Strips and tiles that touch along a whole side, or a picture laid over another."""
    across, down = gap_x(first, second), gap_y(first, second)
    if max(across, down) > _TOUCHING_POINTS:
        return False
    smaller = min(first, second, key=lambda box: box.area)
    if intersection(first, second).area > _LAID_OVER * smaller.area:
        return True
    if across > down:
        return -down > _WHOLE_SIDE * max(height(first), height(second))
    return -across > _WHOLE_SIDE * max(width(first), width(second))
