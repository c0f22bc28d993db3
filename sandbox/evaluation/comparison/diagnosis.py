"""What went wrong with an answer, by rules in words, and the lever to try first.

Right or wrong comes from labels, else from the accepted answers, else from a trusted metric's
threshold; whether the answer is supported from trusted metrics alone; whether its evidence was
retrieved from the relevant pages. A metric that is not trusted has no say.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from sandbox.evaluation.comparison.attribution import place
from sandbox.evaluation.comparison.evidence import is_shown, names_evidence
from sandbox.evaluation.comparison.records import Diagnosis, DiagnosisKind, DiagnosisSum
from sandbox.evaluation.runs.cells import Evidence
from sandbox.records import Answer
from sandbox.testsets.cases import TestCase

NOTHING_WRONG: tuple[DiagnosisKind, ...] = ("right", "not judged")


@dataclass(frozen=True, slots=True, kw_only=True)
class Support:
    """What a trusted metric says of whether the shown chunks support the answer."""

    metric: str
    value: float
    threshold: float
    contradicted: bool
    """True if one of its verdicts says that the material contradicts the answer."""

    @property
    def is_supported(self) -> bool:
        """True from the threshold on."""
        return self.value >= self.threshold

    def __str__(self) -> str:
        """For example "faithfulness 0.25, below 0.70"."""
        side = "at least" if self.is_supported else "below"
        return f"{self.metric} {self.value:.2f}, {side} {self.threshold:.2f}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Symptoms:
    """One answer with everything the rules look at."""

    case: TestCase
    answer: Answer | None
    failure: str
    verdict: Literal["right", "wrong"] | None
    verdict_from: str
    """What says so, in words."""

    suggested: bool
    settings: Mapping[str, object]
    evidence: Evidence | None
    evidence_elsewhere: tuple[str, Evidence] | None
    """Another configuration that was shown it, and where; ``None`` if none was."""

    support: Support | None
    """``None`` where no metric of support is trusted, or it scored nothing."""

    agreeing: tuple[str, ...]
    """Other configurations that say the same against the reference, from other chunks or another
    model."""


def diagnose(symptoms: Symptoms) -> Diagnosis:
    """The first rule that applies."""
    kind, because, lever = _first_rule(symptoms)
    return Diagnosis(
        case=symptoms.case.id,
        kind=kind,
        because=because,
        lever=lever,
        suggested=symptoms.suggested,
    )


def sum_up(diagnoses: Sequence[Diagnosis]) -> tuple[DiagnosisSum, ...]:
    """What went wrong, the most frequent first."""
    by_kind: dict[DiagnosisKind, list[Diagnosis]] = {}
    for diagnosis in diagnoses:
        if diagnosis.kind not in NOTHING_WRONG:
            by_kind.setdefault(diagnosis.kind, []).append(diagnosis)
    sums = [
        DiagnosisSum(
            kind=kind,
            cases=tuple(diagnosis.case for diagnosis in alike),
            lever=Counter(diagnosis.lever for diagnosis in alike).most_common(1)[0][0],
        )
        for kind, alike in by_kind.items()
    ]
    return tuple(sorted(sums, key=lambda kind: -len(kind.cases)))


Rule = tuple[DiagnosisKind, str, str]
"""Kind, reason and lever."""


def _first_rule(symptoms: Symptoms) -> Rule:
    if symptoms.answer is None:
        return "not judged", f"there is no answer: {symptoms.failure}", ""
    if symptoms.verdict is None:
        return "not judged", f"nothing says whether it is right ({symptoms.verdict_from})", ""
    if symptoms.verdict == "right":
        return _right(symptoms)
    return _wrong(symptoms, symptoms.answer)


def _right(symptoms: Symptoms) -> Rule:
    if names_evidence(symptoms.case) and not is_shown(symptoms.evidence):
        return (
            "right but unsupported",
            f"{symptoms.verdict_from}, although no chunk with the evidence was shown: the model"
            " knew or guessed it",
            _retrieval_lever(symptoms),
        )
    if symptoms.support and not symptoms.support.is_supported and symptoms.case.answerable:
        return (
            "right but unsupported",
            f"{symptoms.verdict_from}, but the material does not carry it: {symptoms.support}",
            "look whether the relevant pages of the case are right; then prompt=strict",
        )
    return "right", symptoms.verdict_from, ""


def _wrong(symptoms: Symptoms, answer: Answer) -> Rule:
    if not symptoms.case.answerable:
        return (
            "answered an unanswerable question",
            f"{symptoms.verdict_from}; the material is silent, and it did not refuse",
            "prompt=strict, then a larger chat_model",
        )
    if symptoms.agreeing and (symptoms.support is None or symptoms.support.is_supported):
        return (
            "wrong reference suspected",
            f"{symptoms.verdict_from}, but {', '.join(symptoms.agreeing)} say the same from other"
            " chunks or with another model, and no run agrees with the reference",
            "look at the page: is the reference right, are all right answers accepted?",
        )
    if names_evidence(symptoms.case) and not is_shown(symptoms.evidence):
        return _without_evidence(symptoms)
    return _with_evidence(symptoms, answer)


def _without_evidence(symptoms: Symptoms) -> Rule:
    if symptoms.evidence is not None:
        return (
            "ranked below the cut",
            f"the evidence was retrieved at {place(symptoms.evidence)}, unseen by the model",
            "a smaller top_k or smaller chunk_characters, or a chat_model with a longer context",
        )
    if symptoms.evidence_elsewhere is not None:
        name, evidence = symptoms.evidence_elsewhere
        top_k = symptoms.settings.get("top_k")
        if isinstance(top_k, int) and evidence.rank > top_k:
            return (
                "ranked below the cut",
                f"{name} finds the evidence at {place(evidence)}; here only {top_k} are taken",
                "a larger top_k, or a reranker that puts it higher",
            )
    return (
        "not retrieved",
        "no chunk with the evidence was retrieved (recall 0)",
        _retrieval_lever(symptoms),
    )


def _with_evidence(symptoms: Symptoms, answer: Answer) -> Rule:
    where = f"at {place(symptoms.evidence)}" if symptoms.evidence else ""
    support = symptoms.support
    if answer.refused:
        return (
            "retrieved, not used",
            f"it refuses although the evidence was shown {where}".strip(),
            "prompt=default instead of strict, then a larger chat_model",
        )
    if support and support.contradicted and not support.is_supported:
        return (
            "contradicted",
            f"{symptoms.verdict_from}, and the shown material contradicts it: {support}",
            "a smaller top_k against distracting chunks, then a larger chat_model",
        )
    if support and not support.is_supported:
        return (
            "invented",
            f"{symptoms.verdict_from}, and it says more than the shown material: {support}",
            "prompt=strict, then a larger chat_model",
        )
    if symptoms.evidence is not None:
        return (
            "retrieved, not used",
            f"{symptoms.verdict_from} although the evidence was shown {where}",
            "a larger chat_model, or a smaller top_k that leaves less to confuse it",
        )
    return (
        "wrong, cause unknown",
        f"{symptoms.verdict_from}; the case names no page or quote, and no trusted metric says"
        " whether the material supports the answer",
        "add relevant_pages or quotes to the case",
    )


def _retrieval_lever(symptoms: Symptoms) -> str:
    settings = symptoms.settings
    if symptoms.case.source == "image" and settings.get("index") == "text":
        return "index=context: the evidence is a figure, which index=text leaves out"
    if symptoms.evidence_elsewhere is not None:
        return f"what {symptoms.evidence_elsewhere[0]} does: it finds the evidence"
    if settings.get("retriever") != "hybrid":
        return "retriever=hybrid"
    if settings.get("index") == "text" and symptoms.case.source == "both":
        return "index=context"
    return "a larger top_k and more candidates, then another embedder or smaller chunk_characters"
