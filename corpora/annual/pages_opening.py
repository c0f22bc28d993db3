"""Pages 1 to 3 of the annual report: cover, contents, highlights."""

import pymupdf
from drawing import MUTED, RULE, WHITE, Style, put_box, put_line, put_text

from annual import facts
from annual.figures import draw_cover
from annual.layout import BLUE, BODY, COLUMN, LEFT, RIGHT, put_chapter, put_section

CONTENTS = (
    ("The year at a glance", 3),
    ("Water supply", 4),
    ("Leakage and reservoirs", 5),
    ("Water quality", 6),
    ("Energy supply", 7),
    ("Demand and reliability", 8),
    ("Capital program", 9),
    ("Customers", 11),
    ("People and environment", 12),
    ("Notice of the regulator", 13),
    ("Financial results", 14),
    ("Outlook", 15),
    ("Appendix A: Operating statistics of earlier years", 16),
    ("Appendix B: Districts", 18),
)


def cover(page: pymupdf.Page) -> None:
    """Page 1."""
    draw_cover(page)
    put_text(page, (LEFT, 640), facts.COMPANY, Style(font="helv", size=17, color=WHITE))
    title = Style(font="hebo", size=40, color=WHITE)
    put_text(page, (LEFT, 690), f"Annual Report {facts.YEAR}", title)
    note = "Demonstration document: the company, its places and all figures are invented"
    put_text(page, (LEFT, 800), note, Style(font="helv", size=9, color=WHITE))


def contents(page: pymupdf.Page) -> None:
    """Page 2."""
    top = put_chapter(page, "Contents")
    for title, number in CONTENTS:
        put_text(page, (LEFT, top + 12), title, BODY)
        put_text(page, (RIGHT, top + 12), str(number), BODY, align="right")
        put_line(page, (LEFT, top + 18), (RIGHT, top + 18), color=RULE, width=0.4)
        top += 22
    put_section(
        page,
        top + 24,
        "About this report",
        [
            f"This report covers the calendar year {facts.YEAR}. Figures of earlier years are "
            "given in Appendix A as they were published at the time, unless they are marked as "
            "restated. Sums may differ from their parts by rounding. One megaliter is a million "
            "liters; it is used where flows are given by the day.",
            f"{facts.COMPANY} supplies drinking water and electricity in six districts: Eastfen, "
            "Cullerby, Thornhythe, Marsh Row, Sallow Bridge and Upper Ostrey. It is owned by "
            "their municipalities, in proportion to the number of their inhabitants, and holds a "
            "licence that runs until 2041.",
        ],
    )


def highlights(page: pymupdf.Page) -> None:
    """Page 3."""
    top = put_chapter(page, "The year at a glance")
    cards = (
        facts.CUSTOMERS,
        facts.DELIVERED,
        facts.SUPPLIED,
        facts.RENEWABLE,
        facts.INTERRUPTION,
        facts.INVESTMENT,
    )
    width, height, gap = (COLUMN - 24) / 3, 76, 12
    for number, statistic in enumerate(cards):
        left = LEFT + number % 3 * (width + gap)
        card_top = top + number // 3 * (height + gap)
        put_box(page, (left, card_top, left + width, card_top + height), fill=(0.93, 0.96, 0.98))
        number_style = Style(font="hebo", size=22, color=BLUE)
        put_text(page, (left + 12, card_top + 34), statistic.now, number_style)
        put_text(page, (left + 12, card_top + 52), statistic.name, Style(font="hebo", size=8.8))
        unit = Style(font="helv", size=8.2, color=MUTED)
        put_text(page, (left + 12, card_top + 65), statistic.unit, unit)
    put_section(
        page,
        top + 2 * height + gap + 26,
        "Statement of the Board",
        [
            f"{facts.YEAR} brought a summer almost without rain, which emptied our reservoirs "
            "further than in any year since the Stennock dam was raised, and an autumn of gales, "
            "which put our overhead lines to the test. That power was nevertheless supplied more "
            "reliably than the year before is owed to the crews who worked through the nights.",
            f"We invested EUR {facts.INVESTMENT.now} million, the largest program in our history. "
            "Two fifths went into electricity networks and generation, three fifths into water. "
            "The renewal of the Lowfold filters and the spillway of the Stennock dam are the two "
            "projects on which most was spent.",
            f"For the first time more than half of the electricity we supplied came from renewable "
            f"sources. The share rose to {facts.RENEWABLE.now} per cent, and our emissions fell to "
            f"{facts.EMISSIONS.now} kilotons of CO2 equivalent.",
            f"The average household bill rose by EUR 13 to EUR {facts.BILL.now}. We know that this "
            "is felt. The hardship fund paid EUR 2.9 million to 7,310 households, and the Board "
            "has resolved to raise it to EUR 3.5 million in the coming year.",
            "The Board thanks the staff, the works council and the six municipalities.",
        ],
    )
