"""What trusted metrics say of support, and of answers that nobody judged."""

from pathlib import Path
from typing import Any

import pytest

from sandbox.config import preset
from sandbox.evaluation.comparison.diagnosis import Support, Symptoms
from sandbox.evaluation.comparison.symptoms import symptoms_of
from sandbox.evaluation.runs.folder import RunFolder
from sandbox.evaluation.runs.read import read_run, read_runs
from sandbox.evaluation.runs.records import Right
from sandbox.evaluation.trust.cells import collect_cells
from sandbox.evaluation.trust.records import TrustTable
from sandbox.evaluation.trust.table import build_trust_table
from sandbox.files.storage import Store
from tests.evaluation.compared_runs import answer, describe, score, write
from tests.evaluation.scripted_runs import case

CASES = [case(number, accepted_answers=()) for number in range(1, 25)]


def good(number: int) -> bool:
    return number % 2 == 0


@pytest.fixture
def folder(tmp_path: Path) -> RunFolder:
    """A run whose first answers are labelled; words give nothing away."""
    answers = {asked.id: answer("either or both", 30 + n % 3) for n, asked in enumerate(CASES)}
    labels: dict[str, Right] = {
        asked.id: "right" if good(number) else "wrong"
        for number, asked in enumerate(CASES, start=1)
        if number <= 20
    }
    return write(Store(tmp_path), describe(preset("ctx_k9"), CASES), answers, labels=labels)


def add(folder: RunFolder, metric: str, high: float, low: float, **changes: Any) -> None:
    for number, asked in enumerate(CASES, start=1):
        value = (high if good(number) else low) + number / 1000
        folder.add_score(asked.id, score(metric, value, **changes))


def first_of(folder: RunFolder, number: int = 1) -> tuple[Symptoms, TrustTable]:
    table = build_trust_table(collect_cells(read_runs([folder])))
    (found,) = symptoms_of(CASES[number - 1], [read_run(folder)], table)
    return found, table


def test_support_comes_from_a_trusted_metric_with_its_own_threshold(folder: RunFolder) -> None:
    add(folder, "faithfulness", 0.8, 0.2)
    found, table = first_of(folder)
    row = table.metric("faithfulness")
    assert row is not None
    assert row.threshold is not None
    assert found.support == Support(
        metric="faithfulness",
        value=0.201,
        threshold=row.threshold.value,
        contradicted=False,
    )
    assert not found.support.is_supported


def test_an_untrusted_metric_says_nothing_of_support(folder: RunFolder) -> None:
    for number, asked in enumerate(CASES, start=1):
        folder.add_score(asked.id, score("faithfulness", number % 3 / 3))
    assert first_of(folder)[0].support is None


def test_a_contradiction_counts_from_any_trusted_metric(folder: RunFolder) -> None:
    add(folder, "faithfulness", 0.8, 0.2)
    add(folder, "supported_min", 0.9, 0.1, verdict="contradicted")
    found, _ = first_of(folder)
    assert found.support is not None
    assert (found.support.metric, found.support.contradicted) == ("faithfulness", True)


def test_a_trusted_metric_judges_where_labels_and_accepted_answers_are_silent(
    folder: RunFolder,
) -> None:
    add(folder, "faithfulness", 0.8, 0.2)
    wrong, _ = first_of(folder, number=23)
    right, _ = first_of(folder, number=24)
    assert (wrong.verdict, right.verdict) == ("wrong", "right")
    assert wrong.suggested
    assert wrong.verdict_from.startswith("wrong (faithfulness 0.22 < 0.")
