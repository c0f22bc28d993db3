"""The figures of the annual report: pictures and vector charts, the cover, the scanned notice."""

from collections.abc import Sequence

import pymupdf
from charts import (
    BarChart,
    LineChart,
    Rectangle,
    SideBars,
    draw_bars,
    draw_line_chart,
    draw_side_bars,
)
from drawing import (
    Color,
    Style,
    new_sheet,
    picture_of,
    put_box,
    put_paragraph,
    put_picture,
    put_text,
)

from annual import accounts, facts
from annual.layout import AMBER, BLUE, GREEN, LABEL, SKY

_STAMP: Color = (0.66, 0.16, 0.18)
_PAPER: Color = (0.985, 0.98, 0.965)


def leakage_chart(width: float, height: float) -> bytes:
    """Figure 1 as a PNG."""
    sheet = new_sheet(width, height)
    chart = BarChart(
        labels=[str(year) for year in facts.LEAKAGE_YEARS],
        values=facts.LEAKAGE,
        top=70,
        step=10,
        axis_title="Leakage (million liters a day)",
        color=SKY,
        highlight=BLUE,
        decimals=1,
        text=LABEL,
    )
    draw_bars(sheet, (6, 6, width - 6, height - 2), chart)
    return picture_of(sheet, dpi=200)


def demand_chart(width: float, height: float) -> bytes:
    """Figure 4 as a PNG."""
    sheet = new_sheet(width, height)
    chart = BarChart(
        labels=list(facts.MONTHS),
        values=facts.DEMAND,
        top=250,
        step=50,
        axis_title="Highest demand (MW)",
        color=AMBER,
        text=LABEL,
    )
    draw_bars(sheet, (6, 6, width - 6, height - 2), chart)
    return picture_of(sheet, dpi=200)


def causes_chart(width: float, height: float) -> bytes:
    """Figure 5 as a PNG."""
    sheet = new_sheet(width, height)
    chart = SideBars(
        labels=list(facts.CAUSES),
        values=list(facts.CAUSES.values()),
        label_width=112,
        color=SKY,
        text=LABEL,
    )
    draw_side_bars(sheet, (6, 8, width - 6, height - 8), chart)
    return picture_of(sheet, dpi=200)


def draw_storage(page: pymupdf.Page, box: Rectangle) -> None:
    """Figure 2, drawn on the page."""
    chart = LineChart(
        labels=facts.MONTHS,
        values=facts.STORAGE,
        low=40,
        high=100,
        axis_title="Storage at the end of the month (% of capacity)",
        color=BLUE,
        decimals=0,
        text=LABEL,
    )
    draw_line_chart(page, box, chart)


def draw_sources(page: pymupdf.Page, box: Rectangle) -> None:
    """Figure 3, drawn on the page."""
    chart = SideBars(
        labels=list(facts.SOURCES),
        values=list(facts.SOURCES.values()),
        label_width=84,
        color=GREEN,
        suffix=" GWh",
        text=LABEL,
    )
    draw_side_bars(page, box, chart)


def draw_revenue(page: pymupdf.Page, box: Rectangle) -> None:
    """Figure 6, drawn on the page."""
    chart = BarChart(
        labels=[str(year) for year in range(2020, 2025)],
        values=facts.REVENUE.values,
        top=400,
        step=100,
        axis_title="Revenue (EUR million)",
        color=SKY,
        highlight=BLUE,
        decimals=1,
        text=LABEL,
    )
    draw_bars(page, box, chart)


def draw_cover(page: pymupdf.Page) -> None:
    """Bands of hills, water and sky behind the title."""
    width, height = page.rect.width, page.rect.height
    put_box(page, (0, 0, width, height * 0.62), fill=(0.90, 0.95, 0.98))
    page.draw_circle(pymupdf.Point(width * 0.76, 330), 44, color=None, fill=(0.98, 0.85, 0.55))
    hills: Sequence[tuple[Color, Sequence[tuple[float, float]]]] = (
        ((0.70, 0.81, 0.85), ((0, 430), (110, 350), (230, 410), (360, 330), (595, 440))),
        ((0.46, 0.64, 0.62), ((0, 470), (160, 400), (300, 460), (450, 385), (595, 450))),
        ((0.30, 0.50, 0.42), ((0, 500), (90, 460), (260, 500), (420, 455), (595, 510))),
    )
    for color, ridge in hills:
        points = [(0.0, height * 0.62), *ridge, (width, height * 0.62)]
        page.draw_polyline([pymupdf.Point(*point) for point in points], color=color, fill=color)
    put_box(page, (0, height * 0.62, width, height), fill=BLUE)
    for number in range(5):
        y = height * 0.62 + 12 + number * 9
        inset = 60 + number * 34
        put_box(page, (inset, y, width - inset, y + 2.2), fill=SKY)


def scanned_notice(width: float, height: float) -> bytes:
    """The regulator's notice as a PNG: printed, stamped, laid on the scanner a little askew."""
    sheet = new_sheet(width, height)
    put_box(sheet, (0, 0, width, height), fill=_PAPER)
    bold, plain = Style(font="tibo", size=15), Style(font="tiro", size=12.5, leading=1.65)
    put_text(sheet, (width / 2, 90), "OFFICE FOR NETWORK SERVICES", bold, align="center")
    notice = accounts.NOTICE
    title = f"Notice of Determination No. {notice['number']}"
    put_text(sheet, (width / 2, 118), title, Style(font="tibo", size=13), align="center")
    put_text(sheet, (72, 160), f"Our reference: {notice['register']}", plain)
    put_text(sheet, (72, 178), f"To: {facts.COMPANY}", plain)
    top = 206.0
    for paragraph in _notice_paragraphs():
        top = put_paragraph(sheet, (72, top), width - 144, paragraph, plain, justify=False) + 10
    put_text(sheet, (72, top + 40), "For the Office: the Determination Panel", plain)
    box = (width - 236.0, top + 10, width - 76, top + 66)
    put_box(sheet, box, fill=None, edge=_STAMP)
    stamp = Style(font="hebo", size=13, color=_STAMP)
    put_text(sheet, (box[0] + 80, box[1] + 24), "RECEIVED", stamp, align="center")
    put_text(sheet, (box[0] + 80, box[1] + 44), "14 NOV 2024", stamp, align="center")
    return _askew(sheet)


def _notice_paragraphs() -> list[str]:
    notice = accounts.NOTICE
    return [
        "Having examined the accounts and the service reports of the licence holder, the Office "
        "determines as follows.",
        f"1. Charges. Average charges to households may rise by no more than "
        f"{notice['charge rise']} in the calendar year 2025.",
        f"2. Leakage. In 2025 leakage must not exceed {notice['leakage limit']} a day. If it does, "
        f"a penalty of {notice['penalty']} falls due.",
        f"3. Reserve. The licence holder keeps a reserve margin of at least "
        f"{notice['reserve margin']} over the highest expected demand for electricity.",
        f"4. Reporting. A plan for the replacement of lead service pipes is to be filed with the "
        f"Office by {notice['deadline']}.",
        f"5. Objection. An objection against this notice may be lodged within "
        f"{notice['objection']} of its receipt. An objection does not suspend paragraph 2.",
    ]


def _askew(sheet: pymupdf.Page) -> bytes:
    width, height = sheet.rect.width, sheet.rect.height
    glass = new_sheet(width, height)
    put_box(glass, (0, 0, width, height), fill=_PAPER)
    edge = pymupdf.Rect(-8, -8, width + 8, height + 8)
    glass.show_pdf_page(edge, sheet.parent, 0, rotate=0.6)
    return picture_of(glass, dpi=150)


def put_scan(page: pymupdf.Page, png: bytes) -> None:
    """Fill a page with the scan."""
    put_picture(page, (0, 0, page.rect.width, page.rect.height), png)
