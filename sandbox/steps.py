"""Long work step by step, for front ends that draw its progress and may stop it between two steps.

Every method returns a generator: nothing happens until it is driven, and closing it stops the
work. `Sandbox` (library.py) drives the same work to its end.
"""

from collections.abc import Callable, Generator, Sequence
from dataclasses import replace

from sandbox.config import Config
from sandbox.documents.corpora import find
from sandbox.evaluation.metric import Metric
from sandbox.evaluation.metrics.catalog import make_metrics
from sandbox.evaluation.running.plan import Plan
from sandbox.evaluation.running.runner import evaluate
from sandbox.evaluation.runs.folder import RunFolder, create_run
from sandbox.evaluation.runs.records import JUDGED, Judging
from sandbox.evaluation.trust.cells import add_scores
from sandbox.evaluation.trust.records import CellSet, TrustTable
from sandbox.evaluation.trust.retest import RETEST_SAMPLING, find_judge, list_repeatable, retest
from sandbox.evaluation.trust.table import USUAL, Choices, build_trust_table
from sandbox.experiments.execution import Execution
from sandbox.experiments.experiment import Experiment, describe_runs
from sandbox.files.storage import Store
from sandbox.models.base import ChatModel
from sandbox.models.source import Models
from sandbox.progress import Progress, ReadReport, finish
from sandbox.rag.index import Index
from sandbox.rag.pipeline import Pipeline
from sandbox.records import Answer, Corpus
from sandbox.testsets.cases import TestCase
from sandbox.testsets.drafts import PER_PAGE, Drafts, choose_pages, draft, parse_page_numbers


class Steps:
    """What `Sandbox` does, one step at a time."""

    def __init__(self, store: Store, models: Models, pipeline: Pipeline) -> None:
        """Take what the sandbox has; the pipeline answers with its own models."""
        self._store = store
        self._models = models
        self._pipeline = pipeline

    def read(self, *names_or_paths: str) -> Generator[Progress, None, ReadReport]:
        """Read bundled corpora, folders and PDFs; files that cannot be read are refused."""
        corpora = [find(name_or_path) for name_or_path in names_or_paths]
        files = [file for corpus in corpora for file in corpus.files]
        names = [name for corpus in corpora for name in corpus.names]
        return (yield from self._pipeline.read(files, names=names))

    def index(self, corpus: Corpus, config: Config) -> Generator[Progress, None, Index]:
        """Make the corpus searchable under a configuration; made once, then loaded."""
        return (yield from self._pipeline.prepare(corpus, config))

    def evaluate(
        self, experiment: Experiment, *, resume: bool = False
    ) -> Generator[Progress, None, tuple[RunFolder, ...]]:
        """Answer and score a test set; one run on disk for each configuration.

        Closing the generator, or a kill, loses at most the cell in flight.
        """
        return (yield from self._execution(experiment).run(self._ask, resume=resume))

    def evaluate_answers(
        self, experiment: Experiment, answer: Callable[[str], Answer]
    ) -> Generator[Progress, None, tuple[RunFolder, ...]]:
        """Score the answers of another system to the questions of a test set."""
        metrics, judge = self._metrics_and_judge(experiment)
        models = {config.name: {"chat_model": config.name} for config in experiment.configs}
        planned = describe_runs(experiment, metrics, judge, models)
        runs = tuple(create_run(self._store, run) for run in planned)
        yield from evaluate(runs, lambda case, _: answer(case.question), metrics)
        return runs

    def plan(
        self, experiment: Experiment, *, resume: bool = False
    ) -> Generator[Progress, None, Plan]:
        """Estimate what `evaluate` would cost; asks the judge about three times."""
        return (yield from self._execution(experiment).plan(resume=resume))

    def warnings(self, experiment: Experiment) -> tuple[str, ...]:
        """Name what is doubtful about an experiment, in sentences; starts nothing."""
        return self._execution(experiment).warnings()

    def trust_imported(
        self,
        answers: CellSet,
        metrics: Sequence[str] = (),
        *,
        judge: str = "auto",
        choices: Choices = USUAL,
    ) -> Generator[Progress, None, TrustTable]:
        """Score answers of another system and make their trust table.

        A call to the judge that was made is not made again, so it can be stopped at any time.
        """
        chosen = self._metrics(metrics, Judging(model=judge)) if metrics else ()
        cells = yield from add_scores(answers.cells, chosen)
        return build_trust_table(replace(answers, cells=cells), choices)

    def retest(
        self, table: TrustTable, repeats: int, *, judge: str = "auto"
    ) -> Generator[Progress, None, TrustTable]:
        """Judge some answers again, and add to the table how far its metrics repeat."""
        name = find_judge(table, judge)
        names = list_repeatable(table, name)
        judging = Judging(model=name, sampling=RETEST_SAMPLING)
        chosen = self._metrics(names, judging) if names else ()
        repeatability = yield from retest(table, chosen, repeats, judge=name)
        return replace(table, repeatability=repeatability)

    def draft(
        self,
        corpus: Corpus,
        *,
        pages: str = "",
        document: str = "",
        per_page: int = PER_PAGE,
        chat_model: str = "auto",
        existing: Sequence[TestCase] = (),
    ) -> Generator[Progress, None, Drafts]:
        """Draft questions from pages; they stay unverified until a person confirms each."""
        chosen = choose_pages(corpus, parse_page_numbers(pages), document=document)
        model = self._models.chat_model(chat_model)
        return (yield from draft(model, chosen, per_page=per_page, existing=existing))

    def _execution(self, experiment: Experiment) -> Execution:
        metrics, judge = self._metrics_and_judge(experiment)
        ready = [
            model for model in self._models.available() if model.role == "judge" and model.ready
        ]
        judges = [
            model.model for model in sorted(ready, key=lambda model: model.source == "embedded")
        ]
        return Execution(self._pipeline, experiment, metrics, judge, judges=judges)

    def _metrics_and_judge(
        self, experiment: Experiment
    ) -> tuple[Sequence[Metric], ChatModel | None]:
        """Its metrics, and the judge if one of them asks it."""
        metrics = self._metrics(experiment.metrics, experiment.judging)
        asks_judge = any(metric.family in JUDGED for metric in metrics)
        return metrics, self._models.judge(experiment.judging.model) if asks_judge else None

    def _metrics(self, names: Sequence[str], judging: Judging) -> tuple[Metric, ...]:
        return make_metrics(
            names,
            judging,
            store=self._store,
            judge=lambda: self._models.judge(judging.model),
            embedder=lambda: self._pipeline.models.embedder("auto"),
        )

    def _ask(self, index: Index, question: str, config: Config) -> Answer:
        return finish(self._pipeline.stream(index, question, config))
