"""What one browser tab has open on the Compare tab; changed in place, as the Ask tab's session."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from sandbox.config import Config
from sandbox.evaluation.comparison.records import Comparison, PairComparison
from sandbox.evaluation.runs.history import PastRun, newest_evaluation
from sandbox.records import Corpus
from sandbox.ui.compare.columns import Column

Mode = Literal["compare", "ask", "story"]


@dataclass(slots=True, kw_only=True)
class CompareSession:
    """The state of the Compare tab in one browser tab."""

    mode: Mode = "compare"
    past: tuple[PastRun, ...] = ()
    """The runs there are, as they were last read; the newest first."""

    chosen: tuple[str, ...] = ()
    """Ids of the runs to compare, the baseline first."""

    followed: tuple[str, ...] = ()
    """The newest evaluation's runs when they were last chosen by themselves."""

    awaited: frozenset[str] = frozenset()
    """Configurations that were sent to the Evaluate tab; a new run of one joins the choice."""

    comparison: Comparison | None = None
    computed_for: object = None
    """What it was computed for: nothing is computed twice."""

    shown_pair: int = 0
    managed: str = ""
    """Id of the run that is being renamed, noted, exported or deleted; empty for none."""

    is_deleting: bool = False
    """True once deletion was asked for and is to be confirmed."""

    step: int = 0
    """Of the story."""

    corpora: dict[str, Corpus] = field(default_factory=dict)
    """Documents by the corpus's name, to show their pages."""

    asked: str = ""
    """The question that was asked side by side."""

    asked_of: Corpus | None = None
    """The documents that it was asked of."""

    configs: tuple[Config, ...] = ()
    """Under which it was asked."""

    columns: list[Column] = field(default_factory=list)
    """Its answers as far as they have come."""

    is_asking: bool = False
    stop_requested: bool = False

    def take(self, past: Sequence[PastRun]) -> None:
        """Take in the runs there are; the newest evaluation's stay chosen until others are."""
        ids, newest = {one.run.id for one in past}, newest_evaluation(past)
        follows = not self.awaited and self.chosen in ((), self.followed)
        kept = tuple(id for id in self.chosen if id in ids)
        self.chosen = newest if follows else (*kept, *self._arrived(past))
        self.past, self.followed = tuple(past), newest
        self.managed = self.managed if self.managed in ids else ""

    def toggle(self, run: str) -> None:
        """Choose a run, or leave it out."""
        if run in self.chosen:
            self.chosen = tuple(id for id in self.chosen if id != run)
        else:
            self.chosen = (*self.chosen, run)

    def make_baseline(self, run: str) -> None:
        """Compare with this one."""
        self.chosen = (run, *(id for id in self.chosen if id != run))

    def show_pair(self, run: str) -> None:
        """Show a run against the baseline; the story begins anew."""
        pairs = self.comparison.pairs if self.comparison else ()
        places = [place for place, pair in enumerate(pairs) if pair.b == run]
        self.shown_pair, self.step = (places or [self.shown_pair])[0], 0

    def _arrived(self, past: Sequence[PastRun]) -> list[str]:
        """New runs of what was sent to be measured."""
        before = set(self.names)
        arrived = [
            one.run
            for one in past
            if one.run.id not in before and one.run.configuration in self.awaited
        ]
        self.awaited -= {run.configuration for run in arrived}
        return sorted(run.id for run in arrived)

    @property
    def pair(self) -> PairComparison | None:
        """The pair that is shown."""
        pairs = self.comparison.pairs if self.comparison else ()
        return pairs[min(self.shown_pair, len(pairs) - 1)] if pairs else None

    @property
    def names(self) -> Mapping[str, str]:
        """What a run is called, by id."""
        return {one.run.id: one.name for one in self.past}
