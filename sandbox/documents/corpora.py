"""Which documents a name stands for: a bundled corpus, a folder, a PDF, or one saved earlier."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from sandbox.documents.reader import SOURCE_FILE
from sandbox.errors import CorpusError
from sandbox.files.storage import (
    FORMAT,
    Store,
    digest_of,
    find_bundled,
    from_json,
    to_json,
    write_text,
)
from sandbox.records import Corpus

BUNDLED_FOLDER = find_bundled("corpora")
DEFAULT_CORPUS = "outbreak-zh"


@dataclass(frozen=True, slots=True, kw_only=True)
class BundledCorpus:
    """A corpus that comes with the project."""

    name: str
    title: str
    language: str
    files: tuple[Path, ...]
    examples: tuple[str, ...]
    """Questions to try."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CorpusFiles:
    """The PDFs that a name stands for."""

    name: str
    files: tuple[Path, ...]
    names: tuple[str, ...]
    """How to call each file; unique, so that two of one name stay apart."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedCorpus:
    """A corpus that was read before; its documents lie in the store."""

    id: str
    name: str
    files: tuple[str, ...]
    """Copies of the PDFs inside the store."""

    names: tuple[str, ...]
    format: int = FORMAT


def bundled() -> tuple[BundledCorpus, ...]:
    """The corpora that come with the project, the default one first."""
    corpora = []
    for description in sorted(BUNDLED_FOLDER.glob("*/corpus.json")):
        content = json.loads(description.read_text(encoding="utf-8"))
        corpora.append(
            BundledCorpus(
                name=content["name"],
                title=content["title"],
                language=content["language"],
                files=tuple(description.parent / file for file in content["files"]),
                examples=tuple(content["examples"]),
            )
        )
    return tuple(sorted(corpora, key=lambda corpus: corpus.name != DEFAULT_CORPUS))


def find(name_or_path: str) -> CorpusFiles:
    """The PDFs that a bundled corpus's name, a folder or a file stands for.

    Raises:
        CorpusError: If it stands for none.
    """
    path = Path(name_or_path)
    if path.is_file():
        return CorpusFiles(name=path.name, files=(path,), names=(path.name,))
    if path.is_dir():
        return _folder(path)
    by_name = {corpus.name: corpus for corpus in bundled()}
    if name_or_path in by_name:
        files = by_name[name_or_path].files
        names = tuple(file.name for file in files)
        return CorpusFiles(name=name_or_path, files=files, names=names)
    raise CorpusError(
        f"no file, folder or bundled corpus is called {name_or_path!r};"
        f" bundled: {', '.join(by_name) or 'none'}"
    )


def save(corpus: Corpus, store: Store, *, reader_folders: Sequence[Path]) -> SavedCorpus:
    """Remember a corpus and each document's folder in the store, so that it can be chosen again."""
    saved = SavedCorpus(
        id=digest_of([document.id for document in corpus.documents])[:16],
        name=corpus.name,
        files=tuple(str(folder / SOURCE_FILE) for folder in reader_folders),
        names=tuple(document.name for document in corpus.documents),
    )
    write_text(store.corpus_file(saved.id), to_json(saved))
    return saved


def saved_corpora(store: Store) -> tuple[SavedCorpus, ...]:
    """The remembered corpora whose documents are still there, newest first."""
    files = sorted(
        store.corpus_file("x").parent.glob("*.json"),
        key=lambda file: file.stat().st_mtime,
        reverse=True,
    )
    saved = (from_json(SavedCorpus, file.read_bytes()) for file in files)
    return tuple(corpus for corpus in saved if all(Path(file).exists() for file in corpus.files))


def _folder(path: Path) -> CorpusFiles:
    files = tuple(sorted(file for file in path.rglob("*") if _looks_like_pdf(file)))
    if not files:
        raise CorpusError(f"the folder {path} holds no PDF; put one there or name a PDF")
    names = tuple(str(file.relative_to(path)) for file in files)
    return CorpusFiles(name=path.resolve().name, files=files, names=names)


def _looks_like_pdf(path: Path) -> bool:
    if not path.is_file():
        return False
    if path.suffix.lower() == ".pdf":
        return True
    with path.open("rb") as file:
        return path.suffix == "" and b"%PDF-" in file.read(1024)
