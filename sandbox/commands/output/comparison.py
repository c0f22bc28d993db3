"""A comparison as lines for a terminal of 100 columns.

Leaves out what each answer says, and single slices beyond the weakest (comparison_json.py has all).
"""

import textwrap
from collections.abc import Iterator, Sequence

from sandbox.commands.output.reruns import evaluate_command
from sandbox.evaluation.comparison.records import Comparison, MetricDifference, PairComparison
from sandbox.evaluation.comparison.run_records import PassRate, RunCost, RunFinding, Slice
from sandbox.evaluation.comparison.slices import slices_across
from sandbox.evaluation.runs.records import Run

WIDTH = 100
SLICES = 4
"""Slices shown, the weakest ones."""


def lines(comparison: Comparison) -> Iterator[str]:
    """Each pair, then each run."""
    first = comparison.runs[0]
    for pair, run in zip(comparison.pairs, comparison.runs[1:], strict=True):
        yield from _pair(pair, first, run)
        yield ""
    yield from _rates(comparison)
    for finding in comparison.findings:
        yield from _finding(finding)
    yield from _slices(comparison)
    warnings = [warning for pair in comparison.pairs for warning in pair.warnings]
    for warning in (*comparison.warnings, *warnings):
        yield from _wrapped(f"note: {warning}")


def _pair(pair: PairComparison, first: Run, other: Run) -> Iterator[str]:
    yield f"A  {first.configuration}  ({pair.a})"
    yield f"B  {other.configuration}  ({pair.b})"
    yield from _wrapped(f"differs   {pair.difference.sentence}")
    for one in pair.difference.in_between:
        if one.run is None:
            yield f"  run it:  {evaluate_command(first, one.config)}"
    yield from _wrapped(f"verdict   {pair.verdict}")
    yield from _wrapped(f"labels    {pair.right_wrong.sentence}")
    layers = ", ".join(f"{layer} {count}" for layer, count in pair.layers.items() if count)
    yield f"layers    {layers}  (of {len(pair.cases)} cases)"
    yield from _metrics(pair.metrics)
    if pair.flips:
        yield f"flipped cases ({len(pair.flips)})"
    for case in pair.flips:
        suggested = " (suggested)" if case.suggested else ""
        right = (case.better or "").upper()
        yield from _wrapped(
            f"  {case.case.id}: right in {right}{suggested}; {case.attribution}", "    "
        )


def _metrics(metrics: Sequence[MetricDifference]) -> Iterator[str]:
    if not metrics:
        yield "metrics   none scored both"
        return
    yield (
        f"{'metric':<26} {'A':>7} {'B':>7}  {'B - A [95 %]':<22} {'p Holm':>8} {'effect':>7}"
        f" {'n':>4}  better"
    )
    for one in metrics:
        mark = "" if one.decides else f" ({_why_not(one)})"
        better = "equal" if one.n and one.ties == one.n else (one.better or "-").upper()
        interval = "" if one.low is None else f"[{one.low:+.2f}, {one.high:+.2f}]"
        change = f"{_number(one.difference, '+.2f')} {interval}"
        yield (
            f"{one.metric[:26]:<26} {_number(one.a, '.2f'):>7} {_number(one.b, '.2f'):>7} "
            f" {change:<22} {_number(one.p_holm, '.2g'):>8} {_number(one.effect, '+.2f'):>7}"
            f" {one.n:>4}  {better}{mark}"
        )
        if one.note and better != "equal":
            yield from _wrapped(f"    {one.note}", "      ")


def _why_not(one: MetricDifference) -> str:
    """The verdict of the trust table, without its reason."""
    verdict, colon, _ = one.trust.partition(":")
    return verdict if colon else "not trusted"


def _rates(comparison: Comparison) -> Iterator[str]:
    yield (
        f"{'configuration':<22} {'right [95 %]':<24} {'corrected [95 %]':<17} {'s/answer':>8}"
        f" {'tokens':>7} {'index s':>8}  front"
    )
    for finding in comparison.findings:
        corrected = finding.pass_rate.corrected
        shown = "-" if corrected is None else _share(corrected.rate, corrected.low, corrected.high)
        front = "yes" if finding.on_front else "no" if finding.quality is not None else "-"
        yield (
            f"{finding.configuration[:22]:<22} {_rate(finding.pass_rate):<24} {shown:<17}"
            f" {_number(finding.cost.seconds, '.1f'):>8} {_tokens(finding.cost):>7}"
            f" {_number(finding.cost.index_seconds, '.1f'):>8}  {front}"
        )
    for finding in comparison.findings:
        rate = finding.pass_rate
        if rate.corrected is None and rate.unlabelled:
            yield from _wrapped(
                f"  {finding.configuration}: no corrected rate: {rate.no_correction}", "    "
            )
        elif rate.corrected is not None:
            yield from _wrapped(
                f"  {finding.configuration}: corrected by {rate.corrected.by}, from"
                f" {rate.corrected.labelled} labelled, taken for a random part, and"
                f" {rate.corrected.unlabelled} others",
                "    ",
            )


def _finding(finding: RunFinding) -> Iterator[str]:
    yield ""
    wrong = sum(len(one.cases) for one in finding.sums)
    yield f"{finding.configuration}: {wrong} of {len(finding.diagnoses)} answers with a fault"
    for one in finding.sums:
        yield from _wrapped(f"  {len(one.cases):>3}  {one.kind}; try first: {one.lever}", "       ")
        yield from _wrapped(f"       {', '.join(one.cases)}", "       ")


def _slices(comparison: Comparison) -> Iterator[str]:
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
    said = _share(part.rate, part.low, part.high)
    if part.rate is None and quality in part.means:
        said = f"{quality} {part.means[quality]:.2f}"
    suggested = f", {part.suggested} suggested" if part.suggested else ""
    return f"{said}, n {part.cases}{suggested}"


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


def _wrapped(text: str, indent: str = "          ") -> list[str]:
    return textwrap.wrap(text, WIDTH, subsequent_indent=indent, break_long_words=False)
