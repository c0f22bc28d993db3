"""What an evaluation will cost, before it starts."""

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from sandbox.evaluation.records import Metric, Sample


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

    def planned(self, sample: Sample) -> tuple[PlannedCall, ...]:
        """The calls that `score` would make, in order; as many as `calls` says."""
