"""What the table advises: which metrics to use, and which answers a metric misjudges most."""

from collections.abc import Sequence
from dataclasses import dataclass

from sandbox.evaluation.runs.records import MetricKey
from sandbox.evaluation.trust.combination import COMBINED, list_values
from sandbox.evaluation.trust.records import MetricTrust, TrustCell, TrustTable

MOST_MISSES = 5
"""Misses named of each kind: enough to see a pattern, few enough to read each."""

NO_METRIC = "No metric is shown to know right from wrong yet; each row says what it would take."


@dataclass(frozen=True, slots=True, kw_only=True)
class Advice:
    """Which metrics to use, and what to know of the others."""

    use: tuple[MetricKey, ...]
    """Those that earn what they cost; else the best free one; empty if none separates."""

    reason: str
    """Why those; empty if there is none to use."""

    remarks: tuple[str, ...]
    """Sentences on the other metrics."""

    @property
    def sentence(self) -> str:
        """Everything in one line."""
        advised = [f"Use {_names(self.use)}: {self.reason}"] if self.use else []
        return " ".join([*advised, *self.remarks])


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoredCell:
    """A cell labelled right or wrong, with a metric's score of it."""

    cell: TrustCell
    value: float

    @property
    def right(self) -> bool:
        """True if its answer is right."""
        return self.cell.label == "right"

    @property
    def name(self) -> str:
        """Which answer it is, for example "text_k4 · case-1"."""
        return " · ".join(filter(None, (self.cell.configuration, self.cell.case)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Misses:
    """Answers on the wrong side of a metric's threshold, the worst first."""

    right: tuple[ScoredCell, ...]
    """Right answers with the score of a wrong one."""

    wrong: tuple[ScoredCell, ...]
    """Wrong answers with the score of a right one."""

    lower_is_better: bool

    @property
    def titles(self) -> tuple[str, str]:
        """What to write above the right, and above the wrong, answers."""
        ends = ("high", "low") if self.lower_is_better else ("low", "high")
        return f"right, but scored {ends[0]}", f"wrong, but scored {ends[1]}"


def advise(table: TrustTable) -> Advice:
    """Which metrics of the table to use."""
    trusted = [row for row in table.metrics if row.is_trusted]
    if not trusted:
        return Advice(use=(), reason="", remarks=(NO_METRIC,))
    free = [row.metric for row in trusted if row.is_baseline]
    earned = [row.metric for row in trusted if not row.is_baseline and _is_worth_it(row, table)]
    use = tuple(earned or free[:1])
    reason = (
        "right answers score better than wrong ones."
        if earned
        else "it costs nothing, and nothing is shown to beat it."
    )
    unproven = [row.metric for row in trusted if row.metric not in (*free, *earned)]
    return Advice(
        use=use,
        reason=reason if use else "",
        remarks=(_remark(unproven, use, free),) if unproven else (),
    )


def list_scored_cells(table: TrustTable, metric: MetricKey) -> tuple[ScoredCell, ...]:
    """The cells labelled right or wrong that the metric scored, in the table's order."""
    return tuple(
        ScoredCell(cell=cell, value=value)
        for cell, value in zip(table.cells, list_values(table, metric), strict=True)
        if cell.label in ("right", "wrong") and value is not None
    )


def find_worst_misses(table: TrustTable, row: MetricTrust) -> Misses | None:
    """The answers that a metric misjudges most.

    Where the metric has a threshold, these lie on the wrong side of it; else they score like the
    best answer of the other kind, or beyond it.

    Returns:
        ``None`` where nothing can be said: one kind of answer has no score, or all are tied.
    """
    sign = -1 if row.lower_is_better else 1
    rights, wrongs = _by_label(list_scored_cells(table, row.metric), sign)
    if not rights or not wrongs:
        return None
    low, high = sign * rights[0].value, sign * wrongs[0].value
    if row.threshold is None and low == high:
        return None
    right_from = high if row.threshold is None else sign * row.threshold.value
    right = [answer for answer in rights if sign * answer.value < right_from]
    if row.threshold is None:
        wrong = [answer for answer in wrongs if sign * answer.value > low]
    else:
        wrong = [answer for answer in wrongs if sign * answer.value >= right_from]
    return Misses(
        right=tuple(right[:MOST_MISSES]),
        wrong=tuple(wrong[:MOST_MISSES]),
        lower_is_better=row.lower_is_better,
    )


def _by_label(cells: Sequence[ScoredCell], sign: int) -> tuple[list[ScoredCell], list[ScoredCell]]:
    """Right answers, those that score worst first; wrong ones, those that score best first."""
    ordered = sorted(cells, key=lambda answer: sign * answer.value)
    rights = [answer for answer in ordered if answer.right]
    return rights, [answer for answer in reversed(ordered) if not answer.right]


def _is_worth_it(row: MetricTrust, table: TrustTable) -> bool:
    """True unless something cheaper is not shown to be worse."""
    if row.metric == COMBINED:
        best = table.combination.against_best if table.combination else None
        return best is not None and best.is_better
    return row.against_baseline is None or row.against_baseline.is_better


def _names(metrics: Sequence[MetricKey]) -> str:
    return ", ".join(map(str, metrics))


def _remark(
    unproven: Sequence[MetricKey], use: Sequence[MetricKey], free: Sequence[MetricKey]
) -> str:
    """On metrics that separate and are not shown to beat a free one."""
    know, are = ("know", "are") if len(unproven) > 1 else ("knows", "is")
    too = ", too" if use else ""
    rival = str(free[0]) if free else "" if use else "what costs nothing"
    but = f", but {are} not shown to beat {rival}" if rival else ""
    return f"{_names(unproven)} {know} right from wrong{too}{but}."
