"""What every metric can do: measure an answer at once, or ask a judge about it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from sandbox.evaluation.runs.records import Family, Sample, Score


@runtime_checkable
class PureMetric(Protocol):
    """A metric that asks no judge: its score is computed at once."""

    @property
    def name(self) -> str:
        """As in results and on the command line."""

    @property
    def family(self) -> Family:
        """The kind of metric it is."""

    def needs(self, sample: Sample) -> str:
        """What the sample lacks to be scored, as a reason; empty if nothing."""

    def measure(self, sample: Sample) -> Score:
        """The score."""


class JudgedMetric(Protocol):
    """A metric that asks a judge.

    It should also be a `PlanningMetric`, so that its cost is known beforehand.
    """

    @property
    def name(self) -> str:
        """As in results and on the command line."""

    @property
    def family(self) -> Family:
        """The kind of metric it is."""

    def needs(self, sample: Sample) -> str:
        """What the sample lacks to be scored, as a reason; empty if nothing."""

    def calls(self, sample: Sample) -> int:
        """Expected calls to the judge."""

    async def score(self, sample: Sample) -> Score:
        """The score; what the judge garbled is a score of ``None`` with the reason.

        The runner starts it for all answers at once, metric by metric, so that a judge can take
        calls with the same long prefix back to back; the judge itself limits how many run.

        Raises:
            ModelUnavailable: If the judge cannot be reached, which stops the run.
        """


Metric = PureMetric | JudgedMetric


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedCall:
    """A call to the judge that a score will need, as far as it is known beforehand."""

    tokens: int
    """Estimated tokens of its prompt and the answer to it."""

    key: str = ""
    """Its content address; empty where its prompt depends on the reply to another call."""

    cached: bool = False
    """True where the answer is known already."""

    overflows: bool = False
    """True where the prompt will not fit the judge's context."""


@runtime_checkable
class PlanningMetric(JudgedMetric, Protocol):
    """A judged metric that can say beforehand what it will ask."""

    def planned(self, sample: Sample) -> Sequence[PlannedCall]:
        """The calls that `score` would make, in order; as many as `calls` says."""
