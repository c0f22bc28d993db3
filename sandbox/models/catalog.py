"""The models a person can choose from, for lists and menus."""

from dataclasses import dataclass

from sandbox.models.defaults import EMBEDDED_CHAT, EMBEDDED_EMBEDDER, MAXSIM, OCR, Facts, Role
from sandbox.models.ollama_server import OllamaModel
from sandbox.models.weights import INSTALL_COMMAND


@dataclass(frozen=True, slots=True, kw_only=True)
class Available:
    """A model that can be named in a configuration."""

    role: Role
    model: str
    """Source and model, as written in a configuration."""

    source: str
    """ "ollama", "embedded" or "built in"."""

    ready: bool
    fix: str = ""
    """The command that brings what is missing; empty when it is ready."""


def available(facts: Facts) -> tuple[Available, ...]:
    """Everything that is known by name; servers of one's own and files are chosen by address."""
    chat = facts.embedded_chat
    own = (
        _embedded("chat_model", EMBEDDED_CHAT, ready=chat),
        _embedded("judge", EMBEDDED_CHAT, ready=chat),
        _embedded("embedder", EMBEDDED_EMBEDDER, ready=facts.embedded_embedder),
        _embedded("captioner", OCR, ready=facts.ocr),
        Available(role="reranker", model=MAXSIM, source="built in", ready=True),
    )
    served = [entry for model in facts.ollama or () for entry in _served(model)]
    return (*own, *sorted(served, key=lambda entry: (entry.role, entry.model)))


def _embedded(role: Role, model: str, *, ready: bool) -> Available:
    fix = "" if ready else INSTALL_COMMAND
    return Available(role=role, model=model, source="embedded", ready=ready, fix=fix)


def _served(model: OllamaModel) -> list[Available]:
    roles: list[Role] = []
    if model.can("completion"):
        roles += ["chat_model", "judge"]
    if model.can("completion") and model.can("vision"):
        roles.append("captioner")
    if model.can("embedding"):
        roles.append("embedder")
    name = f"ollama:{model.name.removesuffix(':latest')}"
    return [Available(role=role, model=name, source="ollama", ready=True) for role in roles]
