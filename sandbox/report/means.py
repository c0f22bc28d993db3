"""The mean of every metric under every configuration; what may not decide is greyed, with why."""

from sandbox.evaluation.comparison.differences import is_trusted, trust_of
from sandbox.evaluation.metrics.choice import LOWER_IS_BETTER
from sandbox.markup.markup import number
from sandbox.report.blocks import Block, Cell, Row, Section, Table, Text
from sandbox.report.material import Material, ReportedRun
from sandbox.report.phrases import Speaker


def means(material: Material, say: Speaker) -> Section | None:
    """One row a metric; ``None`` where nothing was scored."""
    metrics = list(dict.fromkeys(name for one in material.runs for name in one.read.metrics))
    if not metrics:
        return None
    rows = [_row(metric, material, say) for metric in metrics]
    rows.sort(key=lambda row: row.kind)
    head = [
        say("metric"),
        *(material.names[one.run.id] for one in material.runs),
        say("may it decide?"),
    ]
    note = say(
        "Means over the scored answers; where not all have a score, how many of how many."
        " Greyed metrics are not shown to know right from wrong here and decide nothing; ranking"
        " metrics compare pages and need no labels."
    )
    blocks: list[Block] = [Text(text=note, kind="note"), Table(head=head, rows=rows)]
    return Section(id="means", title=say("Means of the metrics"), blocks=blocks)


def _row(metric: str, material: Material, say: Speaker) -> Row:
    row = trust_of(metric, material.runs[0].read, material.trust)
    trusted = is_trusted(row, material.trust)
    ranks = any(
        score.family == "ranking"
        for one in material.runs
        for (name, _), score in one.read.scores.items()
        if name == metric
    )
    if trusted:
        why = say("yes: it separates right from wrong")
    elif ranks:
        why = say("for retrieval: it compares pages")
    elif row is None:
        why = say("no: no labelled answer has a score")
    else:
        why = say("no: {0}", say.named(row.verdict))
    cells = [
        Cell(
            text=metric,
            kind="strong",
            note=say("lower is better") if metric in LOWER_IS_BETTER else "",
        ),
        *(_mean(one, metric, say) for one in material.runs),
        Cell(text=why, kind="text"),
    ]
    return Row(cells=cells, kind="" if trusted or ranks else "untrusted")


def _mean(one: ReportedRun, metric: str, say: Speaker) -> Cell:
    summary = next((row for row in one.read.summary.metrics if row.metric == metric), None)
    if summary is None or summary.mean is None:
        return Cell(text="–", kind="number")
    note = "" if summary.scored == summary.of else say("{0} of {1}", summary.scored, summary.of)
    if summary.failed:
        low, high = number(summary.mean_failed_as_0), number(summary.mean_failed_as_1)
        note = say("{0}; {1} failed: {2} to {3}", note, summary.failed, low, high)
    return Cell(text=number(summary.mean), kind="number", note=note)
