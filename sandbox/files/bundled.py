"""Where the bundled corpora, test sets and runs lie.

In a checkout they stand at the top level, where people look for them; a wheel carries them inside
the package (pyproject.toml).
"""

import shutil
from pathlib import Path

from sandbox.files.storage import new_folder

PACKAGE = Path(__file__).resolve().parents[1]


def find_bundled(name: str) -> Path:
    """A bundled folder by its name at the top level: "corpora", "testsets", "results"."""
    installed = PACKAGE / "bundled" / name
    return installed if installed.exists() else PACKAGE.parent / name


def copy_bundled_runs(target: Path) -> tuple[str, ...]:
    """Copy the bundled runs that are not there yet; labels given to the copies stay theirs.

    Args:
        target: A folder of runs.

    Returns:
        The ids of all bundled runs.
    """
    sources = sorted(path.parent for path in find_bundled("results").glob("runs/*/run.json"))
    for source in sources:
        if not (target / source.name).exists():
            with new_folder(target / source.name) as temporary:
                shutil.copytree(source, temporary, dirs_exist_ok=True)
    return tuple(source.name for source in sources)
