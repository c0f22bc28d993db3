"""A hold-out: cases that are put aside while configurations are tried, to check the choice once.

Which part a case belongs to depends on its id and the seed alone, so that adding cases moves none.
A hold-out is a file whose name ends in ".holdout.jsonl"; it is shown only on request.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from sandbox.errors import ConfigError, InvalidTestSet
from sandbox.testsets.cases import TestCase
from sandbox.testsets.files import export_cases

DEFAULT_SHARE = 0.3
"""Share of the cases that are put aside."""

DEFAULT_SEED = 42
_DEVELOPMENT, _HOLDOUT = ".development.jsonl", ".holdout.jsonl"


@dataclass(frozen=True, slots=True, kw_only=True)
class Split:
    """A test set in two parts."""

    development: tuple[TestCase, ...]
    """For trying configurations."""

    holdout: tuple[TestCase, ...]
    """For checking the one that was chosen."""


def split(
    cases: Sequence[TestCase], *, share: float = DEFAULT_SHARE, seed: int = DEFAULT_SEED
) -> Split:
    """The two parts, each in the order of the test set.

    The real share differs from the one asked for, because each case is decided by itself.

    Raises:
        ConfigError: If the share is not between 0 and 1, or a part would be empty.
    """
    if not 0 < share < 1:
        raise ConfigError(f"the share of the hold-out is between 0 and 1, not {share}")
    held = [_position(case.id, seed) < share for case in cases]
    if all(held) or not any(held):
        raise ConfigError(
            f"a share of {share} leaves one part of {len(cases)} cases empty; choose another share"
            " or seed, or add cases"
        )
    return Split(
        development=tuple(case for case, is_held in zip(cases, held, strict=True) if not is_held),
        holdout=tuple(case for case, is_held in zip(cases, held, strict=True) if is_held),
    )


def write_split(parts: Split, original: Path, folder: Path) -> tuple[Path, Path]:
    """Write both parts as JSON Lines, named after the original; returns both paths.

    Raises:
        InvalidTestSet: If a file cannot be written.
    """
    name = original.name.removesuffix(original.suffix)
    development, holdout = folder / f"{name}{_DEVELOPMENT}", folder / f"{name}{_HOLDOUT}"
    export_cases(parts.development, development)
    export_cases(parts.holdout, holdout)
    return development, holdout


def is_holdout(path: Path) -> bool:
    """True for a file that `write_split` put aside, in whatever format it was exported since."""
    return ".holdout." in path.name


def require_shown(path: Path, *, show_holdout: bool) -> None:
    """Refuse to show a hold-out to somebody who did not ask for it.

    Raises:
        InvalidTestSet: If the file is a hold-out and was not asked for.
    """
    if is_holdout(path) and not show_holdout:
        raise InvalidTestSet(
            f"{path.name} is a hold-out: whoever looks at it while choosing a configuration spoils"
            " it; to look all the same, say --show-holdout (in the app: tick 'show a hold-out')"
        )


def _position(case_id: str, seed: int) -> float:
    """Where a case falls between 0 and 1."""
    digest = hashlib.sha256(f"{seed}:{case_id}".encode()).digest()
    return int.from_bytes(digest[:8]) / 2**64
