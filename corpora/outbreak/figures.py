"""The three figures of the outbreak corpus: two bar charts and a colored map of the districts."""

import pymupdf
from charts import BarChart, Rectangle, draw_bars
from drawing import INK, MUTED, WHITE, Color, Style, new_sheet, picture_of, put_box, put_text

from outbreak import facts

TEAL: Color = (0.09, 0.40, 0.47)
LIGHT_TEAL: Color = (0.42, 0.66, 0.70)
ORANGE: Color = (0.82, 0.40, 0.16)
_LABEL = Style(size=8.5)
_SHADES: tuple[Color, ...] = (
    (0.95, 0.95, 0.93),
    (0.99, 0.87, 0.70),
    (0.98, 0.68, 0.42),
    (0.88, 0.40, 0.24),
    (0.60, 0.10, 0.12),
)
# Corners shared by neighbors, on a grid of 100 x 60; y grows downward.
_CORNERS: dict[str, tuple[float, float]] = {
    "a": (14, 6),
    "b": (36, 2),
    "c": (58, 5),
    "d": (79, 3),
    "e": (93, 13),
    "f": (9, 21),
    "g": (31, 18),
    "h": (55, 20),
    "i": (74, 17),
    "j": (97, 27),
    "k": (5, 37),
    "l": (27, 36),
    "m": (49, 34),
    "n": (71, 38),
    "o": (94, 42),
    "p": (12, 52),
    "q": (31, 56),
    "r": (53, 53),
    "s": (72, 58),
    "t": (89, 54),
}
_DISTRICTS: dict[str, str] = {
    "鹿鳴區": "abgf",
    "竹嶺區": "bchg",
    "石墩區": "cdih",
    "東礁區": "deji",
    "青禾區": "fglk",
    "楓橋區": "ghml",
    "月港區": "hinm",
    "望潮區": "ijon",
    "白鷺區": "klqp",
    "雙塔區": "lmrq",
    "北渡區": "mnsr",
    "南浦區": "nots",
}


def yearly_chart(width: float, height: float) -> bytes:
    """Figure 1 as a PNG: confirmed cases of ten years."""
    sheet = new_sheet(width, height)
    chart = BarChart(
        labels=[str(year) for year in facts.YEARS],
        values=facts.CASES_BY_YEAR,
        top=180,
        step=30,
        axis_title="確定病例數（例）",
        unit="民國年",
        color=LIGHT_TEAL,
        highlight=TEAL,
        text=_LABEL,
    )
    draw_bars(sheet, (8, 6, width - 8, height - 6), chart)
    return picture_of(sheet, dpi=220)


def draw_monthly_chart(page: pymupdf.Page, box: Rectangle) -> None:
    """Figure 2, drawn on the page: confirmed cases by month of onset."""
    chart = BarChart(
        labels=[f"{month}月" for month in range(1, 13)],
        values=facts.CASES_BY_MONTH,
        top=35,
        step=5,
        axis_title="確定病例數（例）",
        unit="發病月份",
        color=LIGHT_TEAL,
        highlight=ORANGE,
        text=_LABEL,
    )
    draw_bars(page, box, chart)


def district_map(width: float, height: float) -> bytes:
    """Figure 3 as a PNG: the districts colored by cases per 100,000, with the legend."""
    sheet = new_sheet(width, height)
    scale = ((width - 146) / 100, (height - 10) / 60)
    for district, corners in _DISTRICTS.items():
        shade = facts.map_class(district)
        points = _outline(corners, scale)
        sheet.draw_polyline(
            [pymupdf.Point(*point) for point in points],
            color=WHITE,
            fill=_SHADES[shade],
            width=1.6,
            closePath=True,
        )
        middle_x = sum(x for x, _ in points) / len(points)
        middle_y = sum(y for _, y in points) / len(points)
        label = Style(size=9, color=WHITE if shade >= 3 else INK)
        put_text(sheet, (middle_x, middle_y + 3), district, label, align="center")
    _draw_legend(sheet, (width - 132, height - 142))
    return picture_of(sheet, dpi=220)


def _outline(corners: str, scale: tuple[float, float]) -> list[tuple[float, float]]:
    """The corners and between each two a bend, the same from both sides of a border."""
    points: list[tuple[float, float]] = []
    for start, end in zip(corners, corners[1:] + corners[0], strict=True):
        (x, y), (next_x, next_y) = (_corner(name, scale) for name in sorted((start, end)))
        bend = ((ord(start) + ord(end)) * 7 % 11 - 5) / 70
        middle = (
            (x + next_x) / 2 - (next_y - y) * bend,
            (y + next_y) / 2 + (next_x - x) * bend,
        )
        points += [_corner(start, scale), middle]
    return points


def _corner(name: str, scale: tuple[float, float]) -> tuple[float, float]:
    x, y = _CORNERS[name]
    return x * scale[0], 4 + y * scale[1]


def _draw_legend(sheet: pymupdf.Page, at: tuple[float, float]) -> None:
    left, top = at
    put_box(sheet, (left, top, left + 124, top + 134), fill=WHITE, edge=MUTED)
    put_text(sheet, (left + 10, top + 18), "發生率", Style(size=10, bold=True))
    put_text(sheet, (left + 10, top + 33), f"（{facts.MAP_UNIT}）", Style(size=9))
    for number, name in enumerate(reversed(facts.MAP_CLASSES)):
        y = top + 42 + number * 17
        shade = _SHADES[len(_SHADES) - 1 - number]
        put_box(sheet, (left + 12, y, left + 36, y + 13), fill=shade, edge=MUTED)
        put_text(sheet, (left + 44, y + 10), name, Style(size=9))
