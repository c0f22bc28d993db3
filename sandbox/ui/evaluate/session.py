"""What one browser tab has open on the Evaluate tab; changed in place, as the Ask tab's session."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from sandbox.config import Config
from sandbox.evaluation.runs.read import Evaluation, RunView, read_runs
from sandbox.evaluation.trust.records import TrustTable

Work = Literal["plan", "evaluate", "resume"]


@dataclass(slots=True, kw_only=True)
class EvaluateSession:
    """The state of the Evaluate tab in one browser tab."""

    stop_requested: bool = False
    work: Work | Literal[""] = ""
    """What was begun and has not ended."""

    followed_corpus: str = ""
    """The Ask tab's corpus when it was last taken over; another choice here stays."""

    sent: dict[str, Config] = field(default_factory=dict)
    """Configurations that the Compare tab asks for, by name."""

    evaluation: Evaluation | None = None
    """The one whose result is shown."""

    views: tuple[RunView, ...] = ()
    """Its runs as they were last read."""

    doubts: Mapping[str, str] | None = None
    """Why a metric may not decide, by metric; ``None`` where the labels do not say."""

    doubts_rest_on: Hashable = None
    """The labels from which the doubts were computed."""

    def show(self, evaluation: Evaluation | None) -> None:
        """Read an evaluation as far as it has come."""
        self.evaluation = evaluation
        self.views = read_runs(evaluation.runs) if evaluation else ()
        if self.doubts_rest_on != self.labels:
            self.doubts = None

    def doubt(self, table: TrustTable) -> None:
        """Keep why some metrics may not decide; a trusted one is absent."""
        self.doubts_rest_on = self.labels
        self.doubts = {
            str(row.metric): f"{row.trust}: {row.reason}"
            for row in table.metrics
            if not row.is_trusted
        }

    @property
    def labels(self) -> Hashable:
        """The labels of the shown answers: while they are equal, so are the doubts."""
        return tuple(
            (view.run.id, case, cell.label, len(view.scores))
            for view in self.views
            for case, cell in view.cells.items()
            if cell.label is not None
        )

    @property
    def has_both_classes(self) -> bool:
        """True if some answer is labelled right and some wrong."""
        labels = {cell.label for view in self.views for cell in view.cells.values()}
        return {"right", "wrong"} <= labels
