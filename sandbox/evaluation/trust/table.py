"""The trust table: every metric of some cells, judged by the labels of the answers."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from sandbox.evaluation.runs.records import MetricKey
from sandbox.evaluation.stats.auc import Flags, Floats
from sandbox.evaluation.stats.paired import holm
from sandbox.evaluation.trust.cells import BASELINES, LENGTH, add_baselines
from sandbox.evaluation.trust.combination import CIRCULAR, combine
from sandbox.evaluation.trust.decisions import Significance
from sandbox.evaluation.trust.learner import deal_folds
from sandbox.evaluation.trust.records import (
    CellSet,
    Difference,
    MetricTrust,
    Threshold,
    TrustCell,
    TrustTable,
    TrustWord,
)
from sandbox.evaluation.trust.resampling import (
    RESAMPLES,
    SEED,
    Column,
    Labels,
    Resampling,
    collect_labels,
    collect_scores,
    list_metrics,
)
from sandbox.evaluation.trust.rows import (
    compare_metrics,
    compute_row,
    find_metrics,
    pair_judges,
)

_ORDER: tuple[TrustWord, ...] = ("separates", "not enough labels", "noise", "inverted")


@dataclass(frozen=True, slots=True, kw_only=True)
class Choices:
    """How a table is made."""

    false_alarm_rate: float | None = None
    """Largest share of wrong answers that a threshold may let pass; Youden's index for ``None``."""

    compare: tuple[tuple[str, str], ...] = ()
    """Pairs of metrics whose AUCs are compared, by the names that are shown."""

    resamples: int = RESAMPLES
    seed: int = SEED


USUAL = Choices()


def build_trust_table(cell_set: CellSet, choices: Choices = USUAL) -> TrustTable:
    """What every metric that scored the cells is worth, the most useful first.

    Cells labelled "unsure" are counted and left out.

    Raises:
        ConfigError: If a metric is to be compared that no cell has.
    """
    cells = add_baselines(cell_set.cells)
    labels = collect_labels(cells)
    resampling = Resampling(labels, resamples=choices.resamples, seed=choices.seed)
    columns = {metric: collect_scores(metric, cells) for metric in list_metrics(cells)}
    rows = _compute_rows(columns, cells, resampling)
    baseline = _find_best_baseline(rows)
    rows = [_compare_with_baseline(row, columns, baseline, resampling) for row in rows]
    rows = [_distrust_if_circular(row, cells) for row in rows]
    rows = [_add_threshold(row, columns, choices, resampling) for row in rows]
    combined = combine(rows, columns, cells, resampling)
    if combined.row is not None:
        rows.append(combined.row)
    return TrustTable(
        metrics=tuple(sorted(rows, key=_rank_usefulness)),
        cells=cells,
        n_right=int(labels.right.sum()),
        n_wrong=int(labels.wrong.sum()),
        n_unsure=sum(cell.label == "unsure" for cell in cells),
        n_suggested=sum(cell.suggested and cell.label in ("right", "wrong") for cell in cells),
        n_cases=len({cell.group for cell in cells if cell.label in ("right", "wrong")}),
        warnings=(*cell_set.warnings, *_collect_warnings(cells, rows, resampling)),
        combination=combined.combination,
        no_combination=combined.reason,
        differences=tuple(
            difference
            for pair in [*find_metrics(choices.compare, columns), *pair_judges(columns)]
            if (difference := compare_metrics(pair, columns, resampling))
        ),
        judges=cell_set.judges,
        resamples=choices.resamples,
        seed=choices.seed,
    )


def _compute_rows(
    columns: dict[MetricKey, Column], cells: Sequence[TrustCell], resampling: Resampling
) -> list[MetricTrust]:
    p_values = {name: resampling.p_value(column) for name, column in columns.items()}
    tested = {name: p for name, p in p_values.items() if p is not None}
    adjusted = dict(zip(tested, holm(list(tested.values())), strict=True))
    return [
        compute_row(
            column,
            cells,
            resampling,
            Significance(p=p_values[name], p_holm=adjusted.get(name), tests=max(1, len(tested))),
        )
        for name, column in columns.items()
        if name not in BASELINES or column.scored.any()
    ]


def _find_best_baseline(rows: Sequence[MetricTrust]) -> MetricTrust | None:
    """The strongest one; length counts either way, as nobody knows beforehand which is better."""
    usable = [row for row in rows if row.is_baseline and row.auc is not None]
    return max(usable, key=_strength, default=None)


def _strength(row: MetricTrust) -> float:
    area = row.auc or 0.0
    return max(area, 1 - area) if row.metric == LENGTH else area


def _compare_with_baseline(
    row: MetricTrust,
    columns: dict[MetricKey, Column],
    baseline: MetricTrust | None,
    resampling: Resampling,
) -> MetricTrust:
    if row.is_baseline or baseline is None or row.auc is None:
        return row
    flipped = _strength(baseline) > (baseline.auc or 0.0)
    against = compare_metrics((row.metric, baseline.metric), columns, resampling, flipped=flipped)
    if against is None or against.is_better:
        return replace(row, against_baseline=against)
    note = _say_no_better(against)
    reason = f"{row.reason}, {note}" if row.is_trusted else row.reason
    return replace(row, against_baseline=against, reason=reason, notes=(*row.notes, note))


def _say_no_better(against: Difference) -> str:
    turned = ", taken upside down," if against.flipped else ""
    return (
        f"no better than {against.other}{turned} which costs nothing (AUC {against.other_auc:.2f};"
        f" difference {against.difference:+.2f} [{against.low:+.2f}, {against.high:+.2f}])"
    )


def _distrust_if_circular(row: MetricTrust, cells: Sequence[TrustCell]) -> MetricTrust:
    """A metric that made the labels itself is not judged by them."""
    if row.metric != CIRCULAR or not any(cell.suggested for cell in cells):
        return row
    reason = "it made the suggestions that count as labels here, so its row says nothing"
    return replace(row, trust="not enough labels", reason=reason)


def _add_threshold(
    row: MetricTrust, columns: dict[MetricKey, Column], choices: Choices, resampling: Resampling
) -> MetricTrust:
    if not row.is_trusted:
        return row
    threshold = choose_threshold(
        columns[row.metric],
        resampling.labels,
        false_alarm_rate=choices.false_alarm_rate,
        seed=choices.seed,
    )
    return replace(row, threshold=threshold)


def _rank_usefulness(row: MetricTrust) -> tuple[int, float, float, MetricKey]:
    """Separation first, to two digits, then cost in tenths of seconds."""
    area = 0.5 if row.auc is None else row.auc
    return (
        _ORDER.index(row.trust),
        -round(area, 2),
        round(row.cost.seconds or 0.0, 1),
        row.metric,
    )


def _collect_warnings(
    cells: Sequence[TrustCell], rows: Sequence[MetricTrust], resampling: Resampling
) -> tuple[str, ...]:
    labels = resampling.labels
    warnings = []
    if not labels.decided.any():
        warnings.append("no answer is labelled right or wrong; label some with: sandbox label")
    elif resampling.shuffles_within and (labels.systems >= 0).all():
        warnings.append(
            "too few cases have answers of the same configurations, or differ in their labels, to"
            " exchange the labels of whole cases alone; p-values also exchange them within cases"
        )
    cases = len(set(labels.cases[labels.decided].tolist()))
    if 0 < cases < 10:
        warnings.append(
            f"the labels are of {cases} cases only; answers to one question are not independent, so"
            " intervals are wide however many configurations there are"
        )
    undecided = any(row.trust == "not enough labels" for row in rows)
    if cases and undecided and all(cell.label is not None for cell in cells):
        warnings.append("every answer is labelled: more labels need answers to further questions")
    return tuple(warnings)


def choose_threshold(
    column: Column, labels: Labels, *, false_alarm_rate: float | None = None, seed: int
) -> Threshold | None:
    """The threshold with the largest gain, its accuracy cross-validated by case.

    The gain is the share of right answers that pass, less that of wrong ones. With a false alarm
    rate, it is the first share alone, while the second stays within that rate.

    Returns:
        ``None`` where there are fewer than two cases with each class.

    Source:
        Youden (1950), Index for rating diagnostic tests.
    """
    cells = column.scored & labels.decided
    scores, right, cases = column.oriented[cells], labels.right[cells], labels.cases[cells]
    folds = deal_folds(cases, right, seed=seed)
    if folds is None:
        return None
    cut = _choose_cut(scores, right, false_alarm_rate)
    passed = scores >= cut
    agreed = np.zeros(len(scores), dtype=np.bool_)
    for fold in np.unique(folds):
        held = folds == fold
        inner = _choose_cut(scores[~held], right[~held], false_alarm_rate)
        agreed[held] = (scores[held] >= inner) == right[held]
    return Threshold(
        value=-cut if column.lower_is_better else cut,
        at_least=not column.lower_is_better,
        rule="Youden's index"
        if false_alarm_rate is None
        else f"at most {false_alarm_rate:.0%} of the wrong answers pass",
        true_rate=float(passed[right].mean()),
        false_rate=float(passed[~right].mean()),
        accuracy=float(agreed.mean()),
        accuracy_always=float(max(right.mean(), 1 - right.mean())),
        folds=int(folds.max()) + 1,
    )


def _choose_cut(scores: Floats, right: Flags, false_alarm_rate: float | None) -> float:
    """Halfway between two values, so that rounding does not decide; of equal gains the lowest."""
    from sklearn.metrics import roc_curve

    curve = roc_curve(right, scores, drop_intermediate=False)
    false_rates, true_rates, values = (points[::-1] for points in curve)
    gains = true_rates - false_rates
    if false_alarm_rate is not None:
        gains = np.where(false_rates <= false_alarm_rate, true_rates, -1.0)
    best = int(np.argmax(gains))
    if best == len(values) - 1:  # even the top value lets too many pass: nothing does
        return float(np.nextafter(values[-2], np.inf))
    return float((values[max(0, best - 1)] + values[best]) / 2)
