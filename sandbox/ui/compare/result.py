"""The comparison as HTML: the head, the whole result, and what a click in it opens."""

from collections import Counter
from collections.abc import Mapping

from markupsafe import Markup

from sandbox.evaluation.comparison.factors import ConfigDifference
from sandbox.evaluation.comparison.records import RIGHT, Comparison, PairComparison, PassRate
from sandbox.evaluation.comparison.slices import slices_across
from sandbox.markup.plots import AxisNames, FrontPoint, draw_front, draw_share
from sandbox.markup.templates import render
from sandbox.ui.compare.columns import answers_html, chunks_html, column_of

LAYERS = {
    "retrieval": "other chunks",
    "generation": "identical chunks, other answers",
    "same": "identical chunks and answers",
    "unknown": "without an answer in one",
}


def head_html(comparison: Comparison) -> Markup:
    """What is compared, in one line."""
    judges = list(dict.fromkeys(run.judge for run in comparison.runs if run.judge))
    return render("ui/compare/detail.html#head", comparison=comparison, judges=judges)


def comparison_html(comparison: Comparison, pair: PairComparison) -> Markup:
    """The whole comparison, with one pair open."""
    diagnoses = [case for finding in comparison.findings for case in finding.diagnoses]
    of_pairs = [warning for other in comparison.pairs for warning in other.warnings]
    return render(
        "ui/compare/result.html",
        comparison=comparison,
        pair=pair,
        names=names_of(comparison),
        credit=credit(pair.difference),
        layers=layers(pair),
        changed=[case for case in pair.cases if case.layer not in ("same", "unknown")],
        front=_front(comparison),
        is_judged=any(case.kind != "not judged" for case in diagnoses),
        faults=_faults(comparison),
        slices=slices_across(comparison.findings, comparison.quality),
        warnings=list(dict.fromkeys([*comparison.warnings, *of_pairs])),
        sentence=sentence,
        draw_share=_share_bar,
    )


def case_html(comparison: Comparison, pair: PairComparison, id: str) -> str:
    """One case under both runs of a pair; empty where there is no such case."""
    case = next((paired for paired in pair.cases if paired.case.id == id), None)
    if case is None:
        return ""
    names = names_of(comparison)
    columns = [column_of(case.a, 0, names[pair.a]), column_of(case.b, 1, names[pair.b])]
    return render(
        "ui/compare/detail.html#case",
        case=case.case,
        layer=sentence(case.attribution),
        answers=answers_html(columns),
        chunks=chunks_html(columns),
    )


def diagnosis_html(comparison: Comparison, run: str, kind: str) -> str:
    """The cases of one run with one diagnosis, each with its reason and what to try first."""
    diagnoses = [
        case
        for finding in comparison.findings
        for case in finding.diagnoses
        if finding.run == run and case.kind == kind
    ]
    if not diagnoses:
        return ""
    return render(
        "ui/compare/detail.html#diagnosis",
        configuration=names_of(comparison)[run],
        kind=kind,
        run=run,
        diagnoses=diagnoses,
        questions={case.id: case.question for case in comparison.runs[0].cases},
    )


def names_of(comparison: Comparison) -> Mapping[str, str]:
    """The configuration of each compared run, with its time where another has the same."""
    alike = Counter(run.configuration for run in comparison.runs)
    return {
        run.id: run.configuration
        if alike[run.configuration] == 1
        else f"{run.configuration} ({run.started})"
        for run in comparison.runs
    }


def credit(difference: ConfigDifference) -> str:
    """What a difference can be credited to; what lies in between has a list of its own."""
    text = difference.sentence.partition("; missing in between")[0]
    return sentence(text.partition("; already run")[0])


def layers(pair: PairComparison) -> str:
    """How often which layer made the difference."""
    return " · ".join(f"{LAYERS[layer]}: {cases}" for layer, cases in pair.layers.items() if cases)


def sentence(text: str) -> str:
    """With a capital letter and a full stop."""
    return f"{text[:1].upper()}{text[1:]}." if text else ""


def _share_bar(rate: PassRate, label: str) -> Markup:
    assert rate.rate is not None
    assert rate.low is not None
    assert rate.high is not None
    return Markup(draw_share(rate.rate, rate.low, rate.high, label=label))


def _front(comparison: Comparison) -> Markup:
    """Quality against seconds; empty where one of the two is not known."""
    is_share = comparison.quality == RIGHT
    names = names_of(comparison)
    points = [
        FrontPoint(
            number=place,
            name=names[finding.run],
            seconds=finding.cost.seconds,
            quality=finding.quality,
            low=finding.pass_rate.low if is_share else None,
            high=finding.pass_rate.high if is_share else None,
            on_front=finding.on_front,
        )
        for place, finding in enumerate(comparison.findings, start=1)
        if finding.quality is not None and finding.cost.seconds is not None
    ]
    if not points:
        return Markup("")
    quality = "share right" if is_share else comparison.quality
    return Markup(draw_front(points, AxisNames(seconds="seconds an answer", quality=quality)))


def _faults(comparison: Comparison) -> list[tuple[str, str, Counter[str]]]:
    """Each kind of fault with what to try first and its cases by run, the most frequent first."""
    counts: dict[str, Counter[str]] = {}
    levers: dict[str, str] = {}
    for finding in comparison.findings:
        for fault in finding.sums:
            counts.setdefault(fault.kind, Counter())[finding.run] = len(fault.cases)
            levers.setdefault(fault.kind, fault.lever)
    kinds = sorted(counts, key=lambda kind: -counts[kind].total())
    return [(kind, levers[kind], counts[kind]) for kind in kinds]
