"""The pytest fixture for a team's own tests, by the example in the documentation."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from sandbox.errors import SandboxError
from sandbox.evaluation.comparison.baseline import baseline_of, save_baseline
from sandbox.files.storage import Store
from sandbox.testing import Evaluated
from tests.evaluation.compared_runs import CASES, bad, good, score, scored_run

ROOT = Path(__file__).resolve().parent.parent
DOCUMENTED = ROOT / "docs" / "ci.md"


def run_documented_tests(folder: Path, recall: float) -> str:
    """What pytest says of the documented example on a run with that recall."""
    store = Store(folder / "results")
    evaluated = scored_run(store, "ctx_k9", good)
    for case in CASES:
        evaluated.add_score(case.id, score("recall@5", recall, family="ranking"))
    save_baseline(baseline_of(evaluated), folder / "baseline.json")
    (example,) = re.findall(r"```python\n(.*?)```", DOCUMENTED.read_text(encoding="utf-8"), re.S)
    (folder / "test_answers.py").write_text(example, encoding="utf-8")
    (folder / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
    environment = {key: value for key, value in os.environ.items() if key != "SANDBOX_RESULTS"}
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(folder)],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    ).stdout


def test_the_documented_tests_pass_where_a_threshold_holds_and_fail_where_not(
    tmp_path: Path,
) -> None:
    shown = run_documented_tests(tmp_path, recall=0.5)
    assert "1 failed, 2 passed" in shown
    assert "FAILED test_answers.py::test_the_right_pages_are_found" in shown


def test_an_evaluated_run_says_what_it_came_to(tmp_path: Path) -> None:
    run = Evaluated(scored_run(Store(tmp_path), "ctx_k9", bad))
    assert run.share_right == 0.25
    assert run.values("faithfulness")["case-4"] == 0.74
    assert run.mean("faithfulness") == pytest.approx(0.3)
    assert run.coverage("faithfulness") == 1.0
    assert run.is_trusted("faithfulness")
    assert not run.is_trusted("answer_length")


def test_a_metric_that_was_not_scored_is_said_with_those_that_were(tmp_path: Path) -> None:
    run = Evaluated(scored_run(Store(tmp_path), "ctx_k9", bad))
    with pytest.raises(SandboxError, match="no score of 'recall@5'; scored: faithfulness"):
        run.mean("recall@5")
