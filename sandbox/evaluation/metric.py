"""What every metric can do.

One that asks a judge should also be a `JudgeMetric`, so that its cost is known beforehand.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from sandbox.evaluation.runs.records import Family, Sample, Score


class Metric(Protocol):
    """Anything that gives an answer a score, with or without a judge."""

    @property
    def name(self) -> str:
        """As in results and on the command line."""

    @property
    def family(self) -> Family:
        """The kind of metric it is."""

    def needs(self, sample: Sample) -> str:
        """What the sample lacks to be scored, as a reason; empty if nothing."""

    def calls(self, sample: Sample) -> int:
        """Expected calls to a judge; 0 if none is asked."""

    async def score(self, sample: Sample) -> Score:
        """The score; what the judge garbled is a score of ``None`` with the reason.

        The runner starts it for all answers at once, metric by metric, so that a judge can take
        calls with the same long prefix back to back; the judge itself limits how many run.

        Raises:
            ModelUnavailable: If the judge cannot be reached, which stops the run.
        """


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
class JudgeMetric(Metric, Protocol):
    """A metric that asks a judge and can say beforehand what it will ask."""

    def planned(self, sample: Sample) -> Sequence[PlannedCall]:
        """The calls that `score` would make, in order; as many as `calls` says."""
