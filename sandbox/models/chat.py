"""Asks a chat model and reads its answer as it is written.

`rag/prompts.py` words the prompt, `models/source.py` finds the model.
"""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sandbox.errors import ModelReplyError
from sandbox.models.base import ChatModel
from sandbox.models.failures import translate_failures
from sandbox.models.offline import untraced
from sandbox.text.tokenization import estimate_least_tokens

if TYPE_CHECKING:
    from langchain_core.messages import AIMessageChunk

STATES_ITS_END = ("ChatOllama", "ChatOpenAI")
"""LangChain classes whose last piece always carries the reason why the answer ended."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplyPart:
    """A piece of an answer; the last one has no text and says what the answer cost."""

    text: str = ""
    prompt_tokens: int | None = None
    answer_tokens: int | None = None
    """Token counts as the backend states them; ``None`` before the end or where it does not."""

    warning: str = ""
    """Set on the last part where the answer is usable but not what was asked for."""


def stream_reply(
    model: ChatModel, system: str, user: str, *, temperature: float, seed: int, max_tokens: int
) -> Iterator[ReplyPart]:
    """The answer piece by piece, then a part with the token counts.

    Raises:
        ModelUnavailable: If the backend is not there.
        ModelTimeout: If it does not answer in time.
        ModelReplyError: If the prompt does not fit, was silently cut, or the answer is empty or
            breaks off; text may have been given out before.
    """
    from langchain_core.messages import HumanMessage, SystemMessage

    messages = [SystemMessage(system), HumanMessage(user)] if system else [HumanMessage(user)]
    ending = _Ending()
    with translate_failures(model.name):
        chat = model.langchain(temperature=temperature, seed=seed, max_tokens=max_tokens)
        pieces = chat.stream(messages)
        with untraced():  # LangChain looks whether to trace when the first piece is asked for
            first = list(itertools.islice(pieces, 1))
        for piece in itertools.chain(first, pieces):
            ending.add(piece)
            if text := piece.text:
                yield ReplyPart(text=text)
    if not ending.reason and chat.get_name() in STATES_ITS_END:
        raise ModelReplyError(f"{model.name} broke off in the middle of its answer; ask again")
    ending.check(model.name, least_prompt_tokens=estimate_least_tokens(f"{system}\n{user}"))
    yield ReplyPart(
        prompt_tokens=ending.prompt_tokens,
        answer_tokens=ending.answer_tokens,
        warning=f"the answer was cut after {max_tokens} tokens" if ending.cut else "",
    )


def read_prompt(model: ChatModel, system: str, user: str) -> None:
    """Have a model read a prompt and keep it, writing a single token that is thrown away.

    Raises:
        ModelError: If the backend fails.
    """
    from langchain_core.messages import HumanMessage, SystemMessage

    with translate_failures(model.name):
        chat = model.langchain(temperature=0.0, seed=0, max_tokens=1)
        with untraced():
            chat.invoke([SystemMessage(system), HumanMessage(user)])


class _Ending:
    """What the pieces of an answer say about it as a whole."""

    def __init__(self) -> None:
        self.prompt_tokens: int | None = None
        self.answer_tokens: int | None = None
        self.reason = ""
        self._has_text = False

    @property
    def cut(self) -> bool:
        """Whether the answer was stopped at its greatest length."""
        return self.reason == "length"

    def add(self, piece: "AIMessageChunk") -> None:
        """Record what one piece states."""
        about = piece.response_metadata
        self._has_text = self._has_text or bool(piece.text.strip())
        self.reason = about.get("finish_reason") or about.get("done_reason") or self.reason
        if usage := piece.usage_metadata:
            self.prompt_tokens = usage["input_tokens"] or self.prompt_tokens
            self.answer_tokens = usage["output_tokens"] or self.answer_tokens

    def check(self, name: str, *, least_prompt_tokens: int) -> None:
        """Refuse an unusable answer.

        Raises:
            ModelReplyError: If it is empty or was made from a part of the prompt.
        """
        if not self._has_text:
            raise ModelReplyError(f"{name} answered nothing; ask again or choose another model")
        if self.prompt_tokens is not None and self.prompt_tokens < least_prompt_tokens:
            raise ModelReplyError(
                f"{name} read only {self.prompt_tokens} of at least {least_prompt_tokens} tokens "
                f"of the prompt, so its answer rests on a part of the material; choose a smaller "
                f"top_k or a model with a larger context"
            )
