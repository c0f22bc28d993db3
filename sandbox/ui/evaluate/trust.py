"""What the labels say of the metrics of a shown evaluation: which means may decide, and why not."""

from collections.abc import Hashable, Mapping, Sequence

from sandbox.evaluation.runs.read import RunView
from sandbox.evaluation.trust.records import TrustTable
from sandbox.markup.markup import escape

NOBODY = (
    "nobody has labelled answers of these runs right and wrong, so it is not known which of these "
    "means may decide; label some on the Trust tab"
)
GREYED = (
    "greyed: not shown to know right from wrong on these labels, so it may not decide; the Trust "
    "tab says what each rests on"
)


def labels_of(outcomes: Sequence[RunView]) -> Hashable:
    """What people said of the shown answers: as long as it is equal, so are the verdicts."""
    return tuple(
        (outcome.run.id, case, cell.label, len(outcome.scores))
        for outcome in outcomes
        for case, cell in outcome.cells.items()
        if cell.label is not None
    )


def has_both_classes(outcomes: Sequence[RunView]) -> bool:
    """True if some answer is labelled right and some wrong."""
    labels = {cell.label for outcome in outcomes for cell in outcome.cells.values()}
    return {"right", "wrong"} <= labels


def untrusted(table: TrustTable) -> dict[str, str]:
    """Why a metric may not decide, by metric; a trusted one is absent."""
    return {
        str(row.metric): f"{row.verdict}: {row.reason}"
        for row in table.metrics
        if not row.is_trusted
    }


def doubt_html(metric: str, doubts: Mapping[str, str] | None) -> str:
    """The verdict below a metric's name, with its reason to hover over."""
    doubt = (doubts or {}).get(metric, "")
    verdict = doubt.partition(":")[0]
    return f"<span class='basis' title='{escape(doubt)}'>{verdict}</span>" if doubt else ""


def legend_html(doubts: Mapping[str, str] | None) -> str:
    """What grey means, or why nothing is greyed yet."""
    if doubts is not None and not doubts:
        return ""
    return f"<p class='legend'>{NOBODY if doubts is None else GREYED}</p>"
