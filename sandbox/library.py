"""The library in one class: everything that the app and the command line can do.

    from sandbox import Sandbox

    with Sandbox() as sandbox:
        corpus = sandbox.open("report.pdf")
        answer = sandbox.ask(corpus, "Which year had the most cases?", "ctx_k9")
        print(answer.text, [(item.chunk.page, item.score) for item in answer.retrieved])

Calls act at once and return when they are done; those that take long report each step to
`on_progress`. No environment variable is changed. `steps` offers the same work step by step.
"""

import os
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType

from sandbox.config import DEFAULT_PRESET, Config, preset
from sandbox.evaluation.comparison.baseline import (
    Baseline,
    baseline_of,
    read_baseline,
    save_baseline,
)
from sandbox.evaluation.comparison.compare import compare_named
from sandbox.evaluation.comparison.gate import SHARE, GateResult, Rule, check_run
from sandbox.evaluation.comparison.records import Comparison
from sandbox.evaluation.labelling.agreement import Agreement
from sandbox.evaluation.labelling.files import compare_files
from sandbox.evaluation.labelling.session import ME, Labelling
from sandbox.evaluation.running.plan import Plan
from sandbox.evaluation.runs.folder import RunFolder, find_one_run, find_runs
from sandbox.evaluation.runs.history import (
    PastRun,
    delete_run,
    export_run,
    history,
    import_run,
    note_run,
    rename_run,
)
from sandbox.evaluation.runs.read import read_runs
from sandbox.evaluation.trust.cells import collect_cells
from sandbox.evaluation.trust.imports import read_answers
from sandbox.evaluation.trust.records import TrustTable
from sandbox.evaluation.trust.table import USUAL, Choices, build_trust_table
from sandbox.experiments.experiment import Experiment
from sandbox.files.storage import Store
from sandbox.models.source import Models
from sandbox.progress import OnProgress, ReadReport, finish
from sandbox.rag.index import Index
from sandbox.rag.pipeline import Pipeline, Retrieval
from sandbox.records import Answer, Corpus
from sandbox.report.writing import Report, ReportOptions, write_report
from sandbox.steps import Steps
from sandbox.testsets.cases import TEST_SETS_FOLDER, TestCase, load
from sandbox.testsets.check import Doubt, check
from sandbox.testsets.drafts import PER_PAGE, Drafts
from sandbox.testsets.files import export_cases, import_cases
from sandbox.testsets.holdout import Split, require_shown, split


class Sandbox:
    """A store, the models of this machine and the pipeline between them."""

    def __init__(
        self,
        results: str | os.PathLike[str] = "results",
        *,
        ollama_url: str | None = None,
        models: Models | None = None,
        pipeline: Pipeline | None = None,
    ) -> None:
        """Nothing is loaded until it is needed.

        Args:
            results: Folder for caches, indexes and runs.
            ollama_url: Where Ollama listens; OLLAMA_HOST, else this machine, for ``None``.
            models: Take these, which are there already.
            pipeline: Take this one with its own models; `models` then only judges.
        """
        self.store = Store(results)
        self.models = models or Models(ollama_url)
        self.pipeline = pipeline or Pipeline(self.store, self.models)
        self.steps = Steps(self.store, self.models, self.pipeline)

    def __enter__(self) -> "Sandbox":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Stop the models."""
        self.models.close()

    # Documents, questions and answers

    def read(self, *names_or_paths: str, on_progress: OnProgress | None = None) -> ReadReport:
        """Read bundled corpora, folders and PDFs; files that cannot be read are refused."""
        return finish(self.steps.read(*names_or_paths), on_progress)

    def open(self, name_or_path: str, *, on_progress: OnProgress | None = None) -> Corpus:
        """Read the corpus that a bundled corpus's name, a folder or a PDF stands for.

        Raises:
            CorpusError: If nothing in it can be read.
        """
        return self.read(name_or_path, on_progress=on_progress).as_corpus(name_or_path)

    def index(
        self,
        corpus: Corpus,
        config: str | Config = DEFAULT_PRESET,
        *,
        on_progress: OnProgress | None = None,
    ) -> Index:
        """Make a corpus searchable under a configuration; made once, then loaded."""
        return finish(self.steps.index(corpus, as_config(config)), on_progress)

    def retrieve(
        self, corpus: Corpus, question: str, config: str | Config = DEFAULT_PRESET
    ) -> Retrieval:
        """Retrieve the chunks for a question, best first, with their place in every leg."""
        chosen = as_config(config)
        return self.pipeline.retrieve(self.index(corpus, chosen), question, chosen)

    def ask(self, corpus: Corpus, question: str, config: str | Config = DEFAULT_PRESET) -> Answer:
        """Answer a question; the answer holds everything it came from."""
        chosen = as_config(config)
        return finish(self.pipeline.stream(self.index(corpus, chosen), question, chosen))

    # Test sets

    def test_set(self, name_or_path: str, *, show_holdout: bool = False) -> tuple[TestCase, ...]:
        """Load the cases of a file, or of the bundled test set of that name.

        Args:
            name_or_path: Name or file.
            show_holdout: Also if it is a hold-out, which is spoiled by being looked at.

        Raises:
            InvalidTestSet: If there is none, a line of it is not a test case, or it is a hold-out
                and was not asked for.
        """
        bundled = TEST_SETS_FOLDER / f"{name_or_path}.jsonl"
        file = bundled if bundled.is_file() else Path(name_or_path)
        require_shown(file, show_holdout=show_holdout)
        return load(file)

    def check_test_set(
        self, cases: Sequence[TestCase], corpus: Corpus | None = None
    ) -> tuple[Doubt, ...]:
        """Name what is doubtful about a test set, with its corpus also about pages and quotes."""
        return check(cases, corpus)

    def draft_test_set(
        self,
        corpus: Corpus,
        *,
        pages: str = "",
        document: str = "",
        per_page: int = PER_PAGE,
        chat_model: str = "auto",
        existing: Sequence[TestCase] = (),
        on_progress: OnProgress | None = None,
    ) -> Drafts:
        """Draft questions from pages; they stay unverified until a person confirms each.

        Args:
            corpus: What to ask about.
            pages: As in "2,5-7"; all for an empty text.
            document: Only this document of the corpus.
            per_page: Questions to ask for.
            chat_model: Which model drafts.
            existing: Cases that are there; their questions are not drafted again.
            on_progress: Called with each step.
        """
        drafting = self.steps.draft(
            corpus,
            pages=pages,
            document=document,
            per_page=per_page,
            chat_model=chat_model,
            existing=existing,
        )
        return finish(drafting, on_progress)

    def import_test_set(self, source: Path) -> tuple[TestCase, ...]:
        """Take over the cases of a .jsonl or .csv of another program, by RAGAS's names or ours."""
        return import_cases(source).cases

    def export_test_set(self, cases: Sequence[TestCase], target: Path) -> None:
        """Write cases as JSON Lines or as CSV for a spreadsheet, by the file's ending."""
        export_cases(cases, target)

    def split_test_set(
        self, cases: Sequence[TestCase], *, share: float = 0.3, seed: int = 42
    ) -> Split:
        """Put a part of a test set aside as a hold-out; adding cases later moves none."""
        return split(cases, share=share, seed=seed)

    def agree(self, first: Path, second: Path) -> tuple[Agreement, ...]:
        """Compare two people's labels or references, in two files, with Cohen's kappa."""
        return compare_files(first, second)

    # Runs

    def evaluate(
        self, experiment: Experiment, *, resume: bool = False, on_progress: OnProgress | None = None
    ) -> tuple[RunFolder, ...]:
        """Answer and score a test set; one run on disk for each configuration.

        A kill, or what `on_progress` raises, loses at most the cell in flight.

        Args:
            experiment: What is to be measured on what.
            resume: Go on with the newest unfinished evaluation of the same plan, if there is one.
            on_progress: Called with each step.
        """
        return finish(self.steps.evaluate(experiment, resume=resume), on_progress)

    def plan(
        self, experiment: Experiment, *, resume: bool = False, on_progress: OnProgress | None = None
    ) -> Plan:
        """Estimate what `evaluate` would cost; asks the judge about three times."""
        return finish(self.steps.plan(experiment, resume=resume), on_progress)

    def warnings(self, experiment: Experiment) -> tuple[str, ...]:
        """Name what is doubtful about an experiment, in sentences; starts nothing."""
        return self.steps.warnings(experiment)

    def history(self) -> tuple[PastRun, ...]:
        """List all runs with what became of them, the newest first."""
        return history(self.store)

    def rename_run(self, run: str, name: str) -> None:
        """Give a run a name to be shown."""
        rename_run(self.run(run), name)

    def note_run(self, run: str, note: str) -> None:
        """Keep a note with a run."""
        note_run(self.run(run), note)

    def delete_run(self, run: str, *, confirmation: str) -> None:
        """Delete a run and its labels; `confirmation` is its whole id."""
        delete_run(self.store, self.run(run), confirmation=confirmation)

    def export_run(self, run: str, target: Path) -> Path:
        """Write a run to one zip file."""
        return export_run(self.run(run), target)

    def import_run(self, source: Path) -> RunFolder:
        """Take over a run from a zip file."""
        return import_run(self.store, source)

    def run(self, name: str, *, config: str = "") -> RunFolder:
        """Find one run.

        Args:
            name: Its id, the beginning of one, or "latest".
            config: Of an evaluation's runs, the one of this configuration.
        """
        return find_one_run(self.store, name, config=config)

    # Labels, trust, comparison, report, gate

    def label(
        self, runs: Sequence[str], *, labeller: str = ME, second_opinion: bool = False
    ) -> Labelling:
        """Open runs for labelling; each label given is on disk at once.

        Args:
            runs: Ids of runs or evaluations, the beginning of one, "latest" or "chat".
            labeller: How the person calls themselves.
            second_opinion: Propose only what another person labelled.
        """
        folders = find_runs(self.store, runs)
        return Labelling(folders, labeller=labeller, second=second_opinion)

    def trust(
        self, runs: Sequence[str], *, accept_suggestions: bool = False, choices: Choices = USUAL
    ) -> TrustTable:
        """Say which metrics of those runs know right from wrong, by the labels of their answers.

        Args:
            runs: Ids of runs or evaluations, the beginning of one, or "latest".
            accept_suggestions: Take what accepted answers suggest where nobody labelled.
            choices: How the table is made.
        """
        folders = find_runs(self.store, runs)
        return build_trust_table(
            collect_cells(read_runs(folders, accept_suggestions=accept_suggestions)), choices
        )

    def trust_imported(
        self,
        file: Path,
        metrics: Sequence[str] = (),
        *,
        cut: float | None = None,
        limit: int | None = None,
        judge: str = "auto",
        choices: Choices = USUAL,
        on_progress: OnProgress | None = None,
    ) -> TrustTable:
        """Make the same table of the labelled answers of another system.

        Args:
            file: Labelled answers, .jsonl or .csv.
            metrics: Names and families to score them with as well.
            cut: Where labels are grades: right from this one on.
            limit: Take so many cases, the first ones.
            judge: The chat model that scores answers.
            choices: How the table is made.
            on_progress: Called with each step.
        """
        answers = read_answers(file, cut=cut, limit=limit)
        scoring = self.steps.trust_imported(answers, metrics, judge=judge, choices=choices)
        return finish(scoring, on_progress)

    def retest(
        self,
        table: TrustTable,
        repeats: int,
        *,
        judge: str = "auto",
        on_progress: OnProgress | None = None,
    ) -> TrustTable:
        """Judge so many answers again, and add to the table how far its metrics repeat."""
        return finish(self.steps.retest(table, repeats, judge=judge), on_progress)

    def compare(
        self,
        runs: Sequence[str],
        *,
        trust_from: Sequence[str] = (),
        accept_suggestions: bool = False,
    ) -> Comparison:
        """Compare runs with the first of them: which factor, which layer, and is it chance.

        Args:
            runs: Ids of runs or evaluations, the beginning of one, or "latest".
            trust_from: Further runs whose labels count for which metrics are trusted.
            accept_suggestions: Count what accepted answers suggest where nobody labelled.
        """
        return compare_named(
            self.store, runs, labelled=trust_from, accept_suggestions=accept_suggestions
        )

    def check(
        self,
        run: str,
        baseline: Path,
        *,
        config: str = "",
        rule: Rule = "share",
        share: float = SHARE,
    ) -> GateResult:
        """Hold a run to a saved baseline.

        Args:
            run: A run, the beginning of one, or "latest".
            baseline: The file it was saved in.
            config: Of an evaluation's runs, the one of this configuration.
            rule: "share" of the baseline's mean, or "significant": not worse beyond chance.
            share: Share of the baseline that must be held.
        """
        folder = self.run(run, config=config)
        return check_run(folder, read_baseline(baseline), rule=rule, share=share)

    def save_baseline(
        self, run: str, target: Path, *, config: str = "", trust_from: Sequence[str] = ()
    ) -> Baseline:
        """Save what a later run must hold."""
        labelled = find_runs(self.store, trust_from) if trust_from else ()
        baseline = baseline_of(self.run(run, config=config), labelled=labelled)
        save_baseline(baseline, target)
        return baseline

    def report(self, runs: Sequence[str], options: ReportOptions | None = None) -> Report:
        """Write runs up for a stakeholder; the others are compared with the first."""
        return write_report(self.store, find_runs(self.store, runs), options or ReportOptions())


def as_config(config: str | Config) -> Config:
    """A configuration, or the preset of that name."""
    return preset(config) if isinstance(config, str) else config
