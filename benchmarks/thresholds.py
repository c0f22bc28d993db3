"""How many pages are read otherwise when a threshold of the reader is 20 % lower or higher.

    python -m benchmarks.thresholds [FOLDER]

Reads the bundled corpora, and the PDFs below a folder if one is given. Pages that are read by OCR
are left out, and so are files that PyMuPDF cannot open: the thresholds of OCR are not varied.
"""

import importlib
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import ModuleType

import pymupdf

from sandbox.documents.corpora import bundled
from sandbox.documents.page_reader import read_page
from sandbox.records import Page

THRESHOLDS = {
    "layout.page_survey": ("_SCAN_SHARE",),
    "layout.reading_order": ("_GUTTER", "_LEAST_CHARACTERS", "_FILLED"),
    "layout.page_text": ("_HEADING", "_CHINESE_BLANK", "_NEW_PARAGRAPH", "_SHORT_ROW"),
    "tables": ("_LEAST_FILLED", "_CELL_WIDTH", "_TITLE_REACH"),
    "figures.rasters": ("BACKGROUND_SHARE",),
    "figures.lines": ("_PARAGRAPH",),
    "figures.drawings": ("_NEAR",),
    "figures.clusters": ("_SWATCH", "_BAR_REACH", "_PART_REACH"),
    "figures.regions": ("_NUMBER_REACH", "_WORD_REACH", "_ABOVE_REACH"),
    "figures.extract": ("_PANEL_REACH",),
    "figures.captions": ("_LINE_GAP",),
    "figures.pairing": ("_REACH", "_MARGIN"),
}
MOST_PAGES = 12
"""Pages read of one PDF, so that a long one does not outweigh all others."""


def measure(files: Sequence[Path]) -> Iterator[tuple[str, float, int, int, int]]:
    """Each threshold with its value, the pages changed below and above it, and all pages."""
    pages = [page for file in files for page in _open_pages(file)]
    before = [_read(page) for page in pages]
    chosen = [i for i, page in enumerate(before) if page and page.source == "text layer"]
    for module_name, names in THRESHOLDS.items():
        module = importlib.import_module(f"sandbox.documents.{module_name}")
        for name in names:
            value = getattr(module, name)
            changed = []
            for factor in (0.8, 1.2):
                _set_everywhere(name, module, value * factor)
                changed.append(sum(_read(pages[i]) != before[i] for i in chosen))
            _set_everywhere(name, module, value)
            yield f"{module_name}: {name.strip('_')}", value, *changed, len(chosen)


def _set_everywhere(name: str, module: ModuleType, value: float) -> None:
    """Set a constant in its module and, if it is public, where it was imported."""
    modules = [module] if name.startswith("_") else [*sys.modules.values()]
    for user in modules:
        if user.__name__.startswith("sandbox.documents") and hasattr(user, name):
            setattr(user, name, value)


def _open_pages(file: Path) -> list[pymupdf.Page]:
    try:
        document = pymupdf.open(file, filetype="pdf")
        count = 0 if document.needs_pass else document.page_count
        return [document[number] for number in range(min(count, MOST_PAGES))]
    except (RuntimeError, ValueError):
        return []


def _read(page: pymupdf.Page) -> Page | None:
    with tempfile.TemporaryDirectory() as folder:
        try:
            return read_page(page, page.number + 1, Path(folder))
        except (RuntimeError, ValueError, LookupError):
            return None


def main(arguments: Sequence[str]) -> None:
    """Print the table."""
    files = [file for corpus in bundled() for file in corpus.files]
    files += [file for folder in arguments for file in sorted(Path(folder).rglob("*.pdf"))]
    sys.stdout.write("| threshold | value | 20 % lower | 20 % higher |\n|---|---|---|---|\n")
    for name, value, lower, higher, total in measure(files):
        sys.stdout.write(f"| {name} | {value:g} | {lower} of {total} | {higher} of {total} |\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1:])
