"""Carrying out an experiment: answers from the pipeline, scores from the metrics. Joins the towers.

Leaves out how things are shown, and which models exist.
"""

import logging
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from dataclasses import replace

from sandbox.config import Config
from sandbox.errors import ConfigError
from sandbox.evaluation.metric import Metric
from sandbox.evaluation.running import runner
from sandbox.evaluation.running.plan import (
    Answering,
    Plan,
    PlannedScore,
    answer_time,
    plan,
    planned_scores,
    seconds_per_call,
    timed,
)
from sandbox.evaluation.runs.cells import sample_of
from sandbox.evaluation.runs.folder import RunFolder, create_run, list_runs, newest_unfinished
from sandbox.evaluation.runs.records import Run, Sample, weights_of
from sandbox.experiments.experiment import Experiment, describe_runs
from sandbox.models.base import ChatModel
from sandbox.progress import Progress
from sandbox.rag.index import Index
from sandbox.rag.pipeline import Pipeline
from sandbox.records import Answer
from sandbox.testsets.cases import TestCase, check_pages

logger = logging.getLogger(__name__)

AskIndex = Callable[[Index, str, Config], Answer]


class Execution:
    """One experiment, its metrics, and the judge that some of them ask."""

    def __init__(
        self,
        pipeline: Pipeline,
        experiment: Experiment,
        metrics: Sequence[Metric],
        judge: ChatModel | None = None,
        *,
        judges: Sequence[str] = (),
    ) -> None:
        """Check the experiment; nothing is read or started.

        `judge` is ``None`` where no metric asks one; `judges` are the models on this machine that
        can judge.

        Raises:
            InvalidTestSet: If no case is verified, or one names a page that is not there.
            ConfigError: If no configuration is chosen, two have the same name, or graded examples
                are given to no metric that shows them.
        """
        check_pages(experiment.asked, experiment.corpus)
        names = [config.name for config in experiment.configs]
        if not names:
            raise ConfigError("no configuration is chosen; name at least one")
        if twice := [name for name in names if names.count(name) > 1]:
            raise ConfigError(f"two configurations are called {twice[0]!r}; rename one")
        if experiment.judging.rubric and not any(
            metric.family == "token judge" for metric in metrics
        ):
            raise ConfigError(
                "graded examples are shown to the token judge alone; add a metric of token-judge, "
                "or leave them out"
            )
        self.experiment = experiment
        self.metrics = tuple(metrics)
        self._pipeline = pipeline
        self._judge = judge
        self._judges = tuple(judges)

    def warnings(self) -> tuple[str, ...]:
        """What is doubtful about the experiment, in sentences."""
        found = []
        if self._judge is not None:
            answering = [models["chat_model"] for models in self._models().values()]
            found.append(_self_preference(self._judge.name, answering, self._judges))
        if len({example.right for example in self.experiment.judging.rubric}) == 1:
            found.append("all graded examples have the same label; give some of both")
        return tuple(filter(None, found))

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
        for warning in self.warnings():
            logger.warning("%s", warning)
        indexes = yield from self._prepare()
        configs = {config.name: config for config in self.experiment.configs}

        def answer(case: TestCase, name: str) -> Answer:
            return ask(indexes[name], case.question, configs[name])

        store = self._pipeline.store
        wanted = tuple(
            replace(run, index_seconds=indexes[run.configuration].seconds) for run in self._runs()
        )
        found = newest_unfinished(store, wanted) if resume else ()
        if resume and not found:
            logger.warning("there is no unfinished evaluation of this plan; a new one is started")
        runs = found or tuple(create_run(store, run) for run in wanted)
        yield from runner.evaluate(runs, answer, self.metrics)
        return runs

    def plan(self, *, resume: bool = False) -> Generator[Progress, None, Plan]:
        """What `run` would cost; reads and indexes, and asks the judge about three times.

        Retrieval is done as it will be; where an answer is not there yet, the reference stands in.

        Raises:
            ModelUnavailable: If the judge is not there.
        """
        self._require_judge()
        indexes = yield from self._prepare()
        store = self._pipeline.store
        found = newest_unfinished(store, self._runs()) if resume else ()
        lacking: dict[str, dict[str, list[Sample]]] = {}
        wanted: list[Answering] = []
        for position, config in enumerate(self.experiment.configs):
            yield _planning(f"retrieving under {config.name}")
            folder = found[position] if found else None
            lacking[config.name] = self._lacking(indexes[config.name], config, folder)
            wanted.append(self._answering(config, folder))
        time = answer_time(list_runs(store), wanted)
        scores: list[PlannedScore] = []
        for metric in self.metrics:
            for name, samples in lacking.items():
                yield _planning(f"counting the calls of {metric.name} under {name}")
                scores += planned_scores([metric], {name: samples})
        planned = replace(
            plan(scores, sum(answering.answers for answering in wanted)),
            answer_minutes=time.minutes,
            answer_pace=time.rests_on,
            warnings=self.warnings(),
        )
        if not planned.after_cache:
            return planned
        yield _planning("measuring the judge's pace")
        return timed(planned, seconds_per_call(scores))

    def _require_judge(self) -> None:
        """Fail before the first answer where there is no judge to score them."""
        if self._judge is not None:
            self._judge.langchain(temperature=0.0, seed=0, max_tokens=1)

    def _prepare(self) -> Generator[Progress, None, Mapping[str, Index]]:
        indexes: dict[str, Index] = {}
        for config in self.experiment.configs:
            indexes[config.name] = yield from self._pipeline.prepare(self.experiment.corpus, config)
        return indexes

    def _lacking(
        self, index: Index, config: Config, folder: RunFolder | None
    ) -> dict[str, list[Sample]]:
        """By metric, what has no score yet under a configuration."""
        scores = folder.scores() if folder else {}
        samples = list(self._samples(index, config, folder))
        return {
            metric.name: [sample for case, sample in samples if (metric.name, case) not in scores]
            for metric in self.metrics
        }

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

    def _answering(self, config: Config, folder: RunFolder | None) -> Answering:
        return Answering(
            config=config.to_dict(),
            chat_model=self._models()[config.name]["chat_model"],
            answers=len(self.experiment.asked) - (len(folder.cells()) if folder else 0),
        )

    def _runs(self) -> tuple[Run, ...]:
        return describe_runs(self.experiment, self.metrics, self._judge, self._models())

    def _models(self) -> dict[str, dict[str, str]]:
        """By configuration, role to model name."""
        models = self._pipeline.models
        found = {}
        for config in self.experiment.configs:
            found[config.name] = {"chat_model": models.chat_model(config.chat_model).name}
            if config.retriever != "lexical" or config.reranker == "maxsim":
                found[config.name]["embedder"] = models.embedder(config.embedder).name
        return found


def _planning(what: str) -> Progress:
    return Progress(stage="score", done=0, total=0, message=what)


def _self_preference(judge: str, answering: Iterable[str], available: Sequence[str]) -> str:
    """A warning, with the judges to choose instead; empty where the judge is another model.

    >>> _self_preference("ollama:a-judge", ["ollama:a"], ["ollama:b"]).partition("; ")[2]
    'choose another judge, such as ollama:b'
    >>> _self_preference("ollama:b", ["ollama:a"], ["ollama:a", "ollama:b"])
    ''
    """
    own = {weights_of(name) for name in answering}
    if weights_of(judge) not in own:
        return ""
    others = [name for name in available if weights_of(name) not in own]
    there = f"such as {', '.join(others)}" if others else "but no other is on this machine"
    return f"{judge} judges its own answers, which it may prefer; choose another judge, {there}"
