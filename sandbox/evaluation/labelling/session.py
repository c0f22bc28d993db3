"""A labelling session: one person, some runs, one answer after the other.

Each label is on disk at once. The answers are read only once, so that the next one is there without
waiting.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path

from sandbox.errors import InvalidTestSet, SandboxError
from sandbox.evaluation.labelling.agreement import Agreement, measure_label_agreement
from sandbox.evaluation.labelling.files import export_labels, import_labels
from sandbox.evaluation.labelling.next_labels import Proposal, next_to_label
from sandbox.evaluation.runs.cells import CellView
from sandbox.evaluation.runs.folder import RunFolder
from sandbox.evaluation.runs.labels import LABELS_FILE, add_labels, new_label, undo_label
from sandbox.evaluation.runs.read import read_run
from sandbox.evaluation.runs.records import Label, Right

Key = tuple[str, str]
"""Run and case."""

ME = "me"
"""Who labels where nobody says."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelCounts:
    """How far labelling has come."""

    cells: int
    """Answers that can be labelled."""

    right: int
    wrong: int
    unsure: int
    accepted: int
    """How many of these labels are accepted suggestions that no person confirmed."""

    @property
    def labelled(self) -> int:
        """Answers with a label."""
        return self.right + self.wrong + self.unsure


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoLabellers:
    """How far two people agree on the answers that both labelled."""

    first: str
    second: str
    agreement: Agreement


@dataclass(frozen=True, slots=True, kw_only=True)
class SecondOpinions:
    """How many of the answers that others labelled a person labelled, too."""

    given: int
    wanted: int


class Labelling:
    """Some runs while a person labels their answers."""

    def __init__(
        self, runs: Sequence[RunFolder], *, labeller: str = ME, second: bool = False
    ) -> None:
        """Read the runs.

        Args:
            runs: Whose answers are labelled.
            labeller: How the person calls themselves.
            second: Propose what another person labelled, so that the two can be compared.

        Raises:
            SandboxError: If nobody is named, or a run cannot be read.
        """
        if not labeller.strip():
            raise SandboxError("the labeller has no name; give one, as in --by Ada")
        self.runs = {folder.run.id: folder for folder in runs}
        self.labeller = labeller.strip()
        self.second = second
        self._cells = {cell.key: cell for cell in label_cells(runs)}
        self._skipped: list[Key] = []
        self._given: list[Key] = []
        self._taken_back: Key | None = None

    @property
    def cells(self) -> tuple[CellView, ...]:
        """Every answer, run by run."""
        return tuple(self._cells.values())

    @property
    def counts(self) -> LabelCounts:
        """How far it has come."""
        labels = [cell.label for cell in self.cells]
        return LabelCounts(
            cells=len(self.cells),
            right=labels.count("right"),
            wrong=labels.count("wrong"),
            unsure=labels.count("unsure"),
            accepted=sum(cell.label is not None and cell.is_suggested for cell in self.cells),
        )

    @property
    def second_opinions(self) -> SecondOpinions:
        """How far this person has come with what others labelled; the Trust tab shows it."""
        labelled = [
            cell
            for cell in self.cells
            if any(
                label.source == "person" and label.labeller != self.labeller
                for label in cell.labels
            )
        ]
        given = sum(cell.label_by(self.labeller) is not None for cell in labelled)
        return SecondOpinions(given=given, wanted=len(labelled))

    def next(self, count: int = 1) -> tuple[Proposal, ...]:
        """What to label next, the most useful first; before all, what was taken back."""
        proposals = next_to_label(
            self.cells,
            labeller=self.labeller,
            count=count + (self._taken_back is not None),
            skipped=self._skipped,
            second=self.second,
        )
        if self._taken_back is None:
            return proposals
        again = Proposal(cell=self._cells[self._taken_back], reason="its label was taken back")
        rest = (proposal for proposal in proposals if proposal.cell.key != self._taken_back)
        return (again, *rest)[:count]

    def cell(self, key: Key) -> CellView | None:
        """The answer of a run to a case."""
        return self._cells.get(key)

    def label(self, key: Key, value: Right) -> Label:
        """Keep what the person says of an answer.

        Raises:
            SandboxError: If there is no such answer, or it cannot be written.
        """
        cell = self._cells.get(key)
        if cell is None:
            raise SandboxError(f"the run {key[0]} has no answer to a case {key[1]!r}")
        label = new_label(cell.configuration, cell.case.id, value, labeller=self.labeller)
        self._add(key[0], [label])
        self._given.append(key)
        self._taken_back = None
        return label

    def skip(self, key: Key) -> None:
        """Put an answer last."""
        self._skipped = [skipped for skipped in self._skipped if skipped != key] + [key]
        self._taken_back = None

    def undo(self) -> Key | None:
        """Take back this person's last label; ``None`` if there is none.

        Raises:
            SandboxError: If it cannot be written.
        """
        run = self._given.pop()[0] if self._given else self._last_labelled()
        taken = undo_label(self.runs[run].folder, self.labeller) if run else None
        if taken is None:
            return None
        self._reread(run)
        self._taken_back = (run, taken.case)
        return self._taken_back

    def accept_suggestions(self) -> int:
        """Take suggestions for labels where nobody labelled; "unsure" is none. How many it took.

        Raises:
            SandboxError: If they cannot be written.
        """
        labels: dict[str, list[Label]] = {}
        for cell in self.cells:
            if cell.labels or cell.suggestion.value == "unsure":
                continue
            label = new_label(
                cell.configuration,
                cell.case.id,
                cell.suggestion.value,
                labeller=self.labeller,
                source="accepted suggestion",
            )
            labels.setdefault(cell.run, []).append(label)
        return self._add_all(labels)

    def import_file(self, path: Path) -> int:
        """Take over the labels of a file, all or none of a run; how many.

        Raises:
            InvalidTestSet: If the file cannot be read, or names an answer that is not there.
        """
        labels: dict[str, list[Label]] = {}
        for label in import_labels(path, labeller=self.labeller):
            run = self._run_of(label, path)
            # A file that names no configuration is about the only run.
            configuration = self.runs[run].run.configuration
            labels.setdefault(run, []).append(replace(label, configuration=configuration))
        return self._add_all(labels)

    def export_file(self, path: Path) -> int:
        """Write every label to a .jsonl or .csv file; how many.

        Raises:
            InvalidTestSet: If it cannot be written.
        """
        labels = [label for cell in self.cells for label in cell.labels]
        export_labels(labels, path)
        return len(labels)

    def agreements(self) -> tuple[TwoLabellers, ...]:
        """How far each two people agree, on labels that they gave themselves."""
        given: dict[str, dict[Key, Right]] = {}
        for cell in self.cells:
            for label in cell.labels:
                if label.source == "person":
                    given.setdefault(label.labeller, {})[cell.key] = label.value
        return tuple(
            TwoLabellers(
                first=first,
                second=second,
                agreement=measure_label_agreement(given[first], given[second]),
            )
            for first, second in combinations(sorted(given), 2)
        )

    def _add_all(self, labels: Mapping[str, Sequence[Label]]) -> int:
        for run, given in labels.items():
            self._add(run, given)
        return sum(map(len, labels.values()))

    def _add(self, run: str, labels: Sequence[Label]) -> None:
        add_labels(self.runs[run].folder, labels)
        for label in labels:
            key = (run, label.case)
            self._cells[key] = self._cells[key].with_label(label)

    def _run_of(self, label: Label, path: Path) -> str:
        """The run whose answer a label is about."""
        fitting = [
            run
            for run, folder in self.runs.items()
            if (run, label.case) in self._cells
            and label.configuration in ("", folder.run.configuration)
        ]
        answer = f"{label.configuration or 'any configuration'} · {label.case}"
        if not fitting:
            raise InvalidTestSet(f"{path} labels {answer}, to which no run here has an answer")
        if len(fitting) > 1:
            raise InvalidTestSet(
                f"{path} labels {answer}, which several runs answer; name one of"
                f" {', '.join(fitting)}"
            )
        return fitting[0]

    def _last_labelled(self) -> str:
        """The run in which the person labelled last; empty if in none."""
        times = [
            (label.time, (folder.folder / LABELS_FILE).stat().st_mtime_ns, run)
            for run, folder in self.runs.items()
            for label in folder.labels()
            if label.labeller == self.labeller
        ]
        return max(times)[2] if times else ""

    def _reread(self, run: str) -> None:
        self._cells |= {cell.key: cell for cell in label_cells([self.runs[run]])}


def label_cells(runs: Sequence[RunFolder]) -> tuple[CellView, ...]:
    """Every answer of some runs, run by run in the order of their cases."""
    return tuple(
        cell
        for folder in runs
        for cell in read_run(folder).cells.values()
        if cell.answer is not None
    )


def find_cell(cells: Sequence[CellView], case: str) -> CellView:
    """The one answer to a case.

    Raises:
        SandboxError: If there is none, or several runs have one.
    """
    answers = [cell for cell in cells if cell.case.id == case]
    if not answers:
        runs = ", ".join(sorted({cell.run for cell in cells})) or "the run"
        raise SandboxError(f"{runs} has no answer to a case {case!r}")
    if len(answers) > 1:
        runs = ", ".join(cell.run for cell in answers)
        raise SandboxError(f"several runs answer {case!r}; name one of {runs}")
    return answers[0]
