"""Where the bundled corpora, test sets and runs lie.

In a checkout they stand at the top level, where people look for them; a wheel carries them inside
the package (pyproject.toml).
"""

from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1]


def find_bundled(name: str) -> Path:
    """A bundled folder by its name at the top level: "corpora", "testsets", "results"."""
    installed = PACKAGE / "bundled" / name
    return installed if installed.exists() else PACKAGE.parent / name
