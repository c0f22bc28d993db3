"""What every metric can do; leaves out how one does it.

One that asks a judge should also be a `plan.JudgeMetric`, so that its cost is known beforehand.
"""

from typing import Protocol

from sandbox.evaluation.records import Family, Sample, Score


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
