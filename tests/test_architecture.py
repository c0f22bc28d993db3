"""Who may import whom: two towers on one ground floor, joined only by the front ends."""

import ast
from pathlib import Path

import pytest

import sandbox

ROOT = Path(sandbox.__file__).parent
GROUND = {
    "errors",
    "config",
    "records",
    "progress",
    "languages",
    "tokenization",
    "storage",
    "models.base",
}
GROUND |= {"quantities"}
TEST_SETS = {"testsets", "testset_check", "testset_drafts", "testset_files", "testset_pages"}
TEST_SETS |= {"testset_split"}
MAY_IMPORT: dict[str, set[str]] = {
    # ground floor, bottom up
    "errors": set(),
    "languages": set(),
    "records": set(),
    "progress": {"records"},
    "config": {"errors"},
    "storage": {"errors"},
    "tokenization": {"languages"},
    "quantities": {"languages"},
    "spreadsheets": GROUND,
    "models": GROUND | {"models", "documents", "captions"},
    "testsets": GROUND,
    "testset_files": GROUND | {"spreadsheets", "testsets"},
    "testset_check": GROUND | {"testsets"},
    "testset_split": GROUND | {"testsets", "testset_files"},
    "testset_drafts": GROUND
    | {"testsets", "testset_check", "testset_pages", "testset_replies", "models.chat"},
    "testset_pages": GROUND | {"testset_check"},
    "testset_replies": set(),
    # building tower
    "documents": GROUND | {"documents"},
    "captions": GROUND | {"caption_check", "documents", "models.chat", "models.failures"},
    "chunking": GROUND | {"orders", "running_text"},
    "orders": GROUND,
    "embeddings": GROUND,
    "index": GROUND,
    "retrieval": GROUND | {"embeddings", "index"},
    "prompts": GROUND,
    "citations": GROUND,
    "answering": GROUND | {"prompts", "citations", "models.chat"},
    "corpora": GROUND,
    "preparation": GROUND | {"chunking", "documents", "embeddings", "index"},
    "running_text": GROUND,
    "caption_check": GROUND,
    "evaluation": GROUND
    | {"evaluation", "spreadsheets", "testsets", "models.failures", "models.token_estimates"}
    | {"testset_check", "testset_files"},
    "pipeline": GROUND
    | {"answering", "documents", "embeddings", "index", "preparation", "retrieval"},
    # front ends
    "experiment": GROUND | {"evaluation", "testsets"},
    "laboratory": GROUND | {"evaluation", "experiment", "testsets", "index", "pipeline"},
    "resumption": GROUND | {"evaluation", "experiment"},
    "library": GROUND
    | {"corpora", "evaluation", "experiment", "laboratory", "index", "pipeline", "models"}
    | {"testsets", "testset_split", "report"},
    "langchain": GROUND | {"library"},
    "testing": GROUND | {"evaluation"},
    "report": GROUND
    | {"report", "evaluation", "index", "pipeline", "models", "documents"}
    | TEST_SETS,
    "cli": GROUND | {"commands"},
    "commands": GROUND
    | {"commands", "evaluation", "experiment", "library", "report", "ui", "index"}
    | TEST_SETS,
    "ui": GROUND
    | {"ui", "corpora", "index", "library", "pipeline", "report", "models"}
    | {"evaluation", "experiment", "resumption"}
    | TEST_SETS,
    "": set(),
}


def modules() -> list[Path]:
    return sorted(ROOT.rglob("*.py"))


def floor(name: str) -> str:
    return name.split(".")[0]


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(ROOT)))
def test_a_module_imports_only_what_its_floor_may(path: Path) -> None:
    name = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix("__init__")
    allowed = MAY_IMPORT[floor(name)]
    for imported in _imports_of_the_project(path):
        permitted = imported in allowed or floor(imported) in allowed
        assert permitted, f"{name} may not import {imported}"


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(ROOT)))
def test_a_file_is_at_most_250_lines_and_says_what_it_is_for(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 250
    assert ast.get_docstring(ast.parse(text)), f"{path} has no docstring"


def _imports_of_the_project(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("sandbox."):
            found.add((node.module or "").removeprefix("sandbox."))
        if isinstance(node, ast.Import):
            found |= {
                alias.name.removeprefix("sandbox.")
                for alias in node.names
                if alias.name.startswith("sandbox.")
            }
    return found
