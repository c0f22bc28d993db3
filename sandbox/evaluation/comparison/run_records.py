"""The records of what is found about one run of a comparison: rate, cost, diagnosis, slices.

Leaves out every computation.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from sandbox.evaluation.stats.rates import CorrectedRate

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
