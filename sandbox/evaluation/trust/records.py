"""The records of trust: labelled and scored answers, and the table's rows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from sandbox.evaluation.runs.records import Family, MetricKey, Right, Sample, Score

TrustWord = Literal["separates", "inverted", "noise", "not enough labels"]


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
    """How far the AUC of one metric exceeds that of another on the same cells."""

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
    """The value from which on an answer passes for right."""

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
    """How a metric's scores differ when it is asked again about the same answers."""

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


@dataclass(frozen=True, slots=True, kw_only=True)
class TrustCell:
    """One answer with its label and each metric's score."""

    run: str
    """Id of its run; empty for an imported answer."""

    configuration: str
    """Empty for an imported answer whose file names none."""

    case: str
    """Id of its test case."""

    label: Right | None
    """``None`` where nobody labelled it."""

    suggested: bool = False
    """True where the label is an accepted suggestion, no person's label."""

    scores: Mapping[MetricKey, Score] = field(default_factory=dict)
    """By metric; a metric that was not tried on this answer is absent."""

    sample: Sample | None = None
    """The answer as metrics see it; ``None`` where answering failed."""

    test_set: str = ""
    """Cases of equal id in two test sets are two cases."""

    retrieved: tuple[str, ...] = ()
    """Ids of the chunks that were retrieved; empty for an imported answer."""

    top_k: int | None = None
    """Chunks that were asked for; ``None`` where that is not known."""

    @property
    def group(self) -> tuple[str, str]:
        """The case: cells of one case are not independent."""
        return self.test_set, self.case

    @property
    def system(self) -> tuple[str, str]:
        """Which system answered; empty strings where it is not known."""
        return self.run, self.configuration


@dataclass(frozen=True, slots=True, kw_only=True)
class CellSet:
    """Cells, and what a reader should know about where they come from."""

    cells: tuple[TrustCell, ...]
    warnings: tuple[str, ...] = ()
    judges: tuple[str, ...] = ()
    """Who scored them, as far as that is known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricTrust:
    """One metric of the table: how it scores right and wrong answers, and how far to trust it."""

    metric: MetricKey
    family: Family

    mean_right: float | None
    mean_wrong: float | None

    n_right: int
    n_wrong: int
    """Labelled cells with a score."""

    auc: float | None
    """Chance that a right answer scores better than a wrong one, ties counting half."""

    auc_low: float | None
    auc_high: float | None
    """95 % interval, cases resampled, on the logit scale."""

    auc_percentile_low: float | None
    auc_percentile_high: float | None
    """The plain percentile interval of the same resamples, for comparison with other tools."""

    standard_error: float | None
    """Of the AUC, cases resampled."""

    p: float | None
    """Of there being no relation, by permuting the labels of whole cases; two-sided."""

    p_holm: float | None
    """The same, adjusted for the number of metrics looked at."""

    auc_within_case: float | None
    """The same as `auc` over pairs of answers to one question."""

    pairs_within_case: int
    n_not_applicable: int
    """Labelled cells with nothing to score, or on which it was not tried."""

    missing: Missing
    values: int
    """Different values among the labelled cells."""

    verdicts_per_score: float | None
    """Median number of verdicts that a score is made of; ``None`` if it is continuous."""

    saturation: float | None
    """Share of the scored cells that have the best value among them."""

    cost: Cost
    """For one answer."""

    trust: TrustWord
    reason: str
    """One sentence."""

    notes: tuple[str, ...] = ()
    """Sentences on what else the data show."""

    lower_is_better: bool = False
    is_baseline: bool = False
    """True for what costs nothing: a metric that does not beat it earns nothing."""

    against_baseline: Difference | None = None
    """Compared with the best baseline; ``None`` for baselines and where it cannot be."""

    threshold: Threshold | None = None
    """``None`` unless it separates."""

    @property
    def is_trusted(self) -> bool:
        """True if it may decide between configurations."""
        return self.trust == "separates"

    @property
    def cells(self) -> int:
        """Labelled cells with a score."""
        return self.n_right + self.n_wrong

    @property
    def gap(self) -> float | None:
        """Mean over right minus mean over wrong, as scored (not turned where lower is better)."""
        if self.mean_right is None or self.mean_wrong is None:
            return None
        return self.mean_right - self.mean_wrong

    @property
    def coverage(self) -> float | None:
        """Share of the labelled cells it applies to and was tried on that have a score."""
        tried = self.cells + self.missing.count
        return self.cells / tried if tried else None


@dataclass(frozen=True, slots=True, kw_only=True)
class TrustTable:
    """Every metric of some labelled cells, the most useful first."""

    metrics: tuple[MetricTrust, ...]
    cells: tuple[TrustCell, ...]
    """All cells, labelled or not, in the order of the runs or of the file; with the baselines'
    scores."""

    n_right: int
    n_wrong: int
    n_unsure: int
    n_suggested: int
    """How many of the right and wrong ones are accepted suggestions."""

    n_cases: int
    """Cases with a right or wrong cell."""

    warnings: tuple[str, ...] = ()
    combination: Combination | None = None
    no_combination: str = ""
    """Why there is none."""

    differences: tuple[Difference, ...] = ()
    """Metrics that were compared on request, or judged by two judges."""

    repeatability: tuple[Repeatability, ...] = ()
    judges: tuple[str, ...] = ()
    """Who scored the cells; empty where that is not known, or none did."""

    resamples: int = 0
    seed: int = 0

    def row(self, key: MetricKey) -> MetricTrust | None:
        """The row of that metric; ``None`` if there is none."""
        return next((row for row in self.metrics if row.metric == key), None)

    def metric(self, name: str) -> MetricTrust | None:
        """The row with that name on the screen; ``None`` if there is none."""
        return next((row for row in self.metrics if str(row.metric) == name), None)
