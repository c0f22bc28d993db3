"""What one browser tab has open: its corpus, its questions and answers, and what it looks at.

One `Session` lives in the `gr.State` of each tab, so that two tabs never see each other's
documents. Several events of a tab may run at the same time (a card is clicked while an answer
streams), so a session is changed in place.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from sandbox.config import Config
from sandbox.evaluation.runs.records import Right
from sandbox.progress import RefusedFile
from sandbox.records import Answer, Corpus, Retrieved

if TYPE_CHECKING:
    from sandbox.rag.index import Index

TurnState = Literal["waiting", "working", "answering", "done", "stopped", "failed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One question, and its answer as far as it has come."""

    question: str
    config: Config
    state: TurnState = "waiting"
    note: str = ""
    """What is being done, or the sentence that says why it failed."""

    text: str = ""
    """The answer as far as it has been streamed."""

    retrieved: tuple[Retrieved, ...] = ()
    crops: Mapping[int, str] = field(default_factory=dict)
    """Picture of a retrieved figure by rank, as a data URL."""

    warnings: tuple[str, ...] = ()
    corpus: Corpus | None = None
    """The documents that were asked; None until work on the question has begun."""

    answer: Answer | None = None
    label: Right | None = None
    """Right or wrong, as the person labelled the answer."""

    remark: str = ""
    """Confirms a label or a new test case, or says why it failed."""


@dataclass(slots=True, kw_only=True)
class Session:
    """The state of one browser tab."""

    corpus_name: str = ""
    corpus: Corpus | None = None
    index: "Index | None" = None
    refused: tuple[RefusedFile, ...] = ()
    examples: tuple[str, ...] = ()
    turns: list[Turn] = field(default_factory=list)
    shown_turn: int = -1
    """Position of the turn whose chunks are shown; -1 while there is none."""

    shown_rank: int = 1
    shown_page: int = 0
    """Page to show; 0 for the page on which the shown chunk begins."""

    stop_requested: bool = False

    trouble: str = ""
    """Why the corpus could not be opened, in one sentence."""

    def open(self, name: str, examples: Sequence[str]) -> None:
        """Begin with another corpus; of the questions, only those still waiting are kept."""
        self.corpus_name, self.examples = name, tuple(examples)
        self.corpus, self.index, self.refused, self.trouble = None, None, (), ""
        self.stop_requested = False
        self.turns = [turn for turn in self.turns if turn.state == "waiting"]
        self.show(-1, 1)

    def show(self, turn: int, rank: int, page: int = 0) -> None:
        """Look at another chunk."""
        self.shown_turn, self.shown_rank, self.shown_page = turn, rank, page

    @property
    def visible_turn(self) -> Turn | None:
        """The turn whose chunks are shown."""
        return self.turns[self.shown_turn] if 0 <= self.shown_turn < len(self.turns) else None

    @property
    def visible_chunk(self) -> Retrieved | None:
        """The chunk whose page is shown."""
        retrieved = self.visible_turn.retrieved if self.visible_turn else ()
        return next((item for item in retrieved if item.rank == self.shown_rank), None)

    def next_waiting(self) -> int | None:
        """Position of the oldest question that nobody works on yet."""
        waiting = (n for n, turn in enumerate(self.turns) if turn.state == "waiting")
        return next(waiting, None)

    @property
    def is_busy(self) -> bool:
        """Whether a question waits or is being answered."""
        return any(turn.state in ("waiting", "working", "answering") for turn in self.turns)
