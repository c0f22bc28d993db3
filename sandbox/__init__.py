"""A sandbox to set up RAG on your own PDFs and to learn which metrics can be trusted there."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sandbox.config import Config
    from sandbox.experiments.experiment import Experiment
    from sandbox.library import Sandbox

__all__ = ["Config", "Experiment", "Sandbox"]
__version__ = "0.1.0"

_PLACES = {
    "Config": "sandbox.config",
    "Experiment": "sandbox.experiments.experiment",
    "Sandbox": "sandbox.library",
}
"""Loaded when they are asked for, so that `import sandbox` stays light."""


def __getattr__(name: str) -> object:
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_PLACES[name]), name)
