"""From retrieved chunks to a checked answer: send what fits, stream the reply, check its citations.

Citations are checked against the chunks that were sent; an answer without any gets the chunks that
hold its words. Chinese answers are converted to the question's script, and the answer's warnings
name everything that differs from the request.
"""

import time
from collections import Counter
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, replace

from sandbox.config import Config
from sandbox.models.base import ChatModel
from sandbox.models.chat import read_prompt, stream_reply
from sandbox.rag.prompts import REFUSALS, Prompt, build, is_refusal
from sandbox.records import Answer, Retrieved
from sandbox.text.citation_marks import find_cited_ranks
from sandbox.text.languages import Language, convert_to_script, detect_language
from sandbox.text.sentences import split_sentences
from sandbox.text.tokenization import tokenize

ANSWER_TOKENS = 400
"""Longest answer, in tokens."""

_TEMPLATE_TOKENS = 40
"""Tokens that a chat template adds around the messages, estimated from above."""

ENOUGH_SHARE = 0.4
"""Share of a sentence's words, by their weight, that a chunk must hold to be its source."""

QUESTION_WEIGHT = 0.02
"""Weight of a word that the question already holds: it says little about the source."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fitted:
    """The chunks that fit a model's context, and the messages made of them."""

    sent: tuple[Retrieved, ...]
    prompt: Prompt


def fit(question: str, retrieved: Sequence[Retrieved], config: Config, model: ChatModel) -> Fitted:
    """Drop chunks from the lowest rank until the prompt fits the model's context.

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
    nothing = Answer(
        question=question,
        text=REFUSALS[detect_language(question)],
        refused=True,
        retrieved=tuple(retrieved),
        config=config.to_dict(),
    )
    if not retrieved:
        yield nothing.text
        return replace(nothing, warnings=("nothing was retrieved, so no model was asked",))
    fitted = fit(question, retrieved, config, model)
    reply = yield from _stream_text(fitted.prompt, config, model, detect_language(question))
    answer = replace(
        nothing,
        text=reply.text,
        refused=is_refusal(reply.text),
        models={"chat_model": model.name},
        prompt=fitted.prompt.text,
        seconds=reply.seconds,
        tokens=reply.tokens,
        warnings=(*_cut_warnings(retrieved, fitted, model), *reply.warnings),
    )
    return _with_citations(answer, fitted.sent)


def read_ahead(
    question: str, retrieved: Sequence[Retrieved], config: Config, model: ChatModel
) -> None:
    """Have the model read the prompt of a question that may be asked; nothing is answered."""
    if retrieved:
        prompt = fit(question, retrieved, config, model).prompt
        read_prompt(model, prompt.system, prompt.user)


def match_ranks(answer: str, sent: Sequence[Retrieved], *, question: str = "") -> list[int]:
    """For each sentence of an answer, the rank of the chunk that holds most of its words.

    A word counts by how few of the chunks hold it, a word of the question little; a word that none
    holds counts in full. Sentences of which no chunk holds enough have no source.
    """
    asked = set(tokenize(question))
    terms = {item.rank: set(tokenize(item.chunk.text)) for item in sent}
    frequency = Counter(term for chunk_terms in terms.values() for term in chunk_terms)
    ranks: list[int] = []
    for sentence in split_sentences(answer):
        weights = {
            term: (QUESTION_WEIGHT if term in asked else 1.0) / max(1, frequency[term])
            for term in set(tokenize(sentence))
        }
        total = sum(weights.values())
        held = {
            rank: sum(weight for term, weight in weights.items() if term in chunk_terms)
            for rank, chunk_terms in terms.items()
        }
        best = max(held, key=lambda rank: (held[rank], -rank), default=None)
        if best is not None and total and held[best] / total >= ENOUGH_SHARE:
            ranks.append(best)
    return list(dict.fromkeys(ranks))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Reply:
    """What a model wrote, in the script of the question, and what it took."""

    text: str
    seconds: Mapping[str, float]
    tokens: Mapping[str, int]
    warnings: Sequence[str]


def _stream_text(
    prompt: Prompt, config: Config, model: ChatModel, language: Language
) -> Generator[str, None, _Reply]:
    """Yield what the model has written so far after each piece."""
    started = time.perf_counter()
    first_token: float | None = None
    text = ""
    tokens: dict[str, int] = {}
    warnings = []
    for part in stream_reply(
        model,
        prompt.system,
        prompt.user,
        temperature=config.temperature,
        seed=config.seed,
        max_tokens=ANSWER_TOKENS,
    ):
        if part.text:
            first_token = first_token or time.perf_counter()
            text += part.text
            yield convert_to_script(text, language)
        if part.warning:
            warnings.append(part.warning)
        counts = {"prompt": part.prompt_tokens, "answer": part.answer_tokens}
        tokens |= {name: count for name, count in counts.items() if count is not None}
    ended = time.perf_counter()
    seconds = {"first_token": (first_token or ended) - started, "answer": ended - started}
    return _Reply(
        text=convert_to_script(text, language).strip(),
        seconds=seconds,
        tokens=tokens,
        warnings=warnings,
    )


def _with_citations(answer: Answer, sent: Sequence[Retrieved]) -> Answer:
    """The answer with the ranks that it cites, or else those of chunks that hold its words."""
    sent_ranks = tuple(item.rank for item in sent)
    cited = find_cited_ranks(answer.text)
    matched = []
    if not cited and not answer.refused:
        matched = match_ranks(answer.text, sent, question=answer.question)
    warnings = list(answer.warnings)
    if unknown := [rank for rank in cited if rank not in sent_ranks]:
        warnings.append(f"the answer cites {unknown}, which the model was not shown")
    return replace(
        answer,
        citations=tuple(rank for rank in [*cited, *matched] if rank in sent_ranks),
        matched=tuple(matched),
        sent=sent_ranks,
        warnings=tuple(warnings),
    )


def _cut_warnings(
    retrieved: Sequence[Retrieved], fitted: Fitted, model: ChatModel
) -> Generator[str, None, None]:
    if len(fitted.sent) < len(retrieved):
        yield (
            f"only the first {len(fitted.sent)} of {len(retrieved)} chunks fit the"
            f" {model.context_tokens} tokens of {model.name}; lower top_k or choose a model with a"
            " longer context"
        )
    withheld = [item.rank for item in fitted.sent if item.chunk.injections]
    if withheld:
        yield f"chunks {withheld} hold orders to a language model, which were not sent to it"
