"""Metrics of one token a verdict: the probability that the judge says yes.

The first token's probabilities tell more than the word that was chosen: a small judge may say no to
everything and still find right answers less wrong than wrong ones.
"""

import asyncio
import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from sandbox.errors import ModelError, ModelUnavailable
from sandbox.evaluation.metric import PlannedCall
from sandbox.evaluation.metrics.judge.calls import JudgeCalls
from sandbox.evaluation.metrics.judge.endpoint import JudgeReply, JudgeRequest
from sandbox.evaluation.metrics.judge.scoring import Scoring, answer_of, missing
from sandbox.evaluation.metrics.judge.token_requests import (
    Asked,
    Questions,
    Rubric,
    agrees,
    of_the_answer,
    supported,
    useful,
)
from sandbox.evaluation.runs.records import Family, Sample, Score, Verdict
from sandbox.text.citation_marks import strip_citations
from sandbox.text.sentences import split_sentences

YES = frozenset({"yes", "y", "true", "是", "是的", "对", "對", "有", "正确", "正確"})
NO = frozenset(
    {"no", "n", "false", "not", "否", "不", "不是", "没", "沒", "没有", "沒有", "无", "無"}
)
THREE_WAYS = {"a": "supported", "b": "contradicted", "c": "not mentioned"}
SIGNS_AROUND_A_WORD = " \t\n.,:*\"'`(（。：「『"

MOST_STATEMENTS = 40
"""An answer of more sentences is not judged: it would keep the judge from all others."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenMetric:
    """A metric made of probabilities of yes."""

    name: str
    judge_calls: JudgeCalls
    lacks: Callable[[Sample], str]
    questions: Questions
    combine: Callable[[Sequence[float]], float]
    rubric: Rubric = ()
    """Shown before the question where the label of an answer replies to it."""

    family: Family = "token judge"

    def needs(self, sample: Sample) -> str:
        """What the sample lacks to be scored; empty if nothing."""
        return self.lacks(sample)

    def calls(self, sample: Sample) -> int:
        """One for each verdict, two where contradicted is told from not mentioned."""
        return len(self._requests(sample))

    def planned(self, sample: Sample) -> tuple[PlannedCall, ...]:
        """All calls: none depends on the reply to another."""
        return tuple(
            self.judge_calls.plan(request, reply_tokens=1, certain=True)
            for request in self._requests(sample)
        )

    async def score(self, sample: Sample) -> Score:
        """The probabilities of yes, combined.

        Raises:
            ModelUnavailable: If the judge cannot be reached.
        """
        scoring = Scoring(self.judge_calls, metric=self.name, family=self.family)
        if reason := self.needs(sample):
            return scoring.score(None, reason=reason, applicable=False)
        results = await asyncio.gather(
            *(_verdict(scoring, asked) for asked in self.questions(sample, self.rubric)),
            return_exceptions=True,
        )
        errors = _harmless(results)
        verdicts = tuple(result for result in results if isinstance(result, Verdict))
        if errors:
            return scoring.score(None, reason=str(errors[0]), detail=verdicts)
        values = [verdict.value for verdict in verdicts if verdict.value is not None]
        if len(values) < len(verdicts):
            unread = next(verdict for verdict in verdicts if verdict.value is None)
            return scoring.score(None, reason=unread.reason, detail=verdicts)
        return scoring.score(self.combine(values), detail=verdicts)

    def _requests(self, sample: Sample) -> list[JudgeRequest]:
        if self.needs(sample):
            return []
        questions = self.questions(sample, self.rubric)
        first = [asked.yes_no for asked in questions]
        return first + [asked.three_way for asked in questions if asked.three_way is not None]


def token_metrics(judge_calls: JudgeCalls, rubric: Rubric = ()) -> tuple[TokenMetric, ...]:
    """Every metric of the token judge, which is shown the rubric's graded examples first."""
    # The answers that are judged come without citations, so the examples do too.
    examples = tuple(
        replace(example, response=strip_citations(example.response).strip()) for example in rubric
    )
    return tuple(
        TokenMetric(
            name=name,
            judge_calls=judge_calls,
            lacks=lacks,
            questions=questions,
            combine=combine,
            rubric=examples,
        )
        for name, (lacks, questions, combine) in _METRICS.items()
    )


Needs = Callable[[Sample], str]
Combine = Callable[[Sequence[float]], float]


def probability_of_yes(first_token: Mapping[str, float]) -> float | None:
    """Share of yes in what the first token says of yes and no; ``None`` if it says neither.

    >>> probability_of_yes({"Yes": 0.2, " yes": 0.1, "No": 0.6, "The": 0.1})
    0.33333333333333337
    """
    yes, no = _mass(first_token, YES), _mass(first_token, NO)
    return yes / (yes + no) if yes + no > 0 else None


def three_ways(first_token: Mapping[str, float]) -> dict[str, float]:
    """Shares of supported, contradicted and not mentioned; empty if it says none of them."""
    masses = {way: _mass(first_token, {letter}) for letter, way in THREE_WAYS.items()}
    total = sum(masses.values())
    return {way: mass / total for way, mass in masses.items()} if total else {}


def _mass(first_token: Mapping[str, float], words: frozenset[str] | set[str]) -> float:
    return sum(
        probability
        for token, probability in first_token.items()
        if token.strip(SIGNS_AROUND_A_WORD).lower() in words
    )


def _harmless(results: Sequence[object]) -> list[BaseException]:
    """The errors among the results, which concern one sample alone; any other is raised."""
    errors = [result for result in results if isinstance(result, BaseException)]
    for error in errors:
        if isinstance(error, ModelUnavailable) or not isinstance(error, ModelError):
            raise error
    return errors


async def _verdict(scoring: Scoring, asked: Asked) -> Verdict:
    reply = await scoring.ask(asked.yes_no)
    value = probability_of_yes(reply.first_token)
    reason = "" if value is not None else _unread(reply)
    verdict = "unread" if value is None else "yes" if value >= 0.5 else "no"
    if value is not None and asked.three_way is not None:
        shares = three_ways((await scoring.ask(asked.three_way)).first_token)
        if shares:
            verdict = max(shares, key=lambda way: shares[way])
            reason = ", ".join(f"{way} {share:.2f}" for way, share in shares.items())
    return Verdict(
        statement=asked.statement,
        verdict=verdict,
        value=value,
        reason=reason,
        prompt=asked.yes_no.prompt,
        reply=reply.text,
    )


def _unread(reply: JudgeReply) -> str:
    if not reply.first_token:
        return "the judge's server gives no probabilities of tokens"
    return f"the judge began with {reply.text.strip()!r}, neither yes nor no"


def _only(values: Sequence[float]) -> float:
    return values[0]


def _lacks(*fields: str) -> Needs:
    return lambda sample: missing(sample, *fields)


def _lacks_statements(sample: Sample) -> str:
    if reason := missing(sample, "response", "retrieved_contexts"):
        return reason
    count = len(split_sentences(answer_of(sample)))
    if count > MOST_STATEMENTS:
        return f"the answer has {count} sentences; at most {MOST_STATEMENTS} are judged"
    return ""


_METRICS: Mapping[str, tuple[Needs, Questions, Combine]] = {
    "agrees_with_reference": (_lacks("response", "reference"), agrees, _only),
    "answers_the_question": (_lacks("response"), of_the_answer("answers"), _only),
    "complete": (_lacks("response"), of_the_answer("complete"), _only),
    "supported_mean": (_lacks_statements, supported, statistics.fmean),
    "supported_min": (_lacks_statements, supported, min),
    "context_useful": (_lacks("retrieved_contexts"), useful, statistics.fmean),
}
TOKEN_NAMES = tuple(_METRICS)
"""Every metric of the token judge."""
