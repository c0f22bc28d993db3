"""From configurations and test cases to answers and scores that survive a kill.

All answers come first, configuration by configuration, then the scores, metric by metric: so a
chat model and a judge that share a machine are swapped once, and calls of one kind follow each
other. What is on disk is never done again. Answers come from a function that the front end hands
over.
"""

import time
from collections.abc import Callable, Generator, Sequence
from contextlib import ExitStack, closing

from sandbox.evaluation.metric import Metric
from sandbox.evaluation.metrics.loop import Failure, ScoringLoop, one_case
from sandbox.evaluation.runs.cells import sample_of
from sandbox.evaluation.runs.folder import RunFolder
from sandbox.evaluation.runs.records import Cell, Sample, Score
from sandbox.progress import Progress, Stage, format_duration
from sandbox.records import Answer
from sandbox.testsets.cases import TestCase

AnswerCase = Callable[[TestCase, str], Answer]
"""From a test case and the name of a configuration to the answer."""

Place = tuple[int, str]
"""Position of a run among those evaluated together, and the id of a case."""


def evaluate(
    runs: Sequence[RunFolder], answer: AnswerCase, metrics: Sequence[Metric]
) -> Generator[Progress, None, None]:
    """Answer and score what the runs lack; closing the generator cancels, nothing is lost.

    Raises:
        ModelUnavailable: If a chat model or the judge is not there; what was done stays, and the
            same call goes on from there.
        SandboxError: If the disk is full, or another evaluation writes one of the runs.
    """
    with ExitStack() as held:
        for run in runs:
            held.enter_context(run.writing())
        yield from collect(runs, answer)
        yield from score(runs, metrics)


def collect(runs: Sequence[RunFolder], answer: AnswerCase) -> Generator[Progress, None, None]:
    """Answer every case that has no answer yet; one that fails is kept with its reason."""
    total = sum(len(run.run.cases) for run in runs)
    known = [run.cells() for run in runs]
    watch = _Watch("answer", total, done=sum(map(len, known)))
    watch.failed = sum(cell.answer is None for cells in known for cell in cells.values())
    for run, cells in zip(runs, known, strict=True):
        for case in run.run.cases:
            if case.id in cells:
                continue
            yield watch.progress(f"{run.run.configuration}, {case.id}")
            cell = _answer(run.run.configuration, case, answer)
            run.add_cell(cell)
            watch.add(failed=cell.answer is None)
    yield watch.progress("all answered")


def score(runs: Sequence[RunFolder], metrics: Sequence[Metric]) -> Generator[Progress, None, None]:
    """Score every answer that has no score yet by each metric, in the order given."""
    samples = dict(_samples(runs))
    known = [run.scores() for run in runs]
    names = {metric.name for metric in metrics}
    done = sum(metric in names for scores in known for metric, _ in scores)
    watch = _Watch("score", len(samples) * len(metrics), done=done)
    with ScoringLoop() as loop:
        for metric in metrics:
            lacking = {
                (position, case): sample
                for (position, case), sample in samples.items()
                if (metric.name, case) not in known[position]
            }
            if lacking:
                yield watch.progress(metric.name)
            with closing(_scores(loop, metric, lacking)) as scores:
                for (position, case), scored in scores:
                    runs[position].add_score(case, scored)
                    watch.add(failed=scored.value is None and scored.applicable)
                    yield watch.progress(metric.name)
    yield watch.progress("all scored")


def _scores(
    loop: ScoringLoop, metric: Metric, samples: dict[Place, Sample | str]
) -> Generator[tuple[Place, Score], None, None]:
    """Without an answer there is nothing to score, and that is a failure too."""
    answered: dict[Place, Sample] = {}
    for place, sample in samples.items():
        if isinstance(sample, Sample):
            answered[place] = sample
            continue
        reason = f"there is no answer: {sample}"
        yield place, Score(metric=metric.name, family=metric.family, value=None, reason=reason)
    if answered:
        yield from loop.scores(metric, answered)


def _samples(runs: Sequence[RunFolder]) -> Generator[tuple[Place, Sample | str], None, None]:
    for position, run in enumerate(runs):
        cells = run.cells()
        for case in run.run.cases:
            cell = cells[case.id]
            if cell.answer is None:
                yield (position, case.id), cell.failure
            else:
                id = f"{run.run.configuration}/{case.id}"
                yield (position, case.id), sample_of(case, cell.answer, id=id)


def _answer(configuration: str, case: TestCase, answer: AnswerCase) -> Cell:
    try:
        with one_case():
            found = answer(case, configuration)
            return Cell(configuration=configuration, case=case.id, answer=found)
    except Failure as failure:
        return Cell(configuration=configuration, case=case.id, answer=None, failure=str(failure))


class _Watch:
    """Counts what is done and says how long the rest will take."""

    def __init__(self, stage: Stage, total: int, *, done: int) -> None:
        self.failed = 0
        self._stage, self._total = stage, total
        self._before = self._done = done
        self._started = time.monotonic()

    def add(self, *, failed: bool) -> None:
        """One more is done."""
        self._done += 1
        self.failed += failed

    def progress(self, what: str) -> Progress:
        """Where it stands."""
        parts = [f"{self._done} of {self._total} {self._stage}s"]
        if self.failed:
            parts.append(f"{self.failed} failed")
        if self._before < self._done < self._total:
            pace = (time.monotonic() - self._started) / (self._done - self._before)
            parts.append(f"about {format_duration((self._total - self._done) * pace)} left")
        message = f"{', '.join(parts)} ({what})"
        return Progress(stage=self._stage, done=self._done, total=self._total, message=message)
