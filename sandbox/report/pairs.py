"""The comparison: verdict, cases that flip and what made the difference, metric by metric.

Sentences are made from numbers, so that every language says the same.
"""

from sandbox.evaluation.comparison.records import (
    MetricDifference,
    PairComparison,
    PairedCase,
    RightWrong,
)
from sandbox.evaluation.runs.cells import Evidence
from sandbox.markup.formats import number
from sandbox.report.blocks import (
    Block,
    Folded,
    Points,
    Row,
    Section,
    Table,
    TableCell,
    Text,
    align_right,
)
from sandbox.report.material import Material
from sandbox.report.matrix import KINDS, SIGNS, make_anchor
from sandbox.report.opening import count_more_cases, credit_difference
from sandbox.report.translator import Translator

LEGS = {"lexical": "BM25", "dense": "vector", "fused": "RRF", "reranker": "rerank"}


def describe_comparison(material: Material, say: Translator) -> Section | None:
    """One part for each run compared with the first; ``None`` where nothing is compared."""
    if material.comparison is None or not material.comparison.pairs:
        return None
    blocks: list[Block] = []
    for pair in material.comparison.pairs:
        blocks += _pair(pair, material, say)
    return Section(id="comparison", title=say("Comparison, case by case"), blocks=blocks)


def _pair(pair: PairComparison, material: Material, say: Translator) -> list[Block]:
    a, b = material.names[pair.a], material.names[pair.b]
    blocks: list[Block] = [
        Text(f"{a} → {b}", kind="heading"),
        Text(_verdict(pair, a, b, say), kind="lead"),
        Text(credit_difference(pair, say)),
        Text(_counts(pair.right_wrong, a, b, say)),
        Text(_layers(pair, say)),
    ]
    blocks += [Text(sentence) for sentence in _retrieval(pair, a, b, say)]
    if pair.flips:
        blocks.append(_flips(pair, a, b, say))
    blocks += _metrics(pair, a, b, say)
    if pair.warnings:
        blocks.append(Points(pair.warnings, kind="warning"))
    return blocks


def _verdict(pair: PairComparison, a: str, b: str, say: Translator) -> str:
    better, other = (a, b) if pair.better == "a" else (b, a)
    if pair.better is None:
        more = count_more_cases(pair)
        if more is None:
            return say("Nothing here tells {0} and {1} apart.", a, b)
        return say.plural(
            "Nothing here tells {1} and {2} apart; about {0} more case would settle a difference"
            " of this size.",
            "Nothing here tells {1} and {2} apart; about {0} more cases would settle a difference"
            " of this size.",
            more,
            a,
            b,
        )
    labels = pair.right_wrong
    if labels.p_holm is not None and labels.p_holm <= 0.05:
        return say("{0} answers more questions right than {1}.", better, other)
    names = [row.metric for row in pair.metrics if row.trusted and row.better == pair.better]
    return say("{0} is better than {1} by trusted metrics: {2}.", better, other, say.join(names))


def _counts(labels: RightWrong, a: str, b: str, say: Translator) -> str:
    if not labels.compared or labels.p is None:
        return say("No question is labelled right or wrong in both, so answers are not compared.")
    counts = say(
        "Of {0} questions labelled in both, {1} are right in both, {2} only in {3}, {4} only in"
        " {5}, {6} in neither (exact McNemar p {7}; after Holm {8}).",
        labels.compared,
        labels.both,
        labels.a_only,
        a,
        labels.b_only,
        b,
        labels.neither,
        f"{labels.p:.2g}",
        f"{labels.p_holm or 1:.2g}",
    )
    if labels.suggested:
        counts += say(" {0} of them rest on what accepted answers suggest.", labels.suggested)
    return counts


def _retrieval(pair: PairComparison, a: str, b: str, say: Translator) -> list[str]:
    """What ranking metrics say, which need no labels."""
    sentences = []
    for which, name in (("a", a), ("b", b)):
        metrics = [
            row.metric
            for row in pair.metrics
            if row.family == "ranking" and not row.trusted and row.better == which
        ]
        if metrics:
            sentences.append(say("Retrieval is better with {0} by {1}.", name, say.join(metrics)))
    return sentences


def _layers(pair: PairComparison, say: Translator) -> str:
    return say(
        "Layer: in {0} cases other chunks were shown (retrieval), in {1} the same chunks led to"
        " another answer (generation), {2} are the same in both.",
        *(pair.layers[layer] for layer in ("retrieval", "generation", "same")),
    )


def _flips(pair: PairComparison, a: str, b: str, say: Translator) -> Table:
    rows = [
        Row(
            [
                TableCell(case.case.id, note=case.case.question, link=make_anchor(case.case.id)),
                _mark(case, "a"),
                _mark(case, "b"),
                TableCell(attribute(case, a, b, say), kind="text"),
            ]
        )
        for case in pair.flips
    ]
    head = [say("case that flips"), f"A: {a}", f"B: {b}", say("what made the difference")]
    return Table(head=head, rows=rows)


def _mark(case: PairedCase, which: str) -> TableCell:
    cell = case.a if which == "a" else case.b
    label = cell.label_or_suggestion
    return TableCell(SIGNS[label], kind=KINDS[label], suggested=cell.is_suggested)


def attribute(case: PairedCase, a: str, b: str, say: Translator) -> str:
    """What made the difference; in English as the comparison says it."""
    if say.language == "en":
        return case.attribution
    if case.layer == "generation":
        return say("Identical chunks: generation made the difference.")
    if case.layer == "unknown":
        return say("One of the two has no answer.")
    if case.layer == "same":
        return say("Identical chunks and identical answers.")
    where = [
        say("{0}: evidence at {1}", name, _place(side.evidence, say))
        if side.evidence
        else say("{0}: evidence not retrieved", name)
        for name, side in ((a, case.a), (b, case.b))
    ]
    decided = say(" Decided by {0}.", case.decided_by) if case.decided_by else ""
    return say("Other chunks. {0}.", "; ".join(where)) + decided


def _place(evidence: Evidence, say: Translator) -> str:
    legs = ", ".join(f"{LEGS.get(name, name)} #{rank}" for name, rank in evidence.legs.items())
    place = say("rank {0} of {1}, page {2}", evidence.rank, evidence.of, evidence.page)
    if legs:
        place += f" ({legs})"
    return place if evidence.sent else say("{0}, cut off by the model's context", place)


def _metrics(pair: PairComparison, a: str, b: str, say: Translator) -> list[Block]:
    """What decides in the open, the rest in a fold that is not printed."""
    head = [
        say("metric"),
        a,
        b,
        say("difference"),
        say("95 % interval"),
        say("p (Holm)"),
        say("effect"),
        say("cases"),
        say("trust"),
    ]
    deciding = [_metric(row, say) for row in pair.metrics if row.decides]
    remaining = [_metric(row, say) for row in pair.metrics if not row.decides]
    blocks: list[Block] = [Table(head=head, rows=deciding)] if deciding else []
    if remaining:
        summary = say.plural(
            "{0} metric that is not trusted and decides nothing",
            "{0} metrics that are not trusted and decide nothing",
            len(remaining),
        )
        table = Table(head=head, rows=remaining)
        blocks.append(Folded(summary=summary, blocks=[table], printed=False))
    return blocks


def _metric(row: MetricDifference, say: Translator) -> Row:
    interval = "–" if row.low is None or row.high is None else f"{row.low:+.2f} … {row.high:+.2f}"
    trust = (
        say("trusted")
        if row.trusted
        else say("ranks pages, needs no labels")
        if row.decides
        else say("not trusted, decides nothing")
    )
    cells = [
        TableCell(
            row.metric, kind="strong", note=say("lower is better") if row.lower_is_better else ""
        ),
        *align_right(
            number(row.a),
            number(row.b),
            "–" if row.difference is None else f"{row.difference:+.2f}",
            interval,
            "–" if row.p_holm is None else f"{row.p_holm:.2g}",
            "–" if row.effect is None else f"{row.effect:+.2f}",
            str(row.n),
        ),
        TableCell(trust, kind="text", note="" if row.decides else row.trust),
    ]
    return Row(cells, kind="" if row.decides else "untrusted")
