"""Embedders and CrossEncoder rerankers of sentence-transformers, from weights on this disk only.

A name is a folder or a model that a hub's client has fetched before; nothing is looked up.
"""

import functools
import hashlib
import json
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from sandbox.errors import ModelUnavailable
from sandbox.files.storage import digest_of, file_digest
from sandbox.models.base import Prefixes, find_prefixes, scale_rows

if TYPE_CHECKING:
    from sentence_transformers import CrossEncoder, SentenceTransformer

    from sandbox.models.base import Vectors

BATCH = 16
"""Texts or pairs that a model computes at once."""

WEIGHTS_AND_SETTINGS = (".safetensors", ".bin", ".json", ".txt", ".model")
UNSTATED_MAX_TOKENS = 512
"""Assumed where a model states no length."""

EMBEDDER_NEVER = "ForSequenceClassification"
RERANKER_ALWAYS = ("ForSequenceClassification", "ForCausalLM")
"""Ends of the architecture's name; an embedder's scores would come from random numbers."""


class SentenceTransformerEmbedder:
    """An embedder "st:NAME_OR_PATH"; safe to use from several threads."""

    def __init__(self, name: str) -> None:
        """Find the weights; nothing is loaded until the first text.

        Raises:
            ModelUnavailable: If they are not on this disk, or are a reranker's.
        """
        self._name = name
        self._folder = find_folder(name)
        if _architecture(self._folder).endswith(EMBEDDER_NEVER):
            raise ModelUnavailable(f"{name} is a reranker; choose an embedder")
        self._lock = threading.Lock()

    @property
    def name(self) -> str:
        """Source and model, as written in a configuration."""
        return self._name

    @functools.cached_property
    def digest(self) -> str:
        """SHA-256 over the folder's files and the prefixes."""
        prefixes = find_prefixes(self._name)
        return digest_of(folder_digest(self._folder), prefixes.passage, prefixes.question)

    @property
    def max_tokens(self) -> int:
        """Longest text that is embedded whole; loads the model."""
        return int(self._model.max_seq_length or UNSTATED_MAX_TOKENS)

    def embed_passages(self, texts: Sequence[str]) -> "Vectors":
        """Rows of unit length, shape (len(texts), dimensions), float32."""
        prefixed = [self._prefixes.passage + text for text in texts]
        with self._lock:
            rows = self._model.encode_document(prefixed, batch_size=BATCH, show_progress_bar=False)
        return scale_rows(rows, self._name)

    def embed_question(self, text: str) -> "Vectors":
        """One vector of unit length, shape (dimensions,), float32."""
        with self._lock:
            rows = self._model.encode_query(
                [self._prefixes.question + text], show_progress_bar=False
            )
        vector: Vectors = scale_rows(rows, self._name)[0]
        return vector

    @functools.cached_property
    def _model(self) -> "SentenceTransformer":
        from sentence_transformers import SentenceTransformer

        try:
            return SentenceTransformer(str(self._folder), device="cpu", local_files_only=True)
        except (OSError, ValueError, LookupError, RuntimeError, TypeError) as error:
            raise _unusable(self._name, "sentence-transformers model", error) from error

    @functools.cached_property
    def _prefixes(self) -> Prefixes:
        """Prefixes that the model's own folder does not state."""
        stated = any(self._model.prompts.values())
        return Prefixes() if stated else find_prefixes(self._name)


class CrossEncoderReranker:
    """A reranker "st:NAME_OR_PATH" that reads question and text together."""

    def __init__(self, name: str) -> None:
        """Find the weights; nothing is loaded until the first question.

        Raises:
            ModelUnavailable: If they are not on this disk, or are not a reranker's.
        """
        self._name = name
        self._folder = find_folder(name)
        if not _architecture(self._folder).endswith(RERANKER_ALWAYS):
            raise ModelUnavailable(f"{name} is not a reranker; choose a CrossEncoder")
        self._lock = threading.Lock()

    @property
    def name(self) -> str:
        """As written in a configuration."""
        return self._name

    def scores(self, question: str, texts: Sequence[str]) -> list[float]:
        """One score a text, higher is better; comparable only within one question."""
        pairs = [(question, text) for text in texts]
        if not pairs:
            return []
        with self._lock:
            try:
                scores = self._model.predict(pairs, batch_size=BATCH, show_progress_bar=False)
            except (ValueError, RuntimeError, TypeError) as error:
                raise _unusable(self._name, "CrossEncoder", error) from error
        if scores.ndim != 1:
            raise ModelUnavailable(
                f"{self._name} gives {scores.shape[1]} scores a text and is not a reranker; choose "
                f"a CrossEncoder with one output"
            )
        return [float(score) for score in scores]

    @functools.cached_property
    def _model(self) -> "CrossEncoder":
        from sentence_transformers import CrossEncoder

        try:
            model: CrossEncoder = CrossEncoder(
                str(self._folder), device="cpu", local_files_only=True
            )
            return model
        except (OSError, ValueError, LookupError, RuntimeError, TypeError) as error:
            raise _unusable(self._name, "CrossEncoder", error) from error


def find_folder(name: str) -> Path:
    """The folder of "st:NAME_OR_PATH", without asking anybody.

    Raises:
        ModelUnavailable: If it is not on this disk.
    """
    model = name.removeprefix("st:").strip()
    path = Path(model).expanduser()
    if model and path.is_dir():
        if not (path / "config.json").is_file():
            raise ModelUnavailable(f"{name}: the folder holds no model, it has no config.json")
        return path
    if not model or model.startswith(("/", ".", "~")):
        raise ModelUnavailable(f"{name}: there is no such folder; write st:/PATH/TO/MODEL")
    repository = model if "/" in model else f"sentence-transformers/{model}"
    if cached := _cached_folder(repository):
        return cached
    raise ModelUnavailable(
        f"the weights of {name} are not on this disk; give a folder (st:/PATH/TO/MODEL), or fetch "
        f"them once where there is a network with: hf download {repository}"
    )


def folder_digest(folder: Path) -> str:
    """SHA-256 over the files that decide what a model computes."""
    files = sorted(
        path for path in folder.rglob("*") if path.suffix in WEIGHTS_AND_SETTINGS and path.is_file()
    )
    parts = [f"{path.relative_to(folder).as_posix()} {file_digest(path)}" for path in files]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def _architecture(folder: Path) -> str:
    try:
        settings = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        return str((settings.get("architectures") or [""])[0])
    except (OSError, ValueError, AttributeError, LookupError, TypeError) as error:
        raise _unusable(f"st:{folder}", "model", error) from error


def _cached_folder(repository: str) -> Path | None:
    from huggingface_hub import try_to_load_from_cache
    from huggingface_hub.errors import HFValidationError

    try:
        cached = try_to_load_from_cache(repository, "config.json")
    except HFValidationError:  # a name that cannot be a repository's
        return None
    return Path(cached).parent if isinstance(cached, str) else None


def _unusable(name: str, kind: str, error: Exception) -> ModelUnavailable:
    reason = " ".join(str(error).split())[:300]
    return ModelUnavailable(f"{name} cannot be loaded as a {kind}: {reason}")
