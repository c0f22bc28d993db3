"""Why a metric separates or cannot: sentences on what the cells show.

Only what the data hold is said. Leaves out the verdict.
"""

from collections import Counter
from collections.abc import Sequence

from sandbox.evaluation.trust.arrays import Column, Labels
from sandbox.evaluation.trust.decisions import ALPHA
from sandbox.evaluation.trust.records import MetricTrust, TrustCell

SATURATED = 0.8
"""Share of cells at one value from which on that is worth a sentence."""

_CAUSES = ("of the labelled answers", "so it cannot separate")

ABOUT_RETRIEVAL = ("context_", "recall", "precision", "hit_rate", "mrr", "ndcg")


def notes(
    row: MetricTrust, column: Column, labels: Labels, cells: Sequence[TrustCell]
) -> tuple[str, ...]:
    """What else the data show of a metric, most telling first."""
    scored = [
        cell for cell, wanted in zip(cells, labels.decided & column.scored, strict=True) if wanted
    ]
    found = [
        _saturation(row, scored),
        _everything_retrieved(row, scored),
        _coarse(row, scored),
        _only_between_cases(row),
        _missing(row),
        _bounds(row),
        _not_applicable(row),
        "lower is better: AUC is turned so that above 0.5 is good, means are as scored"
        if row.lower_is_better
        else "",
    ]
    return tuple(note for note in found if note)


def cause(row: MetricTrust) -> str:
    """Why a metric is noise, of its notes; empty where they do not say."""
    said = [note for note in row.notes if note.endswith(_CAUSES)]
    return ", ".join(said) if row.trust == "noise" else ""


def everything_retrieved(cells: Sequence[TrustCell]) -> dict[str, int]:
    """Configurations that retrieved the same chunks for every question, and how many those are.

    They need at least two cases; where `top_k` is smaller than what there is, chunks differ.
    """
    by_configuration: dict[str, list[TrustCell]] = {}
    for cell in cells:
        if cell.retrieved:
            by_configuration.setdefault(cell.configuration, []).append(cell)
    found = {}
    for name, some in by_configuration.items():
        sets = {frozenset(cell.retrieved) for cell in some}
        if len(sets) == 1 and len({cell.group for cell in some}) > 1:
            found[name] = len(next(iter(sets)))
    return found


def _values(row: MetricTrust, cells: Sequence[TrustCell]) -> list[float]:
    scores = [cell.scores[row.metric].value for cell in cells]
    return [value for value in scores if value is not None]


def _saturation(row: MetricTrust, cells: Sequence[TrustCell]) -> str:
    values = _values(row, cells)
    if len(values) < 4:
        return ""
    value, count = Counter(values).most_common(1)[0]
    if count / len(values) < SATURATED:
        return ""
    return f"it is {_number(value)} in {count / len(values):.0%} of the labelled answers"


def _everything_retrieved(row: MetricTrust, cells: Sequence[TrustCell]) -> str:
    if not row.metric.name.startswith(ABOUT_RETRIEVAL):
        return ""
    whole = everything_retrieved(cells)
    if not whole:
        return ""
    top_k = {cell.configuration: cell.top_k for cell in cells}
    configurations = {cell.configuration for cell in cells}
    said = [
        f"{name}'s top_k {top_k[name] or ''}".strip() + f" returns all {count} chunks"
        for name, count in sorted(whole.items())[:3]
    ]
    end = "so there it says nothing of the retrieval"
    if set(whole) == configurations:
        end = "so it cannot separate"
        if row.trust in ("separates", "inverted"):
            end = "so what it tells apart is not the retrieval"
    return f"{', '.join(said)}, {end}"


def _coarse(row: MetricTrust, cells: Sequence[TrustCell]) -> str:
    pairs = [(cell.scores[row.metric].value, cell.scores[row.metric].granularity) for cell in cells]
    zeros = [count for value, count in pairs if value == 0 and count]
    few = [count for count in zeros if count <= 2]
    if len(few) >= 2 and len(few) * 2 >= len(zeros):
        return (
            f"{len(few)} of {len(zeros)} scores of 0 come from at most 2 statements, of which one"
            " moves the score by half or more"
        )
    if row.verdicts_per_score is not None and row.verdicts_per_score <= 2 and row.values <= 3:
        return f"a score is made of {row.verdicts_per_score:.0f} verdicts, so most are tied"
    return ""


def _only_between_cases(row: MetricTrust) -> str:
    within = row.auc_within_case
    if row.auc is None or within is None or row.pairs_within_case < 10:
        return ""
    if row.auc >= 0.6 and within <= 0.5:
        return (
            f"it tells easy from hard questions, not the better of two answers to one question"
            f" (AUC within cases {within:.2f})"
        )
    return ""


def _missing(row: MetricTrust) -> str:
    missing = row.missing
    if not missing.count:
        return ""
    labelled = row.cells + missing.count
    said = f"no score for {missing.count} of {labelled} labelled answers"
    if missing.p is None or missing.share_right is None or missing.share_wrong is None:
        return said
    said += (
        f" ({missing.share_wrong:.0%} of the wrong, {missing.share_right:.0%} of the right ones;"
        f" p {missing.p:.2g})"
    )
    if missing.p > ALPHA:
        return said
    more = "wrong" if missing.share_wrong > missing.share_right else "right"
    return f"{said}: failing goes with being {more}"


def _bounds(row: MetricTrust) -> str:
    worst, best = row.missing.auc_if_worst, row.missing.auc_if_best
    if row.auc is None or worst is None or best is None:
        return ""
    if min(worst, best) <= 0.5 <= max(worst, best):
        return (
            f"AUC would be {worst:.2f} if every failure were the worst score, {best:.2f} if the"
            " best: the failures decide"
        )
    return ""


def _not_applicable(row: MetricTrust) -> str:
    if not row.n_not_applicable or not row.cells:
        return ""
    return f"it does not apply to, or was not tried on, {row.n_not_applicable} labelled answers"


def _number(value: float) -> str:
    return f"{value:.3g}" if value != int(value) else f"{value:.1f}"
