"""HTML of what a click on a number or a mark opens: scores of a metric, an answer, one score.

Everything from documents and models is escaped and stands as it was written.
"""

from collections.abc import Mapping

from sandbox.evaluation.runs.cells import CellView
from sandbox.evaluation.runs.read import RunView
from sandbox.evaluation.runs.records import Score, Verdict
from sandbox.evaluation.runs.summary import MetricSummary
from sandbox.markup.markup import count, escape, number
from sandbox.testsets.cases import TestCase
from sandbox.ui.evaluate.parts import mean_html, said, summary_of, target

CLOSE = "<button class='close' data-click='nothing' aria-label='close'>×</button>"


def detail_html(outcome: RunView, *, show: str, metric: str = "", case: str = "") -> str:
    """What was clicked; empty where there is no such thing."""
    cases = {one.id: one for one in outcome.run.cases}
    summary = summary_of(outcome, metric)
    if show == "metric" and summary is not None:
        return _metric(outcome, summary)
    if show == "cell" and case in cases:
        return _cell(outcome, cases[case])
    if show == "score" and case in cases and summary is not None:
        return _score(outcome, metric, cases[case])
    return ""


def _metric(outcome: RunView, summary: MetricSummary) -> str:
    """Every case's score, the worst first, failures before them."""
    metric = summary.metric
    scores = outcome.scores_of(metric)
    questions = {case.id: case.question for case in outcome.run.cases}
    rows = "".join(
        f"<tr><td>{_value(outcome, case, scores[case])}</td>"
        f"<td><bdi class='case-id'>{escape(case)}</bdi> "
        f"<span dir='auto'>{escape(questions[case])}</span></td>"
        f"<td dir='auto'>{escape(scores[case].reason)}</td></tr>"
        for case in sorted(scores, key=lambda case: _worst_first(scores[case]))
    )
    return (
        f"{_title(f'{metric}, {outcome.run.configuration}: {number(summary.mean)}')}"
        f"<p class='facts-line'>{mean_html(summary)}</p>"
        f"<table class='scores'><tbody>{rows}</tbody></table>"
    )


def _cell(outcome: RunView, case: TestCase) -> str:
    """The answer of one configuration to one case, with all its scores."""
    cell = outcome.cells[case.id]
    rows = "".join(
        f"<tr><td>{_value(outcome, case.id, score)}</td><td>{escape(name)}</td>"
        f"<td dir='auto'>{escape(score.reason)}</td></tr>"
        for name, score in cell.scores.items()
    )
    return (
        f"{_title(f'{case.id}, {outcome.run.configuration}')}{_asked(cell)}"
        f"<p class='facts-line'>{escape(said(cell))}</p>"
        f"{_chunks(cell)}<table class='scores'><tbody>{rows}</tbody></table>"
    )


def _score(outcome: RunView, metric: str, case: TestCase) -> str:
    """One score with every judgement that it is made of."""
    score = outcome.cells[case.id].scores.get(metric)
    title = f"{metric} of {case.id}, {outcome.run.configuration}"
    back = "".join(
        f"<button class='back' {link}>{text}</button>"
        for link, text in (
            (target("metric", outcome.run.id, metric=metric), "all cases"),
            (target("cell", outcome.run.id, case=case.id), "this answer"),
        )
    )
    if score is None:
        return f"{_title(title)}{back}<p class='empty'>Not scored yet.</p>"
    return (
        f"{_title(f'{title}: {_shown(score)}')}{back}"
        f"<p class='facts-line' dir='auto'>{escape(score.reason)}</p>{_cost(score)}"
        f"{_asked(outcome.cells[case.id])}"
        f"{_judgements(score)}"
    )


def _judgements(score: Score) -> str:
    """The verdicts; under a heading for each judgement where there are several."""
    if not score.judgements:
        return "".join(_verdict(verdict) for verdict in score.detail)
    return "".join(
        f"<h4>judgement {place}: {'failed' if value is None else number(value)}</h4>"
        + "".join(_verdict(verdict) for verdict in score.detail if verdict.judgement == place)
        for place, value in enumerate(score.judgements, start=1)
    )


def _verdict(verdict: Verdict) -> str:
    value = "" if verdict.value is None else f" <b>{number(verdict.value)}</b>"
    reason = f"<p class='remark' dir='auto'>{escape(verdict.reason)}</p>" if verdict.reason else ""
    return (
        f"<article class='verdict'><p class='said'><b class='badge'>{escape(verdict.verdict)}</b>"
        f"{value}</p><div class='statement' dir='auto'>{escape(verdict.statement)}</div>{reason}"
        f"{_folded('prompt', verdict.prompt)}{_folded('judge’s reply', verdict.reply)}</article>"
    )


def _folded(name: str, text: str) -> str:
    if not text:
        return ""
    return f"<details><summary>{name}</summary><pre dir='auto'>{escape(text)}</pre></details>"


def _asked(cell: CellView) -> str:
    case = cell.case
    if not cell.is_asked:
        answer = "<p class='empty'>Not answered yet.</p>"
    elif cell.answer is None:
        answer = f"<p class='failed' role='alert'>{escape(cell.failure)}</p>"
    else:
        answer = f"<div class='said-text' dir='auto'>{escape(cell.answer.text)}</div>"
    texts: Mapping[str, str] = {
        "question": f"<div class='said-text' dir='auto'>{escape(case.question)}</div>",
        "answer": answer,
        "reference": f"<div class='said-text' dir='auto'>{escape(case.reference)}</div>",
        "accepted": f"<div class='said-text' dir='auto'>"
        f"{escape(' | '.join(case.accepted_answers))}</div>"
        if case.accepted_answers
        else "",
    }
    rows = "".join(f"<dt>{name}</dt><dd>{text}</dd>" for name, text in texts.items() if text)
    return f"<dl class='asked'>{rows}</dl>"


def _chunks(cell: CellView) -> str:
    """The retrieved chunks, and the whole prompt that was sent."""
    if cell.answer is None:
        return ""
    answer = cell.answer
    items = "".join(
        f"<li><span class='facts'>p. {item.chunk.page} · {item.chunk.kind}</span> "
        f"<span dir='auto'>{escape(item.chunk.text)}</span></li>"
        for item in answer.retrieved
    )
    return (
        f"<details><summary>{len(answer.retrieved)} retrieved chunks</summary>"
        f"<ol class='chunks'>{items}</ol></details>{_folded('prompt', answer.prompt)}"
    )


def _cost(score: Score) -> str:
    parts = [] if score.granularity is None else [f"made of {count(score.granularity, 'verdict')}"]
    if score.standard_deviation is not None:
        parts.append(
            f"standard deviation of {len(score.judgements)} judgements "
            f"{number(score.standard_deviation)}"
        )
    if score.calls or score.calls_saved:
        parts.append(f"{count(score.calls, 'judge call')}, {score.calls_saved} saved")
        parts.append(f"{score.tokens:,} tokens")
    parts.append(f"{score.seconds:.2f} s")
    return f"<p class='cost'>{' · '.join(parts)}</p>"


def _value(outcome: RunView, case: str, score: Score) -> str:
    link = target("score", outcome.run.id, metric=score.metric, case=case)
    return f"<button class='number' {link}>{_shown(score)}</button>"


def _shown(score: Score) -> str:
    if score.value is not None:
        return number(score.value)
    return "failed" if score.applicable else "does not apply"


def _worst_first(score: Score) -> tuple[int, float]:
    """Failures, then the scores from low to high, then what does not apply."""
    if score.value is not None:
        return (1, score.value)
    return (0, 0.0) if score.applicable else (2, 0.0)


def _title(text: str) -> str:
    return f"<header><h3>{escape(text)}</h3>{CLOSE}</header>"
