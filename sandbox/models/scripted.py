"""Small deterministic models, for tests of everything that needs some model and no particular one.

They fulfil the same interfaces as the real ones and answer from a function that the test gives.
"""

import hashlib
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage
from langchain_core.messages.ai import UsageMetadata
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult

from sandbox.errors import ModelUnavailable
from sandbox.models.base import Captioner, ChatModel, Embedder, Reranker, scale_rows
from sandbox.records import Caption, Figure
from sandbox.text.tokenization import estimate_tokens

if TYPE_CHECKING:
    from sandbox.models.base import Vectors

DIMENSIONS = 256
TERM = re.compile(r"[a-z0-9]+|[^\x00-\x7f]")
Reply = Callable[[str, str], str]
"""From the system message and the user's message to the answer."""


class ScriptedChat:
    """A chat model whose answers come from a function."""

    cites_sources = True
    keeps_prompts = False

    def __init__(
        self, reply: Reply, *, name: str = "scripted:chat", context_tokens: int = 8192
    ) -> None:
        """The name is also the digest."""
        self._reply = reply
        self.name = name
        self.digest = name
        self.context_tokens = context_tokens

    def count_tokens(self, text: str) -> int:
        """An estimate from above."""
        return estimate_tokens(text)

    def langchain(self, *, temperature: float, seed: int, max_tokens: int) -> BaseChatModel:
        """A LangChain model that streams the answer word by word."""
        return _ScriptedChatModel(reply=self._reply)


class ScriptedEmbedder:
    """A hashed bag of words: texts that share words have similar vectors."""

    def __init__(self, *, name: str = "scripted:words", max_tokens: int = 512) -> None:
        """The name is also the digest."""
        self.name = name
        self.digest = name
        self.max_tokens = max_tokens

    def embed_passages(self, texts: Sequence[str]) -> "Vectors":
        """Rows of unit length, shape (len(texts), 256), float32."""
        return scale_rows([_bag_of_words(text) for text in texts], self.name)

    def embed_question(self, text: str) -> "Vectors":
        """One vector of unit length, shape (256,), float32."""
        vector: Vectors = self.embed_passages([text])[0]
        return vector


class ScriptedCaptioner:
    """Reads the words that the text layer has inside a figure, and nothing else."""

    name = "scripted:words"
    digest = "scripted:words"

    def caption(self, figure: Figure, image: Path) -> Caption:
        """The figure's words in their order."""
        return Caption(text=" ".join(word.text for word in figure.words))


class ScriptedReranker:
    """Scores a text by the share of the question's words that it holds."""

    name = "st:scripted"

    def scores(self, question: str, texts: Sequence[str]) -> list[float]:
        """One share a text, between 0 and 1."""
        asked = set(TERM.findall(question.lower()))
        return [len(asked & set(TERM.findall(text.lower()))) / max(1, len(asked)) for text in texts]


class ScriptedModels:
    """A source of models that answers every name with the scripted model of its role."""

    def __init__(
        self,
        reply: Reply = lambda _system, user: user,
        *,
        embedders: Sequence[Embedder] = (),
        captioner: Captioner | None = None,
    ) -> None:
        """Several embedders can be told apart by their names; "auto" is the first."""
        self._chat = ScriptedChat(reply)
        self._embedders = tuple(embedders) or (ScriptedEmbedder(),)
        self._captioner = captioner or ScriptedCaptioner()

    def chat_model(self, name: str) -> ChatModel:
        """The scripted chat model, whatever the name."""
        return self._chat

    def embedder(self, name: str) -> Embedder:
        """The embedder of that name, or the first for "auto"."""
        for embedder in self._embedders:
            if name in ("auto", embedder.name):
                return embedder
        raise ModelUnavailable(f"no scripted embedder is named {name}; choose auto")

    def captioner(self, name: str) -> Captioner:
        """The scripted captioner, whatever the name."""
        return self._captioner

    def cross_encoder(self, name: str) -> Reranker:
        """The scripted reranker, whatever the name."""
        return ScriptedReranker()


class _ScriptedChatModel(BaseChatModel):
    reply: Reply

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        message = AIMessage(self._answer(messages))
        return ChatResult(generations=[ChatGeneration(message=message)])

    def _stream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> Iterator[ChatGenerationChunk]:
        answer = self._answer(messages)
        for piece in re.findall(r"\S+\s*|\s+", answer):
            yield ChatGenerationChunk(message=AIMessageChunk(content=piece))
        prompt = sum(estimate_tokens(message.text) for message in messages)
        written = estimate_tokens(answer)
        usage = UsageMetadata(
            input_tokens=prompt, output_tokens=written, total_tokens=prompt + written
        )
        yield ChatGenerationChunk(message=AIMessageChunk(content="", usage_metadata=usage))

    def _answer(self, messages: list[BaseMessage]) -> str:
        texts = {message.type: message.text for message in messages}
        return self.reply(texts.get("system", ""), texts.get("human", ""))


def _bag_of_words(text: str) -> list[float]:
    counts = [0.0] * DIMENSIONS
    for term in TERM.findall(text.lower()) or [""]:
        counts[int.from_bytes(hashlib.sha256(term.encode()).digest()[:4]) % DIMENSIONS] += 1.0
    return counts
