"""What the rules of diagnosis look at, gathered over all runs compared."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from sandbox.evaluation.comparison.diagnosis import Support, Symptoms
from sandbox.evaluation.comparison.differences import is_trusted, trust_of
from sandbox.evaluation.comparison.evidence import find_evidence, list_shown_texts, names_evidence
from sandbox.evaluation.comparison.factors import settings_of
from sandbox.evaluation.metrics.overlap import terms
from sandbox.evaluation.runs.cells import CellView, Evidence
from sandbox.evaluation.runs.read import RunView
from sandbox.evaluation.trust.records import MetricTrust, TrustTable
from sandbox.testsets.cases import TestCase
from sandbox.text.citation_marks import strip_citations
from sandbox.text.quantities import read

SUPPORT = ("faithfulness", "supported_mean", "supported_min", "chunk_overlap")
"""Metrics of whether the shown chunks carry the answer; the first trusted one is taken."""


def symptoms_of(case: TestCase, runs: Sequence[RunView], table: TrustTable) -> tuple[Symptoms, ...]:
    """One case under every run, in their order."""
    sides = [run.cells[case.id] for run in runs]
    evidence = find_evidence(case, [side.answer for side in sides])
    symptoms = []
    for position, (run, side) in enumerate(zip(runs, sides, strict=True)):
        verdict, verdict_from = _verdict(case, run, side, table)
        symptoms.append(
            Symptoms(
                case=case,
                answer=side.answer,
                failure=side.failure,
                verdict=verdict,
                verdict_from=verdict_from,
                suggested=side.source != "label",
                settings=settings_of(run.run),
                evidence=evidence[position],
                evidence_elsewhere=_elsewhere(runs, evidence, position),
                support=_support(case, run, table),
                agreeing=_agreeing(case, runs, sides, position, evidence),
            )
        )
    return tuple(symptoms)


def _verdict(
    case: TestCase, run: RunView, cell: CellView, table: TrustTable
) -> tuple[Literal["right", "wrong"] | None, str]:
    label = cell.label_or_suggestion
    if label in ("right", "wrong"):
        by = "labelled" if cell.source == "label" else "by its accepted answers"
        return label, f"{label} ({by}: {cell.reason})"
    if cell.source == "label":
        return None, cell.reason
    for row in table.metrics:
        threshold = row.threshold
        score = _score(row, case.id, run)
        if threshold is None or score is None or not is_trusted(row, table):
            continue
        passes = (score >= threshold.value) == threshold.at_least
        verdict: Literal["right", "wrong"] = "right" if passes else "wrong"
        side_of = ">=" if score >= threshold.value else "<"
        return verdict, f"{verdict} ({row.metric} {score:.2f} {side_of} {threshold.value:.2f})"
    return None, cell.reason


def _support(case: TestCase, run: RunView, table: TrustTable) -> Support | None:
    """What the first trusted metric of support says, and whether any finds a contradiction."""
    supports: list[Support] = []
    for metric in SUPPORT:
        row = trust_of(metric, run, table)
        score = run.scores.get((metric, case.id))
        if row is None or score is None or score.value is None or not is_trusted(row, table):
            continue
        threshold = row.threshold.value if row.threshold else 0.5
        supports.append(
            Support(
                metric=metric,
                value=score.value,
                threshold=threshold,
                contradicted=any(verdict.verdict == "contradicted" for verdict in score.detail),
            )
        )
    if not supports:
        return None
    return replace(supports[0], contradicted=any(support.contradicted for support in supports))


def _score(row: MetricTrust, case: str, run: RunView) -> float | None:
    if not row.metric.is_of(run.run.judge):
        return None
    score = run.scores.get((row.metric.name, case))
    return score.value if score else None


def _elsewhere(
    runs: Sequence[RunView], evidence: Sequence[Evidence | None], position: int
) -> tuple[str, Evidence] | None:
    places = [
        (run.run.configuration, place)
        for number, (run, place) in enumerate(zip(runs, evidence, strict=True))
        if number != position and place is not None and place.sent
    ]
    return min(places, key=lambda place: place[1].rank, default=None)


def _agreeing(
    case: TestCase,
    runs: Sequence[RunView],
    sides: Sequence[CellView],
    position: int,
    evidence: Sequence[Evidence | None],
) -> tuple[str, ...]:
    """Runs that are wrong in the same way, and independently.

    A small model misreads the same sentence the same way under every configuration. Answers of one
    model therefore count only if they come from other chunks and no chunk bears the reference out:
    the relevant page is there, but neither a quote nor an accepted answer. Another model's count.
    """
    side = sides[position]
    if not _is_wrong(side) or any(cell.label_or_suggestion == "right" for cell in sides):
        return ()
    doubtful = not names_evidence(case) or any(place and place.by == "page" for place in evidence)
    model = settings_of(runs[position].run)["chat_model"]
    return tuple(
        run.run.configuration
        for number, (run, other) in enumerate(zip(runs, sides, strict=True))
        if number != position
        and _is_wrong(other)
        and (
            settings_of(run.run)["chat_model"] != model
            or (doubtful and _shown_to(other) != _shown_to(side))
        )
        and _say_the_same(case, side, other)
    )


def _is_wrong(side: CellView) -> bool:
    """True for a wrong answer that is no refusal."""
    answer = side.answer
    return answer is not None and not answer.refused and side.label_or_suggestion == "wrong"


def _shown_to(side: CellView) -> tuple[str, ...]:
    return list_shown_texts(side.answer) if side.answer else ()


def _say_the_same(case: TestCase, *sides: CellView) -> bool:
    """The same numbers beside those of the question, or the same words."""
    texts = [side.answer.text if side.answer else "" for side in sides]
    asked = set(_numbers(case.question))
    first, second = (set(_numbers(text)) - asked for text in texts)
    if first or second:
        return first == second
    return set(terms(texts[0])) == set(terms(texts[1]))


def _numbers(text: str) -> list[str]:
    return [str(number.value.normalize()) for number in read(strip_citations(text)).numbers]
