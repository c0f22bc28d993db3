"""Pages 14 and 15 of the annual report: financial results, outlook."""

import pymupdf

from annual import accounts, facts
from annual.figures import draw_revenue
from annual.layout import (
    LEFT,
    RIGHT,
    put_caption,
    put_captioned_table,
    put_chapter,
    put_columns,
    put_section,
)


def finance(page: pymupdf.Page) -> None:
    """Page 14."""
    top = put_chapter(page, "Financial results")
    top = put_section(
        page,
        top,
        "Result",
        [
            f"Revenue rose by 2.7 per cent to EUR {facts.REVENUE.now} million (Figure 6), "
            f"operating costs by 1.8 per cent to EUR {facts.COSTS.now} million. Energy was cheaper "
            "to buy than in the year before, which made up for part of the higher wages. After "
            "interest and tax EUR 43.3 million remained (Table 5). EUR 12.0 million of them are "
            "paid to the six municipalities; the rest stays in the company.",
        ],
    )
    rows = [["EUR million", f"{facts.YEAR}", f"{facts.YEAR - 1}", "Change"]]
    rows += [
        [a.name, f"{a.now:.1f}", f"{a.before:.1f}", f"{a.now - a.before:+.1f}"]
        for a in accounts.ACCOUNTS
    ]
    strong = [number for number, a in enumerate(accounts.ACCOUNTS, start=1) if a.total]
    caption = f"Table 5. Income statement, {facts.YEAR} and {facts.YEAR - 1}"
    top = put_captioned_table(page, top, caption, rows, [201, 90, 90, 90], strong_rows=strong)
    top = put_caption(page, top + 22, "Figure 6. Revenue, 2020 to 2024")
    draw_revenue(page, (LEFT, top + 4, RIGHT, top + 170))


def outlook(page: pymupdf.Page) -> None:
    """Page 15."""
    top = put_chapter(page, "Outlook")
    top = put_section(
        page,
        top,
        "Targets",
        [
            "The Board has set six targets for 2030, with a step for 2025 (Table 6). Two of them, "
            "leakage and emissions, are part of the contracts of the management. Progress is "
            "reported to the municipalities twice a year.",
        ],
    )
    rows = [["Target", "Unit", "2025", "2030"]]
    rows += [[t.name, t.unit, t.next_year, t.goal] for t in accounts.TARGETS]
    caption = "Table 6. Targets for 2025 and 2030"
    top = put_captioned_table(page, top, caption, rows, [171, 140, 80, 80], words=2)
    put_columns(
        page,
        top + 24,
        [
            (
                "Risks",
                [
                    "A second dry summer in a row is the largest risk for water: from storage of "
                    "45 per cent downward, supply to industry would have to be limited. A pipeline "
                    "to the neighboring Carrow system, with 35 megaliters a day, is being studied.",
                    "The price of natural gas is fixed for 80 per cent of the expected need of "
                    "2025 and for 40 per cent of that of 2026.",
                ],
            ),
        ],
        [
            (
                "Plans",
                [
                    "Investment of EUR 91 million is planned for 2025, and of EUR 465 million for "
                    "the five years to 2029. It will be paid for from earnings to three fifths.",
                    "In the autumn a tariff that depends on the time of day will be offered to "
                    "20,000 households with a smart meter, as a trial of one year.",
                ],
            ),
            (
                "After the reporting date",
                [
                    "On 16 January 2025 a fire damaged a transformer at the substation Cullerby "
                    "east. Nobody was hurt; the damage of EUR 1.1 million is insured.",
                ],
            ),
        ],
    )
