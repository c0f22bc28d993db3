"""Pages 16 to 18 of the annual report: figures of other years, districts."""

import pymupdf

from annual import accounts, facts
from annual.layout import TOP, put_captioned_table, put_chapter, put_note, put_section


def statistics_2023_2022(page: pymupdf.Page) -> None:
    """Page 16."""
    top = put_chapter(page, "Appendix A: Operating statistics")
    top = _statistics(page, top, "A1", 2023)
    _statistics(page, top, "A2", 2022)


def statistics_2021_2020(page: pymupdf.Page) -> None:
    """Page 17."""
    top = _statistics(page, TOP, "A3", 2021)
    top = _statistics(page, top, "A4", 2020)
    put_note(page, top - 8, "Emissions before 2021 without nitrous oxide from wastewater.")


def _statistics(page: pymupdf.Page, top: float, number: str, year: int) -> float:
    rows = [["Figure", "Unit", str(year)]]
    rows += [[s.name, s.unit, s.of(year)] for s in facts.STATISTICS]
    caption = f"Table {number}. Operating statistics, {year}"
    return put_captioned_table(page, top, caption, rows, [211, 150, 110], words=2) + 16


def districts(page: pymupdf.Page) -> None:
    """Page 18."""
    top = put_chapter(page, "Appendix B: Districts")
    for number, place, year in (("B1", 1, 2024), ("B2", 0, 2023)):
        rows = [["District", "Water customers", "Burst mains", "Mains (km)"]]
        rows += [
            [d.name, f"{d.customers[place]:,}", str(d.bursts[place]), f"{d.main_kilometers:,}"]
            for d in accounts.DISTRICTS
        ]
        length = sum(d.main_kilometers for d in accounts.DISTRICTS)
        total = [facts.CUSTOMERS.of(year), facts.BURSTS.of(year), f"{length:,}"]
        rows.append(["All districts", *total])
        caption = f"Table {number}. Water network by district, {year}"
        widths = [171, 100, 100, 100]
        top = put_captioned_table(page, top, caption, rows, widths, strong_rows=[len(rows) - 1])
        top += 24
    put_section(
        page,
        top,
        "Terms",
        [
            "Leakage: water put into supply less water delivered. Supply interruption: minutes "
            "without power in a year, unplanned, divided by all customers. Lost-time injury: an "
            "accident after which a person is away from work for at least one day. Reserve margin: "
            "available capacity over the highest expected demand, in per cent.",
        ],
    )
