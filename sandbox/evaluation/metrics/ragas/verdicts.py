"""What the judge said inside a RAGAS metric, as verdicts: what a click on the number shows."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from sandbox.evaluation.metrics.ragas.models import Judged
from sandbox.evaluation.runs.records import Sample, Verdict

CLASSES = {
    "TP": "in the answer and in the reference",
    "FP": "in the answer, not in the reference",
    "FN": "in the reference, not in the answer",
}


def verdicts_of(judged: list[Judged], sample: Sample) -> tuple[Verdict, ...]:
    """Every verdict, in the order in which it was given.

    The prompt and the reply stand at the first verdict of each call.
    """
    chunks = iter(text for text in sample.retrieved_contexts if text.strip())
    found: list[Verdict] = []
    for exchange in judged:
        said = list(_said(exchange.content, chunks))
        if said:
            said[0] = replace(said[0], prompt=exchange.request.prompt, reply=exchange.reply.text)
        found.extend(said)
    return tuple(found)


def _said(content: Mapping[str, Any], chunks: Iterator[str]) -> Iterator[Verdict]:
    """The verdicts of one reply, by the shape that RAGAS gives it."""
    if "verdict" in content:
        yield _graded(next(chunks, ""), content["verdict"], content["reason"])
    if "noncommittal" in content:
        word = "noncommittal" if content["noncommittal"] else "committal"
        value = 1.0 - content["noncommittal"]
        yield Verdict(statement=content["question"], verdict=word, value=value)
    for name, meaning in CLASSES.items():
        for item in content.get(name, ()):
            yield Verdict(
                statement=item["statement"],
                verdict=meaning,
                value=float(name == "TP"),
                reason=item["reason"],
            )
    for item in content.get("classifications", ()):
        yield _graded(item["statement"], item["attributed"], item["reason"])
    for item in content.get("statements", ()):
        if not isinstance(item, str):
            yield _graded(item["statement"], item["verdict"], item["reason"])


def _graded(statement: str, grade: int, reason: str) -> Verdict:
    word = "yes" if grade else "no"
    return Verdict(statement=statement, verdict=word, value=float(bool(grade)), reason=reason)
