"""The records of what is found about a metric beside its AUC.

Leaves out the row that holds them (records.py) and every computation.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sandbox.evaluation.runs.records import MetricKey


@dataclass(frozen=True, slots=True, kw_only=True)
class Missing:
    """What failing to score does to a metric, over its labelled cells."""

    count: int
    """Labelled cells without a score although there was something to score."""

    share_right: float | None
    share_wrong: float | None
    """Share of the right, and of the wrong, answers that it failed to score."""

    p: float | None
    """Of failing to score having nothing to do with being wrong; ``None`` if nothing failed."""

    mean_if_worst: float | None
    mean_if_best: float | None
    """Mean over the labelled cells if every failure were the worst, or the best, score."""

    auc_if_worst: float | None
    auc_if_best: float | None
    """The AUC if every failure were the worst, or the best, score; ``None`` if nothing failed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """What a score of one answer costs; ``None`` where that is not known."""

    calls: float | None
    seconds: float | None
    tokens: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """By how much the AUC of one metric exceeds that of another on the same cells."""

    metric: MetricKey
    other: MetricKey
    auc: float
    other_auc: float
    difference: float
    low: float
    high: float
    """95 % interval, paired: both are computed on every resample of cases."""

    cells: int
    """Labelled cells that both score."""

    flipped: bool = False
    """True where the other is taken upside down: it is right answers that it scores low."""

    @property
    def is_better(self) -> bool:
        """True if the interval lies above 0."""
        return self.low > 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Threshold:
    """From which value on an answer passes for right."""

    value: float
    at_least: bool
    """True if values of at least that pass, False if values of at most that do."""

    rule: str
    """How it was chosen, in words."""

    true_rate: float
    """Share of the right answers that pass, on the cells it was chosen on."""

    false_rate: float
    """Share of the wrong answers that pass, there."""

    accuracy: float
    """Share judged as the person did, cross-validated by case."""

    accuracy_always: float
    """That share for always saying what is more frequent; a threshold should beat it."""

    folds: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Combination:
    """A logistic regression over metrics, cross-validated by case."""

    weights: Mapping[str, float]
    """By column, standardized: log-odds for one standard deviation; largest first."""

    against_best: Difference | None
    """Compared with the best single column, on the out-of-fold probabilities."""

    probabilities: Sequence[float | None]
    """Of being right, by cell of the table: out of fold where it is labelled, from the fit on all
    labelled cells elsewhere; ``None`` where there is no answer."""

    calibration_error: float
    """Mean distance of out-of-fold probability and share right, over up to five groups."""

    folds: int
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Repeatability:
    """What a metric says when it is asked again about the same answers."""

    metric: MetricKey
    repeated: int
    """Answers that were scored again."""

    flip_rate: float | None
    """Share of them on which the two scores lie on different sides of the threshold."""

    threshold: float | None
    sd: float | None
    """Standard deviation of one score about its answer's mean, in units of the metric."""

    failed: int
    """Answers of which the repetition gave no score."""

    reason: str = ""
    """Why something is ``None``; empty otherwise."""
