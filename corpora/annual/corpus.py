"""The corpus annual-en: the annual report of a utility that does not exist."""

from plan import PlannedCorpus

from annual import accounts, facts
from annual.pages import FILE, SCANNED_PAGE, build
from annual.questions import questions

_EXAMPLES = (
    "In which of the ten years was leakage highest?",
    "How many burst mains were there in 2022?",
    "What is the budget of the substation Cullerby east?",
    "What penalty falls due if leakage exceeds the regulator's limit?",
    "Who is the chief executive of Ostrey Vale Water and Energy?",
)


def corpus() -> PlannedCorpus:
    """The PDF, its questions, and what stands in its pictures only."""
    leakage = [str(value) for value in facts.LEAKAGE]
    demand = [str(value) for value in facts.DEMAND]
    causes = [str(value) for value in facts.CAUSES.values()]
    notice = list(accounts.NOTICE.values())
    return PlannedCorpus(
        name="annual-en",
        title=f"{facts.COMPANY}: Annual Report {facts.YEAR}",
        language="en",
        file=FILE,
        pdf=build(),
        questions=questions(),
        pictures={
            5: [*(str(year) for year in facts.LEAKAGE_YEARS), *leakage],
            8: [*facts.MONTHS, *demand],
            11: [*facts.CAUSES, *causes],
            SCANNED_PAGE: notice,
        },
        only_in_pictures=[*leakage, *demand, *causes, *notice],
        examples=_EXAMPLES,
    )
