"""A comparison as JSON for programs and as lines for a terminal.

The lines show the weakest slices of each run only, and no answers; the JSON document has everything
but the answers' chunks. Its keys at the top speak of the first pair, "pairs" holds all of them.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from sandbox.commands.output.terminal import wrap
from sandbox.evaluation.comparison.factors import ConfigDifference
from sandbox.evaluation.comparison.records import (
    Comparison,
    MetricDifference,
    PairComparison,
    PairedCase,
    PassRate,
    RunCost,
    RunFinding,
    Slice,
)
from sandbox.evaluation.comparison.slices import slices_across
from sandbox.evaluation.runs.cells import CellView
from sandbox.evaluation.runs.records import Run
from sandbox.report.provenance import evaluate_command

SLICES = 4
"""Slices shown, the weakest ones."""


def to_lines(comparison: Comparison) -> Iterator[str]:
    """Each pair, then each run."""
    first = comparison.runs[0]
    for pair, run in zip(comparison.pairs, comparison.runs[1:], strict=True):
        yield from _pair_to_lines(pair, first, run)
        yield ""
    yield from _rates_to_lines(comparison)
    for finding in comparison.findings:
        yield from _finding_to_lines(finding)
    yield from _slices_to_lines(comparison)
    warnings = [warning for pair in comparison.pairs for warning in pair.warnings]
    for warning in (*comparison.warnings, *warnings):
        yield from wrap(f"note: {warning}", hanging=10)


def to_json(comparison: Comparison) -> dict[str, Any]:
    """Everything a comparison found."""
    first = comparison.runs[0]
    pairs = [_pair_to_json(pair, first) for pair in comparison.pairs]
    return {
        **pairs[0],
        "pairs": pairs,
        "runs": [
            _run_to_json(run, finding)
            for run, finding in zip(comparison.runs, comparison.findings, strict=True)
        ],
        "cases": list(comparison.cases),
        "quality": comparison.quality,
        "weakest_slices": [
            {"by": part.by, "name": part.name, "runs": [run and asdict(run) for run in part.runs]}
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


def _pair_to_lines(pair: PairComparison, first: Run, other: Run) -> Iterator[str]:
    yield f"A  {first.configuration}  ({pair.a})"
    yield f"B  {other.configuration}  ({pair.b})"
    yield from wrap(f"differs   {pair.difference.sentence}", hanging=10)
    for step in pair.difference.in_between:
        if step.run is None:
            yield f"  run it:  {evaluate_command(first, step.config)}"
    yield from wrap(f"verdict   {pair.conclusion}", hanging=10)
    yield from wrap(f"labels    {pair.right_wrong.sentence}", hanging=10)
    layers = ", ".join(f"{layer} {count}" for layer, count in pair.layers.items() if count)
    yield f"layers    {layers}  (of {len(pair.cases)} cases)"
    yield from _metrics_to_lines(pair.metrics)
    if pair.flips:
        yield f"flipped cases ({len(pair.flips)})"
    for case in pair.flips:
        suggested = " (suggested)" if case.suggested else ""
        right = (case.better or "").upper()
        line = f"  {case.case.id}: right in {right}{suggested}; {case.attribution}"
        yield from wrap(line, hanging=4)


def _metrics_to_lines(metrics: Sequence[MetricDifference]) -> Iterator[str]:
    if not metrics:
        yield "metrics   none scored both"
        return
    yield (
        f"{'metric':<26} {'A':>7} {'B':>7}  {'B - A [95 %]':<22} {'p Holm':>8} {'effect':>7}"
        f" {'n':>4}  better"
    )
    for row in metrics:
        trust, colon, _ = row.trust.partition(":")
        mark = "" if row.decides else f" ({trust if colon else 'not trusted'})"
        better = "equal" if row.n and row.ties == row.n else (row.better or "-").upper()
        interval = "" if row.low is None else f"[{row.low:+.2f}, {row.high:+.2f}]"
        change = f"{_number(row.difference, '+.2f')} {interval}"
        yield (
            f"{row.metric[:26]:<26} {_number(row.a, '.2f'):>7} {_number(row.b, '.2f'):>7} "
            f" {change:<22} {_number(row.p_holm, '.2g'):>8} {_number(row.effect, '+.2f'):>7}"
            f" {row.n:>4}  {better}{mark}"
        )
        if row.note and better != "equal":
            yield from wrap(f"    {row.note}", hanging=6)


def _rates_to_lines(comparison: Comparison) -> Iterator[str]:
    yield (
        f"{'configuration':<22} {'right [95 %]':<24} {'corrected [95 %]':<17} {'s/answer':>8}"
        f" {'tokens':>7} {'index s':>8}  front"
    )
    for finding in comparison.findings:
        corrected = finding.pass_rate.corrected
        share = "-" if corrected is None else _share(corrected.rate, corrected.low, corrected.high)
        front = "yes" if finding.on_front else "no" if finding.quality is not None else "-"
        yield (
            f"{finding.configuration[:22]:<22} {_rate(finding.pass_rate):<24} {share:<17}"
            f" {_number(finding.cost.seconds, '.1f'):>8} {_tokens(finding.cost):>7}"
            f" {_number(finding.cost.index_seconds, '.1f'):>8}  {front}"
        )
    for finding in comparison.findings:
        rate = finding.pass_rate
        note = ""
        if rate.corrected is not None:
            note = (
                f"corrected by {rate.corrected.by}, from {rate.corrected.labelled} labelled, taken"
                f" for a random part, and {rate.corrected.unlabelled} others"
            )
        elif rate.unlabelled:
            note = f"no corrected rate: {rate.no_correction}"
        if note:
            yield from wrap(f"  {finding.configuration}: {note}", hanging=4)


def _finding_to_lines(finding: RunFinding) -> Iterator[str]:
    yield ""
    wrong = sum(len(row.cases) for row in finding.sums)
    yield f"{finding.configuration}: {wrong} of {len(finding.diagnoses)} answers with a fault"
    for row in finding.sums:
        yield from wrap(f"  {len(row.cases):>3}  {row.kind}; try first: {row.lever}", hanging=7)
        yield from wrap(f"       {', '.join(row.cases)}", hanging=7)


def _slices_to_lines(comparison: Comparison) -> Iterator[str]:
    """The weakest slices, each under every run."""
    slices = slices_across(comparison.findings, comparison.quality)[:SLICES]
    if slices:
        yield ""
        yield "weakest slices"
    for weak in slices:
        yield f"  {weak.by} = {weak.name or '(none)'}"
        for finding, part in zip(comparison.findings, weak.runs, strict=True):
            if part is not None:
                yield f"    {finding.configuration}: {_slice(part, comparison.quality)}"


def _slice(part: Slice, quality: str) -> str:
    share = _share(part.rate, part.low, part.high)
    if part.rate is None and quality in part.means:
        share = f"{quality} {part.means[quality]:.2f}"
    suggested = f", {part.suggested} suggested" if part.suggested else ""
    return f"{share}, n {part.cases}{suggested}"


def _rate(rate: PassRate) -> str:
    decided = rate.right + rate.wrong
    return f"{_share(rate.rate, rate.low, rate.high)} of {decided}" if decided else "no labels"


def _share(rate: float | None, low: float | None, high: float | None) -> str:
    if rate is None or low is None or high is None:
        return "-"
    return f"{rate:.2f} [{low:.2f}, {high:.2f}]"


def _tokens(cost: RunCost) -> str:
    if cost.prompt_tokens is None and cost.answer_tokens is None:
        return "-"
    return f"{(cost.prompt_tokens or 0) + (cost.answer_tokens or 0):.0f}"


def _number(value: float | None, form: str) -> str:
    return "-" if value is None else format(value, form)


def _pair_to_json(pair: PairComparison, first: Run) -> dict[str, Any]:
    labels = pair.right_wrong
    return {
        "a": pair.a,
        "b": pair.b,
        **_difference_to_json(pair.difference, first),
        "right_wrong": {**asdict(labels), "compared": labels.compared},
        "metrics": [asdict(row) for row in pair.metrics],
        "layer": dict(pair.layers),
        "flips": [_flip_to_json(case) for case in pair.flips],
        "better": pair.better,
        "verdict": pair.conclusion,
    }


def _difference_to_json(difference: ConfigDifference, first: Run) -> dict[str, Any]:
    return {
        "factors": [asdict(factor) for factor in difference.factors],
        "creditable": difference.is_creditable,
        "credited_to": difference.factors[0].name if difference.is_creditable else None,
        "credit": difference.sentence,
        "in_between": [
            {
                "name": step.config.name,
                "factor": step.factor,
                "run": step.run,
                "config": step.config.to_dict(),
                "command": "" if step.run else evaluate_command(first, step.config),
            }
            for step in difference.in_between
        ],
    }


def _flip_to_json(case: PairedCase) -> dict[str, Any]:
    return {
        "case": case.case.id,
        "question": case.case.question,
        "better": case.better,
        "suggested": case.suggested,
        "layer": case.layer,
        "decided_by": case.decided_by,
        "attribution": case.attribution,
        "a": _cell_to_json(case.a),
        "b": _cell_to_json(case.b),
    }


def _cell_to_json(cell: CellView) -> dict[str, Any]:
    return {
        "verdict": cell.label_or_suggestion,
        "source": cell.source,
        "answer": cell.answer.text if cell.answer else None,
        "evidence": asdict(cell.evidence) if cell.evidence else None,
    }


def _run_to_json(run: Run, finding: RunFinding) -> dict[str, Any]:
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
        "diagnoses": [asdict(diagnosis) for diagnosis in finding.diagnoses],
        "diagnosis": [{**asdict(fault), "count": len(fault.cases)} for fault in finding.sums],
        "slices": [asdict(part) for part in finding.slices],
    }
