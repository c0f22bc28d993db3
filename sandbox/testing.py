"""A pytest fixture for a team's own tests: thresholds on what was evaluated.

    from sandbox.testing import evaluation

    def test_the_right_pages_are_found(evaluation):
        run = evaluation("latest", config="ctx_k9")
        assert run.mean("recall@5") >= 0.9
        assert run.share_right >= 0.8
        assert run.check("results/baseline.json").passed

Evaluate beforehand with `sandbox evaluate`. Leaves out answering and scoring: a test only reads
what is on disk, so it takes no models and no time.
"""

import os
from collections.abc import Callable
from functools import cached_property
from pathlib import Path

import pytest

from sandbox.errors import SandboxError
from sandbox.evaluation.comparison.baseline import read_baseline
from sandbox.evaluation.comparison.gate import SHARE, GateResult, Rule, check_run
from sandbox.evaluation.runs.folder import RunFolder, find_one_run, list_evaluation
from sandbox.evaluation.runs.read import RunView, read_run, read_runs
from sandbox.evaluation.trust.cells import collect_cells
from sandbox.evaluation.trust.records import TrustTable
from sandbox.evaluation.trust.table import build_trust_table
from sandbox.files.storage import Store

RESULTS_VARIABLE = "SANDBOX_RESULTS"
"""Environment variable with the folder of results; `results` beside the tests' root otherwise."""


class Evaluated:
    """One run, for assertions."""

    def __init__(self, folder: RunFolder) -> None:
        """Take a run; it is read when it is asked about."""
        self.folder = folder

    def mean(self, metric: str) -> float:
        """The mean over the cases that have a score.

        Raises:
            SandboxError: If none has.
        """
        values = list(self.values(metric).values())
        if not values:
            known = ", ".join(self._read.metrics)
            raise SandboxError(f"{self.folder.run.id} has no score of {metric!r}; scored: {known}")
        return sum(values) / len(values)

    def values(self, metric: str) -> dict[str, float]:
        """The scores by id of the case; cases without one are left out."""
        return self._read.values_of(metric)

    def coverage(self, metric: str) -> float:
        """Share of the run's cases that have a score."""
        return len(self.values(metric)) / len(self.folder.run.cases)

    def is_trusted(self, metric: str) -> bool:
        """True if the metric separates right from wrong, by the labels of the whole evaluation."""
        row = self._trust.metric(metric)
        return row is not None and row.is_trusted

    @property
    def share_right(self) -> float:
        """Share of right answers by labels, else by what the accepted answers suggest.

        Raises:
            SandboxError: If nothing says of any answer whether it is right.
        """
        counts = self._read.counts
        decided = counts["right"] + counts["wrong"]
        if not decided:
            raise SandboxError(
                f"nothing says whether an answer of {self.folder.run.id} is right; label some with:"
                " sandbox label"
            )
        return counts["right"] / decided

    def check(
        self, baseline: str | os.PathLike[str], *, rule: Rule = "share", share: float = SHARE
    ) -> GateResult:
        """The run against a baseline that `sandbox check --save-baseline` wrote."""
        return check_run(self.folder, read_baseline(Path(baseline)), rule=rule, share=share)

    @cached_property
    def _read(self) -> RunView:
        return read_run(self.folder)

    @cached_property
    def _trust(self) -> TrustTable:
        return build_trust_table(collect_cells(read_runs(list_evaluation(self.folder))))


@pytest.fixture
def evaluation(pytestconfig: pytest.Config) -> Callable[..., Evaluated]:
    """Gives a run to assert on: `evaluation("latest", config="ctx_k9")`.

    It is looked for in the folder that SANDBOX_RESULTS names, else in `results` beside the root of
    the tests.
    """

    def find(name: str = "latest", *, config: str = "") -> Evaluated:
        folder = os.environ.get(RESULTS_VARIABLE) or pytestconfig.rootpath / "results"
        return Evaluated(find_one_run(Store(folder), name, config=config))

    return find
