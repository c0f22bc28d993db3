"""HTML of the runs there are, to choose from: by evaluation, the newest first.

Leaves out what is done with one of them (manage.py).
"""

from collections.abc import Sequence
from itertools import groupby

from sandbox.evaluation.runs.folder import CHATTED
from sandbox.evaluation.runs.history import PastRun, preset_position
from sandbox.markup.markup import count, escape
from sandbox.ui.evaluate.parts import target

NO_RUN = (
    "<p class='empty'>No runs yet: measure two or more configurations on the Evaluate tab, or "
    "import one under “report and files”. They are listed at the left, and what makes them differ "
    "is shown here.</p>"
)
ONE_RUN = (
    "<p class='empty'>Choose at least two runs on the left: the first is the baseline (A), each "
    "other one is compared with it. With a single run there is nothing to compare yet; evaluate "
    "another configuration on the Evaluate tab.</p>"
)


def history_html(past: Sequence[PastRun], chosen: Sequence[str], *, managed: str = "") -> str:
    """Every run with what it came to; those chosen are numbered."""
    if not past:
        return ""
    evaluations = list(dict.fromkeys(one.run.evaluation for one in past))
    ordered = sorted(
        past,
        key=lambda one: (
            evaluations.index(one.run.evaluation),
            preset_position(one.run.configuration),
        ),
    )
    groups = "".join(
        f"<section>{_head(found[0])}<ul>"
        f"{''.join(_row(one, chosen, managed=managed) for one in found)}</ul></section>"
        for found in (
            list(some) for _, some in groupby(ordered, key=lambda one: one.run.evaluation)
        )
    )
    return f"<div class='history'>{groups}</div>"


def managed_html(past: PastRun) -> str:
    """The run that is being renamed, noted, exported or deleted."""
    run = past.run
    judge = run.judge or "none"
    rows = {
        "id": run.id,
        "configuration": run.configuration,
        "corpus": run.corpus,
        "test set": f"{run.test_set}, {count(len(run.cases), 'case')}",
        "judge": judge,
        "made": run.started,
        "came to": past.headline,
    }
    shown = "".join(
        f"<dt>{name}</dt><dd dir='auto'>{escape(text)}</dd>" for name, text in rows.items()
    )
    return f"<dl class='about'>{shown}</dl>"


def _head(past: PastRun) -> str:
    """What the runs of an evaluation have in common."""
    run = past.run
    what = "judged while chatting" if run.evaluation == CHATTED else escape(run.test_set)
    judge = f" · judge {escape(run.judge)}" if run.judge else ""
    corpus = "" if run.corpus == run.test_set else f" on {escape(run.corpus)}"
    when = f"{run.started}{judge}"
    return f"<p class='evaluation'><b dir='auto'>{what}{corpus}</b><span>{when}</span></p>"


def _row(past: PastRun, chosen: Sequence[str], *, managed: str) -> str:
    run = past.run
    place = chosen.index(run.id) + 1 if run.id in chosen else 0
    mark = str(place) if place else ""
    name = escape(past.name if past.about.name else run.configuration).replace("+", "+<wbr>")
    below = escape(past.headline)
    if past.about.name:
        below = f"{escape(run.configuration)} · {below}"
    note = f"<span class='note' dir='auto'>{escape(past.about.note)}</span>"
    baseline = ""
    if place == 1:
        baseline = "<span class='badge cited'>baseline</span>"
    elif place:
        baseline = f"<button class='small' {target('baseline', run.id)}>as baseline</button>"
    pressed = str(bool(place)).lower()
    return (
        f"<li class='past{' chosen' if place else ''}{' managed' if run.id == managed else ''}'>"
        f"<button class='choose' {target('toggle', run.id)} aria-pressed='{pressed}' "
        f"title='{'leave out' if place else 'compare'}'><span class='letter'>{mark}</span>"
        f"<span class='past-name' dir='auto'>{name}</span><span class='basis'>{below}</span>"
        f"{note if past.about.note else ''}</button><span class='past-side'>"
        f"<button class='small' {target('manage', run.id)} title='rename, note, export, save as "
        f"baseline, delete' aria-label='more about {name}'>…</button>{baseline}</span></li>"
    )
