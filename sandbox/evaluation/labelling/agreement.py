"""How far two people agree beyond chance: Cohen's kappa with its interval."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sandbox.evaluation.runs.records import Right

USEFUL_KAPPA = 0.7
"""Below it, two people do not mean the same by right and wrong, and no metric can follow both."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """Cohen's kappa of two people over the items that both judged."""

    about: str
    """What was compared: "label", "reference", "answerable" ..."""

    items: int
    kappa: float | None = None
    """1 for full agreement, 0 for that of chance; ``None`` where it is undefined."""

    low: float | None = None
    """95 % interval by the large-sample standard error; ``None`` where it has no width."""

    high: float | None = None
    reason: str
    """Why something is ``None``; empty otherwise."""

    observed: float | None = None
    """Share of the items on which both say the same."""

    expected: float | None = None
    """That share if each kept their own habits and judged by chance."""

    disagreements: tuple[str, ...] = ()
    """Names of the items on which they differ."""

    @property
    def warning(self) -> str:
        """What to do about a low kappa; empty where there is nothing to do."""
        if self.kappa is None or self.kappa >= USEFUL_KAPPA:
            return ""
        return (
            f"two people agree on {self.about} only with kappa {self.kappa:.2f} (below"
            f" {USEFUL_KAPPA}): talk about the {len(self.disagreements)} cases on which they"
            " differ, write down what counts as right, and compare again"
        )


def measure_agreement(
    about: str, names: Sequence[str], first: Sequence[str], second: Sequence[str]
) -> Agreement:
    r"""Measure Cohen's kappa, :math:`(p_o - p_e) / (1 - p_e)`.

    Args:
        about: What is compared.
        names: Name of each item.
        first: One person's class of each item.
        second: The other's, in the same order.

    Raises:
        ValueError: If the lengths differ.

    Source:
        Cohen (1960), A coefficient of agreement for nominal scales. Standard error for the
        interval: Fleiss, Cohen and Everitt (1969), Large sample standard errors of kappa and
        weighted kappa.
    """
    items = len(names)
    if not len(first) == len(second) == items:
        raise ValueError(f"{items} names for {len(first)} and {len(second)} items")
    if not items:
        return Agreement(about=about, items=0, reason="the two have no item in common")
    classes = sorted({*first, *second})
    if len(classes) == 1:
        return Agreement(
            about=about,
            items=items,
            observed=1.0,
            expected=1.0,
            reason=f"both say {classes[0]!r} every time, so nothing shows whether they would ever"
            " differ; judge items of another kind too",
        )
    table = np.zeros((len(classes), len(classes)))
    np.add.at(table, ([classes.index(a) for a in first], [classes.index(b) for b in second]), 1)
    observed = float(table.trace() / items)
    kappa, low, high = _kappa(table)
    return Agreement(
        about=about,
        kappa=kappa,
        low=low,
        high=high,
        reason="" if low is not None else _no_width(observed, items),
        items=items,
        observed=observed,
        expected=float(table.sum(axis=0) @ table.sum(axis=1) / items**2),
        disagreements=tuple(
            name for name, a, b in zip(names, first, second, strict=True) if a != b
        ),
    )


def measure_label_agreement(
    first: Mapping[tuple[str, str], Right], second: Mapping[tuple[str, str], Right]
) -> Agreement:
    """Measure kappa over the answers that both labelled; "unsure" is a class of its own.

    Args:
        first: One person's labels by run, or configuration, and case.
        second: Another's.
    """
    both = [key for key in first if key in second]
    return measure_agreement(
        "label",
        [f"{answered_by} · {case}" for answered_by, case in both],
        [first[key] for key in both],
        [second[key] for key in both],
    )


def describe_agreement(agreement: Agreement) -> str:
    """Say kappa with its interval in one line."""
    if agreement.kappa is None:
        return f"{agreement.about}: no kappa ({agreement.reason})"
    interval = (
        f" [{agreement.low:.2f}, {agreement.high:.2f}]"
        if agreement.low is not None and agreement.high is not None
        else f" ({agreement.reason})"
    )
    return (
        f"{agreement.about}: kappa {agreement.kappa:.2f}{interval}, the same on"
        f" {round((agreement.observed or 0) * agreement.items)} of {agreement.items}"
    )


def _kappa(table: NDArray[np.float64]) -> tuple[float, float | None, float | None]:
    """Kappa and its interval, which is ``None`` where it has no width."""
    from statsmodels.stats.inter_rater import cohens_kappa

    with np.errstate(invalid="ignore", divide="ignore"):  # of a test that is not used here
        result = cohens_kappa(table)
    if not result.var_kappa > 1e-15:  # rounding leaves about 1e-17
        return float(result.kappa), None, None
    return (
        float(result.kappa),
        max(-1.0, float(result.kappa_low)),
        min(1.0, float(result.kappa_upp)),
    )


def _no_width(observed: float, items: int) -> str:
    if observed == 1:
        # The rule of three: 1 - 0.05 ** (1 / n) is about 3 / n.
        return (
            f"they agree on all {items}, where the interval has no width; up to"
            f" {min(1.0, 3 / items):.0%} disagreement is still possible"
        )
    return "the interval has no width on so few items; judge more of them"
