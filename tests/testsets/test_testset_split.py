from pathlib import Path

import pytest

from sandbox.errors import ConfigError, InvalidTestSet
from sandbox.testsets.cases import TestCase, load
from sandbox.testsets.holdout import is_holdout, require_shown, split, write_split


def case(name: str) -> TestCase:
    return TestCase(id=name, question="q", reference="r", source="text", category="c")


CASES = tuple(case(f"case-{number}") for number in range(400))


def ids(cases: tuple[TestCase, ...]) -> set[str]:
    return {one.id for one in cases}


def test_the_parts_are_the_whole_in_about_the_share_asked_for() -> None:
    parts = split(CASES, share=0.3)
    assert ids(parts.development) | ids(parts.holdout) == ids(CASES)
    assert ids(parts.development) & ids(parts.holdout) == set()
    assert len(parts.holdout) == 132


def test_adding_and_reordering_cases_moves_none() -> None:
    few = split(CASES[:100], share=0.3)
    more = split(tuple(reversed(CASES)), share=0.3)
    assert ids(few.holdout) == ids(more.holdout) & ids(CASES[:100])


def test_another_seed_gives_another_split_and_a_larger_share_keeps_the_smaller_one() -> None:
    assert ids(split(CASES, seed=1).holdout) != ids(split(CASES, seed=2).holdout)
    assert ids(split(CASES, share=0.2).holdout) < ids(split(CASES, share=0.4).holdout)


@pytest.mark.parametrize("share", [0, 1, -0.1, float("nan")])
def test_a_share_out_of_range_is_refused(share: float) -> None:
    with pytest.raises(ConfigError, match="between 0 and 1"):
        split(CASES, share=share)


def test_an_empty_part_is_refused() -> None:
    with pytest.raises(ConfigError, match="leaves one part of 1 cases empty"):
        split(CASES[:1])


def test_both_parts_are_written_and_the_holdout_is_shown_only_on_request(tmp_path: Path) -> None:
    parts = split(CASES)
    development, holdout = write_split(parts, Path("x/own.v2.csv"), tmp_path)
    assert (development.name, holdout.name) == (
        "own.v2.development.jsonl",
        "own.v2.holdout.jsonl",
    )
    assert load(holdout) == parts.holdout
    assert (is_holdout(development), is_holdout(holdout)) == (False, True)
    require_shown(development, show_holdout=False)
    require_shown(holdout, show_holdout=True)
    with pytest.raises(InvalidTestSet, match="--show-holdout"):
        require_shown(holdout, show_holdout=False)
