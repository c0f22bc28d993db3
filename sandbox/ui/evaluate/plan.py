"""HTML of what stands before a result: the plan, the chosen configurations and cases."""

from collections.abc import Sequence

from sandbox.config import Config
from sandbox.evaluation.running.plan import Plan
from sandbox.evaluation.runs.read import RunView
from sandbox.markup.markup import count, escape
from sandbox.progress import format_duration
from sandbox.testsets.cases import TestCase
from sandbox.ui.parts.progress import sentence_html


def plan_html(planned: Plan) -> str:
    """What an evaluation will cost: answers, calls by metric, tokens, minutes, what overflows."""
    calls = sum(planned.judge_calls.values())
    facts = [f"<b>{count(planned.answers, 'answer')}</b> to make"]
    if planned.answers and planned.answer_pace:
        facts.append(_answering(planned))
    if not calls:
        facts.append("no judge calls")
    else:
        facts.append(f"<b>{count(planned.after_cache, 'judge call')}</b>")
        facts.append(f"{calls - planned.after_cache:,} of {calls:,} saved as known or equal")
        facts.append(_tokens(planned))
        facts.append(_minutes(planned))
    return (
        f"<div class='plan'><p class='plan-facts'>{' · '.join(facts)}</p>"
        f"{_overflow(planned)}{warnings_html(planned.warnings)}{_calls(planned)}</div>"
    )


def warnings_html(warnings: Sequence[str]) -> str:
    """What is doubtful about an experiment."""
    return "".join(sentence_html(warning, alarming=True) for warning in warnings)


def left_html(outcomes: Sequence[RunView]) -> str:
    """What an unfinished evaluation has, and that it can go on; empty for a finished one."""
    summaries = [outcome.summary for outcome in outcomes]
    if all(summary.finished for summary in summaries):
        return ""
    answered = sum(summary.answered + len(summary.failures) for summary in summaries)
    cells = sum(summary.cells for summary in summaries)
    return sentence_html(
        f"this evaluation is not finished: {answered} of {cells} answers are there; Resume goes on "
        "from there",
        alarming=True,
    )


def choice_html(configs: Sequence[Config], metrics: Sequence[str]) -> str:
    """The configurations that will be measured, and with how many metrics."""
    if not configs:
        return sentence_html("no configuration is ticked; tick at least one", alarming=True)
    names = ", ".join(f"<bdi>{escape(config.name)}</bdi>" for config in configs)
    return f"<p class='status'><b>{names}</b> by {count(len(metrics), 'metric')}</p>"


def cases_html(cases: Sequence[TestCase]) -> str:
    """How many cases there are, and how many of them count."""
    verified = sum(case.verified for case in cases)
    unverified = len(cases) - verified
    left_out = f", {unverified} unverified are left out" if unverified else ""
    return sentence_html(f"{count(verified, 'verified case')}{left_out}", alarming=not verified)


def _calls(planned: Plan) -> str:
    """A row for each metric, a column for each configuration."""
    if not planned.judge_calls:
        return ""
    configurations = planned.judge_calls_by_configuration
    heads = "".join(f"<th scope='col'>{escape(name)}</th>" for name in configurations)
    rows = "".join(
        f"<tr><th scope='row'>{escape(metric)}</th><td>{calls:,}</td>"
        + "".join(f"<td>{by.get(metric, 0):,}</td>" for by in configurations.values())
        + "</tr>"
        for metric, calls in planned.judge_calls.items()
    )
    return (
        "<details open><summary>judge calls by metric and configuration, before duplicates and "
        "known ones are taken off</summary><div class='table-scroll'><table><thead><tr>"
        f"<th scope='col'>metric</th><th scope='col'>all</th>{heads}</tr></thead>"
        f"<tbody>{rows}</tbody></table></div></details>"
    )


def _answering(planned: Plan) -> str:
    if planned.answer_minutes is None:
        return escape(planned.answer_pace)
    minutes = format_duration(60 * planned.answer_minutes)
    return f"about {minutes} of answering as in {escape(planned.answer_pace)}"


def _tokens(planned: Plan) -> str:
    if planned.tokens is None:
        return "tokens not known beforehand"
    return f"about {planned.tokens:,} tokens"


def _minutes(planned: Plan) -> str:
    if planned.minutes is None:
        return "the judge's pace could not be measured"
    return f"about {format_duration(60 * planned.minutes)} of judging at the measured pace"


def _overflow(planned: Plan) -> str:
    if not planned.overflowing_prompts:
        return ""
    return sentence_html(
        f"{planned.overflowing_prompts} prompts do not fit the judge's context and will have no "
        "score; choose a smaller top_k, smaller chunks or a judge with a longer context",
        alarming=True,
    )
