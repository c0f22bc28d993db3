"""Who may import whom: every room of the house, in an order that only builds downwards.

A room is a folder (its own files, not those of its folders) or a file of the top level.
"""

import ast
import re
from pathlib import Path

import pytest

import sandbox

ROOT = Path(sandbox.__file__).parent
GROUND = ("errors", "records", "text", "config", "files", "progress")
"""What every room above may import, besides its own list."""

ROOMS: dict[str, str] = {
    # the ground floor
    "errors": "",
    "records": "",
    "text": "",
    "config": "errors",
    "files": "errors",
    "progress": "records",
    # building: from a PDF to an answer
    "documents.geometry": "",
    "documents.charts": "documents.geometry",
    "documents.layout": "documents.geometry",
    "documents.figures": "documents.geometry documents.charts",
    "documents": "documents.geometry documents.layout documents.figures",
    "models": "documents.geometry documents.charts",
    "rag": "documents models",
    "testsets": "models",
    # measuring: from answers to a verdict; knows nothing of documents and rag
    "evaluation.stats": "",
    "evaluation.runs": "testsets",
    "evaluation": "evaluation.runs",
    "evaluation.labelling": "evaluation.runs testsets",
    "evaluation.metrics.judge": "evaluation evaluation.runs models",
    "evaluation.metrics.ragas": "evaluation evaluation.runs evaluation.metrics.judge models",
    "evaluation.metrics": (
        "evaluation evaluation.runs evaluation.metrics.judge evaluation.metrics.ragas models"
    ),
    "evaluation.running": "evaluation evaluation.runs evaluation.metrics testsets",
    "evaluation.trust": "evaluation evaluation.runs evaluation.stats evaluation.metrics",
    "evaluation.comparison": (
        "evaluation.runs evaluation.stats evaluation.metrics evaluation.trust testsets"
    ),
    # the joint of the two towers, and what is shown of both
    "experiments": (
        "evaluation evaluation.runs evaluation.metrics evaluation.running models rag testsets"
    ),
    "markup": "",
    "report": (
        "documents evaluation.runs evaluation.metrics evaluation.trust evaluation.comparison"
        " markup testsets"
    ),
    # front ends
    "steps": (
        "documents models rag testsets evaluation evaluation.runs evaluation.metrics"
        " evaluation.running evaluation.trust experiments"
    ),
    "library": (
        "models rag testsets evaluation.runs evaluation.running evaluation.labelling"
        " evaluation.trust evaluation.comparison experiments report steps"
    ),
    "": "config experiments library",
    "langchain": ("models testsets evaluation.runs evaluation.metrics experiments library"),
    "testing": "evaluation.runs evaluation.trust evaluation.comparison",
    "ui.parts": "rag markup",
    "ui.ask": (
        "documents models rag evaluation.runs evaluation.labelling experiments markup ui.parts"
    ),
    "ui.testset": "rag testsets markup ui.parts ui.ask",
    "ui.evaluate": (
        "testsets evaluation.runs evaluation.labelling evaluation.metrics evaluation.running"
        " evaluation.trust experiments library markup ui.parts ui.ask"
    ),
    "ui.trust": (
        "evaluation.runs evaluation.labelling evaluation.trust library markup"
        " ui.parts ui.ask ui.evaluate"
    ),
    "ui.compare": (
        "rag testsets evaluation.runs evaluation.metrics evaluation.comparison"
        " library report markup ui.parts ui.ask ui.evaluate"
    ),
    "ui": "models rag library ui.ask ui.testset ui.evaluate ui.trust ui.compare",
    "commands.output": (
        "models rag testsets evaluation.runs evaluation.metrics evaluation.running"
        " evaluation.labelling evaluation.trust evaluation.comparison report"
    ),
    "commands": (
        "rag testsets evaluation.runs evaluation.labelling evaluation.trust"
        " experiments library report ui commands.output"
    ),
    "cli": "models commands",
}
"""By room, the rooms it imports, the ground floor left out where it is allowed."""

MODULES = {
    ".".join(path.relative_to(ROOT).with_suffix("").parts)
    .removesuffix("__init__")
    .rstrip("."): path
    for path in sorted(ROOT.rglob("*.py"))
}
LONGEST_FILE = 400
MOST_FILES = 20


def test_every_import_between_rooms_is_allowed() -> None:
    refused = []
    for module, imported in _imports():
        here, there = _room(module), _room(imported)
        if here != there and there not in _allowed(here):
            refused.append(f"{module} may not import {imported}")
    assert refused == []


def test_the_table_builds_downwards_only() -> None:
    below: list[str] = []
    for room in ROOMS:
        assert set(ROOMS[room].split()) <= set(below), f"{room} builds on a room above it"
        below.append(room)


def test_the_table_allows_nothing_that_is_not_used() -> None:
    used = {(_room(module), _room(imported)) for module, imported in _imports()}
    unused = [
        f"{room} -> {there}"
        for room, listed in ROOMS.items()
        for there in listed.split()
        if (room, there) not in used
    ]
    assert unused == []


def test_every_room_is_in_the_table() -> None:
    assert {_room(module) for module in MODULES} == set(ROOMS)


def test_no_two_modules_of_a_room_import_each_other_in_a_circle() -> None:
    edges: dict[str, set[str]] = {module: set() for module in MODULES}
    for module, imported in _imports():
        edges[module].add(imported)
    remaining = dict(edges)
    while free := [module for module, needs in remaining.items() if not needs & remaining.keys()]:
        for module in free:
            del remaining[module]
    assert sorted(remaining) == []


@pytest.mark.parametrize("module", MODULES)
def test_a_file_is_short_and_says_what_it_is_for(module: str) -> None:
    text = MODULES[module].read_text(encoding="utf-8")
    assert len(text.splitlines()) <= LONGEST_FILE
    assert ast.get_docstring(ast.parse(text)), f"{module} has no docstring"


def test_no_folder_is_a_flat_heap() -> None:
    folders = {path.parent for path in MODULES.values()}
    sizes = {
        str(folder.relative_to(ROOT)): sum(
            path.name != "__init__.py" for path in folder.glob("*.py")
        )
        for folder in folders
    }
    assert {folder: size for folder, size in sizes.items() if size > MOST_FILES} == {}


def test_files_named_in_docstrings_and_documents_exist() -> None:
    texts = {str(path.relative_to(ROOT.parent)): _docstrings(path) for path in MODULES.values()}
    for path in [ROOT.parent / "README.md", *(ROOT.parent / "docs").glob("*.md")]:
        texts[str(path.relative_to(ROOT.parent))] = path.read_text(encoding="utf-8")
    paths = [str(path) for path in ROOT.parent.rglob("*.py") if "/." not in str(path)]
    missing = [
        f"{place} names {name}"
        for place, text in texts.items()
        for name in re.findall(r"(?<![\w/{<*])[\w/]+\.py\b", text)
        if not any(path.endswith("/" + name) for path in paths)
    ]
    assert missing == []


def _docstrings(path: Path) -> str:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    return "\n".join(
        ast.get_docstring(node) or "" for node in ast.walk(tree) if isinstance(node, kinds)
    )


def _allowed(room: str) -> set[str]:
    ground = () if room in GROUND else GROUND
    lower_ground = GROUND[:3] if room in GROUND[3:] else ()
    return {*ROOMS[room].split(), *ground, *lower_ground}


def _room(module: str) -> str:
    """The folder a module lies in; a file of the top level is its own."""
    if not module or (ROOT / module.replace(".", "/")).is_dir():
        return module
    return module.rpartition(".")[0] or module


def _imports() -> list[tuple[str, str]]:
    """Every import of the project by the project, as module and imported module."""
    return [
        (module, imported)
        for module, path in MODULES.items()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        for imported in _imported(node)
        if imported != module
    ]


def _imported(node: ast.AST) -> list[str]:
    """Modules of the project that a statement imports, `from sandbox import x` included."""
    if isinstance(node, ast.Import):
        names = [alias.name for alias in node.names]
    elif isinstance(node, ast.ImportFrom) and node.module:
        names = [f"{node.module}.{alias.name}" for alias in node.names]
    else:
        return []
    inside = [name.removeprefix("sandbox").lstrip(".") for name in names if _is_ours(name)]
    return [name if name in MODULES else name.rpartition(".")[0] for name in inside]


def _is_ours(name: str) -> bool:
    return name == "sandbox" or name.startswith("sandbox.")
