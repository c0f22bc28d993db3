"""From the runs of an evaluation back to its experiment, so that it can go on after a crash.

Leaves out the going on itself: an experiment with the plan of unfinished runs resumes them.
"""

from collections.abc import Sequence
from typing import Any

from sandbox.config import Config
from sandbox.errors import CorpusError
from sandbox.evaluation.runs.records import Run
from sandbox.experiments.experiment import Experiment, corpus_digest
from sandbox.records import Corpus


def again(runs: Sequence[Run], corpus: Corpus) -> Experiment:
    """The experiment that the runs of one evaluation belong to.

    Raises:
        CorpusError: If the documents have changed since.
    """
    first = runs[0]
    if corpus_digest(corpus) != first.corpus_digest:
        raise CorpusError(
            f"the documents of {first.corpus} have changed since; start a new evaluation"
        )
    configs: list[Any] = [run.config for run in runs]
    return Experiment(
        corpus=corpus,
        test_set=first.test_set,
        cases=first.cases,
        configs=tuple(Config(**config) for config in configs),
        metrics=first.metrics,
        judge=first.judge or "auto",
        judgements=first.judgements,
        rubric=first.rubric,
    )
