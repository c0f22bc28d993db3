"""Runs built for comparison: what each case was answered, from which chunks, labelled how."""

from collections.abc import Callable, Mapping, Sequence

from sandbox.config import Config, preset
from sandbox.evaluation.runs.folder import RunFolder, create_run
from sandbox.evaluation.runs.labels import add_labels, new_label
from sandbox.evaluation.runs.records import Cell, Family, Judging, Right, Run, Score, Verdict
from sandbox.files.storage import Store
from sandbox.records import Answer, Chunk, LegScore, Retrieved
from sandbox.testsets.cases import TestCase
from tests.evaluation import scripted_runs

PAGES = {page: f"Ward {page} has {page} beds." for page in range(1, 40)}


def retrieved(*chunks: Chunk | int, legs: Mapping[str, int] | None = None) -> tuple[Retrieved, ...]:
    """Chunks by rank; a number stands for the one chunk of that page."""
    return tuple(
        Retrieved(
            chunk=scripted_runs.chunk(one, PAGES[one]) if isinstance(one, int) else one,
            rank=rank,
            score=1.0,
            legs={name: LegScore(rank=place, score=1.0) for name, place in (legs or {}).items()},
        )
        for rank, one in enumerate(chunks, start=1)
    )


def answer(
    text: str,
    *chunks: Chunk | int,
    refused: bool = False,
    sent: Sequence[int] = (),
    legs: Mapping[str, int] | None = None,
    seconds: float = 2.0,
) -> Answer:
    return Answer(
        question="",
        text=text,
        refused=refused,
        retrieved=retrieved(*chunks, legs=legs),
        sent=tuple(sent),
        seconds={"retrieve": 0.5, "answer": seconds - 0.5},
        tokens={"prompt": 100, "answer": 10},
    )


def describe(config: Config, cases: Sequence[TestCase], **changes: object) -> Run:
    fields: dict[str, object] = {
        "id": f"first-{config.name}",
        "evaluation": "first",
        "config": config.to_dict(),
        "corpus": "wards",
        "corpus_digest": "c",
        "test_set": "wards.jsonl",
        "test_set_digest": "t",
        "cases": tuple(cases),
        "metrics": (),
        "models": {"chat_model": "embedded:small", "embedder": "embedded:e5"},
        "created": "2030-01-01T00:00:00Z",
        **changes,
    }
    return Run(**fields)  # type: ignore[arg-type]


def write(
    store: Store,
    run: Run,
    answers: Mapping[str, Answer],
    *,
    labels: Mapping[str, Right] | None = None,
    scores: Mapping[str, Mapping[str, float | None]] | None = None,
    family: Family = "ragas",
) -> RunFolder:
    """A run on disk.

    Args:
        store: Where.
        run: Its description.
        answers: By id of the case; cases that are absent were not asked yet.
        labels: What a person says of them.
        scores: By metric and id of the case.
        family: Of the metrics.
    """
    folder = create_run(store, run)
    for case, given in answers.items():
        folder.add_cell(Cell(configuration=run.configuration, case=case, answer=given))
    for case, verdict in (labels or {}).items():
        add_labels(folder.folder, [new_label(run.configuration, case, verdict, labeller="Ada")])
    for metric, values in (scores or {}).items():
        for case, value in values.items():
            folder.add_score(case, score(metric, value, family=family))
    return folder


def score(
    metric: str, value: float | None, *, family: Family = "ragas", verdict: str = "yes"
) -> Score:
    return Score(
        metric=metric,
        family=family,
        value=value,
        reason="scripted",
        detail=(Verdict(statement="It has.", verdict=verdict),),
    )


CASES = [scripted_runs.case(number) for number in range(1, 25)]


def scored_run(
    store: Store,
    name: str,
    right: Callable[[int], bool],
    *,
    labelled: int = 24,
    cases: Sequence[TestCase] = CASES,
    seconds: float = 2.0,
    judge: str = "",
    values: Callable[[int, bool], float] = lambda number, right: 0.7 * right + number / 100,
    family: Family = "ragas",
) -> RunFolder:
    """A run that answers some cases right, each from another chunk; faithfulness follows."""
    answers, labels, scores = {}, {}, {}
    for number, asked in enumerate(cases, start=1):
        good = right(number)
        page = number if good else 30 + number % 5
        text = f"{number} beds" if good else "many beds"
        answers[asked.id] = answer(f"{name}: {text}", page, seconds=seconds)
        if number <= labelled:
            labels[asked.id] = "right" if good else "wrong"
        scores[asked.id] = values(number, good)
    described = describe(
        preset(name), cases, judging=Judging(model=judge, digest=judge), metrics=("faithfulness",)
    )
    return write(
        store,
        described,
        answers,
        labels=labels,  # type: ignore[arg-type]
        scores={"faithfulness": scores},
        family=family,
    )


def good(number: int) -> bool:
    return number % 8 != 0


def bad(number: int) -> bool:
    return number % 4 == 0
