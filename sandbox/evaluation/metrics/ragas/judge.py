"""RAGAS's metrics on the judge: the one file that imports ragas (0.4.3, its "collections").

RAGAS asks through our calls, so its prompts are cached, ordered and retried like all others, and
every reply follows its schema by grammar. For Chinese answers its instructions and examples are in
Chinese (chinese.py), except for noise_sensitivity, whose prompts cannot be replaced. A value
that RAGAS makes up where the judge said nothing becomes ``None`` with the reason.
"""

import functools
import math
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Mapping
from dataclasses import dataclass, replace
from types import ModuleType
from typing import Any

from sandbox.errors import ModelError, ModelUnavailable
from sandbox.evaluation.metric import PlannedCall
from sandbox.evaluation.metrics.judge.calls import JudgeCalls
from sandbox.evaluation.metrics.judge.scoring import Scoring, answer_of, missing
from sandbox.evaluation.metrics.ragas.chinese import CHINESE
from sandbox.evaluation.metrics.ragas.models import Asks, Embeds, Judged, Plans
from sandbox.evaluation.runs.records import Family, Sample, Score, Verdict
from sandbox.models.base import Embedder
from sandbox.models.offline import environment
from sandbox.text.languages import Language, convert_to_script

STRICTNESS = 3
"""Questions that answer_relevancy makes of an answer; RAGAS's default."""

Llm = Asks | Plans


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """How one of RAGAS's metrics is made and asked."""

    needs: tuple[str, ...]
    calls: Callable[[Sample], int]
    make: Callable[[ModuleType, Llm, Embeds], Any]
    ask: Callable[[Any, Sample], Awaitable[Any]]
    continuous: bool = False
    """True where the value is not a share of verdicts."""


def _contexts(sample: Sample) -> list[str]:
    return [text for text in sample.retrieved_contexts if text.strip()]


RECIPES: Mapping[str, Recipe] = {
    "faithfulness": Recipe(
        needs=("response", "retrieved_contexts"),
        calls=lambda _: 2,
        make=lambda ragas, llm, _: ragas.Faithfulness(llm=llm),
        ask=lambda metric, sample: metric.ascore(
            user_input=sample.user_input,
            response=answer_of(sample),
            retrieved_contexts=_contexts(sample),
        ),
    ),
    "answer_relevancy": Recipe(
        needs=("response",),
        calls=lambda _: STRICTNESS,
        make=lambda ragas, llm, embeddings: ragas.AnswerRelevancy(
            llm=llm, embeddings=embeddings, strictness=STRICTNESS
        ),
        ask=lambda metric, sample: metric.ascore(
            user_input=sample.user_input, response=answer_of(sample)
        ),
        continuous=True,
    ),
    "answer_correctness": Recipe(
        needs=("response", "reference"),
        calls=lambda _: 3,
        make=lambda ragas, llm, embeddings: ragas.AnswerCorrectness(llm=llm, embeddings=embeddings),
        ask=lambda metric, sample: metric.ascore(
            user_input=sample.user_input, response=answer_of(sample), reference=sample.reference
        ),
    ),
    "context_precision": Recipe(
        needs=("reference", "retrieved_contexts"),
        calls=lambda sample: len(_contexts(sample)),
        make=lambda ragas, llm, _: ragas.ContextPrecision(llm=llm),
        ask=lambda metric, sample: metric.ascore(
            user_input=sample.user_input,
            reference=sample.reference,
            retrieved_contexts=_contexts(sample),
        ),
    ),
    "context_recall": Recipe(
        needs=("reference", "retrieved_contexts"),
        calls=lambda _: 1,
        make=lambda ragas, llm, _: ragas.ContextRecall(llm=llm),
        ask=lambda metric, sample: metric.ascore(
            user_input=sample.user_input,
            retrieved_contexts=_contexts(sample),
            reference=sample.reference,
        ),
    ),
    "factual_correctness": Recipe(
        needs=("response", "reference"),
        calls=lambda _: 4,
        make=lambda ragas, llm, _: ragas.FactualCorrectness(llm=llm),
        ask=lambda metric, sample: metric.ascore(
            response=answer_of(sample), reference=sample.reference
        ),
    ),
    "semantic_similarity": Recipe(
        needs=("response", "reference"),
        calls=lambda _: 0,
        make=lambda ragas, _, embeddings: ragas.SemanticSimilarity(embeddings=embeddings),
        ask=lambda metric, sample: metric.ascore(
            reference=sample.reference, response=answer_of(sample)
        ),
        continuous=True,
    ),
    "noise_sensitivity": Recipe(
        needs=("response", "reference", "retrieved_contexts"),
        calls=lambda sample: 3 + 2 * len(_contexts(sample)),
        make=lambda ragas, llm, _: ragas.NoiseSensitivity(llm=llm),
        ask=lambda metric, sample: metric.ascore(
            user_input=sample.user_input,
            response=answer_of(sample),
            reference=sample.reference,
            retrieved_contexts=_contexts(sample),
        ),
    ),
}


PROMPT_ATTRIBUTES = (
    "prompt",
    "nli_prompt",
    "nli_statement_prompt",
    "statement_generator_prompt",
    "correctness_classifier_prompt",
)
"""Where RAGAS's metrics keep their prompts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RagasMetric:
    """One of RAGAS's metrics."""

    name: str
    judge_calls: JudgeCalls
    embedder: Embedder
    family: Family = "ragas"

    def needs(self, sample: Sample) -> str:
        """What the sample lacks to be scored; empty if nothing."""
        return missing(sample, *RECIPES[self.name].needs)

    def calls(self, sample: Sample) -> int:
        """Calls that RAGAS makes; equal ones among them are made once."""
        return 0 if self.needs(sample) else RECIPES[self.name].calls(sample)

    def planned(self, sample: Sample) -> tuple[PlannedCall, ...]:
        """The calls; where one depends on a reply that is not known, its size is a guess."""
        if self.needs(sample):
            return ()
        plans = Plans(self.judge_calls)
        _finish(self._ask_ragas(sample, plans, Embeds(lambda _: (1.0,))))
        return tuple(plans.calls)

    async def score(self, sample: Sample) -> Score:
        """RAGAS's number.

        Raises:
            ModelUnavailable: If the judge or the embedder cannot be reached.
        """
        scoring = Scoring(self.judge_calls, metric=self.name, family=self.family)
        if reason := self.needs(sample):
            return scoring.score(None, reason=reason, applicable=False)
        asks = Asks(scoring)
        try:
            result = await self._ask_ragas(sample, asks, Embeds(self.embedder.embed_question))
        except ModelUnavailable:
            raise
        except ModelError as error:
            value, reason = None, str(error)
        except (ValueError, TypeError, LookupError, ArithmeticError) as error:
            value, reason = None, f"RAGAS cannot make a number of the judge's replies: {error}"
        else:
            value, reason = _value(result, asks.judged)
        verdicts = verdicts_of(asks.judged, sample)
        continuous = RECIPES[self.name].continuous
        return scoring.score(
            value,
            reason=reason,
            granularity=None if continuous or value is None else len(verdicts),
            detail=verdicts,
        )

    async def _ask_ragas(self, sample: Sample, llm: Llm, embeddings: Embeds) -> Any:
        recipe = RECIPES[self.name]
        metric = recipe.make(load_ragas(), llm, embeddings)
        if sample.language != "en":
            _put_into_chinese(metric, sample.language)
        return await recipe.ask(metric, sample)


def ragas_metrics(judge_calls: JudgeCalls, embedder: Embedder) -> tuple[RagasMetric, ...]:
    """Every metric of RAGAS that is offered here."""
    return tuple(
        RagasMetric(name=name, judge_calls=judge_calls, embedder=embedder) for name in RECIPES
    )


@functools.cache
def load_ragas() -> ModuleType:
    """RAGAS's metrics; RAGAS then takes our models for its own, and reports to nobody."""
    with environment(RAGAS_DO_NOT_TRACK="true"):
        from ragas._analytics import do_not_track

        do_not_track()  # looks at the environment once and remembers (0.4.3)
    from ragas.embeddings.base import BaseRagasEmbedding
    from ragas.llms.base import InstructorBaseRagasLLM
    from ragas.metrics import collections

    for llm in (Asks, Plans):
        InstructorBaseRagasLLM.register(llm)
    BaseRagasEmbedding.register(Embeds)
    return collections


def _put_into_chinese(metric: Any, language: Language) -> None:
    """Replace instructions and examples; prompts belong to the metric, which is made for one."""
    for attribute in PROMPT_ATTRIBUTES:
        prompt = getattr(metric, attribute, None)
        chinese = CHINESE.get(type(prompt).__name__)
        if prompt is None or chinese is None:
            continue
        prompt.instruction = convert_to_script(chinese.instruction, language)
        prompt.examples = [
            (
                prompt.input_model.model_validate(_in_script(given, language)),
                prompt.output_model.model_validate(_in_script(expected, language)),
            )
            for given, expected in chinese.examples
        ]


def _in_script(value: Any, language: Language) -> Any:
    if isinstance(value, str):
        return convert_to_script(value, language)
    if isinstance(value, list):
        return [_in_script(item, language) for item in value]
    if isinstance(value, Mapping):
        return {key: _in_script(item, language) for key, item in value.items()}
    return value


def _value(result: Any, judged: list[Judged]) -> tuple[float | None, str]:
    """The number, unless RAGAS made it of nothing."""
    value = float(result.value)
    if any(reply.is_empty for reply in judged):
        return None, "the judge found no statement to judge"
    if not math.isfinite(value):
        return None, "the judge gave no verdict"
    return min(1.0, max(0.0, value)), ""  # a cosine can pass 1 by rounding


def _finish(coroutine: Coroutine[Any, Any, Any]) -> None:
    """Run a coroutine that never waits."""
    try:
        coroutine.send(None)
    except StopIteration:
        return
    except (ValueError, TypeError, LookupError, ArithmeticError):
        return  # RAGAS stumbles over a known reply in the same way when it scores
    coroutine.close()


CLASSES = {
    "TP": "in the answer and in the reference",
    "FP": "in the answer, not in the reference",
    "FN": "in the reference, not in the answer",
}


def verdicts_of(judged: list[Judged], sample: Sample) -> tuple[Verdict, ...]:
    """Every verdict, in the order in which it was given.

    The prompt and the reply stand at the first verdict of each call.
    """
    chunks = iter(_contexts(sample))
    verdicts: list[Verdict] = []
    for exchange in judged:
        of_reply = list(_read_verdicts(exchange.content, chunks))
        if of_reply:
            of_reply[0] = replace(
                of_reply[0], prompt=exchange.request.prompt, reply=exchange.reply.text
            )
        verdicts.extend(of_reply)
    return tuple(verdicts)


def _read_verdicts(content: Mapping[str, Any], chunks: Iterator[str]) -> Iterator[Verdict]:
    """The verdicts of one reply, by the shape that RAGAS gives it."""
    if "verdict" in content:
        yield _graded(next(chunks, ""), content["verdict"], content["reason"])
    if "noncommittal" in content:
        word = "noncommittal" if content["noncommittal"] else "committal"
        value = 1.0 - content["noncommittal"]
        yield Verdict(statement=content["question"], verdict=word, value=value)
    for name, meaning in CLASSES.items():
        for item in content.get(name, ()):
            yield Verdict(
                statement=item["statement"],
                verdict=meaning,
                value=float(name == "TP"),
                reason=item["reason"],
            )
    for item in content.get("classifications", ()):
        yield _graded(item["statement"], item["attributed"], item["reason"])
    for item in content.get("statements", ()):
        if not isinstance(item, str):
            yield _graded(item["statement"], item["verdict"], item["reason"])


def _graded(statement: str, grade: int, reason: str) -> Verdict:
    word = "yes" if grade else "no"
    return Verdict(statement=statement, verdict=word, value=float(bool(grade)), reason=reason)
