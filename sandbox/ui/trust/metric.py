"""HTML of what a row of the separation table rests on: every labelled answer, and the worst misses.

Leaves out the answers themselves (ui/evaluate/detail.py).
"""

from collections.abc import Sequence
from dataclasses import dataclass

from sandbox.evaluation.trust.combination import values_of
from sandbox.evaluation.trust.records import MetricTrust, TrustCell, TrustTable
from sandbox.markup.markup import escape, number
from sandbox.markup.plots import Dot, roc_html, strip_plot_html
from sandbox.ui.evaluate.detail import CLOSE
from sandbox.ui.evaluate.parts import target
from sandbox.ui.trust.table import repeated_sentence

MISSES = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class _Scored:
    """A labelled cell with a score of the metric."""

    cell: TrustCell
    value: float

    @property
    def right(self) -> bool:
        return self.cell.verdict == "right"

    @property
    def name(self) -> str:
        return " · ".join(filter(None, (self.cell.configuration, self.cell.case)))


def metric_html(table: TrustTable, metric: str) -> str:
    """One metric with every labelled answer; empty where there is no such metric."""
    row = table.metric(metric)
    if row is None:
        return ""
    scored = _scored(table, metric)
    head = f"<header><h3>{escape(metric)}: {row.verdict}</h3>{CLOSE}</header>"
    reason = f"<p class='facts-line'>{escape(row.reason)}</p>"
    if not scored:
        return f"{head}{reason}{_notes(row, table)}"
    dots = [
        Dot(value=one.value, right=one.right, name=one.name, target=_target(one, metric))
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
        f"{_roc(scored, row)}</div><div>{_misses(scored, row)}</div></div>"
    )


def _scored(table: TrustTable, metric: str) -> list[_Scored]:
    return [
        _Scored(cell=cell, value=value)
        for cell, value in zip(table.cells, values_of(table, metric), strict=True)
        if cell.verdict in ("right", "wrong") and value is not None
    ]


def _target(one: _Scored, metric: str) -> str:
    return target("score", one.cell.run, metric=metric, case=one.cell.case)


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


def _roc(scored: Sequence[_Scored], row: MetricTrust) -> str:
    rights = sum(one.right for one in scored)
    if not rights or rights == len(scored):
        return ""
    curve = roc_html(
        [one.value for one in scored],
        [one.right for one in scored],
        lower_is_better=row.lower_is_better,
    )
    return f"<details><summary>ROC curve</summary>{curve}</details>"


def _misses(scored: Sequence[_Scored], row: MetricTrust) -> str:
    """Answers on the wrong side of the threshold, or of an answer of the other kind."""
    sign = -1 if row.lower_is_better else 1
    rights = sorted((one for one in scored if one.right), key=lambda one: sign * one.value)
    wrongs = sorted((one for one in scored if not one.right), key=lambda one: -sign * one.value)
    if not rights or not wrongs:
        return ""
    threshold = row.threshold
    if threshold is not None:
        low = [one for one in rights if sign * one.value < sign * threshold.value]
        high = [one for one in wrongs if sign * one.value >= sign * threshold.value]
    else:
        low = [one for one in rights if sign * one.value < sign * wrongs[0].value]
        high = [one for one in wrongs if sign * one.value > sign * rights[0].value]
    low, high = low[:MISSES], high[:MISSES]
    if not low and not high:
        if rights[0].value == wrongs[0].value:
            return ""  # they are tied
        return "<p class='facts-line'>No misses: every labelled answer is on its side.</p>"
    low_title, high_title = ("low", "high") if sign > 0 else ("high", "low")
    return _list(f"right, but scored {low_title}", low, row.metric) + _list(
        f"wrong, but scored {high_title}", high, row.metric
    )


def _list(title: str, misses: Sequence[_Scored], metric: str) -> str:
    items = "".join(
        f"<li><button class='number' {_target(one, metric)}>{number(one.value)}</button>"
        f"<span class='miss' dir='auto'>{escape(_question(one))}</span>"
        f"<span class='facts'>{escape(one.name)}</span></li>"
        for one in misses
    )
    return f"<h4>{title}</h4><ul class='misses'>{items}</ul>" if items else ""


def _question(one: _Scored) -> str:
    return one.cell.sample.user_input if one.cell.sample else one.cell.case
