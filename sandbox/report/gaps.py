"""What is missing: what would have to be done for the report to say more.

Leaves out pictures that could not be shown (pictures.py).
"""

from sandbox.evaluation.runs.folder import CHATTED
from sandbox.report.blocks import Block, Points, Section, Text
from sandbox.report.material import Material
from sandbox.report.phrases import Speaker


def missing(material: Material, say: Speaker) -> Section:
    """What would have to be done for the report to say more."""
    points = missing_points(material, say)
    compared = material.comparison.warnings if material.comparison else ()
    noted = list(dict.fromkeys([*compared, *material.trust.warnings]))
    blocks: list[Block] = [Points(points=points)] if points else []
    if noted:
        blocks.append(Text(text=say("Noted by the statistics:"), kind="note"))
        blocks.append(Points(points=noted))
    if not blocks:
        blocks.append(Text(text=say("Nothing is missing.")))
    return Section(id="missing", title=say("What is missing"), blocks=blocks)


def missing_points(material: Material, say: Speaker) -> list[str]:
    """The same in sentences, without what the statistics say of themselves."""
    points = [*_unlabelled(material, say), *_unfinished(material, say)]
    if len(material.runs) == 1:
        points.append(
            say("Only one run is reported; name a second one to see what a change would bring.")
        )
    if material.no_comparison and len(material.runs) > 1:
        points.append(say("The runs could not be compared: {0}", material.no_comparison))
    wanted = _in_between(material)
    if wanted:
        points.append(
            say(
                "To credit one setting, these configurations in between are missing: {0}.",
                say.listed(wanted),
            )
        )
    return points


def _unlabelled(material: Material, say: Speaker) -> list[str]:
    table = material.trust
    decided, cells = table.n_right + table.n_wrong + table.n_unsure, len(table.cells)
    if decided >= cells:
        return []
    return [
        say(
            "{0} of {1} answers have no label. Label them in the Trust tab, or with: {2}",
            cells - decided,
            cells,
            "sandbox label",
        )
    ]


def _unfinished(material: Material, say: Speaker) -> list[str]:
    open_runs = [
        one
        for one in material.runs
        if not one.read.summary.finished and one.run.evaluation != CHATTED
    ]
    points = [
        say(
            "{0} is not finished: {1} of {2} questions are answered.",
            material.names[one.run.id],
            one.read.summary.answered,
            one.read.summary.cells,
        )
        for one in open_runs
        if one.read.summary.answered + len(one.read.summary.failures) < one.read.summary.cells
    ]
    unscored = [
        material.names[one.run.id]
        for one in open_runs
        if one.read.summary.answered + len(one.read.summary.failures) >= one.read.summary.cells
    ]
    if unscored:
        points.append(say("Scores are still missing in {0}.", say.listed(unscored)))
    points += [
        say(
            "{0} gave no answer to {1} questions.",
            material.names[one.run.id],
            len(one.read.summary.failures),
        )
        for one in material.runs
        if one.read.summary.failures
    ]
    return points


def _in_between(material: Material) -> list[str]:
    if material.comparison is None:
        return []
    wanted = [
        config.name for pair in material.comparison.pairs for config in pair.difference.missing
    ]
    have = set(material.names.values())
    return [name for name in dict.fromkeys(wanted) if name not in have]
