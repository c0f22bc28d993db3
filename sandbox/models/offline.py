"""Keeps other people's packages from looking things up or reporting on the user.

Most of them read an environment variable. The app and the command line set these for their whole
process; the library leaves the environment of its host alone and switches off what it uses.
"""

import os
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager

SWITCHES = {
    "ANONYMIZED_TELEMETRY": "False",
    "DO_NOT_TRACK": "1",
    "GRADIO_ANALYTICS_ENABLED": "False",
    "HF_DATASETS_OFFLINE": "1",
    "HF_HUB_DISABLE_PROGRESS_BARS": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "HF_HUB_OFFLINE": "1",
    "LANGCHAIN_TRACING_V2": "false",
    "LANGSMITH_TRACING": "false",
    "RAGAS_DO_NOT_TRACK": "true",
    "TOKENIZERS_PARALLELISM": "false",
    "TRANSFORMERS_OFFLINE": "1",
}
"""Override the environment: tracing switched on for another project would send the user's documents
away."""


def switch_off_connections() -> None:
    """Set every switch for this process; for the app and the command line only."""
    os.environ.update(SWITCHES)


@contextmanager
def environment(**values: str) -> Iterator[None]:
    """Set variables while a package is imported that reads them then, and put them back."""
    before = {name: os.environ.get(name) for name in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


def untraced() -> AbstractContextManager[None]:
    """Keep LangSmith from recording what a LangChain model is asked inside.

    Enter it only around a call, never around a `yield`: the switch is a context variable.
    """
    from langsmith import tracing_context

    return tracing_context(enabled=False)
