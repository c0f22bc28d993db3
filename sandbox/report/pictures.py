"""Pages and figures out of the documents, as data URLs, up to a number and a size.

Questions whose answers differ come first, then those with a wrong answer. Which chunk to
look at is chosen in evidence.py.
"""

import base64
import io
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from sandbox.documents.reader import find_source
from sandbox.documents.render import render_page
from sandbox.errors import SandboxError
from sandbox.files.storage import Store
from sandbox.records import Chunk
from sandbox.report.blocks import Picture
from sandbox.translation.translator import Translator

PAGE_PIXELS, FIGURE_PIXELS = 760, 640
QUALITY = 70
PICTURES = 100
TOTAL_BYTES = 8_000_000
"""Of all pictures of a report, as data URLs."""


@dataclass(kw_only=True)
class Album:
    """Pictures of a report, and what could not be shown."""

    store: Store
    say: Translator
    wanted: bool = True
    """False where the report shows none."""

    count: int = 0
    size: int = 0
    left_out: int = 0
    """Pictures beyond the limits."""

    gone: list[str] = field(default_factory=list)
    """Documents that are no longer in the store."""

    _sources: dict[str, Path | None] = field(default_factory=dict)

    def page(self, chunk: Chunk) -> list[Picture]:
        """The page on which a chunk begins, with the chunk highlighted; empty if it cannot be."""
        source = self._source(chunk) if self.wanted else None
        if source is None or not self._has_room():
            return []
        boxes = [box for box in chunk.boxes if box.page == chunk.page]
        try:
            rendered = render_page(source, chunk.page, boxes, width_pixels=PAGE_PIXELS)
        except (SandboxError, ValueError):
            return []
        caption = self.say("{0}, page {1}, chunk highlighted", chunk.document, chunk.page)
        return self._kept(io.BytesIO(rendered), caption, page=True)

    def figure(self, chunk: Chunk) -> list[Picture]:
        """The figure that a chunk describes; empty for text and where it cannot be shown."""
        if not self.wanted or not chunk.image or not self._has_room():
            return []
        cache = self.store.cache.resolve()
        path = (cache / chunk.image).resolve()
        # A run may come from elsewhere: what it names must not lead out of the store.
        if not path.is_relative_to(cache) or not path.is_file():
            self._miss(chunk)
            return []
        caption = self.say("{0}, page {1}, figure", chunk.document, chunk.page)
        return self._kept(path, caption, page=False)

    def warnings(self) -> list[str]:
        """What was left out, in sentences."""
        said = [
            self.say(
                "The document {0} is no longer in the cache, so its pages are not shown; read it"
                " again with: {1}",
                name,
                "sandbox ingest",
            )
            for name in dict.fromkeys(self.gone)
        ]
        if self.left_out:
            said.append(
                self.say.plural(
                    "{0} picture was left out to keep the file small ({1} are shown, those of"
                    " questions with different or wrong answers first).",
                    "{0} pictures were left out to keep the file small ({1} are shown, those of"
                    " questions with different or wrong answers first).",
                    self.left_out,
                    self.count,
                )
            )
        return said

    def _has_room(self) -> bool:
        if self.count < PICTURES and self.size < TOTAL_BYTES:
            return True
        self.left_out += 1
        return False

    def _kept(self, source: "Path | io.BytesIO", caption: str, *, page: bool) -> list[Picture]:
        url = _data_url(source, PAGE_PIXELS if page else FIGURE_PIXELS)
        if not url:
            return []
        self.count += 1
        self.size += len(url)
        return [Picture(url=url, caption=caption, kind="page" if page else "figure")]

    def _source(self, chunk: Chunk) -> Path | None:
        if chunk.document_id not in self._sources:
            found = find_source(self.store, chunk.document_id, chunk.document)
            self._sources[chunk.document_id] = found
        if self._sources[chunk.document_id] is None:
            self._miss(chunk)
        return self._sources[chunk.document_id]

    def _miss(self, chunk: Chunk) -> None:
        self.gone.append(chunk.document)


def collect_pictures(album: Album, page: Chunk | None, figures: Sequence[Chunk]) -> list[Picture]:
    """The figures, then the page of one question."""
    found = [picture for chunk in figures for picture in album.figure(chunk)]
    return [*found, *(album.page(page) if page else ())]


def _data_url(source: "Path | io.BytesIO", longest: int) -> str:
    """The picture as WebP, made smaller where it is large; empty if it cannot be read."""
    from PIL import Image, UnidentifiedImageError

    stream = io.BytesIO()
    try:
        with Image.open(source) as image:
            image.thumbnail((longest, 2 * longest))
            image.convert("RGB").save(stream, "WEBP", quality=QUALITY)
    except (OSError, UnidentifiedImageError, Image.DecompressionBombError):
        return ""
    return "data:image/webp;base64," + base64.b64encode(stream.getvalue()).decode("ascii")
