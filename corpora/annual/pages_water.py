"""Pages 4 to 6 of the annual report: supply, leakage and reservoirs, quality."""

import pymupdf
from drawing import put_picture

from annual import facts
from annual.figures import draw_storage, leakage_chart
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


def water(page: pymupdf.Page) -> None:
    """Page 4."""
    top = put_chapter(page, "Water supply")
    top = put_columns(
        page,
        top,
        [
            (
                "Deliveries",
                [
                    f"We delivered {facts.DELIVERED.now} million m³ of drinking water to "
                    f"{facts.CUSTOMERS.now} connections. Deliveries rose because of the dry "
                    "summer: on 2 August, the day of the highest demand, 241 megaliters left the "
                    "works. A ban on lawn sprinklers in Eastfen and Marsh Row lasted from 29 July "
                    "to 16 September.",
                    "Households used 68 per cent of the water, trade and industry 23 per cent, and "
                    "farms and public bodies the rest. The largest single customer remains the "
                    "paper mill at Sallow Bridge.",
                ],
            ),
            (
                "Mains",
                [
                    f"There were {facts.BURSTS.now} burst mains. The network is 6,213 kilometers "
                    "long; 71 kilometers were replaced. Half of the bursts happened in cast-iron "
                    "pipes laid before 1960.",
                ],
            ),
        ],
        [
            (
                "Treatment works",
                [
                    f"Four works put {facts.INTO_SUPPLY} megaliters a day into supply on average "
                    "(Table 1). Lowfold is the largest. At Pellan, where the river is the source, "
                    "an ultraviolet stage is being added; it will be in use from the first quarter "
                    "of 2025.",
                    "Gravel Hythe is the only works that draws on groundwater. Its fourth borehole "
                    "was sunk to a depth of 138 meters.",
                ],
            ),
            (
                "Smart meters",
                [
                    "At the end of the year 41 per cent of our water customers had a smart meter. "
                    "The meters reported 5,870 leaks behind the meter, of which customers had "
                    "repaired 4,930 by December.",
                ],
            ),
        ],
    )
    rows = [["Works", "Source", "Capacity (ML/day)", "Output (ML/day)"]]
    rows += [
        [works.name, works.source, f"{works.capacity:.1f}", f"{works.output:.1f}"]
        for works in facts.WORKS
    ]
    rows.append(["All works", "", f"{sum(w.capacity for w in facts.WORKS):.1f}", facts.INTO_SUPPLY])
    caption = f"Table 1. Treatment works in {facts.YEAR}: capacity and average output"
    put_captioned_table(
        page, top + 8, caption, rows, [130, 141, 100, 100], words=2, strong_rows=[len(rows) - 1]
    )


def leakage(page: pymupdf.Page) -> None:
    """Page 5."""
    top = put_chapter(page, "Leakage and reservoirs")
    top = put_section(
        page,
        top,
        "Leakage",
        [
            "Leakage is the water that leaves our works and reaches no meter. Figure 1 shows it "
            "for ten years. It rose while the pressure zones were being rebuilt and has fallen "
            "every year since. Acoustic sensors now listen in 400 zones, and crews reach a "
            "reported leak within 31 hours on average.",
        ],
    )
    top = put_caption(page, top, "Figure 1. Leakage, 2015 to 2024")
    put_picture(page, (LEFT, top, RIGHT, top + 205), leakage_chart(COLUMN, 205))
    top = put_note(page, top + 205, "Source: yearly water balance of the company")
    lowest = min(facts.STORAGE)
    top = put_section(
        page,
        top,
        "Reservoirs",
        [
            "The three reservoirs, Aldermere, Stennock and Hollin, hold 58.4 million m³ when "
            f"full. They were fullest at the end of March, at {max(facts.STORAGE)} per cent, and "
            f"fell to {lowest} per cent at the end of September (Figure 2). Rain in the last "
            f"quarter brought them back to {facts.STORAGE[-1]} per cent.",
        ],
    )
    top = put_caption(page, top, f"Figure 2. Reservoir storage by month, {facts.YEAR}")
    draw_storage(page, (LEFT, top, RIGHT, top + 150))
    put_note(page, top + 150, "Source: level gauges of the three dams")


def quality(page: pymupdf.Page) -> None:
    """Page 6."""
    top = put_chapter(page, "Water quality")
    samples = sum(row.samples for row in facts.QUALITY)
    failures = sum(row.failures for row in facts.QUALITY)
    top = put_section(
        page,
        top,
        "Results",
        [
            f"Of {samples:,} samples taken at works, reservoirs and taps, {failures} did not meet "
            f"the limit: {facts.COMPLIANCE.now} per cent complied (Table 2). The two notices to "
            "boil water, at Thornhythe in May and at Cullerby in October, were lifted after two "
            "days and after three days; neither followed from a failed sample at the works.",
            "The three samples with too much lead were all taken at taps behind private lead "
            "pipes. We replace the part of a lead pipe that belongs to us free of charge when the "
            "owner replaces the rest; 862 such pipes were replaced.",
        ],
    )
    rows = [["Parameter", "Limit", "Samples", "Failures"]]
    rows += [
        [row.parameter, row.limit, f"{row.samples:,}", str(row.failures)] for row in facts.QUALITY
    ]
    rows.append(["All parameters", "", f"{samples:,}", str(failures)])
    caption = f"Table 2. Samples and failures by parameter, {facts.YEAR}"
    top = put_captioned_table(
        page, top, caption, rows, [150, 121, 100, 100], words=2, strong_rows=[len(rows) - 1]
    )
    top = put_note(page, top, "Source: accredited laboratory at Lowfold")
    put_columns(
        page,
        top + 6,
        [
            (
                "Hardness",
                [
                    "The water is soft at Upper Ostrey (4 degrees) and hard in Eastfen, where it "
                    "comes from the ground (17 degrees). Softening at Gravel Hythe was examined "
                    "and found to cost EUR 21 a household each year; a survey of customers found "
                    "no majority for it.",
                ],
            )
        ],
        [
            (
                "Laboratory",
                [
                    "The laboratory at Lowfold moved into its new rooms in June. It now tests for "
                    "fluorinated compounds itself: of 240 samples, none was above half of the "
                    "limit that will apply from 2026.",
                ],
            )
        ],
    )
