"""A run's cases in slices: by source, category, language and answerable, the weakest first.

Leaves out whether slices differ by more than chance; their intervals say how little few cases tell.
"""

from collections.abc import Callable, Mapping, Sequence
from statistics import fmean

from sandbox.evaluation.comparison.run_records import Slice, SliceBy
from sandbox.evaluation.runs.read import ReadRun
from sandbox.evaluation.stats.rates import wilson
from sandbox.testsets.cases import TestCase
from sandbox.text.languages import language_of

_NAMES: Mapping[SliceBy, Callable[[TestCase], str]] = {
    "source": lambda case: case.source,
    "category": lambda case: case.category,
    "language": lambda case: language_of(case.question),
    "answerable": lambda case: "answerable" if case.answerable else "unanswerable",
}


def slices_of(
    run: ReadRun, cases: Sequence[str], metrics: Sequence[str], *, quality: str
) -> tuple[Slice, ...]:
    """Every slice, the weakest first: by share right, and where nobody judged, by `quality`.

    Args:
        run: The run.
        cases: Ids of its cases that count.
        metrics: Those that may decide.
        quality: One of them, or "right".
    """
    by_id = {case.id: case for case in run.run.cases}
    found = []
    for by, name_of in _NAMES.items():
        members: dict[str, list[str]] = {}
        for case in cases:
            members.setdefault(name_of(by_id[case]), []).append(case)
        found += [_slice(run, by, name, some, metrics) for name, some in members.items()]
    return tuple(sorted(found, key=lambda one: _strength(one, quality)))


def _slice(
    run: ReadRun, by: SliceBy, name: str, cases: Sequence[str], metrics: Sequence[str]
) -> Slice:
    standings = [run.sides[case].standing for case in cases]
    decided = [one for one in standings if one.verdict in ("right", "wrong")]
    right = sum(one.verdict == "right" for one in decided)
    bounds = wilson(right, len(decided)) if decided else None
    scores = {metric: _values(run, metric, cases) for metric in metrics}
    return Slice(
        by=by,
        name=name,
        cases=len(cases),
        right=right,
        wrong=len(decided) - right,
        suggested=sum(one.source == "suggestion" for one in decided),
        rate=right / len(decided) if decided else None,
        low=bounds[0] if bounds else None,
        high=bounds[1] if bounds else None,
        means={metric: fmean(values) for metric, values in scores.items() if values},
    )


def _values(run: ReadRun, metric: str, cases: Sequence[str]) -> list[float]:
    scores = (run.scores.get((metric, case)) for case in cases)
    return [score.value for score in scores if score is not None and score.value is not None]


def _strength(one: Slice, quality: str) -> tuple[bool, float, int]:
    """Slices that nothing is known of come last; of equally weak ones the larger comes first."""
    value = one.rate if one.rate is not None else one.means.get(quality)
    return value is None, value or 0.0, -one.cases
