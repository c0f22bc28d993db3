"""HTML of the separation table: which metrics know right from wrong, and what each costs.

A row opens what it rests on (metric.py). Leaves out every computation.
"""

from collections.abc import Sequence

from sandbox.evaluation.labelling.agreement import describe_agreement
from sandbox.evaluation.labelling.cells import LabelCounts
from sandbox.evaluation.labelling.session import TwoLabellers
from sandbox.evaluation.runs.records import Run
from sandbox.evaluation.trust.advice import advise
from sandbox.evaluation.trust.records import MetricTrust, Repeatability, TrustTable
from sandbox.markup.markup import count, escape, number
from sandbox.markup.plots import interval_html
from sandbox.ui.parts.progress import sentence_html

NO_RUN = (
    "<p class='empty'>No answers yet: measure some configurations on the Evaluate tab, or judge "
    "answers on the Ask tab with “right” and “wrong”. Then label them here.</p>"
)
NO_CHOICE = "<p class='empty'>Tick at least one run on the left.</p>"
FIRST_LABELS = 10
COLUMNS = (
    ("metric", ""),
    ("right", "mean over the answers labelled right"),
    ("wrong", "mean over the answers labelled wrong"),
    ("gap", "the first minus the second"),
    ("AUC [95 %]", "chance that a right answer scores better than a wrong one; 0.5 is a coin"),
    ("", "the same, drawn from 0 to 1; the mark is a coin’s 0.5"),
    ("picks better", "the same over pairs of answers to one question"),
    ("cost", "judge calls and seconds for one answer"),
    ("scored", "share of the labelled answers that have a score"),
    ("verdict", ""),
)


def head_html(runs: Sequence[Run], counts: LabelCounts) -> str:
    """What is looked at, in one line."""
    judges = ", ".join(dict.fromkeys(run.judge for run in runs if run.judge))
    unsure = f", {counts.unsure} unsure" if counts.unsure else ""
    accepted = f"; {counts.accepted} only accepted suggestions" if counts.accepted else ""
    parts = [
        count(len(runs), "run"),
        f"<b>{count(counts.labelled, 'labelled answer')}</b> ({counts.right} right, "
        f"{counts.wrong} wrong{unsure}{accepted}) of {counts.cells}",
        f"judge {escape(judges)}" if judges else "no judge",
    ]
    return f"<p class='trust-head'>{' · '.join(parts)}</p>"


def agreements_html(found: Sequence[TwoLabellers]) -> str:
    """How far each two people agree who labelled the same answers."""
    return "".join(
        sentence_html(
            f"{one.first} and {one.second} on {count(one.agreement.items, 'answer')}: "
            + (one.agreement.warning or describe_agreement(one.agreement).partition(": ")[2]),
            alarming=bool(one.agreement.warning),
        )
        for one in found
        if one.agreement.items
    )


def needs_labels_html(counts: LabelCounts) -> str:
    """What to do before there is anything to show; empty once both classes are there."""
    if not counts.cells:
        return (
            "<p class='empty'>These runs have no answers yet; finish them on the Evaluate tab.</p>"
        )
    if not counts.right and not counts.wrong:
        return (
            f"<p class='empty'>Nothing is labelled yet: <b>label {FIRST_LABELS} answers first</b>. "
            "You see each with its question, reference and page, and press r for right or w for "
            "wrong; what helps most comes first. Then this table says which metrics agree with "
            "you.</p>"
        )
    if not counts.right or not counts.wrong:
        missing = "wrong" if counts.right else "right"
        return (
            f"<p class='empty'>All labels say the same so far. A metric can only be told apart "
            f"once some answers are {missing}, too: label more, the likely {missing} ones come "
            "first.</p>"
        )
    return ""


def table_html(table: TrustTable, *, shown: str = "") -> str:
    """The separation table.

    Args:
        table: What was computed.
        shown: The metric that is open below.
    """
    heads = "".join(
        f"<th scope='col' title='{escape(title)}'>{name}</th>" for name, title in COLUMNS
    )
    rows = "".join(_row(row, shown=str(row.metric) == shown) for row in table.metrics)
    return (
        f"{_summary(table)}<div class='table-scroll'><table class='trust'><thead><tr>{heads}</tr>"
        f"</thead><tbody>{rows}</tbody></table></div>{_list(_judged_again(table))}{_list(table.warnings)}"
    )


def cost(row: MetricTrust) -> str:
    """What one score costs, as HTML.

    Args:
        row: The metric.
    """
    if row.seconds_per_cell is None:
        return "?"
    seconds = f"{row.seconds_per_cell:.1f} s" if row.seconds_per_cell >= 0.05 else ""
    if not row.calls_per_cell:
        return seconds or "free"
    calls = f"{row.calls_per_cell:.3g} {'call' if row.calls_per_cell == 1 else 'calls'}"
    return f"{calls}<span class='basis'>{seconds}</span>"


def auc_text(row: MetricTrust) -> str:
    """The AUC with its interval.

    Args:
        row: The metric.
    """
    if row.auc is None:
        return "–"
    if row.auc_low is None or row.auc_high is None:
        return number(row.auc)
    return f"{number(row.auc)} [{number(row.auc_low)}, {number(row.auc_high)}]"


def _summary(table: TrustTable) -> str:
    """The answer to the question above the table."""
    advice = advise(table)
    use = (
        f"<b>Use {escape(', '.join(map(str, advice.use)))}</b>: {advice.reason}"
        if advice.use
        else ""
    )
    said = " ".join(filter(None, [use, *map(escape, advice.remarks)]))
    return f"<h3>Which metrics know right from wrong here?</h3><p class='trust-summary'>{said}</p>"


def _why(row: MetricTrust) -> str:
    """The reason in short; the numbers stand in the same row, the whole sentence opens below."""
    if not row.is_trusted:
        return row.reason
    if row.is_baseline:
        return "costs nothing: what others have to beat"
    other = row.against_baseline
    if other is None:
        return row.reason
    verb = "beats" if other.is_better else "not shown to beat"
    return f"{verb} {other.other}, which costs nothing"


def _row(row: MetricTrust, *, shown: bool) -> str:
    classes = ["row", "trusted" if row.is_trusted else "untrusted", "shown" if shown else ""]
    baseline = "<span class='badge'>baseline</span>" if row.is_baseline else ""
    lower = "<span class='basis'>less is better</span>" if row.lower_is_better else ""
    bar = ""
    if row.auc is not None and row.auc_low is not None and row.auc_high is not None:
        bar = interval_html(row.auc, row.auc_low, row.auc_high, trusted=row.is_trusted)
    pairs = count(row.pairs_within_case, "pair")
    within = number(row.auc_within_case)
    cells = (
        f"{number(row.mean_right)}<span class='basis'>n {row.n_right}</span>",
        f"{number(row.mean_wrong)}<span class='basis'>n {row.n_wrong}</span>",
        "–" if row.gap is None else f"{row.gap:+.2f}".replace("-", "−"),
        f"<span class='auc'>{auc_text(row)}</span>",
        bar,
        f"{within}<span class='basis'>{pairs}</span>",
        cost(row),
        "–" if row.coverage is None else f"{row.coverage:.0%}",
        f"<b class='verdict-word {row.verdict.split()[0]}'>{row.verdict}</b>"
        f"<span class='why' title='{escape(row.reason)}'>{escape(_why(row))}</span>",
    )
    data = "".join(f"<td>{cell}</td>" for cell in cells)
    name = escape(str(row.metric))
    return (
        f"<tr class='{' '.join(filter(None, classes))}' data-click='metric' data-metric='{name}' "
        f"data-run='' data-case=''><th scope='row'><button class='number' data-click='metric' "
        f"data-metric='{name}' data-run='' data-case='' aria-expanded='{str(shown).lower()}'>"
        f"{name}</button>{baseline}{lower}</th>{data}</tr>"
    )


def repeated_sentence(one: Repeatability) -> str:
    """What asking the judge again showed of a metric."""
    if one.flip_rate is None:
        return f"{one.metric} asked again about {count(one.repeated, 'answer')}: {one.reason}"
    failed = f", {one.failed} without a score" if one.failed else ""
    spread = "" if one.sd is None else f", standard deviation {number(one.sd)}"
    return (
        f"{one.metric} asked again about {count(one.repeated, 'answer')}: {one.flip_rate:.0%} fell "
        f"on the other side of {number(one.threshold)}{spread}{failed}"
    )


def _judged_again(table: TrustTable) -> list[str]:
    """Two judges, or the same one twice."""
    compared = [
        f"{one.metric} (AUC {number(one.auc)}) against {one.other} ({number(one.other_auc)}) on "
        f"{count(one.cells, 'answer')}: difference {one.difference:+.2f} "
        f"[{one.low:+.2f}, {one.high:+.2f}]"
        for one in table.differences
    ]
    return [*compared, *map(repeated_sentence, table.repeatability)]


def _list(sentences: Sequence[str]) -> str:
    if not sentences:
        return ""
    items = "".join(f"<li dir='auto'>{escape(sentence)}</li>" for sentence in sentences)
    return f"<ul class='trust-warnings'>{items}</ul>"
