"""Switches that keep other people's packages from looking things up or reporting on the user.

They are environment variables that packages read when they are imported, so this comes first.
"""

import os

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
"""Set whatever the environment said: tracing switched on for another project would send the user's
documents away."""


def switch_off_connections() -> None:
    """Set every switch; safe to call more than once."""
    os.environ.update(SWITCHES)
