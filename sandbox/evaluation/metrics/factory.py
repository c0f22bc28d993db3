"""Metrics by name, made of what this machine has: a judge, an embedder, a store.

Nothing is started before a metric that is asked for needs it. Leaves out which models those are.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sandbox.evaluation.metric import Metric
from sandbox.evaluation.metrics.choice import choose_metrics
from sandbox.evaluation.metrics.judge.calls import Judge, JudgeCalls, Sampling
from sandbox.evaluation.metrics.judged import judge_metrics
from sandbox.evaluation.runs.records import GradedExample
from sandbox.files.storage import Store
from sandbox.models.base import Embedder


@dataclass(frozen=True, slots=True, kw_only=True)
class Workshop:
    """What metrics are made of."""

    store: Store
    judge: Callable[[], Judge]
    embedder: Callable[[], Embedder]
    judgements: int = 1
    """How often each is judged; above 1, the median counts."""

    rubric: Sequence[GradedExample] = ()
    sampling: Sampling | None = None
    """For a repeated judgement; the judge's likeliest words for ``None``."""

    def metrics(self, names: Sequence[str]) -> tuple[Metric, ...]:
        """The metrics of those names and families.

        Raises:
            ConfigError: If a name is unknown, or none is given.
        """
        return choose_metrics(names, embedder=self.embedder, judged=self._judged)

    def _judged(self) -> Sequence[Metric]:
        calls = JudgeCalls(self.judge(), self.store, sampling=self.sampling)
        return judge_metrics(calls, self.embedder(), judgements=self.judgements, rubric=self.rubric)
