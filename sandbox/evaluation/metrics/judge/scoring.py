"""The calls of one score: asked, retried once when cut, and added up."""

from dataclasses import dataclass, replace

from sandbox.errors import ModelError, ModelReplyError
from sandbox.evaluation.metrics.judge.calls import JudgeCalls, PromptTooLong
from sandbox.evaluation.metrics.judge.endpoint import JudgeReply, JudgeRequest
from sandbox.evaluation.runs.records import Family, Sample, Score, Verdict
from sandbox.text.citation_marks import strip_citations


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """A call that was made for a score, or whose reply was known."""

    request: JudgeRequest
    reply: JudgeReply
    saved: bool


class Scoring:
    """The calls of one score: asks, and adds up what it cost."""

    def __init__(self, calls: JudgeCalls, *, metric: str, family: Family) -> None:
        """Nothing is asked yet."""
        self._calls = calls
        self._metric = metric
        self._family: Family = family
        self.exchanges: list[Exchange] = []
        self._failed_calls = 0

    async def ask(self, request: JudgeRequest) -> JudgeReply:
        """The reply; one that was cut is asked for once more with twice the room.

        Raises:
            ModelUnavailable: If the judge cannot be reached.
            ModelError: If there is no usable reply.
        """
        reply = await self._ask_once(request)
        if not reply.cut or request.top_logprobs:
            return reply
        wider = replace(request, max_tokens=2 * request.max_tokens)
        reply = await self._ask_once(wider)
        if reply.cut:
            raise ModelReplyError(
                f"the judge's reply did not end within {wider.max_tokens} tokens, nor before that "
                f"within {request.max_tokens}"
            )
        return reply

    def score(
        self,
        value: float | None,
        *,
        reason: str = "",
        applicable: bool = True,
        granularity: int | None = None,
        detail: tuple[Verdict, ...] = (),
    ) -> Score:
        """The score with what it cost."""
        made = [exchange.reply for exchange in self.exchanges if not exchange.saved]
        return Score(
            metric=self._metric,
            family=self._family,
            value=value,
            reason=reason,
            applicable=applicable,
            granularity=granularity,
            calls=len(made) + self._failed_calls,
            calls_saved=len(self.exchanges) - len(made),
            tokens=sum(reply.tokens for reply in made),
            seconds=sum(reply.seconds for reply in made),
            detail=detail,
        )

    async def _ask_once(self, request: JudgeRequest) -> JudgeReply:
        try:
            reply, saved = await self._calls.reply(request)
        except PromptTooLong:
            raise
        except ModelError:
            self._failed_calls += 1
            raise
        self.exchanges.append(Exchange(request=request, reply=reply, saved=saved))
        return reply


MISSING = {
    "user_input": "the question is empty",
    "response": "the answer is empty",
    "reference": "there is no reference answer",
    "retrieved_contexts": "nothing was retrieved",
}
"""What is said where a metric needs what a sample does not have."""


def answer_of(sample: Sample) -> str:
    """The answer without citations: they are no statement about the world."""
    return strip_citations(sample.response).strip()


def missing(sample: Sample, *fields: str) -> str:
    """Why a metric that needs those fields cannot score the sample; empty if it can."""
    for field in ("user_input", *fields):
        value = answer_of(sample) if field == "response" else getattr(sample, field)
        texts = value if isinstance(value, tuple) else (value or "",)
        if not any(text.strip() for text in texts):
            return MISSING[field]
    return ""
