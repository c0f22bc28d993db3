"""Each run by itself: what went wrong, the weakest slices, seconds and tokens beside quality.

The rules of diagnosis are in comparison/diagnosis.py; their reasons stay in English.
"""

from sandbox.evaluation.comparison.records import DiagnosisKind, Slice
from sandbox.markup.formats import number, percent, span
from sandbox.markup.plots import AxisNames, FrontPoint, draw_front
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
from sandbox.report.trust import note_english

SLICES = 8
"""Slices of a run that are shown, the weakest first."""


def describe_diagnosis(material: Material, say: Translator) -> Section:
    """How often what went wrong, then every case with its reason."""
    title = say("What went wrong")
    kinds = list(dict.fromkeys(fault.kind for run in material.runs for fault in run.finding.sums))
    if not kinds:
        none = Text(say("No answer is known to be wrong."))
        return Section(id="diagnosis", title=title, blocks=[none])
    head = [say("what"), *(run.name for run in material.runs), say("what to try first")]
    rows = [_kind(kind, material, say) for kind in kinds]
    blocks: list[Block] = [*note_english(say), Table(head=head, rows=rows)]
    blocks += [_cases(run, say) for run in material.runs if run.finding.sums]
    return Section(id="diagnosis", title=title, blocks=blocks)


def describe_slices(material: Material, say: Translator) -> Section | None:
    """The weakest kinds of questions of each run; ``None`` where nothing is judged."""
    blocks: list[Block] = []
    for run in material.runs:
        judged = [part for part in run.finding.slices if part.rate is not None or part.means]
        if not judged:
            continue
        blocks.append(Text(run.name, kind="heading"))
        blocks.append(_slices(judged[:SLICES], say))
        if len(judged) > SLICES:
            left = say.plural(
                "{0} stronger slice is left out.",
                "{0} stronger slices are left out.",
                len(judged) - SLICES,
            )
            blocks.append(Text(left, kind="note"))
    if not blocks:
        return None
    note = say("Few cases tell little: look at the intervals. Suggested verdicts are counted here.")
    return Section(
        id="slices",
        title=say("Weakest kinds of questions"),
        blocks=[Text(note, kind="note"), *blocks],
    )


def _kind(kind: DiagnosisKind, material: Material, say: Translator) -> Row:
    sums = [
        next((fault for fault in run.finding.sums if fault.kind == kind), None)
        for run in material.runs
    ]
    levers = dict.fromkeys(fault.lever for fault in sums if fault)
    return Row(
        [
            TableCell(say.name(kind), kind="strong"),
            *align_right(*(str(len(fault.cases)) if fault else "0" for fault in sums)),
            TableCell("; ".join(levers), kind="text"),
        ]
    )


def _cases(run: ReportedRun, say: Translator) -> Folded:
    wrong = {case for fault in run.finding.sums for case in fault.cases}
    rows = [
        Row(
            [
                TableCell(diagnosis.case, link=make_anchor(diagnosis.case)),
                TableCell(
                    say.name(diagnosis.kind),
                    kind="text",
                    note=say("suggested") if diagnosis.suggested else "",
                ),
                TableCell(diagnosis.because, kind="text"),
                TableCell(diagnosis.lever, kind="text"),
            ]
        )
        for diagnosis in run.finding.diagnoses
        if diagnosis.case in wrong
    ]
    head = [say("case"), say("what"), say("because"), say("what to try first")]
    summary = say.plural(
        "{1}: {0} case, with the rule that applied",
        "{1}: {0} cases, with the rule that applied",
        len(rows),
        run.name,
    )
    return Folded(summary=summary, blocks=[Table(head=head, rows=rows)])


def _slices(slices: list[Slice], say: Translator) -> Table:
    metrics = list(dict.fromkeys(metric for part in slices for metric in part.means))[:4]
    rows = [
        Row(
            [
                TableCell(say.name(part.name), kind="strong", note=say.name(part.by)),
                TableCell(str(part.cases), kind="number"),
                TableCell(
                    f"{part.right} / {part.right + part.wrong}",
                    kind="number",
                    note=say("{0} suggested", part.suggested) if part.suggested else "",
                ),
                TableCell(percent(part.rate), kind="number", note=span(part.low, part.high)),
                *align_right(*(number(part.means.get(metric)) for metric in metrics)),
            ]
        )
        for part in slices
    ]
    head = [say("slice"), say("cases"), say("right"), say("share right"), *metrics]
    return Table(head=head, rows=rows)


def describe_costs(material: Material, say: Translator) -> Section:
    """The table, and where both are known, quality against seconds."""
    measured = material.comparison is not None
    quality = material.comparison.quality if material.comparison else "right"
    quality_name = say("share right") if quality == "right" else quality
    head = [
        "#",
        say("configuration"),
        quality_name,
        say("seconds an answer"),
        say("until the first word"),
        say("retrieval"),
        say("prompt tokens"),
        say("answer tokens"),
        *([say("on the front")] if measured else []),
    ]
    rows = [
        Row(_cells(place, run, say, measured=measured))
        for place, run in enumerate(material.runs, start=1)
    ]
    load = say("Seconds as they were on the machine that answered, with what else it had to do.")
    blocks: list[Block] = [Table(head=head, rows=rows), Text(load, kind="note")]
    points = _points(material)
    if len(points) > 1:
        axes = AxisNames(seconds=say("seconds an answer"), quality=quality_name)
        blocks.append(Plot(draw_front(points, axes)))
        note = say(
            "On the front stands what no other configuration beats in one without losing in the"
            " other. Upright lines are intervals of the share right."
        )
        blocks.append(Text(note, kind="note"))
    return Section(id="costs", title=say("Seconds, tokens and quality"), blocks=blocks)


def _points(material: Material) -> list[FrontPoint]:
    if material.comparison is None:
        return []
    is_rate = material.comparison.quality == "right"
    return [
        FrontPoint(
            number=place,
            name=run.name,
            seconds=finding.cost.seconds,
            quality=finding.quality,
            low=finding.pass_rate.low if is_rate else None,
            high=finding.pass_rate.high if is_rate else None,
            on_front=finding.on_front,
        )
        for place, run in enumerate(material.runs, start=1)
        if (finding := run.finding).quality is not None and finding.cost.seconds is not None
    ]


def _cells(place: int, run: ReportedRun, say: Translator, *, measured: bool) -> list[TableCell]:
    cost = run.finding.cost
    stages = cost.seconds_by_stage
    numbers = [
        percent(run.finding.quality),
        _number(cost.seconds, 1),
        _number(stages.get("first_token"), 1),
        _number(stages.get("retrieve"), 2),
        _number(cost.prompt_tokens, 0),
        _number(cost.answer_tokens, 0),
    ]
    front = [TableCell(say("yes") if run.finding.on_front else "–")] if measured else []
    return [
        *align_right(str(place)),
        TableCell(run.name, kind="strong"),
        *align_right(*numbers),
        *front,
    ]


def _number(value: float | None, digits: int) -> str:
    return "–" if value is None else f"{value:,.{digits}f}"
