"""Questions on pages 2 to 6 of the annual report: the company and its water."""

from cases import Question, in_chart, in_picture, in_text

from annual import facts


def water_questions() -> list[Question]:
    """The company, water supply, leakage, quality."""
    return [*_company(), *_water(), *_leakage(), *_quality()]


def _company() -> list[Question]:
    return [
        in_text(
            [2], "company", "Until when does the company's licence run?", "Until 2041.", "2041"
        ),
        in_text(
            [2],
            "company",
            "Who owns Ostrey Vale Water and Energy?",
            "The municipalities of its six districts.",
            "owned by their municipalities|municipalities",
        ),
        in_text(
            [3],
            "customers",
            "How many households were helped by the hardship fund?",
            "7,310 households.",
            "7,310|7310",
        ),
        in_text(
            [3],
            "customers",
            "To what amount will the hardship fund be raised in the coming year?",
            "To EUR 3.5 million.",
            "EUR 3.5 million|3.5 million|€3.5 million",
        ),
        in_text(
            [3, 9],
            "investment",
            "How much did the company invest in 2024?",
            f"EUR {facts.INVESTMENT.now} million.",
            f"EUR {facts.INVESTMENT.now} million|{facts.INVESTMENT.now} million|84.6",
        ),
    ]


def _water() -> list[Question]:
    works = {entry.name: entry for entry in facts.WORKS}
    return [
        in_text(
            [3, 4],
            "water",
            "How much drinking water was delivered in 2024?",
            f"{facts.DELIVERED.now} million cubic meters.",
            "63.9 million m³|63.9 million|63.9",
        ),
        in_text(
            [4],
            "water",
            "On which day was the demand for water highest?",
            "On 2 August.",
            "2 August|August 2|2nd of August|August 2nd",
        ),
        in_text(
            [4],
            "water",
            "In which districts was the use of lawn sprinklers banned?",
            "In Eastfen and Marsh Row.",
            "Eastfen and Marsh Row|Marsh Row and Eastfen",
        ),
        in_text(
            [4],
            "water",
            "Who is the largest single customer for water?",
            "The paper mill at Sallow Bridge.",
            "paper mill",
        ),
        in_text(
            [4],
            "water",
            "What share of the water did households use?",
            "68 per cent.",
            "68 per cent|68 percent|68%|68 %",
        ),
        in_text(
            [4],
            "water",
            "How deep is the fourth borehole at Gravel Hythe?",
            "138 meters.",
            "138 meters|138 m|138 metres|138",
        ),
        in_text(
            [4],
            "meters",
            "How many leaks behind the meter did the smart meters report?",
            "5,870.",
            "5,870|5870",
        ),
        in_text(
            [4],
            "table",
            "What is the capacity of the Pellan works?",
            f"{works['Pellan'].capacity} megaliters a day.",
            "85.0|85 ML|85 mega|85 million liters",
        ),
        in_text(
            [4],
            "table",
            "What was the average output of the Stennock treatment works in 2024?",
            f"{works['Stennock'].output} megaliters a day.",
            "22.3",
        ),
        in_text(
            [4],
            "table",
            "Which treatment works takes its water from the River Ostrey?",
            "Pellan.",
            "Pellan",
        ),
    ]


def _leakage() -> list[Question]:
    leakage = dict(zip(facts.LEAKAGE_YEARS, facts.LEAKAGE, strict=True))
    peak = max(leakage, key=lambda year: leakage[year])
    return [
        in_picture(
            [5],
            "chart value",
            "How high was leakage in 2024, in million liters a day?",
            f"{leakage[2024]} million liters a day.",
            [str(leakage[2024])],
            ["2024", str(leakage[2024])],
        ),
        in_picture(
            [5],
            "chart value",
            "What was the leakage in 2019?",
            f"{leakage[2019]} million liters a day.",
            [str(leakage[2019])],
            ["2019", str(leakage[2019])],
        ),
        in_picture(
            [5],
            "chart peak",
            "In which of the ten years was leakage highest?",
            f"In {peak}, with {leakage[peak]} million liters a day.",
            [str(peak)],
            [str(peak), str(leakage[peak])],
        ),
        in_picture(
            [5],
            "chart value",
            "Read from Figure 1: what was leakage in 2022?",
            f"{leakage[2022]} million liters a day.",
            [str(leakage[2022])],
            ["2022", str(leakage[2022])],
        ),
        in_text(
            [5],
            "leakage",
            "How long does it take crews to reach a reported leak?",
            "31 hours on average.",
            "31 hours|31 h",
        ),
        in_text(
            [5],
            "reservoirs",
            "When were the reservoirs at their lowest, and how full were they then?",
            "At the end of September, at 61 per cent.",
            "61 per cent|61 percent|61%|61 %",
        ),
        in_chart(
            [5],
            "How full were the reservoirs at the end of July 2024?",
            facts.STORAGE[6],
            " per cent",
        ),
        in_text(
            [5],
            "reservoirs",
            "How much water do the three reservoirs hold when full?",
            "58.4 million cubic meters.",
            "58.4 million|58.4",
        ),
    ]


def _quality() -> list[Question]:
    return [
        in_text(
            [6],
            "quality",
            "How many water samples were taken in 2024?",
            "31,420.",
            "31,420|31420",
        ),
        in_text(
            [6],
            "table",
            "How many samples were tested for nitrate?",
            "2,048.",
            "2,048|2048",
        ),
        Question(
            category="table",
            text="Which parameter failed most often in the water samples?",
            reference="Iron, with 5 failures.",
            accepted=["Iron"],
            pages=[6],
            quotes=["Iron 200 µg/l 2,512 5"],
        ),
        in_text(
            [6],
            "table",
            "What limit applies to turbidity?",
            "1.0 NTU.",
            "1.0 NTU|1 NTU",
        ),
        in_text(
            [6],
            "quality",
            "How long did the boil-water notice at Cullerby last?",
            "Three days.",
            "three days|3 days",
        ),
        in_text(
            [6],
            "quality",
            "How many lead pipes were replaced?",
            "862.",
            "862",
        ),
        in_text(
            [6],
            "quality",
            "How hard is the water in Eastfen?",
            "17 degrees.",
            "17 degrees|17 °|17°",
        ),
    ]
