"""The annual report's test set: what stands in it, page by page, and what does not."""

from cases import Question, unanswerable

from annual.questions_accounts import account_questions
from annual.questions_energy import energy_questions
from annual.questions_water import water_questions


def questions() -> list[Question]:
    """All questions."""
    absent = [
        unanswerable(text, "The report does not say.")
        for text in (
            "Who is the chief executive of Ostrey Vale Water and Energy?",
            "How high was leakage in 2013?",
            "How many water customers were connected in 2018?",
            "What did the wind farm on Hollin Edge cost to build?",
            "What was the average household bill for gas in 2024?",
            "How many burst mains were there in the Carrow system?",
            "What is the company's credit rating?",
            "How many written complaints were about water taste?",
            "What salary do apprentices receive?",
        )
    ]
    return [*water_questions(), *energy_questions(), *account_questions(), *absent]
