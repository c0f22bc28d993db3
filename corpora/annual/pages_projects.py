"""Pages 9 and 10 of the annual report: a table that goes on overleaf."""

from collections.abc import Sequence

import pymupdf

from annual import accounts, facts
from annual.layout import TOP, put_captioned_table, put_chapter, put_columns, put_note, put_section

_PROJECTS_BEFORE_BREAK = 24
_PROJECT_WIDTHS = (52, 164, 84, 57, 57, 57)


def projects(page: pymupdf.Page) -> None:
    """Page 9: the first part of the table that goes on overleaf."""
    top = put_chapter(page, "Capital program")
    water = sum(p.spent for p in accounts.PROJECTS if p.code.startswith("W"))
    energy = sum(p.spent for p in accounts.PROJECTS if p.code.startswith("E"))
    top = put_section(
        page,
        top,
        "Projects",
        [
            f"Capital investment came to EUR {facts.INVESTMENT.now} million: EUR {water:.1f} "
            f"million in water and EUR {energy:.1f} million in energy. Table 3 lists all "
            f"{len(accounts.PROJECTS)} projects that were under way at the end of the year, with "
            "the whole budget, the amount spent in the reporting year and the quarter in which the "
            "project is to be ready. Codes that begin with W are water projects, those with E "
            "energy projects.",
            "Two projects are behind their plan. The spillway of the Stennock dam is delayed by "
            "seven months because the rock was worse than expected; the second lot of smart meters "
            "waits for deliveries.",
        ],
    )
    _project_table(
        page,
        top,
        f"Table 3. Capital projects under way at the end of {facts.YEAR} (EUR million)",
        accounts.PROJECTS[:_PROJECTS_BEFORE_BREAK],
    )


def more_projects(page: pymupdf.Page) -> None:
    """Page 10: the rest of the table, and land."""
    top = _project_table(
        page,
        TOP,
        "Table 3, continued. Capital projects (EUR million)",
        accounts.PROJECTS[_PROJECTS_BEFORE_BREAK:],
    )
    top = put_note(page, top, "Source: project accounts; budgets as last approved by the Board")
    put_columns(
        page,
        top + 10,
        [
            (
                "Procurement",
                [
                    "We placed 214 contracts, 139 of them with firms that have their seat in one "
                    "of the six districts. The largest contract, for the Lowfold filters, is worth "
                    "EUR 15.7 million.",
                ],
            )
        ],
        [
            (
                "Completed in the year",
                [
                    "Eleven projects were completed and are no longer in the table, among them the "
                    "pumping station at Marsh Row and the new depot at Thornhythe, which cost EUR "
                    "8.9 million, EUR 0.4 million less than planned.",
                ],
            )
        ],
    )


def _project_table(
    page: pymupdf.Page, top: float, caption: str, listed: Sequence[accounts.Project]
) -> float:
    rows = [["Code", "Project", "District", "Budget", f"Spent {facts.YEAR}", "Ready"]]
    rows += [
        [p.code, p.name, p.district, f"{p.budget:.1f}", f"{p.spent:.1f}", p.ready] for p in listed
    ]
    return put_captioned_table(page, top, caption, rows, _PROJECT_WIDTHS, words=3)
