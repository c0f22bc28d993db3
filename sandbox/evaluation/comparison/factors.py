"""What differs between two runs, factor by factor, and which configurations lie between them.

A difference in results can be credited to a factor only if it is the only one.
"""

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sandbox.config import PRESETS, Config, with_changes
from sandbox.errors import ConfigError
from sandbox.evaluation.runs.records import Run

FactorValue = str | int | float | None
SETTINGS = tuple(field.name for field in dataclasses.fields(Config) if field.name != "name")
MODELS = ("chat_model", "embedder", "captioner")
"""Roles of which a run says what "auto" stood for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Factor:
    """Something that differs between two runs."""

    name: str
    """A setting as in `Config`, or "corpus", "test set", or one of `Judging.differences`."""

    a: FactorValue
    b: FactorValue

    def __str__(self) -> str:
        """For example "top_k (4 → 9)"."""
        return f"{self.name} ({_short(self.a)} → {_short(self.b)})"


@dataclass(frozen=True, slots=True, kw_only=True)
class InBetween:
    """A configuration that differs from A in one factor, in which it is like B."""

    config: Config
    """Named after a preset where it is one, else after what changed."""

    factor: str
    run: str | None
    """Id of a run of it on the same cases and documents; ``None`` where it is missing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfigDifference:
    """What differs between two runs, and whether a difference in results can be credited to it."""

    factors: tuple[Factor, ...]
    """Only what matters: a reranker's model where nothing is reranked is left out."""

    in_between: tuple[InBetween, ...]
    """Empty unless several factors differ, and settings among them."""

    sentence: str
    """What can be credited to what."""

    @property
    def is_creditable(self) -> bool:
        """True if exactly one factor differs."""
        return len(self.factors) == 1

    @property
    def missing(self) -> tuple[Config, ...]:
        """In-between configurations that nobody has run; ready to be evaluated."""
        return tuple(step.config for step in self.in_between if step.run is None)


def compare_configurations(a: Run, b: Run, known: Sequence[Run] = ()) -> ConfigDifference:
    """What differs between two runs; in-between configurations are looked for among `known`."""
    factors = (*_setting_factors(settings_of(a), settings_of(b)), *_outer_factors(a, b))
    in_between = _in_between(a, factors, known)
    return ConfigDifference(
        factors=factors, in_between=in_between, sentence=_sentence(factors, in_between)
    )


def version_differences(a: Run, b: Run) -> tuple[str, ...]:
    """Packages and machines that differ, for example "numpy (2.3 → 2.4)"."""
    names = dict.fromkeys([*a.environment, *b.environment])
    factors = (
        Factor(name=name, a=a.environment.get(name), b=b.environment.get(name)) for name in names
    )
    return tuple(str(factor) for factor in factors if factor.a != factor.b)


def settings_of(run: Run) -> dict[str, FactorValue]:
    """The settings of a run, "auto" resolved to the model it stood for."""
    settings = {name: _plain(run.config.get(name)) for name in SETTINGS}
    for role in MODELS:
        settings[role] = run.models.get(role, settings[role])
    return settings


def _setting_factors(
    a: Mapping[str, FactorValue], b: Mapping[str, FactorValue]
) -> tuple[Factor, ...]:
    return tuple(
        Factor(name=name, a=a[name], b=b[name])
        for name in SETTINGS
        if a[name] != b[name] and (_matters(name, a) or _matters(name, b))
    )


def _matters(name: str, settings: Mapping[str, FactorValue]) -> bool:
    """False for a setting that the others leave without effect."""
    reranks = settings["reranker"] != "none"
    effects = {
        "candidates": settings["retriever"] == "hybrid" or reranks,
        "captioner": settings["index"] != "text",
        "embedder": settings["retriever"] != "lexical" or settings["reranker"] == "maxsim",
        "seed": settings["temperature"] != 0,
    }
    return effects.get(name, True)


def _outer_factors(a: Run, b: Run) -> tuple[Factor, ...]:
    """What differs beside the configuration."""
    cases_of_b = {case.id: case for case in b.cases}
    same_cases = all(cases_of_b.get(case.id, case) == case for case in a.cases)
    compared: list[tuple[str, FactorValue, FactorValue, bool]] = [
        ("corpus", a.corpus, b.corpus, a.corpus_digest == b.corpus_digest),
        ("test set", a.test_set, b.test_set, same_cases),
    ]
    outside = {name: (of_a, of_b) for name, of_a, of_b, same in compared if not same}
    values = {**outside, **a.judging.differences(b.judging)}
    return tuple(Factor(name=name, a=of_a, b=of_b) for name, (of_a, of_b) in values.items())


def _in_between(a: Run, factors: Sequence[Factor], known: Sequence[Run]) -> tuple[InBetween, ...]:
    start = config_of(a)
    if start is None or len(factors) < 2:
        return ()
    steps = []
    for factor in factors:
        if factor.name not in SETTINGS:
            continue
        try:
            config = with_changes(start, {factor.name: factor.b})
        except ConfigError:  # the value is only possible together with another factor
            continue
        run = _run_of({**settings_of(a), factor.name: factor.b}, a, known)
        steps.append(InBetween(config=_named_like_preset(config), factor=factor.name, run=run))
    return tuple(steps)


def config_of(run: Run) -> Config | None:
    """The configuration of a run; ``None`` if this version cannot make it."""
    try:
        return with_changes(Config(), {**run.config, "name": run.configuration})
    except (ConfigError, TypeError):
        return None


def _run_of(settings: Mapping[str, FactorValue], a: Run, known: Sequence[Run]) -> str | None:
    """A run of those settings that can be compared with A."""
    for run in known:
        alike = not _setting_factors(settings_of(run), settings) and not _outer_factors(a, run)
        if alike and {case.id for case in a.cases} <= {case.id for case in run.cases}:
            return run.id
    return None


def _named_like_preset(config: Config) -> Config:
    for name, preset in PRESETS.items():
        if dataclasses.replace(config, name=name) == preset:
            return preset
    return config


def _sentence(factors: Sequence[Factor], in_between: Sequence[InBetween]) -> str:
    if not factors:
        return "no setting that matters differs, so no difference can be credited to one"
    names = ", ".join(map(str, factors))
    if len(factors) == 1:
        return f"only {names} differs, so a difference can be credited to it"
    sentence = f"{len(factors)} factors differ: {names}; nothing can be credited to any single one"
    missing = [step.config.name for step in in_between if step.run is None]
    there = [f"{step.config.name} ({step.run})" for step in in_between if step.run is not None]
    if missing:
        sentence += f"; missing in between: {', '.join(missing)}"
    if there:
        sentence += f"; already run: {', '.join(there)}"
    return sentence


def _plain(value: object) -> FactorValue:
    return value if isinstance(value, str | int | float) or value is None else str(value)


def _short(value: FactorValue) -> str:
    text = "-" if value in (None, "") else str(value)
    return text if len(text) <= 40 else f"{text[:39]}…"
