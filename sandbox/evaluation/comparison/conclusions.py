"""What a comparison of two runs ends in: which is better, and why.

Labels decide first, then trusted metrics; ranking metrics are reported beside them.
"""

from collections.abc import Sequence
from dataclasses import replace

from sandbox.evaluation.comparison.records import (
    MetricDifference,
    PairComparison,
    RightWrong,
    Which,
)
from sandbox.evaluation.stats.paired import ALPHA


def draw_conclusion(pair: PairComparison) -> PairComparison:
    """The pair with the run that is better, if any, and why."""
    better, said = _quality(pair.right_wrong, [one for one in pair.metrics if one.trusted])
    sentences = [said, *_retrieval(pair.metrics)]
    if better and not pair.difference.is_creditable:
        sentences.append("What made the difference cannot be said: not exactly one factor differs.")
    return replace(pair, better=better, conclusion=" ".join(sentences))


def _quality(labels: RightWrong, trusted: Sequence[MetricDifference]) -> tuple[Which | None, str]:
    by_metric: dict[Which, list[MetricDifference]] = {"a": [], "b": []}
    for one in trusted:
        if one.better:
            by_metric[one.better].append(one)
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
    every = [labels.more_cases, *(one.more_cases for one in trusted)]
    wanted = [more for more in every if more]
    more = (
        f"; about {min(wanted)} more cases would settle a difference of this size" if wanted else ""
    )
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
    ranking = [one for one in metrics if one.family == "ranking" and not one.trusted]
    found: list[str] = []
    for which in ("a", "b"):
        if preferring := [one for one in ranking if one.better == which]:
            found.append(f"Retrieval is better in {which.upper()} by {_named(preferring)}.")
    return found


def _named(metrics: Sequence[MetricDifference]) -> str:
    return ", ".join(
        f"{one.metric} ({one.difference:+.2f}, p {one.p_holm:.2g})"
        for one in metrics
        if one.difference is not None and one.p_holm is not None
    )
