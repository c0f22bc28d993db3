"""Every run of a comparison by itself: findings.py, diagnosis.py and slices.py put together.

Leaves out the pairs.
"""

from collections.abc import Sequence
from dataclasses import replace
from statistics import fmean

from sandbox.evaluation.comparison.diagnosis import diagnose, sum_up
from sandbox.evaluation.comparison.rates_and_costs import cost_of, on_front, pass_rate, predictor_of
from sandbox.evaluation.comparison.records import RIGHT, Diagnosis, RunFinding
from sandbox.evaluation.comparison.slices import slices_of
from sandbox.evaluation.comparison.symptoms import symptoms_of
from sandbox.evaluation.runs.read import RunView
from sandbox.evaluation.trust.records import TrustTable


def each_run(
    runs: Sequence[RunView],
    cases: Sequence[str],
    table: TrustTable,
    deciding: Sequence[str],
    quality: str,
) -> tuple[RunFinding, ...]:
    """What is found about each run.

    Args:
        runs: The runs.
        cases: Ids of the cases that all have in common.
        table: What can be trusted.
        deciding: Metrics that may decide.
        quality: One of them, or "right".
    """
    predictor = predictor_of(runs, table)
    diagnoses = _diagnoses(runs, cases, table)
    found = []
    for position, run in enumerate(runs):
        rate = pass_rate(run, cases, predictor)
        found.append(
            RunFinding(
                run=run.run.id,
                configuration=run.run.configuration,
                pass_rate=rate,
                cost=cost_of(run, cases),
                quality=rate.rate if quality == RIGHT else _mean(run, cases, quality),
                on_front=False,
                diagnoses=diagnoses[position],
                sums=sum_up(diagnoses[position]),
                slices=slices_of(run, cases, deciding, quality=quality),
            )
        )
    front = on_front([(one.quality, one.cost.seconds) for one in found])
    return tuple(replace(one, on_front=there) for one, there in zip(found, front, strict=True))


def quality_of(runs: Sequence[RunView], cases: Sequence[str], deciding: Sequence[str]) -> str:
    """The share right where every run has labels, else the first metric that may decide."""
    labelled = all(any(run.cells[case].label is not None for case in cases) for run in runs)
    return RIGHT if labelled or not deciding else deciding[0]


def _diagnoses(
    runs: Sequence[RunView], cases: Sequence[str], table: TrustTable
) -> list[tuple[Diagnosis, ...]]:
    """By run."""
    by_case = [symptoms_of(runs[0].case(id), runs, table) for id in cases]
    return [
        tuple(diagnose(symptoms[position]) for symptoms in by_case) for position in range(len(runs))
    ]


def _mean(run: RunView, cases: Sequence[str], metric: str) -> float | None:
    scores = [run.scores.get((metric, case)) for case in cases]
    values = [score.value for score in scores if score is not None and score.value is not None]
    return fmean(values) if values else None
