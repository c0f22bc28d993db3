"""The corpus outbreak-zh: a measles chapter of a city that does not exist."""

from plan import PlannedCorpus

from outbreak import facts
from outbreak.pages import FILE, build
from outbreak.questions import questions


def corpus() -> PlannedCorpus:
    """The PDF, its questions, and what stands in its pictures only."""
    asked = questions()
    example_numbers = (1, 0, 3, 5, 6)
    return PlannedCorpus(
        name="outbreak-zh",
        title=f"{facts.CITY}傳染病監測年報：第三章 麻疹",
        language="zh-Hant",
        file=FILE,
        pdf=build(),
        questions=asked,
        pictures={
            2: [str(number) for number in (*facts.YEARS, *facts.CASES_BY_YEAR)],
            4: [facts.MAP_UNIT, *facts.MAP_CLASSES, *facts.DISTRICT_CASES],
        },
        only_in_pictures=[
            *(str(cases) for cases in facts.CASES_BY_YEAR),
            *(str(year) for year in facts.YEARS[1:-1]),
            facts.MAP_UNIT,
        ],
        examples=[asked[number].text for number in example_numbers],
    )
