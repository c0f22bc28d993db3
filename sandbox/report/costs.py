"""Seconds and tokens beside quality, and the picture of both.

Leaves out what it cost to measure.
"""

from sandbox.evaluation.comparison.run_records import RunFinding
from sandbox.markup.bars import AxisNames, FrontPoint, front_plot
from sandbox.markup.markup import percent
from sandbox.report.blocks import Block, Cell, Plot, Row, Section, Table, Text
from sandbox.report.material import Material
from sandbox.report.phrases import Speaker


def costs(material: Material, say: Speaker) -> Section:
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
    place: int, name: str, finding: RunFinding, say: Speaker, *, measured: bool
) -> list[Cell]:
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
    cells = [Cell(text=str(place), kind="number"), Cell(text=name, kind="strong")]
    cells += [Cell(text=text, kind="number") for text in numbers]
    if measured:
        cells.append(Cell(text=say("yes") if finding.on_front else "–"))
    return cells


def _number(value: float | None, digits: int) -> str:
    return "–" if value is None else f"{value:,.{digits}f}"
