"""HTML of what a row of the separation table rests on: every labelled answer, and the worst misses.

Leaves out the answers themselves (ui/evaluate/detail.py).
"""

from collections.abc import Sequence

from sandbox.evaluation.runs.records import MetricKey
from sandbox.evaluation.trust.advice import Misses, ScoredCell, scored_cells, worst_misses
from sandbox.evaluation.trust.records import MetricTrust, TrustTable
from sandbox.markup.markup import escape, number
from sandbox.markup.plots import Dot, roc_html, strip_plot_html
from sandbox.ui.evaluate.detail import CLOSE
from sandbox.ui.evaluate.parts import target
from sandbox.ui.trust.table import repeated_sentence


def metric_html(table: TrustTable, metric: str) -> str:
    """One metric with every labelled answer; empty where there is no such metric."""
    row = table.metric(metric)
    if row is None:
        return ""
    scored = scored_cells(table, row.metric)
    head = f"<header><h3>{escape(metric)}: {row.verdict}</h3>{CLOSE}</header>"
    reason = f"<p class='facts-line'>{escape(row.reason)}</p>"
    if not scored:
        return f"{head}{reason}{_notes(row, table)}"
    dots = [
        Dot(value=one.value, right=one.right, name=one.name, target=_target(one, row.metric))
        for one in scored
    ]
    threshold = row.threshold.value if row.threshold else None
    legend = (
        "<p class='legend'>one dot an answer, spread up and down only to be seen; click one for its"
        " prompt, reply and page</p>"
    )
    return (
        f"{head}{reason}<div class='metric-columns'><div>"
        f"{strip_plot_html(dots, threshold=threshold)}{legend}{_notes(row, table)}"
        f"{_roc(scored, row)}</div><div>{_misses(worst_misses(table, row), row.metric)}</div></div>"
    )


def _target(one: ScoredCell, metric: MetricKey) -> str:
    return target("score", one.cell.run, metric=metric.name, case=one.cell.case)


def _notes(row: MetricTrust, table: TrustTable) -> str:
    notes = [*_threshold(row), *row.notes]
    notes += [repeated_sentence(one) for one in table.repeatability if one.metric == row.metric]
    if not notes:
        return ""
    return f"<ul class='notes'>{''.join(f'<li>{escape(note)}</li>' for note in notes)}</ul>"


def _threshold(row: MetricTrust) -> list[str]:
    threshold = row.threshold
    if threshold is None:
        return []
    side = "at least" if threshold.at_least else "at most"
    return [
        f"let pass what scores {side} {number(threshold.value)} ({threshold.rule}): "
        f"{threshold.accuracy:.0%} judged as you did on cases left out, against "
        f"{threshold.accuracy_always:.0%} for always saying what is more frequent"
    ]


def _roc(scored: Sequence[ScoredCell], row: MetricTrust) -> str:
    rights = sum(one.right for one in scored)
    if not rights or rights == len(scored):
        return ""
    curve = roc_html(
        [one.value for one in scored],
        [one.right for one in scored],
        lower_is_better=row.lower_is_better,
    )
    return f"<details><summary>ROC curve</summary>{curve}</details>"


def _misses(misses: Misses | None, metric: MetricKey) -> str:
    if misses is None:
        return ""
    if not misses.right and not misses.wrong:
        return "<p class='facts-line'>No misses: every labelled answer is on its side.</p>"
    parts = zip(misses.titles, (misses.right, misses.wrong), strict=True)
    return "".join(_list(title, answers, metric) for title, answers in parts)


def _list(title: str, misses: Sequence[ScoredCell], metric: MetricKey) -> str:
    items = "".join(
        f"<li><button class='number' {_target(one, metric)}>{number(one.value)}</button>"
        f"<span class='miss' dir='auto'>{escape(_question(one))}</span>"
        f"<span class='facts'>{escape(one.name)}</span></li>"
        for one in misses
    )
    return f"<h4>{title}</h4><ul class='misses'>{items}</ul>" if items else ""


def _question(one: ScoredCell) -> str:
    return one.cell.sample.user_input if one.cell.sample else one.cell.case
