"""HTML beside the means of an evaluation: breakdowns by source and category, costs, failures."""

from collections.abc import Sequence

from sandbox.evaluation.runs.read import RunView
from sandbox.evaluation.runs.summary import GroupSummary
from sandbox.markup.markup import count, escape, number
from sandbox.progress import format_duration
from sandbox.ui.evaluate.parts import mean_button, mean_html, metric_names, row, table

STRIP_WIDTH = 96
STAGES = {"retrieve": "retrieval", "first_token": "first word", "answer": "answer"}


def breakdown_html(outcomes: Sequence[RunView]) -> str:
    """Each metric by source and category, every score a dot; folded."""
    return "".join(
        f"<details><summary>{escape(name)}</summary>{_breakdown(outcomes, name)}</details>"
        for name in metric_names(outcomes)
    )


def costs_html(outcomes: Sequence[RunView]) -> str:
    """Latency and tokens of each configuration."""
    summaries = [outcome.summary for outcome in outcomes]
    rows = [
        row(
            f"seconds to {name}, mean",
            [
                f"{summary.answer_seconds[stage]:.2f}" if stage in summary.answer_seconds else "–"
                for summary in summaries
            ],
        )
        for stage, name in STAGES.items()
    ]
    rows += [
        row(
            f"{kind} tokens",
            [
                f"{summary.answer_tokens[kind]:,}" if kind in summary.answer_tokens else "–"
                for summary in summaries
            ],
        )
        for kind in ("prompt", "answer")
    ]
    rows += [
        row("judge calls", [f"{summary.judge_calls:,}" for summary in summaries]),
        row("judge calls saved", [f"{summary.judge_calls_saved:,}" for summary in summaries]),
        row("judge tokens", [f"{summary.judge_tokens:,}" for summary in summaries]),
        row("answering and scoring", [format_duration(summary.seconds) for summary in summaries]),
    ]
    return table(outcomes, rows, "cost")


def failures_html(outcomes: Sequence[RunView]) -> str:
    """What has no answer or no score, with the reason; equal reasons together."""
    reasons: dict[str, list[str]] = {}
    for outcome in outcomes:
        for case, reason in outcome.summary.failures.items():
            reasons.setdefault(f"no answer: {reason}", []).append(_place(outcome, case))
        for (metric, case), score in outcome.scores.items():
            failed = score.value is None and score.applicable
            if failed and case not in outcome.summary.failures:
                reason = f"no {metric}: {score.reason}"
                reasons.setdefault(reason, []).append(_place(outcome, case))
    if not reasons:
        return ""
    items = "".join(
        f"<li><span dir='auto'>{escape(reason)}</span> "
        f"<span class='facts'>{len(places)}×: {escape(', '.join(places))}</span></li>"
        for reason, places in reasons.items()
    )
    total = sum(map(len, reasons.values()))
    return (
        f"<details class='failures'><summary>{total} without an answer or a score, by reason"
        f"</summary><ul>{items}</ul></details>"
    )


def strip_html(values: Sequence[float]) -> str:
    """Scores between 0 and 1 as dots on a line; others are counted, not drawn."""
    inside = [value for value in values if 0 <= value <= 1]
    dots = "".join(
        f"<circle cx='{4 + value * (STRIP_WIDTH - 8):.1f}' cy='7' r='3.2'/>" for value in inside
    )
    label = f"{len(values)} scores from {number(min(values))} to {number(max(values))}"
    if len(inside) < len(values):
        return f"<span class='basis'>{label}</span>"
    return (
        f"<svg class='strip' width='{STRIP_WIDTH}' height='14' role='img' aria-label='{label}'>"
        f"<line x1='4' x2='{STRIP_WIDTH - 4}' y1='7' y2='7'/>{dots}<title>{label}</title></svg>"
    )


def _place(outcome: RunView, case: str) -> str:
    return f"{outcome.run.configuration}/{case}"


def _breakdown(outcomes: Sequence[RunView], metric: str) -> str:
    rows = []
    for place, group in enumerate(outcomes[0].summary.groups):
        cells = [
            _group_cell(outcome, outcome.summary.groups[place], metric) for outcome in outcomes
        ]
        size = f"<span class='basis'>{count(group.cells, 'case')}</span>"
        head = f"{group.by}: {escape(group.name)}{size}"
        rows.append(row(head, cells))
    return table(outcomes, rows, "group")


def _group_cell(outcome: RunView, group: GroupSummary, metric: str) -> str:
    summary = next((one for one in group.metrics if one.metric == metric), None)
    if summary is None:
        return "–"
    strip = strip_html(summary.values) if summary.values else ""
    return f"{mean_button(outcome, summary)} {strip}{mean_html(summary)}"
