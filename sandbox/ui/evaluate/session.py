"""What one browser tab has open on the Evaluate tab; changed in place, as the Ask tab's session."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from sandbox.config import Config
from sandbox.evaluation.runs.read import Evaluation, RunView, read_runs
from sandbox.ui.evaluate.trust import labels_of


@dataclass(slots=True, kw_only=True)
class EvaluateSession:
    """The state of the Evaluate tab in one browser tab."""

    stop_requested: bool = False
    work: Literal["", "plan", "evaluate", "resume"] = ""
    """What was begun and has not ended."""

    followed_corpus: str = ""
    """The Ask tab's corpus when it was last taken over; another choice here stays."""

    sent: dict[str, Config] = field(default_factory=dict)
    """Configurations that the Compare tab asks for, by name."""

    evaluation: Evaluation | None = None
    """The one whose result is shown."""

    outcomes: tuple[RunView, ...] = ()
    """Its runs as they were last read."""

    doubts: Mapping[str, str] | None = None
    """Why a metric may not decide, by metric; ``None`` where the labels do not say."""

    consulted_for: Hashable = None
    """The labels for which that was found out."""

    def show(self, evaluation: Evaluation | None) -> None:
        """Read an evaluation as far as it has come."""
        self.evaluation = evaluation
        self.outcomes = read_runs(evaluation.runs) if evaluation else ()
        if self.consulted_for != labels_of(self.outcomes):
            self.doubts = None

    def run(self, id: str) -> RunView | None:
        """The shown run of that id."""
        return next((outcome for outcome in self.outcomes if outcome.run.id == id), None)
