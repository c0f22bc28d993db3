"""HTML above the comparison: what is compared, and each run against the baseline in one line.

Leaves out what a line opens (pair.py).
"""

from sandbox.evaluation.comparison.records import Comparison, PairComparison
from sandbox.markup.markup import count, escape
from sandbox.ui.compare.case import name_of
from sandbox.ui.compare.findings import findings_html
from sandbox.ui.compare.pair import pair_html
from sandbox.ui.evaluate.parts import target


def head_html(comparison: Comparison) -> str:
    """What is compared, in one line."""
    first = comparison.runs[0]
    judges = ", ".join(dict.fromkeys(run.judge for run in comparison.runs if run.judge))
    parts = [
        f"<b>{count(len(comparison.runs), 'run')}</b> on {escape(first.corpus)}",
        f"{count(len(comparison.cases), 'case')} in common",
        f"judge {escape(judges)}" if judges else "no judge",
        _labels(comparison),
    ]
    return f"<p class='trust-head' dir='auto'>{' · '.join(parts)}</p>"


def _labels(comparison: Comparison) -> str:
    table = comparison.trust
    said = f"{table.n_right} right and {table.n_wrong} wrong labels"
    return f"{said}, {table.n_suggested} of them only suggested" if table.n_suggested else said


def comparison_html(comparison: Comparison, pair: PairComparison) -> str:
    """The whole comparison, with one pair open."""
    warnings = [*comparison.warnings, *(text for one in comparison.pairs for text in one.warnings)]
    items = "".join(f"<li dir='auto'>{escape(text)}</li>" for text in dict.fromkeys(warnings))
    notes = f"<ul class='trust-warnings'>{items}</ul>" if items else ""
    return (
        f"{_pairs(comparison, pair)}{pair_html(comparison, pair)}{findings_html(comparison)}{notes}"
    )


def _pairs(comparison: Comparison, shown: PairComparison) -> str:
    """Each run against the baseline; nothing where there is but one."""
    if len(comparison.pairs) < 2:
        return ""
    rows = "".join(_pair(comparison, one, shown=one.b == shown.b) for one in comparison.pairs)
    baseline = escape(name_of(comparison, comparison.pairs[0].a))
    return (
        f"<section><h3>Each against the baseline, {baseline}</h3><div class='table-scroll'>"
        "<table class='pairs'><thead><tr><th scope='col'>configuration</th><th scope='col'>differs "
        "in</th><th scope='col'>flips</th><th scope='col'>verdict</th></tr></thead>"
        f"<tbody>{rows}</tbody></table></div></section>"
    )


def _pair(comparison: Comparison, pair: PairComparison, *, shown: bool) -> str:
    factors = ", ".join(one.name for one in pair.difference.factors) or "nothing"
    several = len(pair.difference.factors) > 1
    doubt = "<span class='basis'>no single one can be credited</span>" if several else ""
    name = escape(name_of(comparison, pair.b)).replace("+", "+<wbr>")
    link = target("pair", pair.b)
    return (
        f"<tr class='row{' shown' if shown else ''}' {link}><th scope='row'><button class='number' "
        f"{link} aria-expanded='{str(shown).lower()}'>{name}</button></th>"
        f"<td>{escape(factors)}{doubt}</td><td>{_flips(pair)}</td>"
        f"<td class='verdict-cell'>{escape(_short(comparison, pair))}</td></tr>"
    )


def _flips(pair: PairComparison) -> str:
    gained = sum(case.better == "b" for case in pair.flips)
    lost = len(pair.flips) - gained
    suggested = any(case.suggested for case in pair.flips)
    basis = "<span class='basis'>some only suggested</span>" if suggested else ""
    return f"+{gained} −{lost}{basis}" if pair.flips else "none"


def _short(comparison: Comparison, pair: PairComparison) -> str:
    """Who is better, by its name."""
    if pair.better is None:
        return "nothing tells them apart"
    return f"{name_of(comparison, pair.a if pair.better == 'a' else pair.b)} is better"
