"""Checks whether a run holds a baseline: every metric that may decide, by one of two rules.

"share": its mean stays at or above a share of the baseline's. "significant": it is not worse by
more than chance. Both compare the same cases.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean
from typing import Literal

from sandbox.errors import ConfigError, SandboxError
from sandbox.evaluation.comparison.baseline import (
    Baseline,
    BaselineMetric,
    require_finished,
)
from sandbox.evaluation.comparison.differences import FEWEST_FLIPS
from sandbox.evaluation.runs.folder import RunFolder
from sandbox.evaluation.runs.read import read_run
from sandbox.evaluation.runs.records import Run
from sandbox.evaluation.stats.paired import ALPHA, compare_pairs, holm

Rule = Literal["share", "significant"]
SHARE = 0.9
_TOLERANCE = 1e-9
"""So that rounding does not fail a gate."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricCheck:
    """One metric against its baseline."""

    metric: str
    passed: bool
    baseline: float
    """Mean over the cases compared, in the baseline."""

    now: float | None
    """The same in the run; ``None`` if it scored none of them."""

    limit: float | None
    """What the mean must not fall below, or rise above where lower is better; ``None`` unless the
    rule is "share"."""

    n: int
    """Cases that both score."""

    differing: int
    """How many of them differ."""

    p: float | None
    """Wilcoxon signed-rank, two-sided, after Holm; ``None`` where all are equal."""

    reason: str
    """One sentence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GateResult:
    """A run against a baseline."""

    run: str
    configuration: str
    corpus: str
    baseline_run: str
    rule: Rule
    share: float
    checks: tuple[MetricCheck, ...]
    notes: tuple[str, ...] = ()

    @property
    def passed(self) -> bool:
        """True if every check did."""
        return all(check.passed for check in self.checks)

    @property
    def reasons(self) -> tuple[str, ...]:
        """Why it did not pass."""
        return tuple(check.reason for check in self.checks if not check.passed)


def check_run(
    folder: RunFolder, baseline: Baseline, *, rule: Rule = "share", share: float = SHARE
) -> GateResult:
    """Whether a run holds a baseline.

    Args:
        folder: The run.
        baseline: What it must hold.
        rule: "share" or "significant".
        share: Of the baseline's mean, and of its scored cases, that must be there.

    Raises:
        ConfigError: If the share is not between 0 and 1.
        SandboxError: If the run is not finished, is of another corpus, test set or judge, or
            nothing in the baseline may decide.
    """
    if not 0 < share <= 1:
        raise ConfigError(f"share is {share}; choose a number above 0, up to 1")
    require_finished(folder)
    _require_comparable(folder.run, baseline)
    run = read_run(folder)
    checks = [
        _check(name, metric, run.values_of(name), rule, share)
        for name, metric in baseline.deciding.items()
    ]
    return GateResult(
        run=folder.run.id,
        configuration=folder.run.configuration,
        corpus=folder.run.corpus,
        baseline_run=baseline.run,
        rule=rule,
        share=share,
        checks=tuple(_by_significance(checks, baseline) if rule == "significant" else checks),
        notes=_notes(folder.run, baseline),
    )


def _require_comparable(run: Run, baseline: Baseline) -> None:
    for what, mine, theirs, same in (
        ("corpus", run.corpus, baseline.corpus, run.corpus_digest == baseline.corpus_digest),
        (
            "test set",
            run.test_set,
            baseline.test_set,
            run.test_set_digest == baseline.test_set_digest,
        ),
    ):
        if not same:
            named = f"{mine} against {theirs}" if mine != theirs else f"{mine} was changed"
            raise SandboxError(
                f"the run {run.id} and the baseline {baseline.run} are of another {what}"
                f" ({named}); save a new baseline"
            )
    if not baseline.deciding:
        raise SandboxError(
            f"nothing in the baseline {baseline.run} may decide: no metric is trusted and none"
            " ranks pages; evaluate with --metrics ranking, or label answers, and save it again"
        )
    judged = [name for name, metric in baseline.deciding.items() if metric.is_judged]
    if judged and (run.judge, run.judging.digest) != (baseline.judge, baseline.judge_digest):
        raise SandboxError(
            f"{judged[0]} was scored by {baseline.judge} in the baseline and by"
            f" {run.judge or 'no judge'} in {run.id}; use one judge, or save a new baseline"
        )


def _check(
    name: str, metric: BaselineMetric, now: Mapping[str, float], rule: Rule, share: float
) -> MetricCheck:
    both = [case for case in metric.values if case in now]
    then = [metric.values[case] for case in both]
    base = fmean(then) if both else metric.mean
    mean = fmean(now[case] for case in both) if both else None
    limit = _limit(base, share, lower_is_better=metric.lower_is_better)
    test = compare_pairs(then, [now[case] for case in both])
    check = MetricCheck(
        metric=name,
        passed=True,
        baseline=base,
        now=mean,
        limit=limit if rule == "share" else None,
        n=len(both),
        differing=test.n - test.ties,
        p=test.p,
        reason="",
    )
    if mean is None or len(both) < share * metric.n - _TOLERANCE:
        reason = f"{name} has a score for only {len(both)} of the baseline's {metric.n} cases"
        return replace(check, passed=False, reason=reason)
    if rule == "significant":
        return check
    short = mean - limit if metric.lower_is_better else limit - mean
    side = "above" if metric.lower_is_better else "below"
    if short > _TOLERANCE:
        reason = (
            f"{name} is {mean:.3f}, {side} {limit:.3f} (baseline {base:.3f}, {len(both)} cases)"
        )
        return replace(check, passed=False, reason=reason)
    return replace(check, reason=f"{name} is {mean:.3f}, baseline {base:.3f}, limit {limit:.3f}")


def _limit(base: float, share: float, *, lower_is_better: bool) -> float:
    """A share of how good it was; a baseline at or below 0 must be held itself."""
    if lower_is_better:
        return 1 - share * (1 - base)
    return share * base if base > 0 else base


def _by_significance(checks: Sequence[MetricCheck], baseline: Baseline) -> list[MetricCheck]:
    tested = [check for check in checks if check.p is not None]
    adjusted = dict(
        zip(
            (check.metric for check in tested),
            holm([check.p or 0.0 for check in tested]),
            strict=True,
        )
    )
    return [
        _judged(check, adjusted.get(check.metric), baseline.metrics[check.metric])
        for check in checks
    ]


def _judged(check: MetricCheck, p: float | None, metric: BaselineMetric) -> MetricCheck:
    if not check.passed or check.now is None:
        return replace(check, p=p)
    fell = check.now > check.baseline if metric.lower_is_better else check.now < check.baseline
    means = f"{check.metric} is {check.now:.3f}, baseline {check.baseline:.3f}"
    if p is None:
        return replace(check, p=p, reason=f"{means}: equal in all {check.n} cases")
    worse = fell and p <= ALPHA
    conclusion = "worse by more than chance" if worse else "not worse by more than chance"
    few = ""
    if check.differing < FEWEST_FLIPS:
        few = f"; {check.differing} cases that differ are too few to show it"
    reason = f"{means}: {conclusion} (p {p:.2g} after Holm, {check.n} cases){few}"
    return replace(check, p=p, passed=not worse, reason=reason)


def _notes(run: Run, baseline: Baseline) -> tuple[str, ...]:
    left_out = [name for name, metric in baseline.metrics.items() if not metric.decides]
    notes = []
    if left_out:
        notes.append(f"not trusted in the baseline, so not checked: {', '.join(left_out)}")
    if run.id == baseline.run:
        notes.append("the run is the baseline itself")
    return tuple(notes)
