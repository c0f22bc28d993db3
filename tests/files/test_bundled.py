"""What is bundled is found in a checkout, and a wheel carries it."""

import tomllib
from pathlib import Path

import pytest

from sandbox.files.bundled import find_bundled

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("name", ["corpora", "testsets", "results"])
def test_a_checkout_serves_its_own_folders(name: str) -> None:
    assert find_bundled(name) == ROOT / name


def test_a_wheel_carries_every_corpus_and_puts_it_where_it_is_looked_for() -> None:
    with (ROOT / "pyproject.toml").open("rb") as file:
        wheel = tomllib.load(file)["tool"]["hatch"]["build"]["targets"]["wheel"]
    corpora = {f"corpora/{path.parent.name}" for path in ROOT.glob("corpora/*/corpus.json")}
    assert corpora | {"testsets", "results/runs"} <= set(wheel["only-include"])
    assert wheel["sources"] == {
        name: f"sandbox/bundled/{name}" for name in ("corpora", "results", "testsets")
    }
