"""The story of an ablation, step by step: what was tried, questions, answers, chunks, the verdict.

Leaves out the page that a chunk stands on, which is drawn beside it (view.py).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from sandbox.evaluation.comparison.records import Comparison, PairComparison, PairedCase
from sandbox.evaluation.runs.cells import CellView
from sandbox.markup.markup import count, escape
from sandbox.records import Retrieved
from sandbox.ui.compare.case import layer_sentence, name_of, reference_html
from sandbox.ui.compare.pair import credit_html, factors_html, paired_html
from sandbox.ui.compare.sides import Column, answers_html, column_of
from sandbox.ui.evaluate.parts import target

MOST_CASES = 3
"""Cases that a story tells; the most telling ones."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One screen of the story."""

    kind: Literal["opening", "question", "answers", "chunk", "verdict"]
    case: str = ""


def steps_of(pair: PairComparison) -> tuple[Step, ...]:
    """The screens, in order."""
    told = [
        Step(kind=kind, case=case.case.id)
        for case in telling_cases(pair)
        for kind in ("question", "answers", "chunk")
    ]
    return (Step(kind="opening"), *told, Step(kind="verdict"))


def telling_cases(pair: PairComparison) -> tuple[PairedCase, ...]:
    """What shows the difference best: flips, labelled ones and those with a known cause first."""
    flips = sorted(pair.flips, key=lambda case: (case.suggested, not case.decided_by))
    if flips:
        return tuple(flips[:MOST_CASES])
    others = [case for case in pair.cases if case.layer in ("retrieval", "generation")]
    return tuple(sorted(others, key=lambda case: not case.decided_by)[:1])


def story_html(comparison: Comparison, pair: PairComparison, number: int) -> str:
    """One step with its question above it, and the way to the next.

    Args:
        comparison: All runs.
        pair: The two whose difference is told.
        number: Position of the step.
    """
    steps = steps_of(pair)
    number = max(0, min(number, len(steps) - 1))
    step = steps[number]
    case = next((one for one in pair.cases if one.case.id == step.case), None)
    body = _case_body(comparison, pair, step, case) if case else _frame(comparison, pair, step)
    return f"<div class='story-step step-{step.kind}'>{body}</div>{_ways(number, len(steps))}"


def evidence_of(pair: PairComparison, step: Step) -> tuple[str, Retrieved] | None:
    """The run and its chunk that made the difference; ``None`` where none is known.

    Args:
        pair: The two runs.
        step: Only a step about a chunk has one.
    """
    case = next((one for one in pair.cases if one.case.id == step.case), None)
    if case is None or step.kind != "chunk":
        return None
    sides = [(pair.a, case.a), (pair.b, case.b)]
    if case.better == "b" or not _evidence(case.a):
        sides.reverse()
    for run, side in sides:
        if (item := _evidence(side)) is not None:
            return run, item
    return None


def _case_body(comparison: Comparison, pair: PairComparison, step: Step, case: PairedCase) -> str:
    question = f"<p class='story-question' dir='auto'>{escape(case.case.question)}</p>"
    if step.kind == "question":
        pages = ", ".join(f"p. {page}" for page in case.case.relevant_pages)
        facts = [case.case.category, f"answer in the {case.case.source}", pages]
        line = escape(" · ".join(filter(None, facts)))
        return f"<h2>A question</h2>{question}<p class='facts-line'>{line}</p>"
    if step.kind == "answers":
        columns = _columns(comparison, pair, case.case.id)
        return (
            f"<h2>What each answered</h2>{question}{answers_html(columns)}"
            f"{reference_html(case.case)}"
        )
    return (
        f"<h2>What made the difference</h2>{question}"
        f"<p class='story-layer'>{escape(layer_sentence(case))}</p>{_chunk(pair, step, case)}"
    )


def _frame(comparison: Comparison, pair: PairComparison, step: Step) -> str:
    first = comparison.runs[0]
    names = [escape(name_of(comparison, run)) for run in (pair.a, pair.b)]
    title = (
        f"<p class='story-names'><span class='letter'>A</span> {names[0]} "
        f"<i>against</i> <span class='letter'>B</span> {names[1]}</p>"
    )
    if step.kind == "opening":
        asked = f"{count(len(pair.cases), 'question')} on {first.corpus}"
        return (
            f"<h2>What was tried</h2>{title}<p class='facts-line' dir='auto'>{escape(asked)}</p>"
            f"{factors_html(pair)}"
        )
    return (
        f"<h2>The verdict</h2>{title}<p class='lead'>{escape(pair.verdict)}</p>"
        f"{credit_html(pair.difference)}{paired_html(pair)}"
    )


def _columns(comparison: Comparison, pair: PairComparison, case: str) -> Sequence[Column]:
    """A and B, then the other runs, as they answered the case."""
    others = [one for one in comparison.pairs if one.b != pair.b]
    found = []
    for position, one in enumerate((pair, *others)):
        paired = next(item for item in one.cases if item.case.id == case)
        if position == 0:
            found.append(column_of(paired.a, 0, name_of(comparison, one.a)))
        found.append(column_of(paired.b, position + 1, name_of(comparison, one.b)))
    return found


def _chunk(pair: PairComparison, step: Step, case: PairedCase) -> str:
    """The chunk with its place under A and under B."""
    places = "".join(
        f"<span><span class='letter'>{letter}</span> {escape(_place(side))}</span>"
        for letter, side in (("A", case.a), ("B", case.b))
    )
    found = evidence_of(pair, step)
    if found is None:
        return f"<p class='story-places'>{places}</p>"
    chunk = found[1].chunk
    return (
        f"<p class='story-places'>{places}</p><blockquote class='story-chunk'>"
        f"<span class='where'>p. {chunk.page} · {chunk.kind}</span>"
        f"<div class='text' dir='auto'>{escape(chunk.text)}</div></blockquote>"
    )


def _place(side: CellView) -> str:
    if side.evidence is not None:
        cut = "" if side.evidence.sent else ", cut off by the model's context"
        return f"rank {side.evidence.rank} of {side.evidence.of}{cut}"
    return "not retrieved" if side.answer else f"no answer: {side.failure}"


def _evidence(side: CellView) -> Retrieved | None:
    if side.evidence is None or side.answer is None:
        return None
    return next((one for one in side.answer.retrieved if one.rank == side.evidence.rank), None)


def _ways(number: int, of: int) -> str:
    back = "disabled" if number == 0 else "data-key='arrowleft'"
    on = "disabled" if number == of - 1 else "data-key='arrowright'"
    dots = "".join(f"<i class='{'here' if place == number else ''}'></i>" for place in range(of))
    return (
        f"<nav class='story-ways'><button class='label-button' {target('back', '')} {back}>"
        f"Back <kbd>←</kbd></button><span class='dots' aria-label='step {number + 1} of {of}'>"
        f"{dots}</span><button class='label-button right' {target('next', '')} {on}>"
        f"Next <kbd>→</kbd></button></nav>"
    )
