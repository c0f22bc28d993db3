"""Each run by itself: what went wrong, the weakest slices, seconds and tokens beside quality.

The rules of diagnosis are in comparison/diagnosis.py; their reasons stay in English.
"""

from sandbox.evaluation.comparison.records import DiagnosisKind, RunFinding, Slice
from sandbox.markup.formats import number, percent, span
from sandbox.markup.plots import AxisNames, FrontPoint, front_plot
from sandbox.report.blocks import Block, Folded, Plot, Row, Section, Table, TableCell, Text
from sandbox.report.material import Material, ReportedRun
from sandbox.report.matrix import make_anchor
from sandbox.report.translator import Translator
from sandbox.report.trust import note_english

SLICES = 8
"""Slices of a run that are shown, the weakest first."""


def describe_diagnosis(material: Material, say: Translator) -> Section:
    """How often what went wrong, then every case with its reason."""
    title = say("What went wrong")
    kinds = list(dict.fromkeys(one.kind for run in material.runs for one in run.finding.sums))
    if not kinds:
        said = say("No answer is known to be wrong.")
        return Section(id="diagnosis", title=title, blocks=[Text(text=said)])
    head = [
        say("what"),
        *(material.names[one.run.id] for one in material.runs),
        say("what to try first"),
    ]
    rows = [_kind(kind, material, say) for kind in kinds]
    blocks: list[Block] = [*note_english(say), Table(head=head, rows=rows)]
    blocks += [
        _cases(one, material.names[one.run.id], say) for one in material.runs if one.finding.sums
    ]
    return Section(id="diagnosis", title=title, blocks=blocks)


def describe_slices(material: Material, say: Translator) -> Section | None:
    """The weakest kinds of questions of each run; ``None`` where nothing is judged."""
    blocks: list[Block] = []
    for one in material.runs:
        known = [part for part in one.finding.slices if part.rate is not None or part.means]
        if not known:
            continue
        blocks.append(Text(text=material.names[one.run.id], kind="heading"))
        blocks.append(_slices(known[:SLICES], say))
        if len(known) > SLICES:
            left = say.plural(
                "{0} stronger slice is left out.",
                "{0} stronger slices are left out.",
                len(known) - SLICES,
            )
            blocks.append(Text(text=left, kind="note"))
    if not blocks:
        return None
    note = say("Few cases tell little: look at the intervals. Suggested verdicts are counted here.")
    return Section(
        id="slices",
        title=say("Weakest kinds of questions"),
        blocks=[Text(text=note, kind="note"), *blocks],
    )


def _kind(kind: DiagnosisKind, material: Material, say: Translator) -> Row:
    sums = [
        next((one for one in run.finding.sums if one.kind == kind), None) for run in material.runs
    ]
    levers = [one.lever for one in sums if one]
    return Row(
        cells=[
            TableCell(text=say.name(kind), kind="strong"),
            *(TableCell(text=str(len(one.cases)) if one else "0", kind="number") for one in sums),
            TableCell(text="; ".join(dict.fromkeys(levers)), kind="text"),
        ]
    )


def _cases(one: ReportedRun, name: str, say: Translator) -> Folded:
    wrong = {case for found in one.finding.sums for case in found.cases}
    rows = [
        Row(
            cells=[
                TableCell(text=found.case, link=make_anchor(found.case)),
                TableCell(
                    text=say.name(found.kind),
                    kind="text",
                    note=say("suggested") if found.suggested else "",
                ),
                TableCell(text=found.because, kind="text"),
                TableCell(text=found.lever, kind="text"),
            ]
        )
        for found in one.finding.diagnoses
        if found.case in wrong
    ]
    head = [say("case"), say("what"), say("because"), say("what to try first")]
    summary = say.plural(
        "{1}: {0} case, with the rule that applied",
        "{1}: {0} cases, with the rule that applied",
        len(rows),
        name,
    )
    return Folded(summary=summary, blocks=[Table(head=head, rows=rows)])


def _slices(some: list[Slice], say: Translator) -> Table:
    metrics = list(dict.fromkeys(metric for one in some for metric in one.means))[:4]
    rows = [
        Row(
            cells=[
                TableCell(text=say.name(one.name), kind="strong", note=say.name(one.by)),
                TableCell(text=str(one.cases), kind="number"),
                TableCell(
                    text=f"{one.right} / {one.right + one.wrong}",
                    kind="number",
                    note=say("{0} suggested", one.suggested) if one.suggested else "",
                ),
                TableCell(text=percent(one.rate), kind="number", note=span(one.low, one.high)),
                *(
                    TableCell(text=number(one.means.get(metric)), kind="number")
                    for metric in metrics
                ),
            ]
        )
        for one in some
    ]
    head = [say("slice"), say("cases"), say("right"), say("share right"), *metrics]
    return Table(head=head, rows=rows)


def describe_costs(material: Material, say: Translator) -> Section:
    """The table, and where both are known, quality against seconds."""
    measured = material.comparison is not None
    quality = material.comparison.quality if material.comparison else "right"
    shown = say("share right") if quality == "right" else quality
    head = [
        "#",
        say("configuration"),
        shown,
        say("seconds an answer"),
        say("until the first word"),
        say("retrieval"),
        say("prompt tokens"),
        say("answer tokens"),
        *([say("on the front")] if measured else []),
    ]
    rows = [
        Row(cells=_cells(place, material.names[one.run.id], one.finding, say, measured=measured))
        for place, one in enumerate(material.runs, start=1)
    ]
    load = say("Seconds as they were on the machine that answered, with what else it had to do.")
    blocks: list[Block] = [Table(head=head, rows=rows), Text(text=load, kind="note")]
    points = _points(material)
    if len(points) > 1:
        axes = AxisNames(seconds=say("seconds an answer"), quality=shown)
        blocks.append(Plot(svg=front_plot(points, axes)))
        note = say(
            "On the front stands what no other configuration beats in one without losing in the"
            " other. Upright lines are intervals of the share right."
        )
        blocks.append(Text(text=note, kind="note"))
    return Section(id="costs", title=say("Seconds, tokens and quality"), blocks=blocks)


def _points(material: Material) -> list[FrontPoint]:
    if material.comparison is None:
        return []
    is_rate = material.comparison.quality == "right"
    found = []
    for place, one in enumerate(material.runs, start=1):
        finding = one.finding
        if finding.quality is None or finding.cost.seconds is None:
            continue
        found.append(
            FrontPoint(
                number=place,
                name=material.names[one.run.id],
                seconds=finding.cost.seconds,
                quality=finding.quality,
                low=finding.pass_rate.low if is_rate else None,
                high=finding.pass_rate.high if is_rate else None,
                on_front=finding.on_front,
            )
        )
    return found


def _cells(
    place: int, name: str, finding: RunFinding, say: Translator, *, measured: bool
) -> list[TableCell]:
    cost = finding.cost
    stages = cost.seconds_by_stage
    numbers = [
        percent(finding.quality),
        _number(cost.seconds, 1),
        _number(stages.get("first_token"), 1),
        _number(stages.get("retrieve"), 2),
        _number(cost.prompt_tokens, 0),
        _number(cost.answer_tokens, 0),
    ]
    cells = [TableCell(text=str(place), kind="number"), TableCell(text=name, kind="strong")]
    cells += [TableCell(text=text, kind="number") for text in numbers]
    if measured:
        cells.append(TableCell(text=say("yes") if finding.on_front else "–"))
    return cells


def _number(value: float | None, digits: int) -> str:
    return "–" if value is None else f"{value:,.{digits}f}"
