"""A comparison as JSON for programs: what `sandbox compare --json` prints.

The keys at the top speak of the first pair; "pairs" holds all of them. Leaves out the answers'
texts, which stand in the runs.
"""

from dataclasses import asdict
from typing import Any

from sandbox.commands.output.reruns import evaluate_command
from sandbox.evaluation.comparison.factors import ConfigDifference
from sandbox.evaluation.comparison.records import (
    Comparison,
    MetricDifference,
    PairComparison,
    PairedCase,
)
from sandbox.evaluation.comparison.run_records import RunFinding, Slice
from sandbox.evaluation.comparison.slices import slices_across
from sandbox.evaluation.runs.cells import CellView, Evidence
from sandbox.evaluation.runs.records import Run


def document(comparison: Comparison) -> dict[str, Any]:
    """Everything a comparison found."""
    first = comparison.runs[0]
    pairs = [_pair(pair, first) for pair in comparison.pairs]
    return {
        **pairs[0],
        "pairs": pairs,
        "runs": [
            _run(run, finding)
            for run, finding in zip(comparison.runs, comparison.findings, strict=True)
        ],
        "cases": list(comparison.cases),
        "quality": comparison.quality,
        "weakest_slices": [
            {"by": part.by, "name": part.name, "runs": [_slice(of_run) for of_run in part.runs]}
            for part in slices_across(comparison.findings, comparison.quality)
        ],
        "trusted": [str(row.metric) for row in comparison.trust.metrics if row.is_trusted],
        "labels": {
            "right": comparison.trust.n_right,
            "wrong": comparison.trust.n_wrong,
            "unsure": comparison.trust.n_unsure,
            "suggested": comparison.trust.n_suggested,
        },
        "warnings": [
            *comparison.warnings,
            *(warning for pair in comparison.pairs for warning in pair.warnings),
        ],
        "seed": comparison.seed,
    }


def _pair(pair: PairComparison, first: Run) -> dict[str, Any]:
    labels = pair.right_wrong
    return {
        "a": pair.a,
        "b": pair.b,
        **_difference(pair.difference, first),
        "right_wrong": {**asdict(labels), "compared": labels.compared},
        "metrics": [_metric(one) for one in pair.metrics],
        "layer": dict(pair.layers),
        "flips": [_flip(case) for case in pair.flips],
        "better": pair.better,
        "verdict": pair.verdict,
    }


def _difference(difference: ConfigDifference, first: Run) -> dict[str, Any]:
    return {
        "factors": [asdict(factor) for factor in difference.factors],
        "creditable": difference.is_creditable,
        "credited_to": difference.factors[0].name if difference.is_creditable else None,
        "credit": difference.sentence,
        "in_between": [
            {
                "name": one.config.name,
                "factor": one.factor,
                "run": one.run,
                "config": one.config.to_dict(),
                "command": "" if one.run else evaluate_command(first, one.config),
            }
            for one in difference.in_between
        ],
    }


def _metric(one: MetricDifference) -> dict[str, Any]:
    return asdict(one)


def _flip(case: PairedCase) -> dict[str, Any]:
    return {
        "case": case.case.id,
        "question": case.case.question,
        "better": case.better,
        "suggested": case.suggested,
        "layer": case.layer,
        "decided_by": case.decided_by,
        "attribution": case.attribution,
        "a": _side(case.a),
        "b": _side(case.b),
    }


def _slice(part: Slice | None) -> dict[str, Any] | None:
    return None if part is None else asdict(part)


def _side(cell: CellView) -> dict[str, Any]:
    return {
        "verdict": cell.label_or_suggestion,
        "source": cell.source,
        "answer": cell.answer.text if cell.answer else None,
        "evidence": _evidence(cell.evidence),
    }


def _evidence(evidence: Evidence | None) -> dict[str, Any] | None:
    return None if evidence is None else {**asdict(evidence), "legs": dict(evidence.legs)}


def _run(run: Run, finding: RunFinding) -> dict[str, Any]:
    return {
        "id": run.id,
        "config": run.configuration,
        "corpus": run.corpus,
        "test_set": run.test_set,
        "judge": run.judge,
        "created": run.created,
        "pass_rate": asdict(finding.pass_rate),
        "cost": asdict(finding.cost),
        "quality": finding.quality,
        "on_front": finding.on_front,
        "diagnoses": [asdict(one) for one in finding.diagnoses],
        "diagnosis": [{**asdict(one), "count": len(one.cases)} for one in finding.sums],
        "slices": [asdict(one) for one in finding.slices],
    }
