"""The records that cross modules: pages of a PDF, chunks, retrieved chunks, answers.

All are frozen; positions on a page are in points (1/72 inch) from the top-left corner of the page
as it is displayed. Pages and ranks count from 1.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

ChunkKind = Literal["text", "table", "figure"]
FigureKind = Literal["raster", "vector"]
PageSource = Literal["text layer", "ocr", "none"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Box:
    """A rectangle on a page."""

    page: int
    left: float
    top: float
    right: float
    bottom: float

    @property
    def area(self) -> float:
        """Area in square points."""
        return max(0.0, self.right - self.left) * max(0.0, self.bottom - self.top)


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One line of text, or one word of a figure, where it stands on the page."""

    text: str
    box: Box


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A paragraph, heading or list item: lines that belong together, in reading order."""

    lines: tuple[Line, ...]
    heading: bool = False

    hidden_text: str = ""
    """Text of this block that a reader of the page cannot see (white, tiny, off the page)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A table as Markdown, with the title printed above or below it."""

    box: Box
    markdown: str
    title: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A picture or chart, cut out of its page."""

    box: Box
    kind: FigureKind
    image: str
    """File name of the PNG inside the document's figures folder."""

    caption: str = ""
    """The caption printed beside the figure; empty where none could be paired with certainty."""

    words: tuple[Line, ...] = ()
    """Words of the page's text layer inside the figure: labels and printed values, exact."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """What was read from one page."""

    number: int
    width: float
    height: float
    source: PageSource
    blocks: tuple[Block, ...] = ()
    tables: tuple[Table, ...] = ()
    figures: tuple[Figure, ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The page's running text, one block a paragraph."""
        return "\n".join(
            " ".join(line.text for line in block.lines) for block in self.blocks if block.lines
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class FailedPage:
    """A page that could not be read, and why."""

    page: int
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """Everything read from one PDF."""

    digest: str
    """SHA-256 of the file's bytes."""

    name: str
    """The file's name as the user knows it."""

    page_count: int
    pages: tuple[Page, ...]
    failed_pages: tuple[FailedPage, ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        """Short and stable; two files of equal bytes but different names stay two documents."""
        from hashlib import sha256

        return sha256(f"{self.digest}\n{self.name}".encode()).hexdigest()[:12]


@dataclass(frozen=True, slots=True, kw_only=True)
class Corpus:
    """One or more documents that are asked together."""

    name: str
    documents: tuple[Document, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Caption:
    """What a captioner read in a figure."""

    text: str
    model_written: bool = False
    """True for a language model's description, False for words read by OCR or the text layer."""

    flagged: tuple[str, ...] = ()
    """Words and numbers of a model-written caption that were not found in the figure."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk:
    """A piece of a corpus that is indexed and retrieved as one."""

    id: str
    document: str
    """Name of the document it comes from."""

    document_id: str
    page: int
    """Page on which it begins."""

    boxes: tuple[Box, ...]
    """Where it stands; a chunk may end on the page after."""

    text: str
    """As it stands in the document; this is what is shown and sent to the model."""

    kind: ChunkKind = "text"
    context: str = ""
    """Text of the same page joined to a figure's caption before embedding ("context" index)."""

    image: str = ""
    """Path of the figure's PNG, relative to the store; empty for text and tables."""

    hidden_text: str = ""
    """Text at this place that a reader of the page cannot see; shown, never indexed or sent."""

    injections: tuple[str, ...] = field(default=(), metadata={"alias": "orders"})
    """Prompt injections in the text; shown and indexed, never sent. "orders" in files."""

    ocr: bool = False
    """True where the text was read by OCR."""

    model_written: bool = False
    flagged: tuple[str, ...] = ()
    """Words of a model-written caption that OCR does not find in the figure."""

    @property
    def indexed_text(self) -> str:
        """What the retrievers see."""
        return f"{self.text}\n{self.context}" if self.context else self.text

    @property
    def sent_text(self) -> str:
        """What a chat model or a judge sees: the text without prompt injections."""
        text = self.text
        for injection in self.injections:
            text = text.replace(injection, "[…]")
        return text


@dataclass(frozen=True, slots=True, kw_only=True)
class LegScore:
    """A chunk's place in one retriever or reranker."""

    rank: int
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Retrieved:
    """A chunk as it was retrieved for a question."""

    chunk: Chunk
    rank: int
    score: float
    """The score that decided the final order; comparable only within one question."""

    legs: Mapping[str, LegScore]
    """Place in "lexical", "dense", "fused" and "reranker"; absent where it got no vote."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """An answer and everything it came from."""

    question: str
    text: str
    refused: bool
    retrieved: tuple[Retrieved, ...]
    citations: tuple[int, ...] = ()
    """Ranks that the text cites and that were sent to the model, in order of appearance."""

    matched: tuple[int, ...] = ()
    """Those citations that were added by comparing words, because the model cited nothing."""

    sent: tuple[int, ...] = ()
    """Ranks of the chunks that fitted the model's context."""

    config: Mapping[str, object] = field(default_factory=dict)
    models: Mapping[str, str] = field(default_factory=dict)
    """Role ("chat_model", "embedder", "reranker", "captioner") to model name."""

    prompt: str = ""
    seconds: Mapping[str, float] = field(default_factory=dict)
    """Wall-clock seconds per stage: "retrieve", "first_token", "answer"."""

    tokens: Mapping[str, int] = field(default_factory=dict)
    """"prompt" and "answer" tokens as the backend counted them; absent where it does not say."""

    warnings: tuple[str, ...] = ()
