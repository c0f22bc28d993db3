"""Small runs for tests: invented cases, a function that answers them, metrics that count calls."""

import asyncio
import contextlib
import resource
from collections.abc import Callable, Iterator
from pathlib import Path

from sandbox.errors import ModelUnavailable
from sandbox.evaluation.metric import PlannedCall
from sandbox.evaluation.runs.folder import RunFolder, create_run
from sandbox.evaluation.runs.records import Family, Run, Sample, Score, Verdict
from sandbox.files.storage import Store
from sandbox.records import Answer, Box, Chunk, Retrieved
from sandbox.testsets.cases import TestCase


def case(number: int, **changes: object) -> TestCase:
    fields: dict[str, object] = {
        "id": f"case-{number}",
        "question": f"How many beds has ward {number}?",
        "reference": f"Ward {number} has {number} beds.",
        "accepted_answers": (str(number),),
        "source": "text",
        "category": "even" if number % 2 == 0 else "odd",
        "relevant_pages": (number,),
        "verified": True,
        **changes,
    }
    return TestCase(**fields)  # type: ignore[arg-type]


def chunk(page: int, text: str, document: str = "wards.pdf") -> Chunk:
    box = Box(page=page, left=0, top=0, right=10, bottom=10)
    return Chunk(
        id=f"{document}-{page}",
        document=document,
        document_id="d",
        page=page,
        boxes=(box,),
        text=text,
    )


def answer(case: TestCase, configuration: str, *pages: int, text: str = "") -> Answer:
    retrieved = tuple(
        Retrieved(chunk=chunk(page, f"Ward {page} has {page} beds."), rank=rank, score=1.0, legs={})
        for rank, page in enumerate(pages, start=1)
    )
    return Answer(
        question=case.question,
        text=text or f"{configuration} says: {case.reference}",
        refused=False,
        retrieved=retrieved,
        sent=tuple(item.rank for item in retrieved),
        seconds={"retrieve": 0.5, "answer": 1.5},
        tokens={"prompt": 100, "answer": 10},
    )


def answer_scripted(case: TestCase, configuration: str) -> Answer:
    page = case.relevant_pages[0] if case.relevant_pages else 1
    return answer(case, configuration, page + 1, page)


def make_run(
    store: Store,
    configuration: str = "text_k4",
    *,
    cases: int | tuple[TestCase, ...] = 3,
    metrics: tuple[str, ...] = ("scripted",),
    evaluation: str = "first",
    created: str = "2030-01-01T00:00:00Z",
) -> RunFolder:
    return create_run(
        store,
        plan_run(
            configuration, cases=cases, metrics=metrics, evaluation=evaluation, created=created
        ),
    )


def plan_run(
    configuration: str = "text_k4",
    *,
    cases: int | tuple[TestCase, ...] = 3,
    metrics: tuple[str, ...] = ("scripted",),
    evaluation: str = "first",
    created: str = "2030-01-01T00:00:00Z",
) -> Run:
    asked = tuple(map(case, range(1, cases + 1))) if isinstance(cases, int) else cases
    return Run(
        id=f"{evaluation}-{configuration}",
        evaluation=evaluation,
        config={"name": configuration, "top_k": 4},
        corpus="wards",
        corpus_digest="c",
        test_set="wards.jsonl",
        test_set_digest=str(len(asked)),
        cases=asked,
        metrics=metrics,
        created=created,
    )


class ScriptedMetric:
    """Scores by a function, counts how often it was asked, and waits a turn as a judge would."""

    family: Family = "token judge"

    def __init__(
        self,
        value: Callable[[Sample], float | None] = lambda sample: 0.5,
        *,
        name: str = "scripted",
        unreachable_after: int | None = None,
    ) -> None:
        self.name = name
        self.asked: list[str] = []
        self._value = value
        self._unreachable_after = unreachable_after

    def needs(self, sample: Sample) -> str:
        return "" if sample.response.strip() else "the answer is empty"

    def calls(self, sample: Sample) -> int:
        return 2

    async def score(self, sample: Sample) -> Score:
        await asyncio.sleep(0)
        if self._unreachable_after is not None and len(self.asked) >= self._unreachable_after:
            raise ModelUnavailable("the judge is not running; start it")
        self.asked.append(sample.id)
        value = self._value(sample)
        return Score(
            metric=self.name,
            family=self.family,
            value=value,
            reason="scripted",
            calls=2,
            tokens=20,
            seconds=0.25,
            detail=(Verdict(statement=sample.response, verdict="yes", value=value),),
        )


class PlannedMetric(ScriptedMetric):
    """Two calls a sample: one about the case, one that depends on the first reply."""

    def planned(self, sample: Sample) -> tuple[PlannedCall, ...]:
        return (
            PlannedCall(tokens=100, key=sample.case, cached=sample.case == "known"),
            PlannedCall(tokens=10, overflows=len(sample.response) > 1000),
        )


def lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


@contextlib.contextmanager
def room_for(size: int) -> Iterator[None]:
    """The system writes files up to that size only: the beginning of a line, then an error."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
