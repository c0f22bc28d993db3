"""Runs compared: each with the first, case by case, and each by itself."""

from collections.abc import Sequence
from dataclasses import replace

from sandbox.errors import SandboxError
from sandbox.evaluation.comparison.attribution import attribute
from sandbox.evaluation.comparison.differences import (
    adjust_p_values,
    draw_conclusion,
    is_trusted,
    metric_differences,
    right_wrong,
    trust_of,
)
from sandbox.evaluation.comparison.evidence import find_evidence
from sandbox.evaluation.comparison.examine_runs import each_run, quality_of, with_free_scores
from sandbox.evaluation.comparison.factors import (
    Factor,
    compare_configurations,
    version_differences,
)
from sandbox.evaluation.comparison.records import (
    RIGHT,
    Comparison,
    PairComparison,
    PairedCase,
    RunFinding,
)
from sandbox.evaluation.metrics.catalog import LOWER_IS_BETTER
from sandbox.evaluation.runs.cells import CellView
from sandbox.evaluation.runs.folder import find_runs, list_runs
from sandbox.evaluation.runs.read import RunView, read_runs
from sandbox.evaluation.runs.records import Run
from sandbox.evaluation.stats.paired import SEED, holm
from sandbox.evaluation.trust.cells import collect_cells
from sandbox.evaluation.trust.records import TrustTable
from sandbox.evaluation.trust.table import build_trust_table
from sandbox.files.storage import Store
from sandbox.testsets.cases import TestCase


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
    folders = find_runs(store, names)
    further = find_runs(store, labelled) if labelled else ()
    return compare_runs(
        read_runs(folders, accept_suggestions=accept_suggestions),
        known=[folder.run for folder in list_runs(store)],
        labelled=read_runs(further, accept_suggestions=accept_suggestions),
    )


def compare_runs(
    runs: Sequence[RunView],
    *,
    known: Sequence[Run] = (),
    labelled: Sequence[RunView] = (),
    seed: int = SEED,
) -> Comparison:
    """Each run compared with the first.

    Args:
        runs: The runs, the baseline first.
        known: Runs among which in-between configurations are looked for.
        labelled: Runs whose labels also count for which metrics are trusted.
        seed: For the resamples.

    Raises:
        SandboxError: If there are not two different runs, they have no case in common, or they are
            of different test sets.
    """
    if len({view.run.id for view in runs}) < 2:
        raise SandboxError("a comparison needs two different runs; name another one")
    cases = common_cases([view.run for view in runs])
    compared = {view.run.id for view in runs}
    further = [view for view in labelled if view.run.id not in compared]
    table = build_trust_table(collect_cells([*runs, *further]))
    runs = [with_free_scores(view, table) for view in runs]
    pairs = _pairs(runs, cases, table, known, seed)
    deciding = list(
        dict.fromkeys(row.metric for pair in pairs for row in pair.metrics if row.decides)
    )
    quality = quality_of(runs, cases, [name for name in deciding if name not in LOWER_IS_BETTER])
    return Comparison(
        runs=tuple(run.run for run in runs),
        cases=cases,
        pairs=tuple(pairs),
        findings=each_run(runs, cases, table, deciding, quality),
        quality=quality,
        trust=table,
        warnings=_warnings(runs, cases, table),
        seed=seed,
    )


def examine_run(run: RunView) -> RunFinding:
    """One run by itself, where there is none to compare it with."""
    table = build_trust_table(collect_cells([run]))
    run = with_free_scores(run, table)
    cases = tuple(case.id for case in run.run.cases)
    ranking = {metric for (metric, _), score in run.scores.items() if score.family == "ranking"}
    deciding = [
        metric
        for metric in run.metrics
        if metric in ranking or is_trusted(trust_of(metric, run, table), table)
    ]
    (finding,) = each_run([run], cases, table, deciding, RIGHT)
    return finding


def _pairs(
    runs: Sequence[RunView],
    cases: Sequence[str],
    table: TrustTable,
    known: Sequence[Run],
    seed: int,
) -> list[PairComparison]:
    first, *further = runs
    pairs = [_pair(first, run, cases, table, known, seed) for run in further]
    tested = [pair.right_wrong.p for pair in pairs if pair.right_wrong.p is not None]
    p_values = iter(holm(tested))
    metrics = adjust_p_values([pair.metrics for pair in pairs])
    return [
        draw_conclusion(
            replace(
                pair,
                metrics=rows,
                right_wrong=replace(
                    pair.right_wrong,
                    p_holm=None if pair.right_wrong.p is None else next(p_values),
                ),
            )
        )
        for pair, rows in zip(pairs, metrics, strict=True)
    ]


def _pair(
    a: RunView,
    b: RunView,
    cases: Sequence[str],
    table: TrustTable,
    known: Sequence[Run],
    seed: int,
) -> PairComparison:
    difference = compare_configurations(a.run, b.run, known)
    paired = pair_cases(a, b, cases, difference.factors)
    warnings = []
    if unanswered := sum(case.layer == "unknown" for case in paired):
        warnings.append(f"{unanswered} of {len(paired)} cases lack an answer in one of the two")
    if versions := version_differences(a.run, b.run):
        warnings.append(f"{a.run.id} and {b.run.id} were made with other {', '.join(versions)}")
    return PairComparison(
        a=a.run.id,
        b=b.run.id,
        difference=difference,
        cases=paired,
        right_wrong=right_wrong(paired),
        metrics=metric_differences(a, b, cases, table, seed=seed),
        better=None,
        conclusion="",
        warnings=tuple(warnings),
    )


def _warnings(runs: Sequence[RunView], cases: Sequence[str], table: TrustTable) -> tuple[str, ...]:
    warnings = []
    most = max(len(run.run.cases) for run in runs)
    if len(cases) < most:
        warnings.append(
            f"only the {len(cases)} cases that all runs ask are compared, of up to {most}"
        )
    decided = [{case for case in cases if run.cells[case].label is not None} for run in runs]
    if any(ids != decided[0] for ids in decided):
        warnings.append(
            "other cases are labelled in one run than in another, so their shares of right answers"
            " are not of the same cases"
        )
    if len(cases) < 10:
        warnings.append(
            f"{len(cases)} cases are few: only large differences can be told from chance"
        )
    return (*warnings, *table.warnings)


def common_cases(runs: Sequence[Run]) -> tuple[str, ...]:
    """Ids of the cases that all runs ask, in the order of the first.

    Raises:
        SandboxError: If a case asks another question in one of them, or there is none in common.
    """
    first, *further = runs
    asked = {case.id: case.question for case in first.cases}
    for run in further:
        questions = {case.id: case.question for case in run.cases}
        both = [id for id in asked if id in questions]
        if changed := [id for id in both if asked[id] != questions[id]]:
            raise SandboxError(
                f"{first.id} and {run.id} are of different test sets: case {changed[0]!r} asks"
                " another question; compare runs of one test set"
            )
        if not both:
            kind = (
                "are of different test sets and have" if first.test_set != run.test_set else "have"
            )
            raise SandboxError(
                f"{first.id} ({first.test_set}) and {run.id} ({run.test_set}) {kind} no case in"
                " common; compare runs of one test set"
            )
        asked = {id: asked[id] for id in both}
    if not asked:
        raise SandboxError("the runs have no case that all of them ask; compare fewer at a time")
    return tuple(asked)


def pair_cases(
    a: RunView, b: RunView, cases: Sequence[str], factors: Sequence[Factor]
) -> tuple[PairedCase, ...]:
    """Each case under A and under B, and what made the difference."""
    return tuple(_pair_case(a.case(id), a.cells[id], b.cells[id], factors) for id in cases)


def _pair_case(case: TestCase, a: CellView, b: CellView, factors: Sequence[Factor]) -> PairedCase:
    evidence = find_evidence(case, (a.answer, b.answer))
    a, b = replace(a, evidence=evidence[0]), replace(b, evidence=evidence[1])
    attribution = attribute(case, a, b, factors)
    return PairedCase(
        case=case,
        a=a,
        b=b,
        layer=attribution.layer,
        decided_by=attribution.decided_by,
        attribution=attribution.sentence,
    )
