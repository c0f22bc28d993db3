"""Decides from a metric's numbers whether to trust it, how many labels would settle that, and why.

The notes say only what the cells show.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import compress
from math import ceil, sqrt
from statistics import NormalDist

from sandbox.evaluation.stats.auc import Interval
from sandbox.evaluation.trust.records import MetricTrust, TrustCell, TrustWord
from sandbox.evaluation.trust.resampling import Column, Labels

ALPHA = 0.05
NARROW = 0.4
"""An interval narrower than this that covers 0.5 shows that a metric is noise."""

LEAST_OF_A_CLASS = 5
"""Labels of the rarer kind without which no number of the other settles anything."""

_Z = NormalDist().inv_cdf(1 - ALPHA / 2)
_SETTLED_ERROR = NARROW / (2 * _Z)
"""Standard error at which an interval is as wide as `NARROW`."""


SATURATED = 0.8
"""Share of cells at one value from which on that is worth a sentence."""

_CAUSES = ("of the labelled answers", "so it cannot separate")

ABOUT_RETRIEVAL = ("context_", "recall", "precision", "hit_rate", "mrr", "ndcg")


@dataclass(frozen=True, slots=True, kw_only=True)
class Significance:
    """A metric's p-value among those of the others."""

    p: float | None
    p_holm: float | None
    tests: int
    """Metrics that were looked at."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What the trust in a metric rests on."""

    n_right: int
    n_wrong: int
    values: int
    """Different values among the scores."""

    auc: float | None
    interval: Interval | None
    significance: Significance
    cases_right: int
    cases_wrong: int
    """Cases with a right, and with a wrong, scored cell."""

    lack: str
    """Why there is no score at all; empty otherwise."""

    @property
    def labels(self) -> int:
        """Labelled answers with a score."""
        return self.n_right + self.n_wrong


def decide_trust(evidence: Evidence) -> tuple[TrustWord, str]:
    """How far to trust the metric, and why in one sentence without a full stop."""
    interval, significance = evidence.interval, evidence.significance
    if evidence.auc is None or interval is None:
        return _explain_undefined(evidence)
    area = f"AUC {evidence.auc:.2f} [{interval.low:.2f}, {interval.high:.2f}]"
    p = 1.0 if significance.p_holm is None else significance.p_holm
    among = f"p {p or 1:.2g} after Holm over {significance.tests}"
    if p <= ALPHA and interval.low > 0.5:
        return "separates", f"right answers score higher: {area}, {among}"
    if p <= ALPHA and interval.high < 0.5:
        return "inverted", f"right answers score lower: {area}, {among}"
    covers = interval.low <= 0.5 <= interval.high
    if covers and interval.high - interval.low < NARROW:
        return "noise", f"{area} on {evidence.labels} labels covers 0.5, what a coin would reach"
    why = "covers 0.5 but is too wide" if covers else f"is clear of 0.5, but {among} is not"
    return "not enough labels", f"{_advise(evidence)}; {area} {why}"


def write_notes(
    row: MetricTrust, column: Column, labels: Labels, cells: Sequence[TrustCell]
) -> tuple[str, ...]:
    """What else the data show of a metric, most telling first."""
    scored = list(compress(cells, labels.decided & column.scored))
    sentences = [
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
    return tuple(filter(None, sentences))


def find_cause(row: MetricTrust) -> str:
    """Why a metric is noise, by its notes; empty where they do not tell."""
    causes = [note for note in row.notes if note.endswith(_CAUSES)]
    return ", ".join(causes) if row.trust == "noise" else ""


def _advise(evidence: Evidence) -> str:
    """How many labels more would settle it, and of which kind."""
    more, rarer_more = _estimate_labels(evidence)
    rarer = "wrong" if evidence.n_wrong <= evidence.n_right else "right"
    least = f", at least {rarer_more} of them {rarer}" if rarer_more else ""
    return f"label about {more} more{least}"


def _estimate_labels(evidence: Evidence) -> tuple[int, int]:
    r"""Labels more that would probably settle it, and how many of those of the rarer kind.

    If the AUC stays what it is, its standard error shrinks with the root of the number of labels.
    The trust is settled once it is small enough: for an interval that covers 0.5, once it
    is narrower than 0.4; or when the AUC is as far from 0.5 as Holm's adjustment, at worst that of
    Bonferroni, demands. The rarer kind decides the error, so a third of the new ones being of it is
    enough. Without an AUC, an uninformative metric's standard error
    :math:`\sqrt{(n_r + n_w + 1) / (12 n_r n_w)}` (Mann and Whitney 1947) is taken.
    """
    rarer, other = sorted((evidence.n_right, evidence.n_wrong))
    factor = _estimate_growth(evidence)
    if factor is None:
        return _estimate_first_labels(rarer, other)
    rarer_more = max(ceil(rarer * (factor - 1)), LEAST_OF_A_CLASS - rarer, 1)
    more = min(ceil(evidence.labels * (factor - 1)), 3 * rarer_more)
    return max(more, rarer_more), rarer_more


def _estimate_growth(evidence: Evidence) -> float | None:
    """By how many times the labels must grow; ``None`` where there is nothing to go by."""
    area, interval, significance = evidence.auc, evidence.interval, evidence.significance
    if area is None or interval is None or not interval.standard_error:
        return None
    z_needed = NormalDist().inv_cdf(1 - ALPHA / 2 / significance.tests)
    if interval.low <= 0.5 <= interval.high:
        settled = max(_SETTLED_ERROR, abs(area - 0.5) / z_needed)
        return max(1.0, (interval.standard_error / settled) ** 2)
    p = min(0.99, significance.p_holm or 0.99) / significance.tests
    return max(1.0, (z_needed / max(0.5, NormalDist().inv_cdf(1 - p / 2))) ** 2)


def _estimate_first_labels(rarer: int, other: int) -> tuple[int, int]:
    """The same without an AUC: labels are added to the rarer kind until the error is small."""
    rarer_goal, other_goal = rarer, other
    while _null_error(rarer_goal, other_goal) > _SETTLED_ERROR:
        if rarer_goal <= other_goal:
            rarer_goal += 1
        else:
            other_goal += 1
    rarer_goal = max(rarer_goal, LEAST_OF_A_CLASS)
    return max(1, rarer_goal - rarer + other_goal - other), rarer_goal - rarer


def _null_error(n_right: int, n_wrong: int) -> float:
    pairs = n_right * n_wrong
    return sqrt((n_right + n_wrong + 1) / (12 * pairs)) if pairs else 1.0


def _explain_undefined(evidence: Evidence) -> tuple[TrustWord, str]:
    enough = min(evidence.n_right, evidence.n_wrong) >= LEAST_OF_A_CLASS
    if evidence.values == 1 and enough:
        return "noise", f"the same for all {evidence.labels} labelled answers"
    if not evidence.labels:
        return "not enough labels", evidence.lack or "no answer is labelled right or wrong"
    return "not enough labels", f"{_why_undefined(evidence)}; {_advise(evidence)}"


def _why_undefined(evidence: Evidence) -> str:
    labels = evidence.labels
    if not evidence.n_wrong or not evidence.n_right:
        only = "right" if evidence.n_right else "wrong"
        return f"all {labels} labelled answers with a score are {only}"
    if labels < 4:
        return f"only {labels} labelled answers have a score"
    if evidence.values == 1:
        return f"it is the same in all {labels} labelled answers"
    kind = "right" if evidence.cases_right < evidence.cases_wrong else "wrong"
    return f"all {kind} answers are of one case, so its chance cannot be told from the metric's"


def _count_when_all_retrieved(cells: Sequence[TrustCell]) -> dict[str, int]:
    """How many chunks a configuration retrieves, if they are the same for every question."""
    by_configuration: dict[str, list[TrustCell]] = {}
    for cell in cells:
        if cell.retrieved:
            by_configuration.setdefault(cell.configuration, []).append(cell)
    counts = {}
    for name, answered in by_configuration.items():
        sets = {frozenset(cell.retrieved) for cell in answered}
        if len(sets) == 1 and len({cell.group for cell in answered}) > 1:
            counts[name] = len(sets.pop())
    return counts


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
    whole = _count_when_all_retrieved(cells)
    if not whole:
        return ""
    top_k = {cell.configuration: cell.top_k for cell in cells}
    configurations = {cell.configuration for cell in cells}
    clauses = [
        f"{name}'s top_k {top_k[name] or ''}".strip() + f" returns all {count} chunks"
        for name, count in sorted(whole.items())[:3]
    ]
    end = "so there it says nothing of the retrieval"
    if set(whole) == configurations:
        end = "so it cannot separate"
        if row.trust in ("separates", "inverted"):
            end = "so what it tells apart is not the retrieval"
    return f"{', '.join(clauses)}, {end}"


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
    sentence = f"no score for {missing.count} of {row.cells + missing.count} labelled answers"
    if missing.p is None or missing.share_right is None or missing.share_wrong is None:
        return sentence
    sentence += (
        f" ({missing.share_wrong:.0%} of the wrong, {missing.share_right:.0%} of the right ones;"
        f" p {missing.p:.2g})"
    )
    if missing.p > ALPHA:
        return sentence
    more = "wrong" if missing.share_wrong > missing.share_right else "right"
    return f"{sentence}: failing goes with being {more}"


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
