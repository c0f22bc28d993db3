"""Past runs, as JSON for programs and as lines for a terminal."""

from collections.abc import Iterator, Sequence
from typing import Any

from sandbox.evaluation.runs.history import PastRun


def to_json(runs: Sequence[PastRun]) -> dict[str, Any]:
    """What `sandbox compare --list --json` prints."""
    return {
        "runs": [
            {
                "id": past.run.id,
                "name": past.about.name,
                "note": past.about.note,
                "evaluation": past.run.evaluation,
                "created": past.run.created,
                "corpus": past.run.corpus,
                "test_set": past.run.test_set,
                "config": past.run.configuration,
                "judge": past.run.judge,
                "cases": len(past.run.cases),
                "answered": past.answered,
                "finished": past.finished,
                "right": past.right,
                "wrong": past.wrong,
                "headline": past.headline,
                "chat": past.is_chat,
            }
            for past in runs
        ]
    }


def to_lines(runs: Sequence[PastRun]) -> Iterator[str]:
    """Two lines a run, its note below."""
    if not runs:
        yield "no run yet; make one with: sandbox evaluate"
    for past in runs:
        run = past.run
        judge = f", judged by {run.judge}" if run.judge else ""
        yield f"{past.name}  {run.started}  {past.headline}"
        named = f" ({run.id})" if past.about.name else ""
        yield f"  {run.corpus}, {run.configuration}, {len(run.cases)} cases{judge}{named}"
        yield from (f"  {line}" for line in past.about.note.splitlines())
