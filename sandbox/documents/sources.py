"""The PDF behind a chunk, among the documents that were read before.

A chunk names its document by an id made of the file's digest and its name. Leaves out reading it.
"""

from collections.abc import Iterator
from pathlib import Path

from sandbox.documents.reader import READER_VERSION, SOURCE_FILE
from sandbox.files.storage import Store, file_digest
from sandbox.records import Document


def find_source(store: Store, document_id: str, name: str) -> Path | None:
    """The copy of the PDF in the store; ``None`` if it is no longer there.

    Args:
        store: Where documents lie.
        document_id: As chunks state it.
        name: The document's name, which is part of the id.
    """
    for source, digest in _sources(store):
        if Document(digest=digest, name=name, page_count=0, pages=()).id == document_id:
            return source
    return None


def _sources(store: Store) -> Iterator[tuple[Path, str]]:
    folder = store.document_folder("", READER_VERSION).parent
    for source in sorted(folder.glob(f"*-{READER_VERSION}/{SOURCE_FILE}")):
        yield source, file_digest(source)
