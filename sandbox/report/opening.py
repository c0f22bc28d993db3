"""How a report begins: the question, the verdict in a few sentences, and what is missing.

The verdict is made from numbers, so that every language says the same.
"""

from collections.abc import Sequence

from sandbox.evaluation.comparison.records import PairComparison
from sandbox.evaluation.runs.folder import CHATTED
from sandbox.markup.formats import percent, span
from sandbox.report.blocks import Block, Points, Section, Text
from sandbox.report.material import Material
from sandbox.report.translator import Translator

NAMED = 4
"""Metrics that are named in a sentence; the others are counted."""


def choose_question(material: Material, say: Translator) -> str:
    """The question asked: the reader's own, else made from what differs."""
    if material.question.strip():
        return material.question.strip()
    pairs = material.comparison.pairs if material.comparison else ()
    if len(pairs) == 1 and pairs[0].difference.is_creditable:
        factor = pairs[0].difference.factors[0]
        return say("Does {0} make a difference: {1} or {2}?", factor.name, factor.a, factor.b)
    if len(material.runs) > 1:
        return say("Which of these {0} configurations answers best?", len(material.runs))
    return say("How well does this configuration answer?")


def conclude(material: Material, say: Translator) -> list[str]:
    """The answer to it, as far as the runs give one."""
    return [
        _rates(material, say),
        *_comparison(material, say),
        _trust(material, say),
        *_doubt(material, say),
    ]


def _rates(material: Material, say: Translator) -> str:
    rates = [
        (run.finding.pass_rate, run.name)
        for run in material.runs
        if run.finding.pass_rate.rate is not None
    ]
    if not rates:
        return _suggested(material, say)
    rates.sort(key=lambda rate: rate[0].rate or 0.0, reverse=True)
    (best, name), (worst, last) = rates[0], rates[-1]
    values = (name, best.right, best.right + best.wrong, percent(best.rate))
    interval = span(best.low, best.high)
    if len(rates) == 1:
        return say("{0} answers {1} of {2} labelled questions right ({3}; {4}).", *values, interval)
    if best.rate == worst.rate:
        return say("All configurations answer the same share of questions right: {0}.", values[3])
    return say(
        "{0} answers most right: {1} of {2} labelled questions ({3}; {4}); {5} fewest: {6} of {7}"
        " ({8}).",
        *values,
        interval,
        last,
        worst.right,
        worst.right + worst.wrong,
        percent(worst.rate),
    )


def _suggested(material: Material, say: Translator) -> str:
    """What accepted answers suggest, where nobody labelled."""
    counts = []
    for run in material.runs:
        right, wrong = run.view.counts["right"], run.view.counts["wrong"]
        if right + wrong:
            name = run.name
            counts.append(say("{0} {1} of {2}", name, right, right + wrong))
    if not counts:
        return say("No answer is labelled right or wrong yet, so nothing can be said of quality.")
    return say(
        "Nobody has labelled these answers yet; the accepted answers suggest so many right: {0}.",
        say.join(counts),
    )


def _comparison(material: Material, say: Translator) -> list[str]:
    if material.comparison is None or not material.comparison.pairs:
        return []
    pairs = material.comparison.pairs
    first = material.names[pairs[0].a]
    better = say.join([material.names[pair.b] for pair in pairs if pair.better == "b"])
    worse = say.join([material.names[pair.b] for pair in pairs if pair.better == "a"])
    sentences = []
    if better:
        sentences.append(say("Case by case, {1} is better than {0} beyond chance.", first, better))
    if worse:
        sentences.append(say("Case by case, {1} is worse than {0} beyond chance.", first, worse))
    if not sentences:
        return [_undecided(material, pairs, first, say)]
    if len(pairs) == 1 and pairs[0].difference.factors:
        sentences.append(credit_difference(pairs[0], say))
    return sentences


def credit_difference(pair: PairComparison, say: Translator) -> str:
    """What a difference between two runs can be credited to."""
    factors = pair.difference.factors
    if not factors:
        return say("Nothing that matters differs between the two; any difference is chance.")
    names = say.join([f"{factor.name} ({factor.a} → {factor.b})" for factor in factors])
    if pair.difference.is_creditable:
        return say("Only {0} differs, so a difference can be credited to it.", names)
    return say(
        "{0} settings differ ({1}), so a difference cannot be credited to any one of them.",
        len(factors),
        names,
    )


def _undecided(
    material: Material, pairs: Sequence[PairComparison], first: str, say: Translator
) -> str:
    needs = [(more, material.names[pair.b]) for pair in pairs if (more := count_more_cases(pair))]
    if not needs:
        return say("Case by case, no configuration is shown to differ from {0}.", first)
    more, name = min(needs)
    return say.plural(
        "Case by case, no configuration is shown to differ from {1}; the clearest difference, to"
        " {2}, would take about {0} more case to settle.",
        "Case by case, no configuration is shown to differ from {1}; the clearest difference, to"
        " {2}, would take about {0} more cases to settle.",
        more,
        first,
        name,
    )


def count_more_cases(pair: PairComparison) -> int | None:
    """The fewest further cases that would settle one of the differences of a pair."""
    counts = [pair.right_wrong.more_cases]
    counts += [row.more_cases for row in pair.metrics if row.trusted]
    return min(filter(None, counts), default=None)


def _trust(material: Material, say: Translator) -> str:
    names = [str(row.metric) for row in material.trusted]
    if not material.is_labelled:
        return say("Without labels no metric can be trusted, so no metric decides here.")
    if not names:
        return say("No metric is shown to know right from wrong here, so no metric decides.")
    if len(names) > NAMED:
        rest = say("{0} more", len(names) - NAMED)
        return say(
            "Metrics that know right from wrong here: {0}.", say.join([*names[:NAMED], rest])
        )
    return say("Metrics that know right from wrong here: {0}.", say.join(names))


def _doubt(material: Material, say: Translator) -> list[str]:
    """A warning that labels are only suggestions, at the beginning since everything rests on it."""
    table = material.trust
    if not table.n_suggested:
        return []
    return [
        say(
            "{0} of {1} labels are only what the accepted answers suggest; nobody confirmed them.",
            table.n_suggested,
            table.n_right + table.n_wrong,
        )
    ]


def describe_missing(material: Material, say: Translator) -> Section:
    """What would have to be done for the report to say more."""
    points = list_missing(material, say)
    compared = material.comparison.warnings if material.comparison else ()
    noted = list(dict.fromkeys([*compared, *material.trust.warnings]))
    blocks: list[Block] = [Points(points)] if points else []
    if noted:
        blocks.append(Text(say("Noted by the statistics:"), kind="note"))
        blocks.append(Points(noted))
    if not blocks:
        blocks.append(Text(say("Nothing is missing.")))
    return Section(id="missing", title=say("What is missing"), blocks=blocks)


def list_missing(material: Material, say: Translator) -> list[str]:
    """The same in sentences, without what the statistics say of themselves."""
    points = [*_unlabelled(material, say), *_unfinished(material, say)]
    if len(material.runs) == 1:
        points.append(
            say("Only one run is reported; name a second one to see what a change would bring.")
        )
    if material.no_comparison and len(material.runs) > 1:
        points.append(say("The runs could not be compared: {0}", material.no_comparison))
    missing = _in_between(material)
    if missing:
        points.append(
            say(
                "To credit one setting, these configurations in between are missing: {0}.",
                say.join(missing),
            )
        )
    return points


def _unlabelled(material: Material, say: Translator) -> list[str]:
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


def _unfinished(material: Material, say: Translator) -> list[str]:
    runs = [(run.name, run.record, run.view.summary) for run in material.runs]
    points, unscored = [], []
    for name, run, summary in runs:
        if summary.finished or run.evaluation == CHATTED:
            continue
        if summary.answered + len(summary.failures) < summary.cells:
            answered = say(
                "{0} is not finished: {1} of {2} questions are answered.",
                name,
                summary.answered,
                summary.cells,
            )
            points.append(answered)
        else:
            unscored.append(name)
    if unscored:
        points.append(say("Scores are still missing in {0}.", say.join(unscored)))
    points += [
        say.plural(
            "{1} gave no answer to {0} question.",
            "{1} gave no answer to {0} questions.",
            len(summary.failures),
            name,
        )
        for name, _, summary in runs
        if summary.failures
    ]
    return points


def _in_between(material: Material) -> list[str]:
    if material.comparison is None:
        return []
    names = [
        config.name for pair in material.comparison.pairs for config in pair.difference.missing
    ]
    return [name for name in dict.fromkeys(names) if name not in material.names.values()]
