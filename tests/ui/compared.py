"""Runs on eight questions: with nine chunks the sentence is found that four cut off."""

from collections.abc import Mapping

from sandbox.config import Config, preset, with_changes
from sandbox.evaluation.comparison.compare import compare_runs
from sandbox.evaluation.comparison.records import Comparison
from sandbox.evaluation.runs.folder import RunFolder, list_runs
from sandbox.evaluation.runs.read import read_runs
from sandbox.evaluation.runs.records import Right
from sandbox.files.storage import Store
from sandbox.records import Answer
from tests.evaluation.compared_runs import answer, describe, write
from tests.evaluation.scripted_runs import case

MARKUP = "<script>x</script>"
CASES = tuple(
    case(number, question=f"Beds {number} {MARKUP}?", quotes=(f"Ward {number} has {number} beds.",))
    for number in range(1, 9)
)
HELPED = range(1, 8)
"""Cases that only a run with nine chunks answers right."""

FOUR, NINE = preset("text_k4"), preset("text_k9")
BOTH = with_changes(NINE, {"prompt": "strict"})


def make(store: Store, config: Config, *, labels: bool = True) -> RunFolder:
    """A run of the configuration; with top_k 9 the sentence is found at rank 9."""
    answers: dict[str, Answer] = {}
    verdicts: dict[str, Right] = {}
    for number, asked in enumerate(CASES, start=1):
        others = [page for page in range(20, 29)]
        right = config.top_k == 9 or number not in HELPED
        pages = [*others[: config.top_k - 1], number] if right else others[: config.top_k]
        answers[asked.id] = answer(f"{number if right else 99} beds {MARKUP}", *pages)
        verdicts[asked.id] = "right" if right else "wrong"
    scores: Mapping[str, Mapping[str, float | None]] = {
        "recall@5": {asked.id: 0.5 for asked in CASES},
    }
    return write(
        store,
        describe(config, CASES, metrics=("recall@5",)),
        answers,
        labels=verdicts if labels else {},
        scores=scores,
        family="ranking",
    )


def compared(store: Store, *configs: Config) -> Comparison:
    """Runs of the configurations, compared with the first."""
    folders = [make(store, config) for config in configs]
    return compare_runs(read_runs(folders), known=[folder.run for folder in list_runs(store)])
