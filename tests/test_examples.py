"""Every Python block of the README and the documents runs as it stands, one after the other."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]


def python_of(document: Path) -> str:
    """The blocks of a document as one program; tests for pytest have a test of their own."""
    blocks = re.findall(r"```python\n(.*?)```", document.read_text(encoding="utf-8"), re.DOTALL)
    return "\n".join(block for block in blocks if "def test_" not in block)


@pytest.mark.model
@pytest.mark.parametrize(
    "document", [path for path in DOCUMENTS if python_of(path)], ids=lambda path: path.name
)
def test_the_python_blocks_of_a_document_run(document: Path, tmp_path: Path) -> None:
    shutil.copytree(ROOT / "results" / "runs", tmp_path / "results" / "runs")
    finished = subprocess.run(
        [sys.executable, "-c", python_of(document)], cwd=tmp_path, capture_output=True, text=True
    )
    assert finished.returncode == 0, finished.stderr


@pytest.mark.model
def test_the_first_example_of_the_readme_answers_right(tmp_path: Path) -> None:
    (example, *_) = re.findall(r"```python\n(.*?)```", DOCUMENTS[0].read_text("utf-8"), re.DOTALL)
    finished = subprocess.run(
        [sys.executable, "-c", example], cwd=tmp_path, check=True, capture_output=True, text=True
    )
    assert "越南" in finished.stdout
