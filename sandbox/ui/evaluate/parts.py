"""HTML that the result and its details share: tables, and what a click opens."""

from collections.abc import Sequence

from sandbox.evaluation.runs.cells import CellView
from sandbox.evaluation.runs.read import RunView
from sandbox.evaluation.runs.summary import MetricSummary
from sandbox.markup.markup import escape, number


def mean_button(outcome: RunView, summary: MetricSummary) -> str:
    """A mean that opens the scores of its metric."""
    link = target("metric", outcome.run.id, metric=summary.metric)
    return f"<button class='number' {link}>{number(summary.mean)}</button>"


def mean_html(summary: MetricSummary) -> str:
    """How many cells a mean rests on, and its bounds where some failed."""
    parts = [f"{summary.scored} of {summary.of} scored"]
    if summary.failed:
        low, high = summary.mean_failed_as_0, summary.mean_failed_as_1
        title = f"the mean with its {summary.failed} failures as 0, and as 1"
        bounds = f"{number(low)} to {number(high)}"
        parts.append(f"<span title='{title}'>{summary.failed} failed: {bounds}</span>")
    if summary.not_applicable:
        verb = "does" if summary.not_applicable == 1 else "do"
        parts.append(f"{summary.not_applicable} {verb} not apply")
    if summary.standard_deviation is not None:
        title = "mean standard deviation of the judgements of one answer"
        parts.append(f"<span title='{title}'>± {number(summary.standard_deviation)} judging</span>")
    return "".join(f"<span class='basis'>{part}</span>" for part in parts)


def said(cell: CellView) -> str:
    """Right or wrong in words, and who says so."""
    if cell.label_or_suggestion is None:
        return cell.reason
    by = "suggested" if cell.is_suggested else "labelled"
    return f"{cell.label_or_suggestion}, {by}: {cell.reason}"


def target(show: str, run: str, *, metric: str = "", case: str = "") -> str:
    """Attributes of what can be clicked: what it shows, of which run, metric and case."""
    return (
        f"data-click='{show}' data-run='{escape(run)}' data-metric='{escape(metric)}' "
        f"data-case='{escape(case)}'"
    )


def table(outcomes: Sequence[RunView], rows: Sequence[str], corner: str) -> str:
    """A column for each configuration."""
    heads = "".join(
        f"<th scope='col' title='{escape(outcome.run.configuration)}'>"
        f"{escape(outcome.run.configuration).replace('+', '+<wbr>')}</th>"
        for outcome in outcomes
    )
    return (
        f"<div class='table-scroll'><table><thead><tr><th scope='col'>{corner}</th>{heads}</tr>"
        f"</thead><tbody>{''.join(rows)}</tbody></table></div>"
    )


def row(head: str, cells: Sequence[str], *, kind: str = "") -> str:
    """A row of such a table; `head` and `cells` are HTML, `kind` is its class."""
    data = "".join(f"<td>{cell}</td>" for cell in cells)
    opened = f"<tr class='{kind}'>" if kind else "<tr>"
    return f"{opened}<th scope='row'>{head}</th>{data}</tr>"


def metric_names(outcomes: Sequence[RunView]) -> tuple[str, ...]:
    """The metrics of all runs, each once."""
    return tuple(
        dict.fromkeys(one.metric for outcome in outcomes for one in outcome.summary.metrics)
    )


def summary_of(outcome: RunView, metric: str) -> MetricSummary | None:
    """One metric of a run, if it was measured there."""
    return next((one for one in outcome.summary.metrics if one.metric == metric), None)
