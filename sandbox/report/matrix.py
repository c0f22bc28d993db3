"""Right and wrong: the share of right answers, and every case under every configuration."""

from sandbox.evaluation.comparison.records import PassRate
from sandbox.evaluation.runs.cells import CellView
from sandbox.evaluation.runs.records import Label, Right
from sandbox.markup.formats import percent, span
from sandbox.markup.plots import draw_share
from sandbox.report.blocks import Block, CellKind, Plot, Row, Section, Table, TableCell, Text
from sandbox.report.material import Material, ReportedRun
from sandbox.report.translator import Translator

SIGNS: dict[Right | None, str] = {"right": "✓", "wrong": "✗", "unsure": "?", None: "–"}
KINDS: dict[Right | None, CellKind] = {
    "right": "right",
    "wrong": "wrong",
    "unsure": "unsure",
    None: "none",
}


def describe_right_and_wrong(material: Material, say: Translator) -> Section:
    """Pass rates with intervals, then the matrix."""
    blocks: list[Block] = [*_rates(material, say)]
    rows = [
        Row(
            [
                TableCell(case.id, note=case.question, link=make_anchor(case.id)),
                *(mark_answer(run, case.id, say) for run in material.runs),
            ]
        )
        for case in material.cases
    ]
    head = [say("case"), *(run.name for run in material.runs)]
    legend = say(
        "✓ right, ✗ wrong, ? unsure, – no answer; a dashed border (in brackets where there are no"
        " borders): only suggested by the accepted answers, nobody's label"
    )
    blocks += [Table(head=head, rows=rows, kind="matrix"), Text(legend, kind="note")]
    return Section(id="right-wrong", title=say("Right and wrong"), blocks=blocks)


def make_anchor(case: str) -> str:
    """The id of a case's evidence on the page; ids of cases may hold any character."""
    return "case-" + case.encode("utf-8", "replace").hex()


def mark_answer(run: ReportedRun, case: str, say: Translator) -> TableCell:
    """The verdict on one answer, as a sign."""
    cell = run.view.cells.get(case)
    if cell is None:
        return TableCell("", note=say("not asked"))
    return TableCell(
        SIGNS[cell.label_or_suggestion],
        kind=KINDS[cell.label_or_suggestion],
        suggested=cell.is_suggested,
        link=make_anchor(case),
    )


def describe_source(cell: CellView, say: Translator) -> str:
    """Who labelled an answer, or what suggests that it is right or wrong."""
    if cell.labels:
        return say.join([_attribute(label, say) for label in cell.labels])
    if cell.label_or_suggestion is None:
        return say("nobody judged it")
    suggested = say.name(cell.label_or_suggestion)
    if not cell.case.answerable:
        return say("suggested, because a refusal is expected: {0}", suggested)
    return say("suggested by the accepted answers: {0}", suggested)


def _attribute(label: Label, say: Translator) -> str:
    verdict = say.name(label.value)
    if label.source == "person":
        return say("{0} says {1}", label.labeller, verdict)
    return say("{1}, a suggestion that {0} accepted", label.labeller, verdict)


def _rates(material: Material, say: Translator) -> list[Block]:
    rated = {run.record.id: run.finding.pass_rate for run in material.runs}
    if not any(rate.rate is not None for rate in rated.values()):
        return [Text(say("No share of right answers: no label counts yet."), kind="note")]
    corrected = any(rate.corrected for rate in rated.values())
    head = [
        say("configuration"),
        say("right"),
        say("of"),
        say("share right"),
        say("95 % interval"),
        "",
        *([say("judge-corrected")] if corrected else []),
        say("without a label"),
    ]
    rows = [
        Row(_rate_cells(material.names[run], rate, say, corrected=corrected))
        for run, rate in rated.items()
    ]
    note = say(
        "Share of the answers with a label that are right, with its Wilson interval. {0}",
        _correction_note(rated, say) if corrected else "",
    ).strip()
    return [Table(head=head, rows=rows), Text(note, kind="note")]


def _rate_cells(name: str, rate: PassRate, say: Translator, *, corrected: bool) -> list[TableCell]:
    of = rate.right + rate.wrong
    suggested = say("{0} suggested", rate.suggested) if rate.suggested else ""
    cells = [
        TableCell(name, kind="strong"),
        TableCell(str(rate.right), kind="number"),
        TableCell(str(of), kind="number", note=suggested),
        TableCell(percent(rate.rate), kind="number"),
        TableCell(span(rate.low, rate.high) or "–", kind="number"),
        TableCell("", plot=_bar(rate)),
    ]
    if corrected:
        cells.append(_corrected(rate))
    return [*cells, TableCell(str(rate.unlabelled), kind="number")]


def _bar(rate: PassRate) -> Plot | None:
    if rate.rate is None or rate.low is None or rate.high is None:
        return None
    label = f"{percent(rate.rate)} ({span(rate.low, rate.high)})"
    return Plot(draw_share(rate.rate, rate.low, rate.high, label=label))


def _corrected(rate: PassRate) -> TableCell:
    corrected = rate.corrected
    if corrected is None:
        return TableCell("–", kind="number")
    interval = span(corrected.low, corrected.high)
    return TableCell(percent(corrected.rate), kind="number", note=interval)


def _correction_note(rated: dict[str, PassRate], say: Translator) -> str:
    by = sorted({rate.corrected.by for rate in rated.values() if rate.corrected})
    return say(
        "Judge-corrected: over all answers, by prediction-powered inference (PPI++) with {0}.",
        say.join(by),
    )
