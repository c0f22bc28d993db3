"""The story of an ablation, step by step: factors, questions, answers, chunks, conclusion."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from markupsafe import Markup

from sandbox.evaluation.comparison.records import Comparison, PairComparison, PairedCase
from sandbox.evaluation.runs.cells import CellView
from sandbox.markup.templates import render
from sandbox.records import Retrieved
from sandbox.ui.compare.columns import Column, answers_html, column_of
from sandbox.ui.compare.result import credit, layers, names_of, sentence

MOST_CASES = 3
"""Cases that a story tells; the most telling ones."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One screen of the story."""

    kind: Literal["opening", "question", "answers", "chunk", "conclusion"]
    case: str = ""


def steps_of(pair: PairComparison) -> tuple[Step, ...]:
    """The screens, in order."""
    cases = [
        Step(kind=kind, case=case.case.id)
        for case in telling_cases(pair)
        for kind in ("question", "answers", "chunk")
    ]
    return (Step(kind="opening"), *cases, Step(kind="conclusion"))


def telling_cases(pair: PairComparison) -> tuple[PairedCase, ...]:
    """What shows the difference best: flips, labelled ones and those with a known cause first."""
    flips = sorted(pair.flips, key=lambda case: (case.suggested, not case.decided_by))
    if flips:
        return tuple(flips[:MOST_CASES])
    changed = [case for case in pair.cases if case.layer in ("retrieval", "generation")]
    return tuple(sorted(changed, key=lambda case: not case.decided_by)[:1])


def story_html(comparison: Comparison, pair: PairComparison, number: int) -> Markup:
    """The step at position `number` with its question above it, and the way to the next."""
    steps = steps_of(pair)
    number = max(0, min(number, len(steps) - 1))
    step, names = steps[number], names_of(comparison)
    case = _case(pair, step)
    values: dict[str, Any] = {}
    if case is not None:
        evidence = evidence_of(pair, step)
        values = {
            "facts": _facts(case),
            "answers": answers_html(_columns(comparison, pair, case.case.id)),
            "chunk": evidence[1].chunk if evidence else None,
        }
    return render(
        "ui/compare/story.html",
        step=step,
        number=number,
        of=len(steps),
        pair=pair,
        names=(names[pair.a], names[pair.b]),
        corpus=comparison.runs[0].corpus,
        credit=credit(pair.difference),
        layers=layers(pair),
        case=case,
        sentence=sentence,
        place=_place,
        **values,
    )


def evidence_of(pair: PairComparison, step: Step) -> tuple[str, Retrieved] | None:
    """The run and its chunk that made the difference; ``None`` unless the step is about one."""
    case = _case(pair, step)
    if case is None or step.kind != "chunk":
        return None
    sides = [(pair.a, case.a), (pair.b, case.b)]
    if case.better == "b" or not _evidence(case.a):
        sides.reverse()
    chunks = ((run, _evidence(cell)) for run, cell in sides)
    return next(((run, item) for run, item in chunks if item is not None), None)


def _case(pair: PairComparison, step: Step) -> PairedCase | None:
    return next((case for case in pair.cases if case.case.id == step.case), None)


def _facts(case: PairedCase) -> str:
    pages = ", ".join(f"p. {page}" for page in case.case.relevant_pages)
    facts = (case.case.category, f"answer in the {case.case.source}", pages)
    return " · ".join(filter(None, facts))


def _columns(comparison: Comparison, pair: PairComparison, case: str) -> Sequence[Column]:
    """A and B, then the other runs, as they answered the case."""
    names = names_of(comparison)
    pairs = [pair, *(other for other in comparison.pairs if other.b != pair.b)]
    cases = [
        next(paired for paired in pairing.cases if paired.case.id == case) for pairing in pairs
    ]
    sides = [
        (pair.a, cases[0].a),
        *((pairing.b, paired.b) for pairing, paired in zip(pairs, cases, strict=True)),
    ]
    return [column_of(side, position, names[run]) for position, (run, side) in enumerate(sides)]


def _place(cell: CellView) -> str:
    """Where the evidence stands among the retrieved chunks."""
    if cell.evidence is not None:
        cut = "" if cell.evidence.sent else ", cut off by the model's context"
        return f"rank {cell.evidence.rank} of {cell.evidence.of}{cut}"
    return "not retrieved" if cell.answer else f"no answer: {cell.failure}"


def _evidence(cell: CellView) -> Retrieved | None:
    rank = cell.evidence.rank if cell.evidence else 0
    return next((item for item in cell.retrieved if item.rank == rank), None)
