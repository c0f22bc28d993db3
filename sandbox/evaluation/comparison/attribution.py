"""Which layer made the difference between two answers to a case, in one sentence.

Identical chunks leave only generation. Otherwise the chunk with the evidence tells: at which rank
it stands, which retriever brought it, and which setting decided that the other run goes without.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from sandbox.evaluation.comparison.evidence import is_shown, list_shown_texts, names_evidence
from sandbox.evaluation.comparison.factors import Factor
from sandbox.evaluation.comparison.records import Layer
from sandbox.evaluation.runs.cells import CellView, Evidence
from sandbox.testsets.cases import TestCase

LEGS = {"lexical": "BM25", "dense": "vectors", "fused": "fused", "reranker": "reranker"}
_FIGURES = "index"


@dataclass(frozen=True, slots=True, kw_only=True)
class Attribution:
    """What made the difference."""

    layer: Layer
    decided_by: str
    sentence: str


def attribute(case: TestCase, a: CellView, b: CellView, factors: Sequence[Factor]) -> Attribution:
    """What made the difference between two answers to a case, each with its evidence."""
    if a.answer is None or b.answer is None:
        without = "A" if a.answer is None else "B"
        reason = a.failure if a.answer is None else b.failure
        return _because("unknown", f"{without} has no answer ({reason or 'not asked yet'})")
    if list_shown_texts(a.answer) == list_shown_texts(b.answer):
        if a.answer.text == b.answer.text:
            return _because("same", "identical chunks and identical answers")
        return _because("generation", "identical chunks; generation made the difference")
    if not names_evidence(case):
        return _because(
            "retrieval", "other chunks were retrieved; the case names no page or quote to tell more"
        )
    return _by_evidence(a, b, factors)


def place(evidence: Evidence) -> str:
    """Where it stands, for example "rank 9 of 9 (BM25 #2, vectors #14)"."""
    legs = ", ".join(f"{LEGS.get(name, name)} #{rank}" for name, rank in evidence.legs.items())
    cut = "" if evidence.sent else ", cut off by the model's context"
    return f"rank {evidence.rank} of {evidence.of}{f' ({legs})' if legs else ''}{cut}"


def _by_evidence(a: CellView, b: CellView, factors: Sequence[Factor]) -> Attribution:
    shown_a, shown_b = is_shown(a.evidence), is_shown(b.evidence)
    if a.evidence and b.evidence and shown_a and shown_b:
        return _both(a.evidence, b.evidence, _added(a, b), factors)
    if not shown_a and not shown_b:
        return _because("retrieval", "other chunks, and neither was shown the evidence")
    winner, loser, brought = (b, a, "B") if shown_b else (a, b, "A")
    without = "A" if brought == "B" else "B"
    assert winner.evidence is not None
    decided_by, why = _decision(winner.evidence, loser, without, factors)
    return _because(
        "retrieval",
        f"{_what(winner.evidence)} stands in {brought}'s chunk at {place(winner.evidence)} and"
        f" {without} was not shown it: {why}",
        decided_by=decided_by,
    )


def _both(
    a: Evidence, b: Evidence, added: tuple[str, int], factors: Sequence[Factor]
) -> Attribution:
    """Both were shown it: what else they were shown, or generation, made the difference."""
    which, count = added
    if count:
        return _because(
            "retrieval",
            f"both were shown {_what(a)} at rank {a.rank}; {which} has the same chunks and"
            f" {count} more below them, which made the difference",
            decided_by="top_k" if any(factor.name == "top_k" for factor in factors) else "",
        )
    return _because(
        "retrieval",
        f"both were shown {_what(a)}, A at {place(a)}, B at {place(b)}; the chunks around it"
        " differ, or generation made the difference",
    )


def _added(a: CellView, b: CellView) -> tuple[str, int]:
    """Which one was shown the other's chunks and so many more below them; 0 if none was."""
    assert a.answer is not None
    assert b.answer is not None
    of_a, of_b = list_shown_texts(a.answer), list_shown_texts(b.answer)
    which, longer, shorter = ("B", of_b, of_a) if len(of_b) > len(of_a) else ("A", of_a, of_b)
    return which, len(longer) - len(shorter) if longer[: len(shorter)] == shorter else 0


def _decision(
    evidence: Evidence, loser: CellView, without: str, factors: Sequence[Factor]
) -> tuple[str, str]:
    """The setting that decided, and how it is known; empty where none is."""
    values = {factor.name: factor.b if without == "B" else factor.a for factor in factors}
    if loser.evidence is not None:
        return "", f"{without} retrieves it at {place(loser.evidence)}"
    limit = values.get("top_k")
    if isinstance(limit, int) and evidence.rank > limit:
        outranked = [name for name in values if name in ("index", "retriever", "reranker")]
        spared = f", not {' or '.join(outranked)}" if outranked else ""
        return "top_k", f"{without} takes only {limit}: top_k decided{spared}"
    if evidence.kind == "figure" and values.get("index") == "text":
        return "index", f"{without} indexes no figures: index decided"
    leg = {"lexical": "lexical", "dense": "dense"}.get(str(values.get("retriever")))
    if leg and leg not in evidence.legs and evidence.legs:
        return "retriever", f"{LEGS[leg]} alone cannot bring it: retriever decided"
    if len(values) == 1:
        (name,) = values
        return name, f"{without} does not retrieve it, and only {name} differs: {name} decided"
    return "", f"{without} does not retrieve it; several factors differ, none can be singled out"


def _what(evidence: Evidence) -> str:
    return {
        "quote": "its sentence",
        "accepted answer": "the accepted answer",
        "page": f"a relevant page (p. {evidence.page})",
    }[evidence.by]


def _because(layer: Layer, sentence: str, *, decided_by: str = "") -> Attribution:
    return Attribution(layer=layer, decided_by=decided_by, sentence=sentence)
