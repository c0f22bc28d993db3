"""HTML of what is said of each compared run: rate, cost, the front, diagnosis and slices.

Numbers stand for the configurations in the picture. Leaves out pairs (pair.py) and what a
click opens (case.py).
"""

from collections.abc import Sequence

from sandbox.evaluation.comparison.records import (
    RIGHT,
    Comparison,
    PassRate,
    RunCost,
    RunFinding,
    Slice,
    SliceAcross,
)
from sandbox.evaluation.comparison.slices import slices_across
from sandbox.markup.bars import AxisNames, FrontPoint, front_plot, share_bar
from sandbox.markup.markup import count, escape, number
from sandbox.ui.compare.case import name_of
from sandbox.ui.evaluate.parts import target


def findings_html(comparison: Comparison) -> str:
    """Everything about each run by itself."""
    return (
        "<section><h3>How often right, and at what cost</h3><div class='rates-and-front'>"
        f"{rates_html(comparison)}{front_html(comparison)}</div></section>"
        f"<section><h3>What went wrong, and what to try first</h3>{sums_html(comparison)}</section>"
        f"<section><h3>Where each is weakest</h3>{slices_html(comparison)}</section>"
    )


def rates_html(comparison: Comparison) -> str:
    """The share right of each run with its interval, its seconds and tokens."""
    rows = "".join(
        f"<tr><th scope='row'><span class='letter'>{place}</span> "
        f"{_named(comparison, finding)}</th><td>{_rate(finding.pass_rate)}</td>"
        f"<td>{_cost(finding.cost)}</td></tr>"
        for place, finding in enumerate(comparison.findings, start=1)
    )
    return (
        "<div class='table-scroll'><table class='rates'><thead><tr><th scope='col'>configuration"
        "</th><th scope='col'>right, with its 95 % interval</th><th scope='col'>an answer takes"
        f"</th></tr></thead><tbody>{rows}</tbody></table></div>"
    )


def front_html(comparison: Comparison) -> str:
    """Quality against seconds; a sentence where one of the two is not known."""
    points = [
        FrontPoint(
            number=place,
            name=name_of(comparison, one.run),
            seconds=one.cost.seconds,
            quality=one.quality,
            low=one.pass_rate.low if comparison.quality == RIGHT else None,
            high=one.pass_rate.high if comparison.quality == RIGHT else None,
            on_front=one.on_front,
        )
        for place, one in enumerate(comparison.findings, start=1)
        if one.quality is not None and one.cost.seconds is not None
    ]
    if not points:
        return (
            "<p class='empty'>Quality against seconds is drawn once answers are labelled, or a "
            "metric that may decide has scored them.</p>"
        )
    quality = "share right" if comparison.quality == RIGHT else comparison.quality
    axes = AxisNames(seconds="seconds an answer", quality=quality)
    return (
        f"<figure class='front-figure'>{front_plot(points, axes)}<figcaption class='legend'>"
        "filled: no other is at least as good and as fast</figcaption></figure>"
    )


def sums_html(comparison: Comparison) -> str:
    """How often what went wrong, by run; a number opens its cases."""
    counts: dict[str, dict[str, int]] = {}
    levers: dict[str, str] = {}
    for finding in comparison.findings:
        for one in finding.sums:
            counts.setdefault(one.kind, {})[finding.run] = len(one.cases)
            levers.setdefault(one.kind, one.lever)
    judged = sum(one.kind != "not judged" for run in comparison.findings for one in run.diagnoses)
    if not judged:
        return (
            "<p class='empty'>Nothing says yet which answers are right: label some on the Trust "
            "tab, or give the test cases accepted answers.</p>"
        )
    if not counts:
        return "<p class='empty'>Nothing is known to be wrong.</p>"
    ordered = sorted(counts, key=lambda kind: -sum(counts[kind].values()))
    rows = "".join(
        f"<tr><th scope='row'>{escape(kind)}</th>"
        + "".join(_sum_cell(counts[kind].get(run.run, 0), run, kind) for run in comparison.findings)
        + f"<td class='lever'>{escape(levers[kind])}</td></tr>"
        for kind in ordered
    )
    return _table(comparison, "answers with a fault", rows, last="try first")


def slices_html(comparison: Comparison) -> str:
    """The cases that have something in common, the weakest first, with how many they are."""
    ordered = slices_across(comparison.findings, comparison.quality)
    if not ordered:
        return "<p class='empty'>All cases are of one kind.</p>"

    def row(part: SliceAcross) -> str:
        cells = "".join(f"<td>{_slice(of_run, comparison.quality)}</td>" for of_run in part.runs)
        basis = f"<span class='basis'>{part.by}, {count(part.cases, 'case')}</span>"
        name = f"{escape(part.name or '(none)')} {basis}"
        return f"<tr><th scope='row' dir='auto'>{name}</th>{cells}</tr>"

    larger = [row(part) for part in ordered if part.cases > 1]
    single = [row(part) for part in ordered if part.cases == 1]
    table = _table(comparison, "cases", "".join(larger)) if larger else ""
    if not single:
        return table
    folded = _table(comparison, "cases", "".join(single))
    summary = f"{len(single)} with a single case, which tells little"
    return f"{table}<details><summary>{summary}</summary>{folded}</details>"


def _table(comparison: Comparison, corner: str, rows: str, *, last: str = "") -> str:
    heads = "".join(f"<th scope='col'>{_name(comparison, one)}</th>" for one in comparison.findings)
    more = f"<th scope='col'>{last}</th>" if last else ""
    return (
        f"<div class='table-scroll'><table class='by-run'><thead><tr><th scope='col'>{corner}</th>"
        f"{heads}{more}</tr></thead><tbody>{rows}</tbody></table></div>"
    )


def _named(comparison: Comparison, finding: RunFinding) -> str:
    front = "<span class='badge cited'>on the front</span>" if finding.on_front else ""
    return f"{_name(comparison, finding)}{front}"


def _name(comparison: Comparison, finding: RunFinding) -> str:
    return escape(name_of(comparison, finding.run)).replace("+", "+<wbr>")


def _rate(rate: PassRate) -> str:
    decided = rate.right + rate.wrong
    if rate.rate is None or rate.low is None or rate.high is None:
        return f"<span class='basis'>no label among {rate.unlabelled + rate.unsure}</span>"
    interval = f"{_share(rate.rate)} [{_share(rate.low)}, {_share(rate.high)}] of {decided}"
    notes = [f"{rate.suggested} only suggested"] if rate.suggested else []
    notes += [f"{rate.unsure} unsure"] if rate.unsure else []
    notes += [f"{rate.unlabelled} without a label"] if rate.unlabelled else []
    bar = share_bar(rate.rate, rate.low, rate.high, label=interval)
    return f"{bar} {interval}{_corrected(rate)}<span class='basis'>{', '.join(notes)}</span>"


def _corrected(rate: PassRate) -> str:
    found = rate.corrected
    if found is None:
        if not rate.unlabelled:
            return ""
        return f"<span class='basis'>not corrected: {escape(rate.no_correction)}</span>"
    return (
        f"<span class='basis'>corrected by {escape(found.by)}: {_share(found.rate)} "
        f"[{_share(found.low)}, {_share(found.high)}], {found.labelled} labelled and "
        f"{found.unlabelled} predicted</span>"
    )


def _cost(cost: RunCost) -> str:
    seconds = "–" if cost.seconds is None else f"{cost.seconds:.1f} s"
    tokens = [
        f"{value:,.0f} {name}"
        for name, value in (("prompt", cost.prompt_tokens), ("answer", cost.answer_tokens))
        if value is not None
    ]
    lines = [f"{' + '.join(tokens)} tokens"] if tokens else []
    lines += [] if cost.index_seconds is None else [f"index {cost.index_seconds:.1f} s"]
    return seconds + "".join(f"<span class='basis'>{line}</span>" for line in lines)


def _sum_cell(number_of: int, finding: RunFinding, kind: str) -> str:
    if not number_of:
        return "<td>–</td>"
    link = target("diagnosis", finding.run, metric=kind)
    return f"<td><button class='number' {link}>{number_of}</button></td>"


def _slice(part: Slice | None, quality: str) -> str:
    if part is None:
        return "–"
    decided: Sequence[int] = (part.right, part.wrong)
    if part.rate is not None and part.low is not None and part.high is not None:
        return (
            f"{_share(part.rate)}<span class='basis'>[{_share(part.low)}, {_share(part.high)}] "
            f"of {sum(decided)}</span>"
        )
    value = part.means.get(quality)
    return "–" if value is None else f"{number(value)}<span class='basis'>{escape(quality)}</span>"


def _share(value: float) -> str:
    return f"{100 * value:.0f} %"
