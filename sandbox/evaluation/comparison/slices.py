"""Cases in slices: by source, category, language and answerable, the weakest first.

Whether slices differ by more than chance is not tested; their intervals show how little a few cases
tell.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from statistics import fmean

from sandbox.evaluation.comparison.records import (
    RIGHT,
    RunFinding,
    Slice,
    SliceAcross,
    SliceBy,
)
from sandbox.evaluation.runs.read import RunView
from sandbox.evaluation.stats.rates import wilson
from sandbox.testsets.cases import TestCase
from sandbox.text.languages import detect_language

_NAMES: Mapping[SliceBy, Callable[[TestCase], str]] = {
    "source": lambda case: case.source,
    "category": lambda case: case.category,
    "language": lambda case: detect_language(case.question),
    "answerable": lambda case: "answerable" if case.answerable else "unanswerable",
}


def slices_of(
    run: RunView, cases: Sequence[str], metrics: Sequence[str], *, quality: str
) -> tuple[Slice, ...]:
    """Every slice, the weakest first: by share right, and where nobody judged, by `quality`."""
    by_id = {case.id: case for case in run.run.cases}
    slices: list[Slice] = []
    for by, name_of in _NAMES.items():
        members: dict[str, list[str]] = {}
        for case in cases:
            members.setdefault(name_of(by_id[case]), []).append(case)
        slices += [_slice(run, by, name, ids, metrics) for name, ids in members.items()]
    return tuple(sorted(slices, key=lambda part: _strength(part, quality)))


def slices_across(findings: Sequence[RunFinding], quality: str) -> tuple[SliceAcross, ...]:
    """The slices of all runs, the weakest first by their mean quality over the runs.

    A kind of slice is left out if all cases are in one, such as the language of a test set in one
    language. Slices of unknown quality come last.
    """
    by_run = [{(part.by, part.name): part for part in run.slices} for run in findings]
    keys = dict.fromkeys(key for slices in by_run for key in slices)
    kinds = Counter(by for by, _ in keys)
    rows = [
        SliceAcross(by=by, name=name, runs=tuple(slices.get((by, name)) for slices in by_run))
        for by, name in keys
        if kinds[by] > 1
    ]
    return tuple(sorted(rows, key=lambda row: _weakness(row, quality)))


def _weakness(row: SliceAcross, quality: str) -> tuple[bool, float]:
    values = [
        value
        for part in row.runs
        if part is not None
        and (value := part.rate if quality == RIGHT else part.means.get(quality)) is not None
    ]
    return not values, fmean(values) if values else 0.0


def _slice(
    run: RunView, by: SliceBy, name: str, cases: Sequence[str], metrics: Sequence[str]
) -> Slice:
    cells = [run.cells[case] for case in cases]
    decided = [cell for cell in cells if cell.label_or_suggestion in ("right", "wrong")]
    right = sum(cell.label_or_suggestion == "right" for cell in decided)
    bounds = wilson(right, len(decided)) if decided else None
    means = {metric: mean_score(run, metric, cases) for metric in metrics}
    return Slice(
        by=by,
        name=name,
        cases=len(cases),
        right=right,
        wrong=len(decided) - right,
        suggested=sum(cell.is_suggested for cell in decided),
        rate=right / len(decided) if decided else None,
        low=bounds[0] if bounds else None,
        high=bounds[1] if bounds else None,
        means={metric: mean for metric, mean in means.items() if mean is not None},
    )


def mean_score(run: RunView, metric: str, cases: Sequence[str]) -> float | None:
    """``None`` where the metric scored none of the cases."""
    scores = (run.scores.get((metric, case)) for case in cases)
    values = [score.value for score in scores if score is not None and score.value is not None]
    return fmean(values) if values else None


def _strength(part: Slice, quality: str) -> tuple[bool, float, int]:
    """Slices that nothing is known of come last; of equally weak ones the larger comes first."""
    value = part.rate if part.rate is not None else part.means.get(quality)
    return value is None, value or 0.0, -part.cases
