"""Runs compared: each with the first, and each by itself.

Leaves out how the result is shown, and running what is missing in between.
"""

from collections.abc import Sequence
from dataclasses import replace
from statistics import fmean

from sandbox.errors import SandboxError
from sandbox.evaluation.comparison.cases import ReadRun, common_cases, pair_cases, read_run
from sandbox.evaluation.comparison.diagnosis import diagnose, sum_up
from sandbox.evaluation.comparison.differences import (
    adjusted,
    is_trusted,
    metric_differences,
    right_wrong,
    trust_of,
)
from sandbox.evaluation.comparison.factors import compare_configurations
from sandbox.evaluation.comparison.findings import cost_of, on_front, pass_rate, predictor_of
from sandbox.evaluation.comparison.paired import SEED
from sandbox.evaluation.comparison.records import Comparison, PairComparison
from sandbox.evaluation.comparison.run_findings import Diagnosis, RunFinding
from sandbox.evaluation.comparison.slices import slices_of
from sandbox.evaluation.comparison.symptoms import symptoms_of
from sandbox.evaluation.comparison.verdicts import with_verdict
from sandbox.evaluation.records import Run
from sandbox.evaluation.runs import RunFolder, find_runs, list_runs
from sandbox.evaluation.trust.arrays import is_lower_better
from sandbox.evaluation.trust.cells import cells_of_runs
from sandbox.evaluation.trust.intervals import holm
from sandbox.evaluation.trust.records import TrustTable
from sandbox.evaluation.trust.table import trust_table
from sandbox.storage import Store

RIGHT = "right"


def compare_named(
    store: Store,
    names: Sequence[str],
    *,
    labelled: Sequence[str] = (),
    accept_suggestions: bool = False,
) -> Comparison:
    """The runs that names stand for, compared with the first of them.

    Args:
        store: Where they lie; in-between configurations are looked for there as well.
        names: Ids of runs or evaluations, the beginning of one, a run's folder, or "latest".
        labelled: Further runs whose labels count for which metrics are trusted.
        accept_suggestions: Count what accepted answers suggest where nobody labelled.

    Raises:
        SandboxError: If a name stands for no run, or the runs cannot be compared.
    """
    return compare_runs(
        find_runs(store, names),
        known=list_runs(store),
        labelled=find_runs(store, labelled) if labelled else (),
        accept_suggestions=accept_suggestions,
    )


def compare_runs(
    folders: Sequence[RunFolder],
    *,
    known: Sequence[RunFolder] = (),
    labelled: Sequence[RunFolder] = (),
    accept_suggestions: bool = False,
    seed: int = SEED,
) -> Comparison:
    """Each run compared with the first.

    Args:
        folders: The runs, the baseline first.
        known: Runs among which in-between configurations are looked for.
        labelled: Runs whose labels also count for which metrics are trusted.
        accept_suggestions: Count what accepted answers suggest where nobody labelled.
        seed: For the resamples.

    Raises:
        SandboxError: If there are not two different runs, they have no case in common, or they are
            of different test sets.
    """
    if len({folder.run.id for folder in folders}) < 2:
        raise SandboxError("a comparison needs two different runs; name another one")
    cases = common_cases([folder.run for folder in folders])
    table = _trust(folders, labelled, accept_suggestions=accept_suggestions)
    runs = [read_run(folder, accept_suggestions=accept_suggestions) for folder in folders]
    pairs = _pairs(runs, cases, table, [folder.run for folder in known], seed)
    deciding = list(
        dict.fromkeys(one.metric for pair in pairs for one in pair.metrics if one.decides)
    )
    quality = _quality(runs, cases, [one for one in deciding if not is_lower_better(one)])
    return Comparison(
        runs=tuple(run.run for run in runs),
        cases=cases,
        pairs=tuple(pairs),
        findings=_findings(runs, cases, table, deciding, quality),
        quality=quality,
        trust=table,
        warnings=_warnings(runs, cases, table),
        seed=seed,
    )


def examine_run(folder: RunFolder, *, accept_suggestions: bool = False) -> RunFinding:
    """One run by itself, where there is none to compare it with."""
    table = _trust([folder], (), accept_suggestions=accept_suggestions)
    run = read_run(folder, accept_suggestions=accept_suggestions)
    cases = tuple(case.id for case in run.run.cases)
    ranking = {metric for (metric, _), score in run.scores.items() if score.family == "ranking"}
    deciding = [
        metric
        for metric in run.metrics
        if metric in ranking or is_trusted(trust_of(metric, run, table), table)
    ]
    (found,) = _findings([run], cases, table, deciding, RIGHT)
    return found


def _trust(
    folders: Sequence[RunFolder], labelled: Sequence[RunFolder], *, accept_suggestions: bool
) -> TrustTable:
    every = {folder.folder.resolve(): folder for folder in (*folders, *labelled)}
    return trust_table(cells_of_runs(tuple(every.values()), accept_suggestions=accept_suggestions))


def _pairs(
    runs: Sequence[ReadRun],
    cases: Sequence[str],
    table: TrustTable,
    known: Sequence[Run],
    seed: int,
) -> list[PairComparison]:
    first, *others = runs
    pairs = [_pair(first, other, cases, table, known, seed) for other in others]
    tested = [pair.right_wrong.p for pair in pairs if pair.right_wrong.p is not None]
    p_values = iter(holm(tested))
    metrics = adjusted([pair.metrics for pair in pairs])
    return [
        with_verdict(
            replace(
                pair,
                metrics=some,
                right_wrong=replace(
                    pair.right_wrong,
                    p_holm=None if pair.right_wrong.p is None else next(p_values),
                ),
            )
        )
        for pair, some in zip(pairs, metrics, strict=True)
    ]


def _pair(
    a: ReadRun,
    b: ReadRun,
    cases: Sequence[str],
    table: TrustTable,
    known: Sequence[Run],
    seed: int,
) -> PairComparison:
    difference = compare_configurations(a.run, b.run, known)
    paired = pair_cases(a, b, cases, difference.factors)
    unanswered = sum(case.layer == "unknown" for case in paired)
    warning = f"{unanswered} of {len(paired)} cases lack an answer in one of the two"
    return PairComparison(
        a=a.run.id,
        b=b.run.id,
        difference=difference,
        cases=paired,
        right_wrong=right_wrong(paired),
        metrics=metric_differences(a, b, cases, table, seed=seed),
        better=None,
        verdict="",
        warnings=(warning,) if unanswered else (),
    )


def _quality(runs: Sequence[ReadRun], cases: Sequence[str], deciding: Sequence[str]) -> str:
    """The share right where every run has labels, else the first metric that may decide."""
    labelled = all(
        any(run.sides[case].counts and run.sides[case].standing.verdict for case in cases)
        for run in runs
    )
    return RIGHT if labelled or not deciding else deciding[0]


def _findings(
    runs: Sequence[ReadRun],
    cases: Sequence[str],
    table: TrustTable,
    deciding: Sequence[str],
    quality: str,
) -> tuple[RunFinding, ...]:
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


def _diagnoses(
    runs: Sequence[ReadRun], cases: Sequence[str], table: TrustTable
) -> list[tuple[Diagnosis, ...]]:
    """By run."""
    by_case = [symptoms_of(runs[0].case(id), runs, table) for id in cases]
    return [
        tuple(diagnose(symptoms[position]) for symptoms in by_case) for position in range(len(runs))
    ]


def _mean(run: ReadRun, cases: Sequence[str], metric: str) -> float | None:
    scores = [run.scores.get((metric, case)) for case in cases]
    values = [score.value for score in scores if score is not None and score.value is not None]
    return fmean(values) if values else None


def _warnings(runs: Sequence[ReadRun], cases: Sequence[str], table: TrustTable) -> tuple[str, ...]:
    found = []
    most = max(len(run.run.cases) for run in runs)
    if len(cases) < most:
        found.append(f"only the {len(cases)} cases that all runs ask are compared, of up to {most}")
    if len(cases) < 10:
        found.append(f"{len(cases)} cases are few: only large differences can be told from chance")
    return (*found, *table.warnings)
