"""Any LangChain chat model or embedder, as a model of this project: bring your own."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from sandbox.errors import ModelUnavailable
from sandbox.models.base import scale_rows
from sandbox.models.failures import translate_failures
from sandbox.text.tokenization import estimate_tokens

if TYPE_CHECKING:
    from langchain_core.embeddings import Embeddings
    from langchain_core.language_models import BaseChatModel

    from sandbox.models.base import Vectors

LANGCHAIN = "langchain:"
"""Before a provider and a model in the words of LangChain: "langchain:ollama:llama3.1"."""

CONTEXT_TOKENS = 8192
"""Taken where LangChain does not know how long a model's context is."""

EMBEDDED_TOKENS = 512
"""Longest text that the smallest usual embedders read whole; LangChain has no word for it."""

LENGTH_FIELDS = ("max_tokens", "max_completion_tokens", "num_predict", "max_output_tokens")


class LangChainChat:
    """A LangChain chat model under a name of one's own."""

    cites_sources = True
    keeps_prompts = False

    def __init__(self, model: "BaseChatModel", *, name: str, context_tokens: int) -> None:
        """The context length must be told: LangChain has no word for it."""
        self._model = model
        self._name = name
        self._context_tokens = context_tokens

    @property
    def name(self) -> str:
        """The name given."""
        return self._name

    @property
    def digest(self) -> str:
        """The name: LangChain does not know the weights."""
        return self._name

    @property
    def context_tokens(self) -> int:
        """Tokens of prompt and answer that fit together, as told."""
        return self._context_tokens

    def count_tokens(self, text: str) -> int:
        """An estimate from above."""
        return estimate_tokens(text)

    def langchain(self, *, temperature: float, seed: int, max_tokens: int) -> "BaseChatModel":
        """The model with those of the settings that it has a field for."""
        fields = type(self._model).model_fields
        settings: dict[str, float] = {"temperature": temperature, "seed": seed}
        settings.update(dict.fromkeys(LENGTH_FIELDS, max_tokens))
        known = {key: value for key, value in settings.items() if key in fields}
        return self._model.model_copy(update=known)


class LangChainEmbedder:
    """A LangChain embedder under a name of one's own; its vectors are scaled to unit length."""

    def __init__(
        self, embeddings: "Embeddings", *, name: str, max_tokens: int, digest: str = ""
    ) -> None:
        """Give a digest that changes with the weights, else the name stands for them."""
        self._embeddings = embeddings
        self._name = name
        self._digest = digest or name
        self._max_tokens = max_tokens

    @property
    def name(self) -> str:
        """The name given."""
        return self._name

    @property
    def digest(self) -> str:
        """The digest given, else the name."""
        return self._digest

    @property
    def max_tokens(self) -> int:
        """Longest text that is embedded whole, as told."""
        return self._max_tokens

    def embed_passages(self, texts: Sequence[str]) -> "Vectors":
        """Rows of unit length, shape (len(texts), dimensions), float32."""
        with translate_failures(self._name):
            rows = self._embeddings.embed_documents(list(texts))
        return scale_rows(rows, self._name)

    def embed_question(self, text: str) -> "Vectors":
        """One vector of unit length, shape (dimensions,), float32."""
        with translate_failures(self._name):
            row = self._embeddings.embed_query(text)
        vector: Vectors = scale_rows([row], self._name)[0]
        return vector


def chat_by_name(name: str) -> LangChainChat:
    """The model of a provider whose LangChain package is installed.

    Raises:
        ModelUnavailable: If LangChain does not know the provider, or its package is missing.
    """
    from langchain.chat_models import init_chat_model

    with _initialized(name):
        model = init_chat_model(name.removeprefix(LANGCHAIN))
    known = (getattr(model, "profile", None) or {}).get("max_input_tokens")
    return LangChainChat(model, name=name, context_tokens=known or CONTEXT_TOKENS)


def embedder_by_name(name: str) -> LangChainEmbedder:
    """The embedder of a provider whose LangChain package is installed.

    Raises:
        ModelUnavailable: If LangChain does not know the provider, or its package is missing.
    """
    from langchain.embeddings import init_embeddings

    with _initialized(name):
        embeddings = init_embeddings(name.removeprefix(LANGCHAIN))
    return LangChainEmbedder(embeddings, name=name, max_tokens=EMBEDDED_TOKENS)


@contextmanager
def _initialized(name: str) -> Iterator[None]:
    try:
        yield
    except (ImportError, ValueError, OSError) as error:
        reason = " ".join(str(error).split())[:300]
        raise ModelUnavailable(f"LangChain cannot make {name}: {reason}") from error
