"""Configurations: what is indexed, how it is retrieved and how the model is asked; and presets.

The model source resolves a role that is set to "auto".
"""

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

from sandbox.errors import ConfigError

IndexKind = Literal["text", "caption", "context"]
Retriever = Literal["lexical", "dense", "hybrid"]

PROMPTS = ("default", "strict")
MAX_TOP_K = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """One way to set up RAG; every field is a factor that can be varied on its own."""

    name: str = "custom"
    index: IndexKind = "context"
    """text; text + figure captions; captions joined with the text of their page."""

    retriever: Retriever = "hybrid"
    reranker: str = "maxsim"
    """ "none", "maxsim" (best sentence) or "st:NAME_OR_PATH" (a CrossEncoder on disk)."""

    candidates: int = 30
    """Chunks each retriever hands on to fusion and reranking."""

    top_k: int = 9
    prompt: str = "default"
    """ "default", "strict", or your own instructions, placed between material and question."""

    chunk_characters: int = 400
    overlap_characters: int = 0
    embedder: str = "auto"
    captioner: str = "ocr"
    chat_model: str = "auto"
    temperature: float = 0.0
    seed: int = 42

    def __post_init__(self) -> None:
        """Check every field.

        Raises:
            ConfigError: If a value is unknown or out of range.
        """
        _require_choice("index", self.index, get_args(IndexKind))
        _require_choice("retriever", self.retriever, get_args(Retriever))
        if self.reranker not in ("none", "maxsim") and not self.reranker.startswith("st:"):
            raise ConfigError(
                f"reranker is {self.reranker!r}; choose none, maxsim or st:NAME_OR_PATH"
            )
        _require_range("top_k", self.top_k, 1, MAX_TOP_K)
        _require_range("candidates", self.candidates, 1, 1000)
        _require_range("chunk_characters", self.chunk_characters, 50, 4000)
        _require_range("overlap_characters", self.overlap_characters, 0, self.chunk_characters // 2)
        _require_range("temperature", self.temperature, 0.0, 2.0)
        if not self.prompt.strip():
            raise ConfigError("prompt is empty; choose default, strict or write your own text")

    def to_dict(self) -> dict[str, Any]:
        """Every field by name, ready for JSON."""
        return dataclasses.asdict(self)


DEFAULT_PRESET = "ctx_k9"


def preset(name: str) -> Config:
    """The preset of that name.

    Raises:
        ConfigError: If there is none.
    """
    if name not in PRESETS:
        raise ConfigError(f"no configuration is named {name!r}; choose one of {', '.join(PRESETS)}")
    return PRESETS[name]


def with_changes(config: Config, changes: Mapping[str, Any]) -> Config:
    """A copy with the given fields replaced, renamed after what changed.

    >>> with_changes(preset("ctx_k9"), {"top_k": 5}).name
    'ctx_k9+top_k=5'

    Raises:
        ConfigError: If a field is unknown or a value out of range.
    """
    fields = {field.name for field in dataclasses.fields(Config)}
    if unknown := sorted(set(changes) - fields):
        raise ConfigError(f"unknown setting {unknown[0]!r}; known: {', '.join(sorted(fields))}")
    changed = {key: value for key, value in changes.items() if getattr(config, key) != value}
    if changed and "name" not in changed:
        parts = (f"{key}={str(value)[:20]}" for key, value in sorted(changed.items()))
        changed["name"] = "+".join([config.name, *parts])
    return dataclasses.replace(config, **changed)


def one_factor_at_a_time(start: Config, alternatives: Sequence[str]) -> tuple[Config, ...]:
    """A configuration, and one for each alternative, which differs from it in that factor alone.

    >>> [config.name for config in one_factor_at_a_time(preset("ctx_k9"), ["top_k=4", "top_k=9"])]
    ['ctx_k9', 'ctx_k9+top_k=4']

    Alternatives are written as NAME=VALUE; those that the first has already are left out.

    Raises:
        ConfigError: If an alternative is no setting, or its value is out of range.
    """
    changed = (with_changes(start, parse_changes([pair])) for pair in alternatives)
    return tuple({config.name: config for config in (start, *changed)}.values())


def parse_changes(pairs: Sequence[str]) -> dict[str, Any]:
    """Settings written as NAME=VALUE, each in the type of its field.

    >>> parse_changes(["top_k=5", "reranker=none"])
    {'top_k': 5, 'reranker': 'none'}

    Raises:
        ConfigError: If a pair has no "=", names no setting, or its value is of the wrong kind.
    """
    defaults = Config().to_dict()
    types: dict[str, Any] = {name: type(default) for name, default in defaults.items()}
    changes: dict[str, Any] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals or name not in types:
            raise ConfigError(f"{pair!r} is not NAME=VALUE; settings: {', '.join(types)}")
        try:
            changes[name] = types[name](value)
        except ValueError as error:
            kind = "a whole number" if types[name] is int else "a number"
            raise ConfigError(f"{name} must be {kind}, not {value!r}") from error
    return changes


def _require_choice(name: str, value: str, choices: tuple[str, ...]) -> None:
    if value not in choices:
        raise ConfigError(f"{name} is {value!r}; choose one of {', '.join(choices)}")


def _require_range(name: str, value: float, low: float, high: float) -> None:
    if not low <= value <= high:
        raise ConfigError(f"{name} is {value}; choose a number from {low} to {high}")


def _preset(name: str, index: IndexKind, top_k: int, prompt: str = "default") -> Config:
    return Config(name=name, index=index, top_k=top_k, prompt=prompt)


PRESETS: Mapping[str, Config] = {
    config.name: config
    for config in (
        _preset("text_k4", "text", 4),
        _preset("text_k9", "text", 9),
        _preset("caption_k4", "caption", 4),
        _preset("ctx_k4", "context", 4),
        _preset("ctx_k9", "context", 9),
        _preset("ctx_k9_strict", "context", 9, "strict"),
    )
}
