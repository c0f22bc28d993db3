"""Right and wrong, and metric by metric: by how much two runs differ, and whether that is chance.

Only labels count as right or wrong here; a metric decides only if it is trusted, or ranks pages,
which needs no labels. Labels draw the conclusion first, then trusted metrics.
"""

from collections.abc import Sequence
from dataclasses import replace
from statistics import fmean

from sandbox.evaluation.comparison.records import (
    MetricDifference,
    PairComparison,
    PairedCase,
    RightWrong,
    Which,
)
from sandbox.evaluation.metrics.catalog import LOWER_IS_BETTER
from sandbox.evaluation.runs.read import RunView
from sandbox.evaluation.runs.records import JUDGED, MetricKey, Score
from sandbox.evaluation.stats.paired import ALPHA, compare_pairs, estimate_more_cases, holm, mcnemar
from sandbox.evaluation.trust.cells import LENGTH
from sandbox.evaluation.trust.combination import CIRCULAR
from sandbox.evaluation.trust.records import MetricTrust, TrustTable

FEWEST_FLIPS = 6
"""Differences below which neither exact test can reach 0.05, however one-sided they are."""


def right_wrong(cases: Sequence[PairedCase]) -> RightWrong:
    """Right and wrong answers to the same cases, with the exact test."""
    counted = [case for case in cases if _counts(case)]
    both = sum(_verdicts(case) == ("right", "right") for case in counted)
    a_only = sum(case.better == "a" for case in counted)
    b_only = sum(case.better == "b" for case in counted)
    counts = RightWrong(
        both=both,
        a_only=a_only,
        b_only=b_only,
        neither=len(counted) - both - a_only - b_only,
        p=mcnemar(a_only, b_only) if counted else None,
        p_holm=None,
        suggested=sum(case.suggested for case in counted),
        uncounted=len(cases) - len(counted),
        more_cases=estimate_more_cases(a_only, b_only, len(counted)),
        sentence="",
    )
    return replace(counts, sentence=_right_wrong_sentence(counts))


def metric_differences(
    a: RunView, b: RunView, cases: Sequence[str], table: TrustTable, *, seed: int
) -> tuple[MetricDifference, ...]:
    """Every metric that scored both runs, without the adjusted p-values."""
    names = [metric for metric in a.metrics if metric in b.metrics]
    rows = (_metric_difference(name, a, b, cases, table, seed) for name in names)
    return tuple(row for row in rows if row is not None)


def trust_of(metric: str, run: RunView, table: TrustTable) -> MetricTrust | None:
    """The metric's row; where several judges scored, that of the run's judge."""
    return table.row(MetricKey(metric)) or table.row(MetricKey(metric, run.run.judge))


def is_trusted(row: MetricTrust | None, table: TrustTable) -> bool:
    """True if the metric separates and says something of quality that the labels do not."""
    if row is None or row.metric == LENGTH:
        return False
    circular = row.metric == CIRCULAR and table.n_suggested > 0
    return row.is_trusted and not circular


def adjust_p_values(
    pairs: Sequence[Sequence[MetricDifference]],
) -> list[tuple[MetricDifference, ...]]:
    """The differences of all pairs with p-values after Holm, those that decide first.

    What decides is adjusted among itself, over all pairs; the others over everything that was
    tested, so that they cannot take the power of what counts.
    """
    tested = [row for pair in pairs for row in pair if row.p is not None]
    among_all = _holm_of(tested)
    by_decision = _holm_of([row for row in tested if row.decides])
    return [
        tuple(
            sorted(
                (_settled(row, by_decision.get(id(row), among_all.get(id(row)))) for row in pair),
                key=lambda row: (not row.trusted, not row.decides),
            )
        )
        for pair in pairs
    ]


def _holm_of(rows: Sequence[MetricDifference]) -> dict[int, float]:
    """Adjusted p-values by identity of the row."""
    return dict(zip(map(id, rows), holm([row.p or 0.0 for row in rows]), strict=True))


def _counts(case: PairedCase) -> bool:
    return all(label in ("right", "wrong") for label in (case.a.label, case.b.label))


def _verdicts(case: PairedCase) -> tuple[str | None, str | None]:
    return case.a.label_or_suggestion, case.b.label_or_suggestion


def _right_wrong_sentence(counts: RightWrong) -> str:
    if not counts.compared:
        return (
            "no case is labelled right or wrong in both; label with: sandbox label, or count what"
            " the accepted answers suggest with --accept-suggestions"
        )
    flips = counts.a_only + counts.b_only
    sentence = (
        f"{flips} of {counts.compared} cases flip: {counts.b_only} right only in B,"
        f" {counts.a_only} only in A (exact McNemar p {counts.p:.2g})"
    )
    if counts.suggested:
        sentence += f"; {counts.suggested} of them rest on what accepted answers suggest"
    if counts.uncounted:
        sentence += f"; {counts.uncounted} not labelled right or wrong in both are left out"
    if 0 < flips < FEWEST_FLIPS:
        sentence += f"; with fewer than {FEWEST_FLIPS} flips this test cannot reach 0.05"
    return sentence


def _metric_difference(
    name: str, a: RunView, b: RunView, cases: Sequence[str], table: TrustTable, seed: int
) -> MetricDifference | None:
    scores = [(a.scores.get((name, id)), b.scores.get((name, id))) for id in cases]
    first = next((score for pair in scores for score in pair if score is not None), None)
    if first is None:
        return None
    other_judge = first.family in JUDGED and a.run.judging != b.run.judging
    values = [] if other_judge else _values(scores)
    values_a, values_b = [a for a, _ in values], [b for _, b in values]
    test = compare_pairs(values_a, values_b, seed=seed)
    row = trust_of(name, a, table)
    trusted = is_trusted(row, table)
    return MetricDifference(
        metric=name,
        family=first.family,
        trusted=trusted,
        trust=_trust(row, table, first),
        decides=trusted or first.family == "ranking",
        lower_is_better=name in LOWER_IS_BETTER,
        n=test.n,
        a=fmean(values_a) if values else None,
        b=fmean(values_b) if values else None,
        difference=test.difference,
        low=test.low,
        high=test.high,
        p=test.p,
        p_holm=None,
        effect=test.effect,
        ties=test.ties,
        better=None,
        more_cases=test.more_cases,
        note="scored by different judges; evaluate both with one"
        if other_judge
        else _note(test.n, test.ties),
    )


def _values(scores: Sequence[tuple[Score | None, Score | None]]) -> list[tuple[float, float]]:
    return [
        (a.value, b.value)
        for a, b in scores
        if a is not None and b is not None and a.value is not None and b.value is not None
    ]


def _trust(row: MetricTrust | None, table: TrustTable, score: Score) -> str:
    if row is not None and row.metric == LENGTH:
        return "a longer answer is no better one"
    if row is not None and row.is_trusted and not is_trusted(row, table):
        return "it made the suggestions that count as labels here"
    trust = f"{row.trust}: {row.reason}" if row is not None else "no labelled answer has a score"
    return f"compares pages, needs no labels; {trust}" if score.family == "ranking" else trust


def _note(n: int, ties: int) -> str:
    if n == 0:
        return "no case has a score in both"
    if ties == n:
        return f"all {n} pairs are equal"
    parts = [f"{ties} of {n} pairs are equal and say nothing"] if ties else []
    if n - ties < FEWEST_FLIPS:
        parts.append(f"with fewer than {FEWEST_FLIPS} differences this test cannot reach 0.05")
    return "; ".join(parts)


def _settled(row: MetricDifference, p_holm: float | None) -> MetricDifference:
    better: Which | None = None
    if p_holm is not None and p_holm <= ALPHA and row.effect:
        better = "b" if (row.effect > 0) != row.lower_is_better else "a"
    return replace(row, p_holm=p_holm, better=better)


def draw_conclusion(pair: PairComparison) -> PairComparison:
    """The pair with the run that is better, if any, and why."""
    better, reason = _quality(pair.right_wrong, [row for row in pair.metrics if row.trusted])
    sentences = [reason, *_retrieval(pair.metrics)]
    if better and not pair.difference.is_creditable:
        sentences.append("What made the difference cannot be said: not exactly one factor differs.")
    return replace(pair, better=better, conclusion=" ".join(sentences))


def _quality(labels: RightWrong, trusted: Sequence[MetricDifference]) -> tuple[Which | None, str]:
    by_metric: dict[Which, list[MetricDifference]] = {"a": [], "b": []}
    for row in trusted:
        if row.better:
            by_metric[row.better].append(row)
    if labels.p_holm is not None and labels.p_holm <= ALPHA:
        better: Which = "b" if labels.b_only > labels.a_only else "a"
        return better, (
            f"{better.upper()} answers more cases right: {labels.b_only} right only in B,"
            f" {labels.a_only} only in A (exact McNemar p {labels.p_holm:.2g})."
        )
    if by_metric["a"] and by_metric["b"]:
        return None, (
            f"Trusted metrics disagree: {_named(by_metric['a'])} for A, {_named(by_metric['b'])}"
            " for B; label more of the cases that flip."
        )
    for which in ("a", "b"):
        if by_metric[which]:
            return which, f"{which.upper()} is better by {_named(by_metric[which])}."
    return None, _undecided(labels, trusted)


def _undecided(labels: RightWrong, trusted: Sequence[MetricDifference]) -> str:
    estimates = [labels.more_cases, *(row.more_cases for row in trusted)]
    fewest = min((cases for cases in estimates if cases), default=None)
    more = f"; about {fewest} more cases would settle a difference of this size" if fewest else ""
    if trusted:
        return f"No trusted metric tells these two apart{more}."
    if labels.compared:
        return f"The labels do not tell these two apart, and no metric is trusted here{more}."
    return (
        "No metric is trusted here and no case is labelled in both, so nothing can be said about"
        " the answers; label some with: sandbox label."
    )


def _retrieval(metrics: Sequence[MetricDifference]) -> list[str]:
    """What ranking metrics say, which need no labels."""
    ranking = [row for row in metrics if row.family == "ranking" and not row.trusted]
    return [
        f"Retrieval is better in {which.upper()} by {_named(preferring)}."
        for which in ("a", "b")
        if (preferring := [row for row in ranking if row.better == which])
    ]


def _named(metrics: Sequence[MetricDifference]) -> str:
    return ", ".join(
        f"{row.metric} ({row.difference:+.2f}, p {row.p_holm:.2g})"
        for row in metrics
        if row.difference is not None and row.p_holm is not None
    )
