"""HTML of an evaluation's result: means, the matrix of right and wrong, breakdowns and costs.

Every number can be clicked (`data-click` names what it opens). Everything from documents and models
is escaped. Leaves out what a click opens (detail.py).
"""

from collections.abc import Mapping, Sequence

from sandbox.evaluation.metrics.catalog import LOWER_IS_BETTER
from sandbox.evaluation.runs.read import RunView
from sandbox.evaluation.runs.records import Right
from sandbox.evaluation.runs.self_preference import self_preference
from sandbox.markup.markup import escape
from sandbox.ui.evaluate.breakdown import breakdown_html, costs_html, failures_html
from sandbox.ui.evaluate.parts import (
    mean_button,
    mean_html,
    metric_names,
    row,
    said,
    summary_of,
    table,
    target,
)
from sandbox.ui.evaluate.trust import doubt_html, legend_html

EMPTY_RESULT = (
    "<p class='empty'>Nothing is measured yet: choose configurations and metrics on the left, see "
    "with Plan what they will cost, then press Evaluate.</p>"
)
SIGNS: dict[Right | None, str] = {"right": "✓", "wrong": "✗", "unsure": "?", None: "–"}


def result_html(outcomes: Sequence[RunView], doubts: Mapping[str, str] | None = None) -> str:
    """The whole result of an evaluation.

    Args:
        outcomes: Its runs.
        doubts: Why a metric may not decide, by metric; ``None`` where the labels do not say.
    """
    if not outcomes:
        return EMPTY_RESULT
    return (
        f"{_facts(outcomes)}{failures_html(outcomes)}"
        f"{_section('Right and wrong by case', matrix_html(outcomes))}"
        f"{_section('Means', means_html(outcomes, doubts))}"
        f"{_section('By source and category', breakdown_html(outcomes))}"
        f"{_section('Time and tokens', costs_html(outcomes))}"
    )


def means_html(outcomes: Sequence[RunView], doubts: Mapping[str, str] | None = None) -> str:
    """The mean of each metric under each configuration, with what it rests on."""
    rows: list[str] = []
    families: dict[str, list[str]] = {}
    for name in metric_names(outcomes):
        families.setdefault(_family(name, outcomes), []).append(name)
    for family, metrics in families.items():
        rows.append(f"<tr class='family'><th colspan='{1 + len(outcomes)}'>{family}</th></tr>")
        for name in metrics:
            head = _named(name) + doubt_html(name, doubts)
            cells = [_mean_cell(outcome, name) for outcome in outcomes]
            rows.append(row(head, cells, kind="untrusted" if doubts and name in doubts else ""))
    legend = (
        "<p class='legend'>the mean of the scored cases; where some failed, also the mean with the "
        "failures as 0 and as 1</p>"
    )
    return f"{legend}{legend_html(doubts)}{table(outcomes, rows, 'metric')}"


def matrix_html(outcomes: Sequence[RunView]) -> str:
    """One row a case, one column a configuration; suggestions are told from labels."""
    rows = [row("all", [_counts(outcome) for outcome in outcomes])]
    rows += [
        row(
            f"<bdi class='case-id'>{escape(case.id)}</bdi>"
            f"<span class='case-question' dir='auto'>{escape(case.question)}</span>",
            [_matrix_cell(outcome, case.id) for outcome in outcomes],
        )
        for case in outcomes[0].run.cases
    ]
    legend = (
        "<p class='legend'><i class='mark right'>✓</i> right <i class='mark wrong'>✗</i> wrong "
        "<i class='mark unsure'>?</i> unsure <i class='mark none'>–</i> no answer yet or none; "
        "<i class='mark suggested'>&nbsp;</i> only suggested by the accepted answers, nobody "
        "labelled it</p>"
    )
    return f"{legend}<div class='matrix'>{table(outcomes, rows, 'case')}</div>"


def _facts(outcomes: Sequence[RunView]) -> str:
    run = outcomes[0].run
    answered = sum(outcome.summary.answered for outcome in outcomes)
    cells = sum(outcome.summary.cells for outcome in outcomes)
    judge = f", judge {escape(run.judge)}" if run.judge else ", without a judge"
    own = any(
        self_preference(one.run.judge, [one.run.models.get("chat_model", "")], ())
        for one in outcomes
        if one.run.judge
    )
    judge += ", which also answered and may prefer its own answers" if own else ""
    state = "" if all(outcome.summary.finished for outcome in outcomes) else "; not finished"
    return (
        f"<p class='status'>{escape(run.test_set)} on {escape(run.corpus)}: "
        f"{answered} of {cells} answered{judge}{state}</p>"
    )


def _section(title: str, content: str) -> str:
    return f"<section><h3>{title}</h3>{content}</section>"


def _named(metric: str) -> str:
    note = "<span class='basis'>↓ lower is better</span>" if metric in LOWER_IS_BETTER else ""
    return f"{escape(metric)}{note}"


def _family(metric: str, outcomes: Sequence[RunView]) -> str:
    summaries = (summary_of(outcome, metric) for outcome in outcomes)
    return next((one.family for one in summaries if one and one.family), "not scored yet")


def _counts(outcome: RunView) -> str:
    verdicts: tuple[Right, ...] = ("right", "wrong", "unsure")
    counts = outcome.counts
    shown = [f"{counts[verdict]} {verdict}" for verdict in verdicts if counts.get(verdict)]
    basis = f"<span class='basis'>{outcome.suggested} only suggested</span>"
    return f"{' · '.join(shown) or '–'}{basis if outcome.suggested else ''}"


def _mean_cell(outcome: RunView, metric: str) -> str:
    summary = summary_of(outcome, metric)
    if summary is None:
        return "–"
    return f"{mean_button(outcome, summary)}{mean_html(summary)}"


def _matrix_cell(outcome: RunView, case: str) -> str:
    cell = outcome.cells[case]
    label = f"{outcome.run.configuration}, {case}: {said(cell)}"
    return (
        f"<button class='mark {cell.label_or_suggestion or 'none'} "
        f"{'suggested' if cell.is_suggested else ''}' title='{escape(label)}' "
        f"aria-label='{escape(label)}' {target('cell', outcome.run.id, case=case)}>"
        f"{SIGNS[cell.label_or_suggestion]}</button>"
    )
