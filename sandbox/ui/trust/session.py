"""What one browser tab has open on the Trust tab; changed in place, as the Ask tab's session."""

from dataclasses import dataclass, field

from sandbox.evaluation.labelling.next_labels import Proposal
from sandbox.evaluation.labelling.session import Labelling
from sandbox.evaluation.trust.records import TrustTable
from sandbox.records import Corpus, Retrieved


@dataclass(slots=True, kw_only=True)
class TrustSession:
    """The state of the Trust tab in one browser tab."""

    labelling: Labelling | None = None
    """The chosen runs, being labelled; ``None`` while none is chosen."""

    is_labelling: bool = False
    proposal: Proposal | None = None
    """The answer that is shown for labelling."""

    shown_rank: int = 0
    shown_page: int = 0
    """Page to show; 0 for the page on which the shown chunk begins."""

    corpora: dict[str, Corpus] = field(default_factory=dict)
    """Documents by run, to show their pages."""

    table: TrustTable | None = None
    computed_for: object = None
    """What the table was computed for: nothing is computed twice."""

    shown_metric: str = ""
    retesting: bool = False
    """True while the judge is asked again, or waits for that."""

    stop_requested: bool = False

    followed: tuple[str, ...] = ()
    """The runs of the newest evaluation when it was last chosen by itself."""

    def show(self, proposal: Proposal | None) -> None:
        """Put an answer up for labelling, on the page of what it cites first."""
        self.proposal = proposal
        self.shown_rank, self.shown_page = 0, 0
        answer = proposal.cell.answer if proposal else None
        if answer is not None:
            first = answer.retrieved[0].rank if answer.retrieved else 0
            self.shown_rank = answer.citations[0] if answer.citations else first

    @property
    def visible_chunk(self) -> Retrieved | None:
        """The chunk whose page is shown."""
        retrieved = self.proposal.cell.retrieved if self.proposal else ()
        return next((item for item in retrieved if item.rank == self.shown_rank), None)
