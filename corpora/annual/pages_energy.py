"""Pages 7 and 8 of the annual report: energy, demand and reliability."""

import pymupdf
from drawing import put_picture

from annual import facts
from annual.figures import demand_chart, draw_sources
from annual.layout import (
    COLUMN,
    LEFT,
    RIGHT,
    put_caption,
    put_chapter,
    put_columns,
    put_note,
    put_section,
)


def energy(page: pymupdf.Page) -> None:
    """Page 7."""
    top = put_chapter(page, "Energy supply")
    sources = facts.SOURCES
    top = put_columns(
        page,
        top,
        [
            (
                "Electricity",
                [
                    f"We supplied {facts.SUPPLIED.now} GWh of electricity to "
                    f"{facts.SUPPLY_POINTS.now} supply points. Renewable sources covered "
                    f"{facts.RENEWABLE.now} per cent (Figure 3).",
                    f"Natural gas, burnt in the combined heat and power station at Cullerby, "
                    f"remains the largest single source with {sources['Natural gas']} GWh. It is "
                    "to run in winter only from 2028 on.",
                ],
            ),
        ],
        [
            (
                "Hydropower and wind",
                [
                    "The dry summer cost us about 18 GWh of hydropower. The wind farm on Hollin "
                    "Edge, with fourteen turbines, made up for it in the autumn.",
                ],
            ),
            (
                "Storage",
                [
                    "A battery of 12 MWh is being built in Eastfen. It will store enough to supply "
                    "1,500 households for a day and will be in use by the middle of 2025.",
                ],
            ),
        ],
    )
    top = put_caption(page, top + 4, f"Figure 3. Electricity supplied by source, {facts.YEAR}")
    draw_sources(page, (LEFT, top + 4, RIGHT, top + 200))
    top = put_note(page, top + 204, "Source: meter readings; purchases net of sales")
    put_section(
        page,
        top,
        "Heat and charging",
        [
            "The heat network at Cullerby grew by 9 kilometers to 64 kilometers and serves 11,240 "
            "homes. Its water leaves the station at 92 degrees; the return is now 48 degrees, "
            "three fewer than the year before, which saves gas.",
            "We operate 318 public charging points for electric cars. They delivered 6.4 GWh, "
            "almost twice as much as in 2022.",
        ],
    )


def demand(page: pymupdf.Page) -> None:
    """Page 8."""
    top = put_chapter(page, "Demand and reliability")
    top = put_section(
        page,
        top,
        "Demand",
        [
            "Demand for electricity is highest in winter, when heat pumps run, and has a second, "
            "lower summit in summer, when the irrigation pumps do. Figure 4 shows the highest "
            "demand of each month. All of it was met without load shedding.",
        ],
    )
    top = put_caption(page, top, f"Figure 4. Highest demand for electricity by month, {facts.YEAR}")
    put_picture(page, (LEFT, top, RIGHT, top + 240), demand_chart(COLUMN, 240))
    top = put_note(page, top + 240, "Source: control center; quarter-hour averages")
    put_columns(
        page,
        top,
        [
            (
                "Reliability",
                [
                    f"A customer was without power for {facts.INTERRUPTION.now} minutes on "
                    f"average, {facts.INTERRUPTION.values[3] - facts.INTERRUPTION.values[4]:.1f} "
                    "minutes fewer than the year before. The gale of 21 October alone accounts for "
                    "3.8 minutes. Planned work is not counted.",
                ],
            )
        ],
        [
            (
                "Networks",
                [
                    "The network consists of 1,934 kilometers of cable and 872 kilometers of "
                    "overhead line. Another 26 kilometers of line were put underground, most of "
                    "them at Sallow Bridge. Two thirds of the substations can now be switched "
                    "from the control center.",
                ],
            )
        ],
    )
