"""Pages 11 to 13 of the annual report: customers, staff, the scanned notice."""

import pymupdf
from drawing import put_picture

from annual import facts
from annual.figures import causes_chart, put_scan, scanned_notice
from annual.layout import (
    COLUMN,
    LEFT,
    RIGHT,
    put_caption,
    put_captioned_table,
    put_chapter,
    put_columns,
    put_note,
    put_section,
)


def customers(page: pymupdf.Page) -> None:
    """Page 11."""
    top = put_chapter(page, "Customers")
    top = put_columns(
        page,
        top,
        [
            (
                "Complaints",
                [
                    f"We received {facts.COMPLAINTS.now} written complaints, most of them about "
                    "bills. Ninety-three per cent were answered within ten working days. The "
                    "ombudsman took up 38 cases and decided 9 of them in the customer's favor.",
                ],
            ),
            (
                "Calls",
                [
                    "The service center took 286,000 calls. A caller waited 74 seconds on average; "
                    "the year before it had been 102 seconds.",
                ],
            ),
        ],
        [
            (
                "Bills",
                [
                    f"The average household paid EUR {facts.BILL.now} for water and wastewater. "
                    "Water tariffs rose on 1 April, by 2.3 per cent; electricity tariffs stayed as "
                    "they were. One bill in 640 had to be corrected.",
                ],
            ),
            (
                "Compensation",
                [
                    "Customers without water for more than twelve hours are paid EUR 30. This "
                    "happened to 1,790 customers, nearly all of them after the burst at Cullerby "
                    "in February.",
                ],
            ),
        ],
    )
    top = put_section(
        page,
        top + 4,
        "Interruptions of the power supply",
        [
            "Interruptions are counted when they last for more than three minutes. What caused "
            "them is shown in Figure 5. Tree contact is counted apart from weather since 2022, "
            "when the cutting of trees along our lines was put on a three-year cycle.",
        ],
    )
    top = put_caption(page, top, f"Figure 5. Unplanned interruptions by cause, {facts.YEAR}")
    put_picture(page, (LEFT, top, RIGHT, top + 170), causes_chart(COLUMN, 170))
    put_note(page, top + 170, "Source: fault log of the control center; number of interruptions")


def people(page: pymupdf.Page) -> None:
    """Page 12."""
    top = put_chapter(page, "People and environment")
    top = put_section(
        page,
        top,
        "Staff",
        [
            f"At the end of the year there were {facts.STAFF.now} full-time posts (Table 4), and "
            "87 apprentices. Women held 34 per cent of all posts and 29 per cent of those in "
            "charge of others. There were 119 retirements and resignations and 149 new contracts.",
            f"The number of accidents with lost working time fell to {facts.INJURIES.now}. None "
            "was fatal. Half of them happened on the way between sites, so that drivers of company "
            "cars now take a course every second year.",
        ],
    )
    rows = [["Division", "Posts", "Lost-time injuries", "Training (days per head)"]]
    rows += [
        [d.name, str(d.posts), str(d.injuries), f"{d.training_days:.1f}"] for d in facts.DIVISIONS
    ]
    rows.append(["Company", facts.STAFF.now, facts.INJURIES.now, f"{facts.TRAINING_DAYS:.1f}"])
    caption = f"Table 4. Posts, injuries and training by division, {facts.YEAR}"
    top = put_captioned_table(
        page, top, caption, rows, [160, 81, 105, 125], strong_rows=[len(rows) - 1]
    )
    put_columns(
        page,
        top + 24,
        [
            (
                "Emissions",
                [
                    f"Our greenhouse gas emissions came to {facts.EMISSIONS.now} kilotons of CO2 "
                    "equivalent. The power station at Cullerby causes 71 per cent of them. Nitrous "
                    "oxide from wastewater treatment is measured since 2021 and included.",
                ],
            ),
            (
                "Waste",
                [
                    "Of 28,400 tons of sludge, 83 per cent went to biogas plants and the rest to "
                    "incineration. None is spread on fields any more.",
                ],
            ),
        ],
        [
            (
                "Land and wildlife",
                [
                    "We own 3,120 hectares around the reservoirs. A fish pass at the Pellan weir "
                    "was opened in April; a camera counted 2,640 fish in its first season. At "
                    "Stennock, 44 hectares of bog were rewetted.",
                ],
            ),
            (
                "Noise",
                [
                    "Neighbors of the Gravel Hythe pumps had complained of noise at night. With "
                    "the new enclosure the level at the nearest house is 34 decibels.",
                ],
            ),
        ],
    )


def notice(page: pymupdf.Page) -> None:
    """Page 13: a scan without a text layer."""
    put_scan(page, scanned_notice(page.rect.width, page.rect.height))
