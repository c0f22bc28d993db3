"""From retrieved chunks to a checked answer: what fits is sent, what comes back is streamed.

Citations are checked against what the model was shown, Chinese answers are put in the question's
script, and everything that differs from what was asked is said in the answer's warnings.
"""

import time
from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace

from sandbox.config import Config
from sandbox.models.base import ChatModel
from sandbox.models.chat import read_prompt, stream_reply
from sandbox.rag.citations import matched_ranks
from sandbox.rag.prompts import REFUSALS, Prompt, build, is_refusal
from sandbox.records import Answer, Retrieved
from sandbox.text.citation_marks import cited_ranks
from sandbox.text.languages import language_of, to_script

ANSWER_TOKENS = 400
"""Longest answer."""

_TEMPLATE_TOKENS = 40
"""What a chat template adds around the messages, estimated from above."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fitted:
    """The chunks that fit a model's context, and the messages made of them."""

    sent: tuple[Retrieved, ...]
    prompt: Prompt


def fit(question: str, retrieved: Sequence[Retrieved], config: Config, model: ChatModel) -> Fitted:
    """Leave out chunks from the lowest rank until the prompt fits the model's context.

    The best-ranked chunk always stays; the instructions are never cut.
    """
    room = model.context_tokens - ANSWER_TOKENS - _TEMPLATE_TOKENS
    sent = list(retrieved)
    prompt = build(question, sent, config.prompt, cites_sources=model.cites_sources)
    while len(sent) > 1 and (excess := model.count_tokens(prompt.text) - room) > 0:
        while len(sent) > 1 and excess > 0:
            excess -= model.count_tokens(sent.pop().chunk.text)
        prompt = build(question, sent, config.prompt, cites_sources=model.cites_sources)
    return Fitted(sent=tuple(sent), prompt=prompt)


def stream_answer(
    question: str, retrieved: Sequence[Retrieved], config: Config, model: ChatModel
) -> Generator[str, None, Answer]:
    """Yield the answer so far after each piece; return the whole, with citations checked.

    Nothing retrieved means nothing to answer from: that is a refusal, and no model is asked.

    Raises:
        ModelError: If the backend fails.
    """
    language = language_of(question)
    answer = Answer(
        question=question,
        text=REFUSALS[language],
        refused=True,
        retrieved=tuple(retrieved),
        config=config.to_dict(),
    )
    if not retrieved:
        yield answer.text
        return replace(answer, warnings=("nothing was retrieved, so no model was asked",))
    fitted = fit(question, retrieved, config, model)
    started = time.perf_counter()
    first_token: float | None = None
    text = ""
    tokens: dict[str, int] = {}
    warnings = list(_cut_warnings(retrieved, fitted, model))
    for part in stream_reply(
        model,
        fitted.prompt.system,
        fitted.prompt.user,
        temperature=config.temperature,
        seed=config.seed,
        max_tokens=ANSWER_TOKENS,
    ):
        if part.text:
            first_token = first_token or time.perf_counter()
            text += part.text
            yield to_script(text, language)
        if part.warning:
            warnings.append(part.warning)
        counts = {"prompt": part.prompt_tokens, "answer": part.answer_tokens}
        tokens |= {name: count for name, count in counts.items() if count is not None}
    ended = time.perf_counter()
    text = to_script(text, language).strip()
    sent_ranks = tuple(item.rank for item in fitted.sent)
    refused = is_refusal(text)
    cited = cited_ranks(text)
    matched = [] if cited or refused else matched_ranks(text, fitted.sent, question=question)
    if unknown := [rank for rank in cited if rank not in sent_ranks]:
        warnings.append(f"the answer cites {unknown}, which the model was not shown")
    return replace(
        answer,
        text=text,
        refused=refused,
        citations=tuple(rank for rank in [*cited, *matched] if rank in sent_ranks),
        matched=tuple(matched),
        sent=sent_ranks,
        models={"chat_model": model.name},
        prompt=fitted.prompt.text,
        seconds={"first_token": (first_token or ended) - started, "answer": ended - started},
        tokens=tokens,
        warnings=tuple(warnings),
    )


def read_ahead(
    question: str, retrieved: Sequence[Retrieved], config: Config, model: ChatModel
) -> None:
    """Have the model read the prompt of a question that may be asked; nothing is answered."""
    if retrieved:
        prompt = fit(question, retrieved, config, model).prompt
        read_prompt(model, prompt.system, prompt.user)


def _cut_warnings(
    retrieved: Sequence[Retrieved], fitted: Fitted, model: ChatModel
) -> Generator[str, None, None]:
    if len(fitted.sent) < len(retrieved):
        yield (
            f"only the first {len(fitted.sent)} of {len(retrieved)} chunks fit the"
            f" {model.context_tokens} tokens of {model.name}; lower top_k or choose a model with a"
            " longer context"
        )
    withheld = [item.rank for item in fitted.sent if item.chunk.orders]
    if withheld:
        yield f"chunks {withheld} hold orders to a language model, which were not sent to it"
