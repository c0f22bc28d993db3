"""What the Trust tab shows: the runs, the table, a metric's answers, an answer to label."""

import re
from collections.abc import Sequence

import gradio as gr
from markupsafe import Markup

from sandbox.evaluation.labelling.agreement import describe_agreement
from sandbox.evaluation.labelling.next_labels import Proposal
from sandbox.evaluation.labelling.session import LabelCounts, Labelling, TwoLabellers
from sandbox.evaluation.runs.folder import CHATTED, list_runs
from sandbox.evaluation.runs.records import Run
from sandbox.evaluation.trust.advice import advise, find_worst_misses, list_scored_cells
from sandbox.evaluation.trust.records import MetricTrust, Repeatability, TrustTable
from sandbox.files.storage import Store
from sandbox.markup.formats import count, number
from sandbox.markup.plots import Dot, draw_interval, draw_roc, draw_strip_plot
from sandbox.markup.templates import render
from sandbox.ui.parts.progress import sentence_html
from sandbox.ui.parts.wiring import Updates
from sandbox.ui.trust.tab import TrustSession, TrustTab

FIRST_LABELS = 10
"""Labels that a first look at the table takes."""


class TrustView:
    """Turns the state of a session into new values of the widgets."""

    def __init__(self, store: Store, tab: TrustTab) -> None:
        """Draw into the widgets of `tab`; the runs are those of `store`."""
        self._store = store
        self._tab = tab

    def runs(self, session: TrustSession, chosen: Sequence[str]) -> Updates:
        """Offer the runs; the newest evaluation is chosen until another choice is made."""
        runs = _in_order([folder.run for folder in list_runs(self._store)])
        newest = next((run.evaluation for run in runs if run.evaluation != CHATTED), "")
        latest = [run.id for run in runs if newest in ("", run.evaluation)]
        follows = not chosen or sorted(chosen) == sorted(session.followed)
        session.followed = tuple(latest)
        choices = {run.id: f"{run.configuration} · {run.test_set} · {run.started}" for run in runs}
        return {
            self._tab.runs: gr.update(
                choices=[(name, id) for id, name in choices.items()],
                value=latest if follows else [id for id in chosen if id in choices],
                visible=bool(runs),
            )
        }

    def everything(self, session: TrustSession) -> Updates:
        """The whole tab."""
        return {**self.sides(session), **self.head(session), **self.table(session)}

    def sides(self, session: TrustSession) -> Updates:
        """Either labelling or the table."""
        labelling = session.is_labelling
        return {
            self._tab.left: gr.update(visible=not labelling and bool(list_runs(self._store))),
            self._tab.result: gr.update(visible=not labelling),
            self._tab.labelling: gr.update(visible=labelling),
        }

    def head(self, session: TrustSession, *, status: str = "") -> Updates:
        """What is looked at, and whether there is anything to label."""
        labelling = session.labelling
        button = gr.update(
            value="See the table" if session.is_labelling else "Label answers",
            variant="secondary" if session.is_labelling else "primary",
            interactive=bool(labelling and labelling.cells),
            visible=bool(list_runs(self._store)),
        )
        if labelling is None:
            return {self._tab.head: "", self._tab.label: button}
        head = head_html([folder.run for folder in labelling.runs.values()], labelling.counts)
        if not session.is_labelling:
            head += agreements_html(labelling.agreements())
        if status:
            head += sentence_html(status)
        return {self._tab.head: head, self._tab.label: button}

    def table(self, session: TrustSession) -> Updates:
        """The table, or what to do before there is one; below it what the open metric rests on."""
        table, detail = session.table, ""
        if session.labelling is None:
            no_table = "no_choice" if list_runs(self._store) else "no_run"
            html = render(f"ui/trust/parts.html#{no_table}")
        elif table is None:
            html = needs_labels_html(session.labelling.counts)
        else:
            html = table_html(table, shown=session.shown_metric)
            detail = metric_html(table, session.shown_metric)
        return {self._tab.table: html, self._tab.detail: detail}

    def trouble(self, sentence: str) -> Updates:
        """One sentence that says what went wrong, above everything."""
        return {self._tab.head: sentence_html(sentence, alarming=True)}


def head_html(runs: Sequence[Run], counts: LabelCounts) -> Markup:
    """What is looked at, in one line."""
    judges = list(dict.fromkeys(run.judge for run in runs if run.judge))
    return render("ui/trust/parts.html#head", runs=len(runs), counts=counts, judges=judges)


def agreements_html(agreements: Sequence[TwoLabellers]) -> Markup:
    """How far each two people agree who labelled the same answers."""
    return Markup("").join(
        sentence_html(
            f"{pair.first} and {pair.second} on {count(pair.agreement.items, 'answer')}: "
            + (pair.agreement.warning or describe_agreement(pair.agreement).partition(": ")[2]),
            alarming=bool(pair.agreement.warning),
        )
        for pair in agreements
        if pair.agreement.items
    )


def needs_labels_html(counts: LabelCounts) -> Markup:
    """What to do before there is anything to show; empty once both classes are there."""
    return render("ui/trust/parts.html#needs", counts=counts, first_labels=FIRST_LABELS)


def table_html(table: TrustTable, *, shown: str = "") -> Markup:
    """The separation table; `shown` is the metric that is open below."""
    return render(
        "ui/trust/table.html",
        table=table,
        shown=shown,
        advice=advise(table),
        judged_again=_judged_again(table),
        in_short=_in_short,
        interval=_interval,
    )


def metric_html(table: TrustTable, metric: str) -> str:
    """One metric with every labelled answer; empty where there is no such metric."""
    row = table.metric(metric)
    if row is None:
        return ""
    scored = list_scored_cells(table, row.metric)
    dots = [
        Dot(
            value=answer.value,
            right=answer.right,
            name=answer.name,
            target=render(
                "ui/evaluate/parts.html#target",
                click="score",
                run=answer.cell.run,
                metric=row.metric.name,
                case=answer.cell.case,
            ),
        )
        for answer in scored
    ]
    values, rights = [answer.value for answer in scored], [answer.right for answer in scored]
    threshold = row.threshold.value if row.threshold else None
    curve = ""
    if len(set(rights)) == 2:
        curve = draw_roc(values, rights, lower_is_better=row.lower_is_better)
    return render(
        "ui/trust/metric.html",
        row=row,
        plot=Markup(draw_strip_plot(dots, threshold=threshold)) if dots else "",
        curve=Markup(curve),
        notes=_notes(row, table),
        misses=find_worst_misses(table, row),
    )


def task_html(proposal: Proposal, labelling: Labelling, *, status: str = "") -> Markup:
    """The answer that is to be labelled.

    For a second opinion, the suggestion and the labels of other people are hidden. `status` says
    what was just done.
    """
    cell, labeller = proposal.cell, labelling.labeller
    mine = cell.label_by(labeller)
    other_labels = [
        f"{label.labeller} says {label.value}"
        + (" (accepted suggestion)" if label.source == "accepted suggestion" else "")
        for label in cell.labels
        if label.labeller != labeller or label.source == "accepted suggestion"
    ]
    return render(
        "ui/trust/labelling.html#task",
        proposal=proposal,
        labelling=labelling,
        answer=mark(cell.text, cell.case.accepted_answers),
        reference=mark(cell.case.reference, cell.case.accepted_answers),
        pressed=mine.value if mine and mine.source == "person" else "",
        other_labels=other_labels,
        status=status,
    )


def done_html(labelling: Labelling, *, status: str = "") -> Markup:
    """What stands there when nothing is left to label."""
    return render("ui/trust/labelling.html#done", labelling=labelling, status=status)


def mark(text: str, accepted: Sequence[str]) -> list[tuple[str, bool]]:
    """The text in pieces, with True for those that are an accepted answer as it is written.

    >>> mark("It has 14 beds", ["14"])
    [('It has ', False), ('14', True), (' beds', False)]
    """
    if not accepted:
        return [(text, False)]
    longest_first = sorted(accepted, key=len, reverse=True)
    pattern = "|".join(f"(?<![0-9]){re.escape(word)}(?![0-9])" for word in longest_first)
    pieces = re.split(f"({pattern})", text, flags=re.IGNORECASE)
    return [(piece, position % 2 == 1) for position, piece in enumerate(pieces)]


def _in_order(runs: Sequence[Run]) -> list[Run]:
    """The newest evaluation first, its runs as they were chosen."""
    evaluations = list(dict.fromkeys(run.evaluation for run in runs))
    return sorted(runs, key=lambda run: (evaluations.index(run.evaluation), run.place))


def _interval(row: MetricTrust) -> Markup:
    assert row.auc is not None
    assert row.auc_low is not None
    assert row.auc_high is not None
    return Markup(draw_interval(row.auc, row.auc_low, row.auc_high, trusted=row.is_trusted))


def _in_short(row: MetricTrust) -> str:
    """The reason in short; the numbers stand in the same row, the whole sentence opens below."""
    rival = row.against_baseline
    if row.is_trusted and row.is_baseline:
        return "costs nothing: what others have to beat"
    if not row.is_trusted or rival is None:
        return row.reason
    verb = "beats" if rival.is_better else "not shown to beat"
    return f"{verb} {rival.other}, which costs nothing"


def _judged_again(table: TrustTable) -> list[str]:
    """Two judges compared, or the same one asked twice."""
    compared = [
        f"{pair.metric} (AUC {number(pair.auc)}) against {pair.other} ({number(pair.other_auc)}) "
        f"on {count(pair.cells, 'answer')}: difference {pair.difference:+.2f} "
        f"[{pair.low:+.2f}, {pair.high:+.2f}]"
        for pair in table.differences
    ]
    return [*compared, *map(_repeated, table.repeatability)]


def _repeated(retest: Repeatability) -> str:
    """What asking the judge again showed of a metric."""
    asked = f"{retest.metric} asked again about {count(retest.repeated, 'answer')}"
    if retest.flip_rate is None:
        return f"{asked}: {retest.reason}"
    failed = f", {retest.failed} without a score" if retest.failed else ""
    spread = "" if retest.sd is None else f", standard deviation {number(retest.sd)}"
    return (
        f"{asked}: {retest.flip_rate:.0%} fell on the other side of "
        f"{number(retest.threshold)}{spread}{failed}"
    )


def _notes(row: MetricTrust, table: TrustTable) -> list[str]:
    notes = [*row.notes]
    if (threshold := row.threshold) is not None:
        side = "at least" if threshold.at_least else "at most"
        notes.insert(
            0,
            f"let pass what scores {side} {number(threshold.value)} ({threshold.rule}): "
            f"{threshold.accuracy:.0%} judged as you did on cases left out, against "
            f"{threshold.accuracy_always:.0%} for always saying what is more frequent",
        )
    retests = [retest for retest in table.repeatability if retest.metric == row.metric]
    return [*notes, *map(_repeated, retests)]
