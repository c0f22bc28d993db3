"""HTML of the conversation: questions, answers with checked citations, what each stage took.

Answers and questions are shown literally; the only thing that becomes a button in an answer is a
citation of a chunk that was sent to the model. Leaves out the chunks (`cards.py`).
"""

import re
from collections.abc import Collection, Sequence

from sandbox.markup.markup import escape
from sandbox.records import Answer
from sandbox.text.citation_marks import split_citations
from sandbox.ui.parts.session import Turn

STAGES = {"retrieve": "retrieve", "first_token": "first word", "answer": "answer"}


def chat_html(turns: Sequence[Turn], *, shown: int, corpus: str) -> str:
    """The conversation.

    Args:
        turns: Questions in the order they were asked.
        shown: Position of the turn whose chunks are shown.
        corpus: Name of the corpus, for the sentence that stands where nothing was asked yet.
    """
    if not turns:
        return _empty_html(corpus)
    parts = (_turn_html(turn, number, number == shown) for number, turn in enumerate(turns))
    return "<div class='turns'>" + "".join(parts) + "</div>"


def examples_html(examples: Sequence[str], *, asked: bool) -> str:
    """Example questions to click; folded once something was asked."""
    if not examples:
        return ""
    buttons = "".join(
        f"<button class='example' data-click='example' data-question='{escape(question)}' "
        f"dir='auto'>{escape(question)}</button>"
        for question in examples
    )
    opened = "" if asked else " open"
    return (
        f"<details class='examples'{opened}><summary>example questions</summary>{buttons}</details>"
    )


def answer_html(text: str, cited: Collection[int], turn: int) -> str:
    """An answer in which the citations in `cited` are buttons and everything else is literal.

    >>> answer_html("in 2019 [1]", (), 0)
    'in 2019 [1]'
    """
    return "".join(
        _citation_html(piece, cited, turn) if number % 2 else escape(piece)
        for number, piece in enumerate(split_citations(text))
    )


def cost_line(answer: Answer) -> str:
    """Seconds and tokens of each stage in one line."""
    parts = [
        f"{answer.seconds[stage]:.1f} s {name}"
        for stage, name in STAGES.items()
        if stage in answer.seconds
    ]
    parts += [
        f"{answer.tokens[kind]:,} {kind} tokens"
        for kind in ("prompt", "answer")
        if kind in answer.tokens
    ]
    return " · ".join(parts)


def _empty_html(corpus: str) -> str:
    if not corpus:
        return (
            "<p class='empty'>Choose a corpus or drop a PDF on the left, then ask it something.</p>"
        )
    return (
        f"<p class='empty'>Ask <bdi>{escape(corpus)}</bdi> something, or click an example. "
        "The chunks an answer rests on appear at the right.</p>"
    )


def _turn_html(turn: Turn, number: int, shown: bool) -> str:
    return (
        f"<section class='turn{' shown' if shown else ''}' data-turn='{number}'>"
        f"<div class='question' dir='auto'>{escape(turn.question)}</div>"
        f"{_reply_html(turn, number)}{_footer_html(turn, number, shown)}</section>"
    )


def _reply_html(turn: Turn, number: int) -> str:
    if turn.state == "failed":
        return f"<div class='reply failed' role='alert'>{escape(turn.note)}</div>"
    if not turn.text and turn.state != "done":
        note = "stopped" if turn.state == "stopped" else turn.note or "waiting"
        kind = "" if turn.state == "stopped" else " pending"
        return f"<div class='reply{kind}'>{escape(note)}</div>"
    cited = turn.answer.citations if turn.answer else ()
    badge = ""
    if turn.answer and turn.answer.refused:
        badge = "<span class='badge refused'>refused</span>"
    elif turn.state == "stopped":
        badge = "<span class='badge warning'>stopped</span>"
    cursor = "<span class='cursor'></span>" if turn.state == "answering" else ""
    text = answer_html(turn.text, cited, number)
    matched = _matched_html(turn.answer, number) if turn.answer else ""
    return f"<div class='reply' dir='auto'>{text}{cursor}{badge}</div>{matched}"


def _matched_html(answer: Answer, number: int) -> str:
    """Sources that the model did not name, found by the words they share with the answer."""
    if not answer.matched:
        return ""
    buttons = " ".join(f"[{_button(rank, number)}]" for rank in answer.matched)
    return f"<div class='matched'>cites nothing; shares its words with {buttons}</div>"


def _footer_html(turn: Turn, number: int, shown: bool) -> str:
    warnings = turn.answer.warnings if turn.answer else turn.warnings
    lines = [f"<div class='turn-warning'>{escape(warning)}</div>" for warning in warnings]
    facts = [escape(turn.config.name)]
    if turn.answer:
        facts.append(escape(cost_line(turn.answer)))
    link = ""
    if turn.retrieved and not shown:
        link = (
            "<button class='show-chunks' data-click='citation' "
            f"data-turn='{number}' data-rank='1'>show chunks</button>"
        )
    lines.append(f"<div class='cost'>{' · '.join(facts)}{link}</div>")
    return "".join(lines) + _judging_html(turn, number)


def _judging_html(turn: Turn, number: int) -> str:
    """Right, wrong, and a place in a test set, for an answer that is complete."""
    if turn.answer is None:
        return ""
    thumbs = "".join(
        f"<button class='thumb {verdict}' data-click='label' data-turn='{number}' "
        f"data-label='{verdict}' aria-pressed='{str(turn.verdict == verdict).lower()}' "
        f"title='label this answer as {verdict}'>{sign} {verdict}</button>"
        for verdict, sign in (("right", "✓"), ("wrong", "✗"))
    )
    add = (
        f"<button class='thumb' data-click='test-case' data-turn='{number}' "
        "title='put the question into the test set “from-chat”'>+ test set</button>"
    )
    remark = f"<span class='thumb-remark' role='status'>{escape(turn.remark)}</span>"
    return f"<div class='thumbs'>{thumbs}{add}{remark if turn.remark else ''}</div>"


def _citation_html(bracket: str, cited: Collection[int], turn: int) -> str:
    def link(match: re.Match[str]) -> str:
        rank = int(match.group())
        if rank not in cited:
            return match.group()
        return _button(rank, turn)

    return re.sub(r"\d+", link, bracket)


def _button(rank: int, turn: int) -> str:
    return (
        "<button class='citation' data-click='citation' "
        f"data-turn='{turn}' data-rank='{rank}'>{rank}</button>"
    )
