"""What to label next: the answers that tell most about which metrics to trust.

Three things are weighed. Both classes are needed, and the rarer one more: an AUC is as uncertain as
its smaller class. Every metric is needed over its whole range, lowest, middle and highest third,
because labels at the extremes alone would flatter it. Questions are needed in variety, and
then a second answer to the same question that is right where the first was wrong.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from statistics import fmean

from sandbox.evaluation.runs.cells import CellView
from sandbox.evaluation.runs.records import Right

PRIOR: Mapping[Right, tuple[float, float]] = {
    "wrong": (3.0, 1.0),
    "unsure": (2.0, 2.0),
    "right": (0.4, 3.6),
}
"""Imagined labels (wrong, right) of answers so suggested, outweighed by the first few real ones."""

FIRST_QUESTIONS = 10
"""After so many questions a new one is worth half, and second answers to known ones gain on it."""

THIRDS = ("lowest", "middle", "highest")
SECOND = "another person labelled it; a second label tells whether you agree"
CONFIRMING = 0.5
"""What confirming an accepted suggestion is worth, beside labelling an answer nobody labelled."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """An answer to label next."""

    cell: CellView
    reason: str
    """Why this one, in a few words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Gain:
    """What labelling an answer brings, each part at most 1."""

    balance: float
    coverage: float
    variety: float

    @property
    def total(self) -> float:
        return self.balance + self.coverage + self.variety


@dataclass(slots=True)
class _Known:
    """What is labelled so far; picks of this queue count by their probability."""

    chances: Mapping[Right, float]
    """Probability of being wrong by what is suggested."""

    places: Mapping[tuple[str, str], Mapping[str, int]]
    """Third of each metric, by key of the answer."""

    right: float = 0.0
    wrong: float = 0.0
    thirds: Counter[tuple[str, int]] = field(default_factory=Counter)
    by_case: dict[str, list[float]] = field(default_factory=dict)
    """Probability of being wrong of the labelled answers to a case."""

    def add(self, cell: CellView, *, right: float, wrong: float) -> None:
        self.right += right
        self.wrong += wrong
        self.thirds.update(self.places[cell.key].items())
        self.by_case.setdefault(cell.case.id, []).append((1 + wrong - right) / 2)

    def chance(self, cell: CellView) -> float:
        return self.chances[cell.suggestion.value]


def next_to_label(
    cells: Sequence[CellView],
    *,
    labeller: str,
    count: int = 1,
    skipped: Collection[tuple[str, str]] = (),
    second: bool = False,
) -> tuple[Proposal, ...]:
    """So many answers to label next, the most useful first; the same for the same labels.

    Args:
        cells: All answers of the runs that are looked at.
        labeller: Who labels.
        count: How many to propose.
        skipped: Keys of answers to put last.
        second: Propose what another person labelled and this one did not, so that the two can be
            compared; what the other said plays no part.
    """
    known = _known(cells, labeller, second=second)
    given = deepcopy(known)
    wanted = [cell for cell in cells if _is_wanted(cell, labeller, second=second)]
    if wanted:  # from the first label on, the class that will be rarer is worth more
        rarity = fmean(known.chance(cell) for cell in wanted)
        known.right, known.wrong = known.right + 1 - rarity, known.wrong + rarity
    proposals: list[Proposal] = []
    for later in (False, True):
        left = [cell for cell in wanted if (cell.key in skipped) == later]
        while left and len(proposals) < count:
            gains = [_gain(cell, known) for cell in left]
            best = max(range(len(left)), key=lambda place: _worth(left[place], gains[place]))
            reason = SECOND if second else _reason(left[best], gains[best], gains, given)
            cell = left.pop(best)
            proposals.append(
                Proposal(cell=cell, reason=f"skipped before; {reason}" if later else reason)
            )
            known.add(cell, right=1 - known.chance(cell), wrong=known.chance(cell))
    return tuple(proposals)


def _known(cells: Sequence[CellView], labeller: str, *, second: bool) -> _Known:
    """What the labels so far show."""
    counted = [cell for cell in cells if _counts(cell, labeller, second=second)]
    known = _Known(chances=_chances(counted), places=_thirds(cells))
    for cell in counted:
        known.add(cell, right=cell.label == "right", wrong=cell.label == "wrong")
    return known


def _is_wanted(cell: CellView, labeller: str, *, second: bool) -> bool:
    people = {label.labeller for label in cell.labels if label.source == "person"}
    return bool(people) and labeller not in people if second else not people


def _counts(cell: CellView, labeller: str, *, second: bool) -> bool:
    if second:
        mine = cell.label_by(labeller)
        return mine is not None and mine.source == "person"
    return any(label.source == "person" for label in cell.labels)


def _chances(labelled: Iterable[CellView]) -> dict[Right, float]:
    """Probability of being wrong by what is suggested, learned from the labels so far."""
    wrong = {label: imagined[0] for label, imagined in PRIOR.items()}
    right = {label: imagined[1] for label, imagined in PRIOR.items()}
    for cell in labelled:
        wrong[cell.suggestion.value] += cell.label == "wrong"
        right[cell.suggestion.value] += cell.label == "right"
    return {label: wrong[label] / (wrong[label] + right[label]) for label in PRIOR}


def _thirds(cells: Sequence[CellView]) -> dict[tuple[str, str], dict[str, int]]:
    """In which third of each metric an answer lies, by its rank among all; equal scores together.

    A metric that says the same of every answer has only a middle.
    """
    values: dict[str, Counter[float]] = {}
    for cell in cells:
        for metric, value in cell.values.items():
            values.setdefault(metric, Counter())[value] += 1
    third: dict[tuple[str, float], int] = {}
    for metric, counts in values.items():
        below, scored = 0, counts.total()
        for value in sorted(counts):
            share = (below + counts[value] / 2) / scored
            third[metric, value] = 0 if share < 1 / 3 else 2 if share > 2 / 3 else 1
            below += counts[value]
    return {
        cell.key: {metric: third[metric, value] for metric, value in cell.values.items()}
        for cell in cells
    }


def _gain(cell: CellView, known: _Known) -> _Gain:
    wrong = known.chance(cell)
    # Variance of an AUC is about 1/right + 1/wrong: Hanley and McNeil (1982), Radiology 143.
    by_wrong = 1 / ((known.wrong + 1) * (known.wrong + 2))
    by_right = 1 / ((known.right + 1) * (known.right + 2))
    seen = [1 / (1 + known.thirds[place]) for place in known.places[cell.key].items()]
    others = known.by_case.get(cell.case.id, [])
    differing = [wrong * (1 - other) + (1 - wrong) * other for other in others]
    new_question = FIRST_QUESTIONS / (FIRST_QUESTIONS + len(known.by_case))
    return _Gain(
        balance=(wrong * by_wrong + (1 - wrong) * by_right) / max(by_wrong, by_right),
        coverage=sum(seen) / len(seen) if seen else 0.0,
        variety=max(differing) / len(differing) if differing else new_question,
    )


def _worth(cell: CellView, gain: _Gain) -> float:
    """Rounded, so that equal gains stay in the order of the cases."""
    return round(gain.total * (CONFIRMING if cell.labels else 1.0), 9)


def _reason(cell: CellView, gain: _Gain, gains: Sequence[_Gain], given: _Known) -> str:
    """The two parts in which this answer stands out most from those that are left."""

    def excess(part: str) -> float:
        return float(getattr(gain, part)) - fmean(getattr(one, part) for one in gains)

    sentences = {
        "balance": _class_reason(cell, given),
        "coverage": _range_reason(cell, given),
        "variety": "another answer to a labelled question"
        if cell.case.id in given.by_case
        else "a question without a label",
    }
    ordered = sorted(sentences, key=excess, reverse=True)
    return "; ".join([sentences[part] for part in ordered if sentences[part]][:2])


def _class_reason(cell: CellView, given: _Known) -> str:
    wrong = given.chance(cell)
    if abs(wrong - 0.5) < 0.1:
        return "may be right or wrong"
    kind, there = ("wrong", given.wrong) if wrong > 0.5 else ("right", given.right)
    labels = given.right + given.wrong
    if not labels:
        return f"probably {kind}"
    return f"probably {kind}, as {there:.0f} of {labels:.0f} labels {'is' if there == 1 else 'are'}"


def _range_reason(cell: CellView, given: _Known) -> str:
    """The metric whose third has fewest labels, an extreme before the middle."""
    places = given.places[cell.key]
    if not places:
        return ""
    metric, third = min(places.items(), key=lambda place: (given.thirds[place], place[1] == 1))
    there = given.thirds[metric, third]
    labels = {0: "no label is yet", 1: "1 label is"}.get(there, f"{there} labels are")
    return f"among the {THIRDS[third]} {metric}, where {labels}"
