"""The metrics: which tell right from wrong, with intervals and strip plots, and their means.

Detailed reasons come from the statistics and stay in English.
"""

from sandbox.evaluation.comparison.differences import is_trusted, trust_of
from sandbox.evaluation.metrics.catalog import LOWER_IS_BETTER
from sandbox.evaluation.trust.combination import list_values
from sandbox.evaluation.trust.records import MetricTrust, TrustTable
from sandbox.markup.formats import number
from sandbox.markup.plots import Dot, PlotWords, draw_interval, draw_strip_plot
from sandbox.report.blocks import (
    Block,
    Folded,
    Plot,
    Row,
    Section,
    Table,
    TableCell,
    Text,
    align_right,
)
from sandbox.report.material import Material, ReportedRun
from sandbox.report.matrix import make_anchor
from sandbox.report.translator import Translator

PLOTS, OPEN_PLOTS = 6, 2
"""Strip plots in a report, and those that are open, the most useful metrics first."""

DOTS = 600
"""Dots in a strip plot; beyond it nothing could be told apart."""


def describe_trust(material: Material, say: Translator) -> Section:
    """The table, then every labelled answer by score."""
    title = say("Which metrics know right from wrong")
    table = material.trust
    if not table.n_right or not table.n_wrong:
        sentence = say(
            "This needs labels of both kinds: {0} answers are labelled right and {1} wrong. Until"
            " then no metric decides anything here.",
            table.n_right,
            table.n_wrong,
        )
        return Section(id="trust", title=title, blocks=[Text(sentence)])
    counted = say(
        "From {0} answers labelled right and {1} labelled wrong, to {2} questions. AUC is the"
        " chance that a right answer scores better than a wrong one: 0.50 is a coin.",
        table.n_right,
        table.n_wrong,
        table.n_cases,
    )
    blocks: list[Block] = [Text(counted), *note_english(say), _table(table, say)]
    plots = [row for row in table.metrics if _dots(table, row)][:PLOTS]
    blocks += [
        _plot(table, row, say, is_open=place < OPEN_PLOTS) for place, row in enumerate(plots)
    ]
    if len(table.metrics) > len(plots):
        note = say.plural(
            "{0} strip plot of another metric is left out; the Trust tab has all.",
            "{0} strip plots of other metrics are left out; the Trust tab has all.",
            len(table.metrics) - len(plots),
        )
        blocks.append(Text(note, kind="note"))
    return Section(id="trust", title=title, blocks=blocks)


def note_english(say: Translator) -> list[Text]:
    """A note on what is not translated; none in an English report."""
    if say.language == "en":
        return []
    sentence = say("The detailed reasons come from the statistics and stay in English.")
    return [Text(sentence, kind="note")]


def translate_plot(say: Translator) -> PlotWords:
    """What stands in the plots."""
    return PlotWords(
        right=say("right"),
        wrong=say("wrong"),
        threshold=say("threshold {0}", "{0}"),
        dot=say("{0}: {1}, labelled {2}", "{0}", "{1}", "{2}"),
        interval=say("AUC {0}, between {1} and {2}; chance is 0.50", "{0}", "{1}", "{2}"),
    )


def _table(table: TrustTable, say: Translator) -> Table:
    head = [
        say("metric"),
        say("mean of right"),
        say("mean of wrong"),
        say("gap"),
        say("AUC"),
        "",
        say("within a question"),
        say("verdict"),
    ]
    return Table(head=head, rows=[_row(row, table, say) for row in table.metrics])


def _row(row: MetricTrust, table: TrustTable, say: Translator) -> Row:
    trusted = is_trusted(row, table)
    note = say("costs nothing: what others must beat") if row.is_baseline else ""
    if row.lower_is_better:
        note = say("lower is better")
    interval = "" if row.auc_low is None else f"{number(row.auc_low)}–{number(row.auc_high)}"
    cells = [
        TableCell(str(row.metric), kind="strong", note=note),
        *align_right(number(row.mean_right), number(row.mean_wrong)),
        *align_right("–" if row.gap is None else f"{row.gap:+.2f}"),
        TableCell(number(row.auc), kind="number", note=interval),
        TableCell("", plot=_interval(row, say, trusted=trusted)),
        *align_right(number(row.auc_within_case)),
        TableCell(_verdict(row, say, trusted=trusted), kind="text", note=row.reason),
    ]
    return Row(cells, kind="" if trusted else "untrusted")


def _verdict(row: MetricTrust, say: Translator, *, trusted: bool) -> str:
    if trusted:
        return say("separates right from wrong")
    return {
        "separates": say("separates, but may not decide"),
        "inverted": say("inverted: wrong answers score better"),
        "noise": say("noise: no better than a coin"),
        "not enough labels": say("not enough labels to say"),
    }[row.trust]


def _interval(row: MetricTrust, say: Translator, *, trusted: bool) -> Plot | None:
    if row.auc is None or row.auc_low is None or row.auc_high is None:
        return None
    words = translate_plot(say)
    svg = draw_interval(row.auc, row.auc_low, row.auc_high, trusted=trusted, words=words)
    return Plot(svg)


def _plot(table: TrustTable, row: MetricTrust, say: Translator, *, is_open: bool) -> Folded:
    dots = _dots(table, row)
    drawn = dots[:DOTS]
    threshold = row.threshold.value if row.threshold else None
    blocks: list[Block] = [
        Plot(draw_strip_plot(drawn, threshold=threshold, words=translate_plot(say)))
    ]
    if threshold is not None:
        line = say("The dashed line is the threshold {0}.", number(threshold))
        blocks.append(Text(line, kind="note"))
    if len(drawn) < len(dots):
        left = say("{0} of {1} answers are drawn.", len(drawn), len(dots))
        blocks.append(Text(left, kind="note"))
    return Folded(
        summary=say("{0}: every labelled answer by its score", row.metric),
        blocks=blocks,
        is_open=is_open,
        drawn=True,
    )


def _dots(table: TrustTable, row: MetricTrust) -> list[Dot]:
    return [
        Dot(
            value=value,
            right=cell.label == "right",
            name=" · ".join(filter(None, (cell.configuration, cell.case))),
            link=make_anchor(cell.case),
        )
        for cell, value in zip(table.cells, list_values(table, row.metric), strict=True)
        if cell.label in ("right", "wrong") and value is not None
    ]


def describe_means(material: Material, say: Translator) -> Section | None:
    """One row a metric; ``None`` where nothing was scored."""
    metrics = list(dict.fromkeys(name for run in material.runs for name in run.view.metrics))
    if not metrics:
        return None
    rows = [_mean_row(metric, material, say) for metric in metrics]
    rows.sort(key=lambda row: row.kind)
    head = [say("metric"), *(run.name for run in material.runs), say("may it decide?")]
    note = say(
        "Means over the scored answers; where not all have a score, how many of how many."
        " Greyed metrics are not shown to know right from wrong here and decide nothing; ranking"
        " metrics compare pages and need no labels."
    )
    blocks: list[Block] = [Text(note, kind="note"), Table(head=head, rows=rows)]
    return Section(id="means", title=say("Means of the metrics"), blocks=blocks)


def _mean_row(metric: str, material: Material, say: Translator) -> Row:
    row = trust_of(metric, material.runs[0].view, material.trust)
    trusted = is_trusted(row, material.trust)
    ranks = any(
        score.family == "ranking"
        for run in material.runs
        for (name, _), score in run.view.scores.items()
        if name == metric
    )
    if trusted:
        why = say("yes: it separates right from wrong")
    elif ranks:
        why = say("for retrieval: it compares pages")
    elif row is None:
        why = say("no: no labelled answer has a score")
    else:
        why = say("no: {0}", say.name(row.trust))
    cells = [
        TableCell(
            metric, kind="strong", note=say("lower is better") if metric in LOWER_IS_BETTER else ""
        ),
        *(_mean(run, metric, say) for run in material.runs),
        TableCell(why, kind="text"),
    ]
    return Row(cells, kind="" if trusted or ranks else "untrusted")


def _mean(run: ReportedRun, metric: str, say: Translator) -> TableCell:
    summary = next((row for row in run.view.summary.metrics if row.metric == metric), None)
    if summary is None or summary.mean is None:
        return TableCell("–", kind="number")
    note = "" if summary.scored == summary.of else say("{0} of {1}", summary.scored, summary.of)
    if summary.failed:
        low, high = number(summary.mean_failed_as_0), number(summary.mean_failed_as_1)
        note = say("{0}; {1} failed: {2} to {3}", note, summary.failed, low, high)
    return TableCell(number(summary.mean), kind="number", note=note)
