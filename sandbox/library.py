"""The library in one class: open a corpus, ask it, look at what was retrieved.

    from sandbox.library import Sandbox

    with Sandbox() as sandbox:
        corpus = sandbox.open("report.pdf")
        answer = sandbox.ask(corpus, "Which year had the most cases?", "ctx_k9")
        print(answer.text, [(item.chunk.page, item.score) for item in answer.retrieved])
        experiment = Experiment(corpus=corpus, test_set="mine", cases=cases, configs=configs)
        runs = finish(sandbox.evaluate(experiment))

The command line does the same through this class, drawing progress as it goes.
"""

import os
from collections.abc import Generator, Sequence
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import TypeVar

from sandbox.config import DEFAULT_PRESET, Config, preset
from sandbox.documents.corpora import find
from sandbox.errors import CorpusError
from sandbox.evaluation.metrics.factory import Workshop
from sandbox.evaluation.running.plan import Plan
from sandbox.evaluation.runs.folder import RunFolder, find_runs
from sandbox.evaluation.trust.baselines import with_scores
from sandbox.evaluation.trust.cells import cells_of_runs
from sandbox.evaluation.trust.records import CellSet, TrustTable
from sandbox.evaluation.trust.retest import AGAIN, judge_of, repeatable, retest
from sandbox.evaluation.trust.table import USUAL, Choices, trust_table
from sandbox.experiments.execution import Laboratory
from sandbox.experiments.experiment import Experiment
from sandbox.files.storage import Store
from sandbox.models.offline import switch_off_connections
from sandbox.models.source import Models
from sandbox.progress import Progress, ReadReport
from sandbox.rag.index import Index
from sandbox.rag.pipeline import Pipeline, Retrieval
from sandbox.records import Answer, Corpus
from sandbox.report.writing import Report, ReportOptions, write_report
from sandbox.testsets.cases import TEST_SETS_FOLDER, TestCase, load
from sandbox.testsets.holdout import require_shown

Result = TypeVar("Result")


def finish(work: Generator[Progress | Retrieval | str, None, Result]) -> Result:
    """Run long work to its end without showing progress."""
    while True:
        try:
            next(work)
        except StopIteration as end:
            return end.value  # type: ignore[no-any-return]


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
        switch_off_connections()
        self.store = Store(results)
        self.models = models or Models(ollama_url)
        self.pipeline = pipeline or Pipeline(self.store, self.models)

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

    def read(self, *names_or_paths: str) -> Generator[Progress, None, ReadReport]:
        """Read bundled corpora, folders and PDFs; files that cannot be read are refused."""
        found = [find(name_or_path) for name_or_path in names_or_paths]
        files = [file for corpus in found for file in corpus.files]
        names = [name for corpus in found for name in corpus.names]
        return (yield from self.pipeline.read(files, names=names))

    def open(self, name_or_path: str) -> Corpus:
        """The corpus that a bundled corpus's name, a folder or a PDF stands for, read.

        Raises:
            CorpusError: If nothing in it can be read.
        """
        return as_corpus(name_or_path, finish(self.read(name_or_path)))

    def index(self, corpus: Corpus, config: str | Config = DEFAULT_PRESET) -> Index:
        """The corpus made searchable under a configuration; made once, then loaded."""
        return finish(self.pipeline.prepare(corpus, as_config(config)))

    def retrieve(
        self, corpus: Corpus, question: str, config: str | Config = DEFAULT_PRESET
    ) -> Retrieval:
        """The chunks for a question, best first, with their place in every leg."""
        chosen = as_config(config)
        return self.pipeline.retrieve(self.index(corpus, chosen), question, chosen)

    def ask(self, corpus: Corpus, question: str, config: str | Config = DEFAULT_PRESET) -> Answer:
        """An answer and everything it came from."""
        chosen = as_config(config)
        return self._ask(self.index(corpus, chosen), question, chosen)

    def test_set(self, name_or_path: str, *, show_holdout: bool = False) -> tuple[TestCase, ...]:
        """The cases of a file, or of the bundled test set of that name.

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

    def evaluate(
        self, experiment: Experiment, *, resume: bool = False
    ) -> Generator[Progress, None, tuple[RunFolder, ...]]:
        """Answer and score a test set; one run on disk for each configuration.

        Closing the generator, or a kill, loses at most the cell in flight.

        Args:
            experiment: What is to be measured on what.
            resume: Go on with the newest unfinished evaluation of the same plan, if there is one.
        """
        laboratory = self._laboratory(experiment)
        return (yield from laboratory.run(self._ask, resume=resume))

    def warnings(self, experiment: Experiment) -> tuple[str, ...]:
        """What is doubtful about an experiment, in sentences; starts nothing."""
        return self._laboratory(experiment).warnings()

    def plan(
        self, experiment: Experiment, *, resume: bool = False
    ) -> Generator[Progress, None, Plan]:
        """What `evaluate` would cost; answers nothing and asks the judge about three times."""
        return (yield from self._laboratory(experiment).plan(resume=resume))

    def trust(
        self, runs: Sequence[str], *, accept_suggestions: bool = False, choices: Choices = USUAL
    ) -> TrustTable:
        """Which metrics of those runs know right from wrong, by the labels their answers have.

        Args:
            runs: Ids of runs or evaluations, the beginning of one, or "latest".
            accept_suggestions: Take what accepted answers suggest where nobody labelled.
            choices: How the table is made.
        """
        folders = find_runs(self.store, runs)
        return trust_table(cells_of_runs(folders, accept_suggestions=accept_suggestions), choices)

    def trust_imported(
        self,
        answers: CellSet,
        metrics: Sequence[str] = (),
        *,
        judge: str = "auto",
        choices: Choices = USUAL,
    ) -> Generator[Progress, None, TrustTable]:
        """The same for answers of another system (`imports.read_answers`), scored by more metrics.

        A call to the judge that was made is not made again, so it can be stopped at any time.
        """
        chosen = self._workshop(judge).metrics(metrics) if metrics else ()
        cells = yield from with_scores(answers.cells, chosen)
        return trust_table(replace(answers, cells=cells), choices)

    def retest(
        self, table: TrustTable, repeats: int, *, judge: str = "auto"
    ) -> Generator[Progress, None, TrustTable]:
        """The table with how far its metrics of that judge can be repeated, on so many answers."""
        name = judge_of(table, judge)
        workshop = replace(self._workshop(name), sampling=AGAIN)
        names = repeatable(table, name)
        chosen = workshop.metrics(names) if names else ()
        found = yield from retest(table, chosen, repeats, judge=name)
        return replace(table, repeatability=found)

    def report(self, runs: Sequence[str], options: ReportOptions | None = None) -> Report:
        """Runs written up for a stakeholder; the others are compared with the first."""
        return write_report(self.store, find_runs(self.store, runs), options or ReportOptions())

    def _laboratory(self, experiment: Experiment) -> Laboratory:
        workshop = replace(
            self._workshop(experiment.judge),
            judgements=experiment.judgements,
            rubric=experiment.rubric,
        )
        metrics = workshop.metrics(experiment.metrics)
        asks_judge = any(metric.family in ("ragas", "token judge") for metric in metrics)
        judge = self.models.judge(experiment.judge) if asks_judge else None
        ready = [one for one in self.models.available() if one.role == "judge" and one.ready]
        judges = [one.model for one in sorted(ready, key=lambda one: one.source == "embedded")]
        return Laboratory(self.pipeline, experiment, metrics, judge, judges=judges)

    def _workshop(self, judge: str) -> Workshop:
        return Workshop(
            store=self.store,
            judge=lambda: self.models.judge(judge),
            embedder=lambda: self.pipeline.models.embedder("auto"),
        )

    def _ask(self, index: Index, question: str, config: Config) -> Answer:
        return finish(self.pipeline.stream(index, question, config))


def as_corpus(name_or_path: str, report: ReadReport) -> Corpus:
    """The documents that were read, as one corpus.

    Raises:
        CorpusError: If every file was refused.
    """
    if not report.documents:
        reasons = "; ".join(refused.reason for refused in report.refused)
        raise CorpusError(reasons or f"{name_or_path} holds no document")
    return Corpus(name=Path(name_or_path).name or name_or_path, documents=report.documents)


def as_config(config: str | Config) -> Config:
    """A configuration, or the preset of that name."""
    return preset(config) if isinstance(config, str) else config
