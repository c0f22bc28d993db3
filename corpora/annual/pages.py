"""The annual report, page by page."""

import pymupdf
from drawing import finish

from annual import facts
from annual.layout import HEIGHT, WIDTH, put_furniture
from annual.pages_accounts import finance, outlook
from annual.pages_appendix import districts, statistics_2021_2020, statistics_2023_2022
from annual.pages_energy import demand, energy
from annual.pages_opening import contents, cover, highlights
from annual.pages_people import customers, notice, people
from annual.pages_projects import more_projects, projects
from annual.pages_water import leakage, quality, water

FILE = "annual-en.pdf"
SCANNED_PAGE = 13

_PAGES = (
    cover,
    contents,
    highlights,
    water,
    leakage,
    quality,
    energy,
    demand,
    projects,
    more_projects,
    customers,
    people,
    notice,
    finance,
    outlook,
    statistics_2023_2022,
    statistics_2021_2020,
    districts,
)


def build() -> bytes:
    """The PDF's bytes."""
    document = pymupdf.open()
    for number, fill_page in enumerate(_PAGES, start=1):
        page = document.new_page(width=WIDTH, height=HEIGHT)
        if number not in (1, SCANNED_PAGE):
            put_furniture(page, number)
        fill_page(page)
    return finish(
        document,
        f"{facts.COMPANY}: Annual Report {facts.YEAR}",
        "A demonstration document about a company that does not exist; all figures are invented",
    )
