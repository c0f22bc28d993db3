"""What a judged metric needs of a sample, and the answer as a judge sees it."""

from sandbox.evaluation.runs.records import Sample
from sandbox.text.citation_marks import strip_citations

MISSING = {
    "user_input": "the question is empty",
    "response": "the answer is empty",
    "reference": "there is no reference answer",
    "retrieved_contexts": "nothing was retrieved",
}
"""What is said where a metric needs what a sample does not have."""


def answer_of(sample: Sample) -> str:
    """The answer without citations: they are no statement about the world."""
    return strip_citations(sample.response).strip()


def missing(sample: Sample, *fields: str) -> str:
    """Why a metric that needs those fields cannot score the sample; empty if it can."""
    for field in ("user_input", *fields):
        value = answer_of(sample) if field == "response" else getattr(sample, field)
        texts = value if isinstance(value, tuple) else (value or "",)
        if not any(text.strip() for text in texts):
            return MISSING[field]
    return ""
