"""The figures of a page: found, paired with their captions, rendered, with their printed words.

Pictures and drawn charts are treated alike: the region of the page is rendered as it is shown.
"""

import logging
import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from sandbox.documents.figures.captions import PrintedCaption, find_captions
from sandbox.documents.figures.lines import PrintedLine, is_number, read_lines
from sandbox.documents.figures.pairing import pair_captions
from sandbox.documents.figures.regions import Region, find_regions
from sandbox.documents.geometry.boxes import (
    center_y,
    gap_x,
    gap_y,
    height,
    holds_center,
    split_runs,
    union,
    width,
)
from sandbox.records import Box, Figure, Line, Page

if TYPE_CHECKING:
    import pymupdf

logger = logging.getLogger(__name__)
LONG_SIDE_PIXELS = 1400
"""Of the rendered figure; less where that would be more than the zoom below."""

MAX_ZOOM = 5.0
"""Pixels per point at most: 360 dots per inch."""

# Panels of one figure.
_PANEL_REACH = 45.0  # points between two panels, or a panel and the caption of both
_UNDER_CAPTION = 0.2  # share of a panel's width that its caption reaches under
_SAME_HEIGHT = 0.1  # share of a panel's height by which the edges of the next may differ
_IN_ROW = 0.6  # share of a panel's height beside the tallest

# Ornaments.
_REPEATS = 3  # pages with the same picture at the same place; 2 in a document of up to 3 pages
_SAME_PLACE = 2.0  # points; places are rounded to this
_FEW_MARKS = 12  # a drawing of fewer elements without any text or caption is an ornament

# Words of one label, in heights of the higher one.
_WORD_GAP = 0.6  # a wider one stands between two labels
_OFF_BASELINE = 0.5  # by which words of one label may stand higher or lower
_TURNED = 1.2  # height by width; a word higher than this runs up or down
_SAME_EDGE = 1.0  # points
_IN_THOUSANDS = re.compile(r"\d{1,2}( \d{3})+$")


@dataclass(frozen=True, slots=True, kw_only=True)
class FiguresOnPage:
    """What `extract_figures` found."""

    figures: tuple[Figure, ...] = ()
    warnings: tuple[str, ...] = ()


def extract_figures(page: "pymupdf.Page", number: int, folder: Path) -> FiguresOnPage:
    """Find the figures of a page and render them as PNGs into the folder."""
    lines = read_lines(page, number)
    captions = find_captions(
        [Line(text=line.text, box=line.box) for line in lines], [line.styles for line in lines]
    )
    on_page = find_regions(page, number, lines, [caption.box for caption in captions])
    regions = _join_panels(on_page.regions, captions)
    paragraphs = [line.box for line in lines if line.flowing]
    paired = pair_captions([region.box for region in regions], captions, paragraphs)
    figures, warnings = [], list(on_page.warnings)
    for index, (region, caption) in enumerate(zip(regions, paired, strict=True), start=1):
        words = find_labels(region.box, lines, [caption.box for caption in captions])
        if region.kind == "vector" and region.marks < _FEW_MARKS and not (words or caption):
            continue
        image = f"page-{number:04d}-{index}.png"
        problem = _render(page, region.box, folder / image)
        if problem:
            warnings.append(f"page {number}: {problem}")
            continue
        figures.append(
            Figure(
                box=region.box,
                kind=region.kind,
                image=image,
                caption=caption.text if caption else "",
                words=words,
            )
        )
    return FiguresOnPage(figures=tuple(figures), warnings=tuple(warnings))


def drop_repeated(pages: Sequence[Page], folder: Path) -> tuple[Page, ...]:
    """The pages without logos and ornaments: the same picture at the same place on several pages.

    A figure with a printed caption is kept. The PNGs of dropped figures are deleted.
    """
    places: dict[tuple[str, int, int], list[Figure]] = defaultdict(list)
    for page in pages:
        for figure in page.figures:
            digest = sha256((folder / figure.image).read_bytes()).hexdigest()
            place = (round(figure.box.left / _SAME_PLACE), round(figure.box.top / _SAME_PLACE))
            places[digest, *place].append(figure)
    needed = _REPEATS if len(pages) > _REPEATS else 2
    dropped = {
        figure.image
        for figures in places.values()
        if len(figures) >= needed
        for figure in figures
        if not figure.caption
    }
    for image in dropped:
        (folder / image).unlink()
    return tuple(
        replace(
            page, figures=tuple(figure for figure in page.figures if figure.image not in dropped)
        )
        for page in pages
    )


def _join_panels(regions: Sequence[Region], captions: Sequence[PrintedCaption]) -> list[Region]:
    """Panels side by side over (or under) one wide caption are one figure."""
    joined = list(regions)
    for caption in captions:
        boxes = [region.box for region in joined]
        panels = [region for region in joined if _is_panel(region.box, caption.box, boxes)]
        if len(panels) < 2 or not _are_in_a_row([panel.box for panel in panels]):
            continue
        if any(_has_own_caption(panel.box, caption, captions) for panel in panels):
            continue
        joined = [region for region in joined if region not in panels]
        whole = union([panel.box for panel in panels])
        joined.append(replace(panels[0], box=whole, marks=sum(panel.marks for panel in panels)))
    return sorted(joined, key=lambda region: (region.box.top, region.box.left))


def _has_own_caption(
    panel: Box, caption: PrintedCaption, captions: Sequence[PrintedCaption]
) -> bool:
    return any(
        gap_x(panel, other.box) < 0 and abs(gap_y(panel, other.box)) < _PANEL_REACH
        for other in captions
        if other != caption
    )


def _is_panel(region: Box, caption: Box, regions: Sequence[Box]) -> bool:
    """Above or below the caption, or level with such a figure and as high."""
    if gap_y(region, caption) >= _PANEL_REACH or holds_center(region, caption):
        return False
    return gap_x(region, caption) < -_UNDER_CAPTION * width(region) or any(
        max(abs(region.top - other.top), abs(region.bottom - other.bottom))
        < _SAME_HEIGHT * height(other)
        and gap_x(other, caption) < 0
        for other in regions
        if other != region
    )


def _are_in_a_row(boxes: Sequence[Box]) -> bool:
    ordered = sorted(boxes, key=lambda box: box.left)
    tallest = max(boxes, key=height)
    return all(gap_y(tallest, box) < -_IN_ROW * height(box) for box in boxes) and all(
        gap_x(left, right) < _PANEL_REACH for left, right in pairwise(ordered)
    )


def _render(page: "pymupdf.Page", box: Box, path: Path) -> str:
    """Write the region as a PNG; the answer says what went wrong, if anything did."""
    import pymupdf

    clip = pymupdf.Rect(box.left, box.top, box.right, box.bottom) & page.rect
    zoom = min(LONG_SIDE_PIXELS / max(clip.width, clip.height), MAX_ZOOM)
    try:
        pixels = page.get_pixmap(
            matrix=pymupdf.Matrix(zoom, zoom), clip=clip, colorspace=pymupdf.csRGB, alpha=False
        )
        if pixels.is_unicolor:
            return "a picture that is blank or cannot be read was left out"
        pixels.save(path)
    except (RuntimeError, ValueError, pymupdf.mupdf.FzErrorBase) as error:
        logger.debug("rendering failed: %s", error)
        return "a picture that cannot be drawn was left out"
    return ""


def find_labels(
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
            labels += _group_words(words)
    return tuple(labels)


def _group_words(words: Sequence[Line]) -> list[Line]:
    """Join words of one label; values in a row, such as the numbers of an axis, stay apart."""
    groups = split_runs(words, lambda group, word: _same_label(group[-1], word))
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
    down = abs(center_y(left.box) - center_y(right.box))
    return (across < _WORD_GAP * tall and down < _OFF_BASELINE * tall) or _is_turned(left, right)


def _is_turned(left: Line, right: Line) -> bool:
    """Words of a label that runs upwards or downwards stand over one another."""
    return (
        abs(left.box.left - right.box.left) < _SAME_EDGE
        and abs(left.box.right - right.box.right) < _SAME_EDGE
        and height(left.box) > _TURNED * width(left.box)
    )
