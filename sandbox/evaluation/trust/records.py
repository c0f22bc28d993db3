"""The records of trust: what is labelled and scored, and what the table says of each metric.

Leaves out where labels and scores come from (cells.py, imports.py) and every computation.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from sandbox.evaluation.runs.records import Family, MetricKey, Right, Sample, Score
from sandbox.evaluation.trust.findings import (
    Combination,
    Cost,
    Difference,
    Missing,
    Repeatability,
    Threshold,
)

TrustVerdict = Literal["separates", "inverted", "noise", "not enough labels"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TrustCell:
    """One answer with what a person says of it and what each metric says of it."""

    run: str
    """Id of its run; empty for an imported answer."""

    configuration: str
    """Empty for an imported answer whose file names none."""

    case: str
    """Id of its test case."""

    verdict: Right | None
    """``None`` where nobody labelled it."""

    suggested: bool = False
    """True where the verdict is an accepted suggestion, no person's label."""

    scores: Mapping[MetricKey, Score] = field(default_factory=dict)
    """By metric; a metric that was not tried on this answer is absent."""

    sample: Sample | None = None
    """The answer as metrics see it; ``None`` where answering failed."""

    test_set: str = ""
    """Cases of equal id in two test sets are two cases."""

    retrieved: tuple[str, ...] = ()
    """Ids of the chunks that were retrieved; empty for an imported answer."""

    top_k: int | None = None
    """Chunks that were wanted; ``None`` where that is not known."""

    @property
    def group(self) -> tuple[str, str]:
        """What cells that are not independent have in common: the case."""
        return self.test_set, self.case

    @property
    def system(self) -> tuple[str, str]:
        """What answers of the same system have in common; empty strings where it is not known."""
        return self.run, self.configuration


@dataclass(frozen=True, slots=True, kw_only=True)
class CellSet:
    """Cells and what should be known about how they came about."""

    cells: tuple[TrustCell, ...]
    warnings: tuple[str, ...] = ()
    judges: tuple[str, ...] = ()
    """Who scored them, as far as that is known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricTrust:
    """One metric of the table: what it says of right and of wrong answers."""

    metric: MetricKey
    family: Family

    mean_right: float | None
    mean_wrong: float | None
    gap: float | None
    """Mean over right minus mean over wrong, as scored (not turned where lower is better)."""

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
    coverage: float | None
    """Share of the labelled cells it applies to and was tried on that have a score."""

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

    verdict: TrustVerdict
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
        return self.verdict == "separates"

    @property
    def cells(self) -> int:
        """Labelled cells with a score."""
        return self.n_right + self.n_wrong

    @property
    def calls_per_cell(self) -> float | None:
        """Calls to a judge that a score needs."""
        return self.cost.calls

    @property
    def seconds_per_cell(self) -> float | None:
        """Seconds that a score takes."""
        return self.cost.seconds

    @property
    def tokens_per_cell(self) -> float | None:
        """Tokens that a score takes."""
        return self.cost.tokens


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

    def metric(self, shown: str) -> MetricTrust | None:
        """The row that is shown by that name; ``None`` if there is none."""
        return next((row for row in self.metrics if str(row.metric) == shown), None)
