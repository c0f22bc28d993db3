"""HTML of labelling: one answer with its question, reference and suggestion, and the keys.

Everything from documents, models and test sets is escaped. Leaves out the chunks and their
pages (`chunks.py`).
"""

import re
from collections.abc import Sequence

from sandbox.evaluation.labelling.cells import LabelCounts
from sandbox.evaluation.labelling.next_labels import Proposal
from sandbox.evaluation.labelling.session import Labelling
from sandbox.evaluation.runs.cells import CellView
from sandbox.evaluation.runs.records import Right
from sandbox.markup.markup import escape

KEYS: dict[str, tuple[str, Right]] = {
    "r": ("right", "right"),
    "w": ("wrong", "wrong"),
    "u": ("unsure", "unsure"),
}


def task_html(proposal: Proposal, desk: Labelling, *, said: str = "") -> str:
    """The answer that is to be labelled.

    For a second opinion, what is suggested and what others said is hidden.

    Args:
        proposal: The answer, and why it is its turn.
        desk: The work that it is a part of.
        said: What was just done.
    """
    cell, labeller, blind = proposal.cell, desk.labeller, desk.second
    return (
        f"<div class='label-panel'><div class='label-scroll'>{progress_html(desk)}"
        f"<p class='why'><b>{escape(cell.configuration)} · <bdi>{escape(cell.case.id)}</bdi></b>"
        f"<br>why this one: {escape(proposal.reason)}</p>"
        f"<h4>question</h4><div class='said-text question' dir='auto'>"
        f"{escape(cell.case.question)}</div>"
        f"<h4>answer{_badge(cell)}</h4>"
        f"<div class='said-text reply' dir='auto'>{_answer(cell)}</div>"
        f"<h4>reference</h4>{_reference(cell)}"
        f"{_suggestion(cell, blind=blind)}{_others(cell, labeller, blind=blind)}</div>"
        f"{_buttons(cell, labeller)}"
        f"<p class='label-said' role='status'>{escape(said) or '&nbsp;'}</p></div>"
    )


def done_html(desk: Labelling, *, said: str = "") -> str:
    """What stands there when nothing is left to label."""
    counts = desk.counts
    if not counts.cells:
        sentence = "These runs have no answers to label yet; finish them on the Evaluate tab."
    elif desk.second:
        sentence = (
            "There is nothing that another person labelled and you did not. Untick “second "
            "opinion” to go on with the others."
        )
    else:
        sentence = "Every answer is labelled. See the table for what your labels show."
    undo = _button("undo", "take back", "z") if counts.labelled else ""
    return (
        f"<div class='label-panel'><div class='label-scroll'>{progress_html(desk)}"
        f"<p class='empty'>{sentence}</p></div><div class='label-buttons'>{undo}"
        f"{_button('table', 'see the table', 'q')}</div>"
        f"<p class='label-said' role='status'>{escape(said) or '&nbsp;'}</p></div>"
    )


def progress_html(desk: Labelling) -> str:
    """How many answers are labelled, drawn and in words."""
    done, wanted = desk.counts.labelled, desk.counts.cells
    words = counted(desk.counts)
    if desk.second:
        done, wanted = desk.second_opinions.given, desk.second_opinions.wanted
        words = f"{done} of {wanted} that others labelled"
    percent = round(100 * done / wanted) if wanted else 0
    return (
        f"<div class='progress' role='progressbar' aria-label='labelled' aria-valuenow='{percent}'>"
        f"<i style='width:{percent}%'></i></div><p class='status'>{words}</p>"
    )


def counted(counts: LabelCounts) -> str:
    """How far labelling has come, in words."""
    kinds = f"{counts.right} right, {counts.wrong} wrong"
    kinds += f", {counts.unsure} unsure" if counts.unsure else ""
    accepted = f"; {counts.accepted} accepted suggestions" if counts.accepted else ""
    return f"{counts.labelled} of {counts.cells} labelled ({kinds}{accepted})"


def marked_html(text: str, accepted: Sequence[str]) -> str:
    """The text with the accepted answers in it marked, where they stand as they are written.

    >>> marked_html("It has <14> beds", ["14"])
    'It has &lt;<mark>14</mark>&gt; beds'
    """
    if not accepted:
        return escape(text)
    longest_first = sorted(accepted, key=len, reverse=True)
    pattern = "|".join(f"(?<![0-9]){re.escape(word)}(?![0-9])" for word in longest_first)
    pieces = re.split(f"({pattern})", text, flags=re.IGNORECASE)
    return "".join(
        f"<mark>{escape(piece)}</mark>" if position % 2 else escape(piece)
        for position, piece in enumerate(pieces)
    )


def _badge(cell: CellView) -> str:
    return (
        "<span class='badge refused'>refused</span>" if cell.answer and cell.answer.refused else ""
    )


def _answer(cell: CellView) -> str:
    if not cell.text.strip():
        return "<i>the answer is empty</i>"
    return marked_html(cell.text, cell.case.accepted_answers)


def _reference(cell: CellView) -> str:
    case = cell.case
    accepted = ""
    if len(case.accepted_answers) > 1:
        accepted = f"<p class='remark'>accepted: {escape(' | '.join(case.accepted_answers))}</p>"
    if not case.reference.strip():
        return "<p class='remark'>nobody gave one; compare with the page</p>"
    reference = marked_html(case.reference, case.accepted_answers)
    return f"<div class='said-text' dir='auto'>{reference}</div>{accepted}"


def _suggestion(cell: CellView, *, blind: bool) -> str:
    if blind:
        return "<p class='suggestion'>a second opinion: suggestion and other labels are hidden</p>"
    suggestion = cell.suggestion
    if suggestion.value == "unsure":
        return f"<p class='suggestion'>no suggestion: {escape(suggestion.reason)}</p>"
    return (
        f"<p class='suggestion'>suggested "
        f"<b class='{suggestion.value}'>{suggestion.value}</b>: "
        f"{escape(suggestion.reason)}; it counts once you confirm it</p>"
    )


def _others(cell: CellView, labeller: str, *, blind: bool) -> str:
    if blind:
        return ""
    said = [
        f"{label.labeller} says {label.value}"
        + (" (accepted suggestion)" if label.source == "accepted suggestion" else "")
        for label in cell.labels
        if label.labeller != labeller or label.source == "accepted suggestion"
    ]
    return f"<p class='suggestion'>{escape('; '.join(said))}</p>" if said else ""


def _buttons(cell: CellView, labeller: str) -> str:
    mine = cell.label_by(labeller)
    chosen = mine.value if mine and mine.source == "person" else None
    verdicts = "".join(
        _button("label", name, key, cell=cell, verdict=verdict, pressed=verdict == chosen)
        for key, (name, verdict) in KEYS.items()
    )
    others = "".join(
        _button(show, name, key, cell=cell)
        for key, show, name in (
            ("s", "skip", "skip"),
            ("z", "undo", "undo"),
            ("q", "table", "table"),
        )
    )
    return (
        f"<div class='label-buttons'>{verdicts}</div>"
        f"<div class='label-buttons minor'>{others}</div>"
    )


def _button(
    show: str,
    name: str,
    key: str,
    *,
    cell: CellView | None = None,
    verdict: str = "",
    pressed: bool = False,
) -> str:
    run, case = cell.key if cell else ("", "")
    state = f" aria-pressed='{str(pressed).lower()}'" if verdict else ""
    return (
        f"<button class='label-button {verdict or 'plain'}' data-click='{show}' data-key='{key}' "
        f"data-verdict='{verdict}' data-run='{escape(run)}' data-case='{escape(case)}'{state}>"
        f"{name} <kbd>{key}</kbd></button>"
    )
