"""The configurations: what differs between them, and what they have in common."""

from sandbox.evaluation.comparison.factors import settings_of
from sandbox.report.blocks import Block, Cell, Points, Row, Section, Table, Text
from sandbox.report.material import Material
from sandbox.report.phrases import Speaker

SHOWN_CHARACTERS = 200
"""A prompt of one's own may be long; the run keeps all of it."""


def configurations(material: Material, say: Speaker) -> Section:
    """The factor table, then the settings that are the same everywhere."""
    settings = {one.run.id: settings_of(one.run) for one in material.runs}
    names = list(next(iter(settings.values())))
    different = [name for name in names if len({str(one[name]) for one in settings.values()}) > 1]
    blocks: list[Block] = []
    if different:
        rows = [
            Row(cells=[Cell(text=name), *(_cell(one[name]) for one in settings.values())])
            for name in different
        ]
        blocks.append(
            Table(
                head=[say("setting"), *(material.names[run] for run in settings)],
                rows=rows,
            )
        )
    elif len(settings) > 1:
        blocks.append(Text(text=say("No setting differs between these runs.")))
    first = next(iter(settings.values()))
    same = [f"{name} = {_short(first[name])}" for name in names if name not in different]
    if same:
        listed = say.listed(same)
        several = len(settings) > 1
        said = say("The same in all: {0}.", listed) if several else say("Settings: {0}.", listed)
        blocks.append(Text(text=said, kind="note"))
    notes = [
        say("Note on {0}: {1}", material.names[one.run.id], one.about.note)
        for one in material.runs
        if one.about.note
    ]
    if notes:
        blocks.append(Points(points=notes))
    return Section(id="configurations", title=say("Configurations"), blocks=blocks)


def _cell(value: object) -> Cell:
    return Cell(text=_short(value))


def _short(value: object) -> str:
    text = "–" if value in (None, "") else str(value)
    return text if len(text) <= SHOWN_CHARACTERS else f"{text[: SHOWN_CHARACTERS - 1]}…"
