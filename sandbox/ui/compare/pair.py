"""HTML of one run compared with the baseline: what differs, the verdict, flipped cases, metrics.

A is the baseline, B the other, as in the sentences of the comparison. Leaves out what is said of
single runs (findings.py) and what a click opens (case.py).
"""

from collections.abc import Sequence

from sandbox.evaluation.comparison.factors import ConfigDifference
from sandbox.evaluation.comparison.records import (
    Comparison,
    MetricDifference,
    PairComparison,
    PairedCase,
    RightWrong,
)
from sandbox.markup.markup import count, escape, number
from sandbox.ui.compare.case import layer_sentence, name_of
from sandbox.ui.compare.sides import verdict_mark
from sandbox.ui.evaluate.parts import target

BAR_WIDTH, BAR_HEIGHT = 132, 18
LAYERS = {
    "retrieval": "other chunks",
    "generation": "identical chunks, other answers",
    "same": "identical chunks and answers",
    "unknown": "without an answer in one",
}


def pair_html(comparison: Comparison, pair: PairComparison) -> str:
    """Everything about one pair."""
    return (
        f"<section>{_title(comparison, pair)}<p class='lead'>{escape(pair.verdict)}</p>"
        f"{differs_html(pair)}</section>"
        f"<section><h3>Right and wrong, case by case</h3>{right_wrong_html(pair)}</section>"
        f"<section><h3>Metrics on the same cases</h3>{metrics_html(pair.metrics)}</section>"
    )


def differs_html(pair: PairComparison) -> str:
    """What differs, what can be credited, and what was run or is missing in between."""
    return f"{factors_html(pair)}{_between(pair.difference, pair.b)}"


def factors_html(pair: PairComparison) -> str:
    """What differs, factor by factor, and what can be credited."""
    difference = pair.difference
    rows = "".join(
        f"<tr><th scope='row'>{escape(one.name)}</th><td dir='auto'>{_value(one.a)}</td>"
        f"<td dir='auto'>{_value(one.b)}</td></tr>"
        for one in difference.factors
    )
    table = (
        "<div class='table-scroll'><table class='factors'><thead><tr><th scope='col'>differs</th>"
        f"<th scope='col'>A</th><th scope='col'>B</th></tr></thead><tbody>{rows}</tbody></table>"
        "</div>"
        if rows
        else ""
    )
    return f"{table}{credit_html(difference)}"


def right_wrong_html(pair: PairComparison) -> str:
    """The 2x2 table with its test, the layers, and the cases that flipped."""
    return f"{paired_html(pair)}{_flips(pair)}"


def paired_html(pair: PairComparison) -> str:
    """The 2x2 table with its test, and which layer decided how often."""
    labels = pair.right_wrong
    layers = " · ".join(
        f"{LAYERS[layer]}: {number_of}" for layer, number_of in pair.layers.items() if number_of
    )
    return (
        f"<div class='paired'>{_two_by_two(labels)}<div>"
        f"<p class='said'>{_sentence(labels.sentence)}</p>"
        f"<p class='facts-line'>of {count(len(pair.cases), 'case')}: {layers}</p></div></div>"
    )


def metrics_html(metrics: Sequence[MetricDifference]) -> str:
    """Each metric with its difference; those that may not decide are greyed, with the reason."""
    if not metrics:
        return "<p class='empty'>No metric scored both runs.</p>"
    heads = "".join(
        f"<th scope='col' title='{title}'>{name}</th>"
        for name, title in (
            ("metric", ""),
            ("A", "mean of the cases that both scored"),
            ("B", "mean of the cases that both scored"),
            ("B − A", "difference of the means, with its 95 % interval over cases"),
            ("", "the same, drawn; the mark is no difference"),
            ("p", "Wilcoxon signed-rank, after Holm over all that may decide"),
            ("effect", "matched-pairs rank-biserial correlation, from −1 to 1"),
            ("n", "cases that both scored"),
            ("what it says", ""),
        )
    )
    return (
        f"<div class='table-scroll'><table class='differences'><thead><tr>{heads}</tr></thead>"
        f"<tbody>{''.join(map(_metric, metrics))}</tbody></table></div>"
    )


def difference_bar(difference: float, low: float, high: float, *, decides: bool) -> str:
    """A difference with its interval on a line around 0; from −1 to 1 where that is enough."""
    most = max(1.0, abs(low), abs(high), abs(difference))

    def x(value: float) -> float:
        return 4 + (value + most) / (2 * most) * (BAR_WIDTH - 8)

    middle = BAR_HEIGHT / 2
    label = f"{_signed(difference)}, between {_signed(low)} and {_signed(high)}"
    return (
        f"<svg class='interval{' trusted' if decides else ''}' width='{BAR_WIDTH}' "
        f"height='{BAR_HEIGHT}' role='img' aria-label='{label}'><title>{label}</title>"
        f"<line class='axis' x1='4' x2='{BAR_WIDTH - 4}' y1='{middle}' y2='{middle}'/>"
        f"<line class='chance' x1='{x(0):.1f}' x2='{x(0):.1f}' y1='1' y2='{BAR_HEIGHT - 1}'/>"
        f"<line class='span' x1='{x(low):.1f}' x2='{x(high):.1f}' y1='{middle}' y2='{middle}'/>"
        f"<circle cx='{x(difference):.1f}' cy='{middle}' r='4'/></svg>"
    )


def _title(comparison: Comparison, pair: PairComparison) -> str:
    names = [escape(name_of(comparison, run)) for run in (pair.a, pair.b)]
    return (
        f"<h3 class='pair'><span class='letter'>A</span> {names[0]} <i>against</i> "
        f"<span class='letter'>B</span> {names[1]}</h3>"
    )


def credit_html(difference: ConfigDifference) -> str:
    """What can be credited to what."""
    kind = "credit" if difference.is_creditable else "credit doubtful"
    said = difference.sentence.partition("; missing in between")[0]
    said = said.partition("; already run")[0]
    return f"<p class='{kind}' dir='auto'>{_sentence(said)}</p>"


def _between(difference: ConfigDifference, run: str) -> str:
    """The configurations in between, and a button for those that nobody has run."""
    there = [one for one in difference.in_between if one.run is not None]
    known = "".join(
        f"<li><button class='number' {target('add', one.run or '')}>add {escape(one.config.name)}"
        f"</button> was run: it differs from A in {escape(one.factor)} alone</li>"
        for one in there
    )
    missing = "".join(
        f"<li><b>{escape(one.config.name)}</b> differs from A in {escape(one.factor)} alone</li>"
        for one in difference.in_between
        if one.run is None
    )
    found = f"<ul class='between'>{known}{missing}</ul>" if known or missing else ""
    if not missing:
        return found
    label = f"Evaluate {count(len(difference.missing), 'missing configuration')}"
    button = f"<button class='action' {target('send', run)}>{label}</button>"
    return f"{found}<p class='ways'>{button}</p>"


def _two_by_two(labels: RightWrong) -> str:
    return (
        "<table class='two-by-two'><thead><tr><td></td><th scope='col'>B right</th>"
        "<th scope='col'>B wrong</th></tr></thead><tbody>"
        f"<tr><th scope='row'>A right</th><td>{labels.both}</td><td class='flip'>{labels.a_only}"
        f"</td></tr><tr><th scope='row'>A wrong</th><td class='flip'>{labels.b_only}</td>"
        f"<td>{labels.neither}</td></tr></tbody></table>"
    )


def _flips(pair: PairComparison) -> str:
    if not pair.flips:
        others = [case for case in pair.cases if case.layer not in ("same", "unknown")]
        if not others:
            return ""
        return (
            "<p class='facts-line'>No case is right in one and wrong in the other.</p>"
            f"<details><summary>{count(len(others), 'case')} answered differently</summary>"
            f"<ul class='flips'>{''.join(map(_flip, others))}</ul></details>"
        )
    return f"<h4>Cases that flipped</h4><ul class='flips'>{''.join(map(_flip, pair.flips))}</ul>"


def _flip(case: PairedCase) -> str:
    marks = "".join(
        verdict_mark(
            side.label_or_suggestion,
            "suggested" if side.is_suggested else "labelled",
        )
        or "<i class='mark none'>–</i>"
        for side in (case.a, case.b)
    )
    return (
        f"<li role='button' tabindex='0' {target('case', '', case=case.case.id)}>"
        f"<span class='marks'>{marks}</span><span class='flip-question' dir='auto'>"
        f"{escape(case.case.question)}</span><span class='why'>{escape(layer_sentence(case))}"
        "</span></li>"
    )


def _metric(one: MetricDifference) -> str:
    bar, interval = "", ""
    if one.difference is not None and one.low is not None and one.high is not None:
        bar = difference_bar(one.difference, one.low, one.high, decides=one.decides)
        interval = f"<span class='basis'>[{_signed(one.low)}, {_signed(one.high)}]</span>"
    lower = "<span class='basis'>less is better</span>" if one.lower_is_better else ""
    cells = (
        number(one.a),
        number(one.b),
        f"{_signed(one.difference)}{interval}",
        bar,
        "–" if one.p_holm is None else f"{one.p_holm:.2g}",
        _signed(one.effect),
        str(one.n),
        f"<b class='says'>{_says(one)}</b><span class='why'>{escape(_why(one))}</span>",
    )
    data = "".join(f"<td>{cell}</td>" for cell in cells)
    kind = "decides" if one.decides else "untrusted"
    name = escape(one.metric).replace("_", "_<wbr>")
    title = f"title='{escape(one.trust)}'"
    return f"<tr class='{kind}' {title}><th scope='row'>{name}{lower}</th>{data}</tr>"


def _says(one: MetricDifference) -> str:
    if not one.decides:
        return "may not decide"
    return f"{one.better.upper()} is better" if one.better else "no difference shown"


def _why(one: MetricDifference) -> str:
    """Why it is trusted is a tooltip; why not is what must be seen."""
    return "; ".join(filter(None, (one.note, "" if one.decides else one.trust)))


def _value(value: object) -> str:
    return "–" if value in (None, "") else escape(str(value))


def _signed(value: float | None) -> str:
    return "–" if value is None else f"{value:+.2f}".replace("-", "−")


def _sentence(text: str) -> str:
    """Escaped, with a capital letter and a full stop."""
    return f"{escape(text[:1].upper() + text[1:])}." if text else ""
