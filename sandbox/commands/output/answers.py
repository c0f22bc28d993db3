"""What was read, retrieved and answered, as JSON documents and as lines.

Keys of the documents may be added, never renamed.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from sandbox.config import Config
from sandbox.progress import ReadReport
from sandbox.rag.index import Index
from sandbox.rag.pipeline import Retrieval
from sandbox.records import Answer, Document, Retrieved


def reading_to_json(report: ReadReport, index: Index | None) -> dict[str, Any]:
    """What `sandbox ingest` did with each file."""
    return {
        "documents": [_document_to_json(document, index) for document in report.documents],
        "refused": [asdict(refused) for refused in report.refused],
        "seconds": round(report.seconds, 3),
    }


def reading_to_lines(report: ReadReport, index: Index | None) -> Iterator[str]:
    """What became of each file, one line a file and one a warning."""
    for document in report.documents:
        counts = _document_to_json(document, index)
        yield (
            f"{document.name}: {len(document.pages)} of {document.page_count} pages read,"
            f" {counts['figures']} figures, {counts['tables']} tables, {counts['chunks']} chunks"
        )
        yield from (f"  {warning}" for warning in document.warnings)
        for failed in document.failed_pages:
            yield f"  page {failed.page} was left out: {failed.reason}"
    yield from (f"refused: {refused.reason}" for refused in report.refused)


def answer_to_json(record: Answer) -> dict[str, Any]:
    """What `sandbox ask` answered, and everything it came from."""
    return {
        "question": record.question,
        "answer": record.text,
        "refused": record.refused,
        "citations": list(record.citations),
        "matched": list(record.matched),
        "sent": list(record.sent),
        "retrieved": _chunks_to_json(record.retrieved),
        "config": dict(record.config),
        "models": dict(record.models),
        "seconds": {stage: round(value, 3) for stage, value in record.seconds.items()},
        "tokens": dict(record.tokens),
        "warnings": list(record.warnings),
    }


def answer_to_lines(record: Answer) -> Iterator[str]:
    """The answer's sources, times and warnings; its text was streamed before."""
    if record.refused:
        yield "refused: the model found no answer in the material"
    yield from _chunks_to_lines(record.retrieved)
    seconds = ", ".join(f"{stage} {value:.1f} s" for stage, value in record.seconds.items())
    tokens = ", ".join(f"{count} {name} tokens" for name, count in record.tokens.items())
    yield "; ".join(filter(None, [seconds, tokens, *record.models.values()]))
    yield from (f"note: {warning}" for warning in record.warnings)


def retrieval_to_json(record: Retrieval, config: Config) -> dict[str, Any]:
    """What `sandbox ask --retrieve-only` found; answers nothing."""
    return {
        "question": record.question,
        "answer": None,
        "refused": None,
        "citations": [],
        "retrieved": _chunks_to_json(record.retrieved),
        "config": config.to_dict(),
        "models": dict(record.models),
        "seconds": {"retrieve": round(record.seconds, 3)},
        "tokens": {},
        "warnings": list(record.warnings),
    }


def retrieval_to_lines(record: Retrieval) -> Iterator[str]:
    """What was found, and with which models."""
    yield from _chunks_to_lines(record.retrieved)
    yield from (f"note: {warning}" for warning in record.warnings)


def _document_to_json(document: Document, index: Index | None) -> dict[str, Any]:
    chunks = index.chunks if index else ()
    return {
        "document": document.name,
        "pages": document.page_count,
        "chunks": sum(chunk.document_id == document.id for chunk in chunks),
        "figures": sum(len(page.figures) for page in document.pages),
        "tables": sum(len(page.tables) for page in document.pages),
        "ocr_pages": [page.number for page in document.pages if page.source == "ocr"],
        "failed_pages": [asdict(failed) for failed in document.failed_pages],
        "warnings": list(document.warnings),
    }


def _chunks_to_json(retrieved: Sequence[Retrieved]) -> list[dict[str, Any]]:
    return [
        {
            "rank": item.rank,
            "document": item.chunk.document,
            "page": item.chunk.page,
            "kind": item.chunk.kind,
            "text": item.chunk.text,
            "hidden_text": item.chunk.hidden_text,
            "ocr": item.chunk.ocr,
            "score": item.score,
            "legs": {name: asdict(leg) for name, leg in item.legs.items()},
        }
        for item in retrieved
    ]


def _chunks_to_lines(items: tuple[Retrieved, ...]) -> Iterator[str]:
    """One line a chunk: rank, page, kind, place in every leg, and how it begins."""
    for item in items:
        legs = " ".join(
            f"{name} #{leg.rank} ({leg.score:.3f})" for name, leg in sorted(item.legs.items())
        )
        start = " ".join(item.chunk.text.split())[:60]
        yield (
            f"[{item.rank}] {item.chunk.document} p.{item.chunk.page} {item.chunk.kind}"
            f"  {item.score:.3f}  {legs}  {start}"
        )
