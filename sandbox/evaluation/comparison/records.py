"""The records of a comparison: what differs, case by case, metric by metric, run by run.

In every pair A is the run that is compared with (the first one named), B the other.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from sandbox.evaluation.comparison.factors import ConfigDifference
from sandbox.evaluation.runs.cells import CellView
from sandbox.evaluation.runs.records import Family, Run
from sandbox.evaluation.stats.rates import CorrectedRate
from sandbox.evaluation.trust.records import TrustTable
from sandbox.testsets.cases import TestCase

DiagnosisKind = Literal[
    "right",
    "not judged",
    "wrong reference suspected",
    "answered an unanswerable question",
    "not retrieved",
    "ranked below the cut",
    "contradicted",
    "invented",
    "retrieved, not used",
    "right but unsupported",
    "wrong, cause unknown",
]
SliceBy = Literal["source", "category", "language", "answerable"]

RIGHT = "right"
"""Quality as the share of right answers, in place of a metric."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PassRate:
    """The share of right answers."""

    right: int
    wrong: int
    unsure: int
    unlabelled: int
    suggested: int
    """How many of the right and wrong ones are accepted suggestions."""

    rate: float | None
    low: float | None
    high: float | None
    """95 % Wilson interval; ``None`` where nothing is labelled right or wrong."""

    corrected: CorrectedRate | None
    no_correction: str
    """Why there is no corrected rate; empty where there is one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunCost:
    """What an answer costs; ``None`` where that was not measured."""

    seconds: float | None
    """Mean wall-clock seconds of an answer, retrieval included."""

    seconds_by_stage: Mapping[str, float]
    """Mean by stage: "retrieve", "first_token", "answer"."""

    prompt_tokens: float | None
    answer_tokens: float | None
    """Means over the answers."""

    index_seconds: float | None
    """For making the index; ``None`` where the run does not say."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnosis:
    """What went wrong with one answer, if anything."""

    case: str
    kind: DiagnosisKind
    because: str
    """The rule that applied, with what it saw, in one sentence."""

    lever: str
    """What to try first; empty where nothing is wrong."""

    suggested: bool
    """True where right or wrong is what the accepted answers suggest, no person's label."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DiagnosisSum:
    """How often something went wrong."""

    kind: DiagnosisKind
    cases: tuple[str, ...]
    lever: str
    """The one that its cases name most often."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Slice:
    """The cases that have something in common."""

    by: SliceBy
    name: str
    cases: int
    right: int
    wrong: int
    suggested: int
    """How many of the right and wrong ones are suggestions."""

    rate: float | None
    low: float | None
    high: float | None
    """Share right with its 95 % Wilson interval."""

    means: Mapping[str, float]
    """Of the metrics that may decide, where any of its cases has a score."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunFinding:
    """One run by itself."""

    run: str
    configuration: str
    pass_rate: PassRate
    cost: RunCost
    quality: float | None
    """In terms of the comparison's `quality`."""

    on_front: bool
    """True if no other run is at least as good and as fast, and better in one of them."""

    diagnoses: tuple[Diagnosis, ...]
    sums: tuple[DiagnosisSum, ...]
    """What went wrong, the most frequent first; without what is right or not judged."""

    slices: tuple[Slice, ...]
    """The weakest first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SliceAcross:
    """The same slice under every run of a comparison."""

    by: SliceBy
    name: str
    runs: tuple[Slice | None, ...]
    """In the order of the runs; ``None`` where a run has no such case."""

    @property
    def cases(self) -> int:
        """Cases of the run that has most of them."""
        return max(part.cases for part in self.runs if part is not None)


Which = Literal["a", "b"]
Layer = Literal["same", "generation", "retrieval", "unknown"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PairedCase:
    """A case that both runs answered, side by side."""

    case: TestCase
    a: CellView
    b: CellView
    layer: Layer
    """ "generation": other answers from identical chunks; "retrieval": other chunks (text or
    order); "same": identical chunks and answers; "unknown": one has no answer."""

    decided_by: str
    """The setting that decided over the evidence, such as "top_k"; empty where none is known."""

    attribution: str
    """One sentence: what made the difference."""

    @property
    def better(self) -> Which | None:
        """Which one is right where the other is wrong; ``None`` where the case did not flip."""
        verdicts = self.a.label_or_suggestion, self.b.label_or_suggestion
        if verdicts == ("right", "wrong"):
            return "a"
        return "b" if verdicts == ("wrong", "right") else None

    @property
    def suggested(self) -> bool:
        """True where a verdict rests on accepted answers, on nobody's label."""
        return self.a.is_suggested or self.b.is_suggested


@dataclass(frozen=True, slots=True, kw_only=True)
class RightWrong:
    """Right and wrong answers to the same cases."""

    both: int
    a_only: int
    b_only: int
    neither: int
    p: float | None
    """Exact McNemar, two-sided; ``None`` if no case is labelled right or wrong in both."""

    p_holm: float | None
    """Adjusted for how many runs are compared with A."""

    suggested: int
    """Cases counted whose verdict is an accepted suggestion."""

    uncounted: int
    """Common cases left out: a label is missing or unsure."""

    more_cases: int | None
    """About so many cases more would settle a difference of this size; ``None`` if it is settled,
    or there is no difference."""

    sentence: str

    @property
    def compared(self) -> int:
        """Cases with a verdict on both sides."""
        return self.both + self.a_only + self.b_only + self.neither


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricDifference:
    """One metric on the cases that it scored in both runs."""

    metric: str
    family: Family
    trusted: bool
    """True if it separates right from wrong answers by the labels here."""

    trust: str
    """Why it is trusted or not, in one sentence."""

    decides: bool
    """True if it may decide between the runs: trusted, or a ranking metric."""

    lower_is_better: bool
    n: int
    a: float | None
    b: float | None
    """Means over the n cases."""

    difference: float | None
    """Mean of B minus mean of A, as scored."""

    low: float | None
    high: float | None
    """95 % interval: cases resampled in pairs, BCa; ``None`` below 5 cases."""

    p: float | None
    """Wilcoxon signed-rank, two-sided; ``None`` where all pairs are equal or there is none."""

    p_holm: float | None
    """Adjusted over all that decide, in all pairs; over all metrics for one that does not."""

    effect: float | None
    """Matched-pairs rank-biserial correlation, in [-1, 1]; above 0 where B scores higher."""

    ties: int
    """Pairs of equal scores."""

    better: Which | None
    """Which run it prefers, where p after Holm is at most 0.05."""

    more_cases: int | None
    note: str
    """What else must be known: ties, few cases, another judge; empty for nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PairComparison:
    """One run compared with the first."""

    a: str
    """Id of the run."""

    b: str
    difference: ConfigDifference
    cases: tuple[PairedCase, ...]
    right_wrong: RightWrong
    metrics: tuple[MetricDifference, ...]
    """Those that decide first."""

    better: Which | None
    conclusion: str
    """One or two sentences."""

    warnings: tuple[str, ...] = ()

    @property
    def flips(self) -> tuple[PairedCase, ...]:
        """Cases that one answers right and the other wrong."""
        return tuple(case for case in self.cases if case.better)

    @property
    def layers(self) -> Mapping[Layer, int]:
        """How many cases differ in which layer."""
        counts: dict[Layer, int] = {"retrieval": 0, "generation": 0, "same": 0, "unknown": 0}
        for case in self.cases:
            counts[case.layer] += 1
        return counts


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Several runs: each but the first compared with it, and each looked at by itself."""

    runs: tuple[Run, ...]
    """As named; the first is the baseline."""

    cases: tuple[str, ...]
    """Ids of the cases that all have in common."""

    pairs: tuple[PairComparison, ...]
    findings: tuple[RunFinding, ...]
    """One a run."""

    quality: str
    """What counts as quality beside seconds: "right" (share of right answers) or a metric."""

    trust: TrustTable
    warnings: tuple[str, ...] = ()
    seed: int = 42
