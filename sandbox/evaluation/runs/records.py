"""The records of measuring: what a metric sees and says, how it is judged, what a run holds.

All are frozen and go to JSON as they are. A value that could not be computed is ``None`` with a
reason, never 0 and never NaN.
"""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from sandbox.errors import ConfigError
from sandbox.records import Answer
from sandbox.testsets.cases import TestCase
from sandbox.text.languages import Language


@dataclass(frozen=True, slots=True, kw_only=True)
class GradedExample:
    """An answer that a person graded."""

    user_input: str
    response: str
    right: bool
    reference: str = ""
    """Empty where nobody gave one; metrics that need one then leave the example out."""

    retrieved_contexts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Sampling:
    """How a judge is asked for another opinion of its own: not its likeliest words."""

    temperature: float
    seed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Judging:
    """How answers are judged; runs of equal judging have scores that can be compared."""

    model: str = ""
    """The judge's name; "auto" before it is chosen, empty where no metric asks one."""

    digest: str = ""
    """Changes when the model does; empty before it is chosen."""

    judgements: int = 1
    """How often each judged metric is judged; above 1 by sampling, with the median as score."""

    rubric: tuple[GradedExample, ...] = ()
    """Graded examples that the token judge is shown before each question."""

    sampling: Sampling | None = None
    """For a single judgement that is repeated; the judge's likeliest words for ``None``."""

    @property
    def options(self) -> list[str]:
        """Options that make `sandbox evaluate` judge like this; graded examples are in no file."""
        options = ["--judge", self.model] if self.model else []
        return [*options, *(["--judgements", str(self.judgements)] if self.judgements > 1 else [])]

    def differences(self, other: "Judging") -> dict[str, tuple[str | int, str | int]]:
        """What differs, by name; how often and after what a judge is asked only if one is."""
        compared: dict[str, tuple[str | int, str | int]] = {}
        if (self.model, self.digest) != (other.model, other.digest):
            compared["judge"] = self.model, other.model
        if not self.model and not other.model:
            return compared
        if self.judgements != other.judgements:
            compared["judgements"] = self.judgements, other.judgements
        if self.rubric != other.rubric:
            compared["rubric"] = len(self.rubric), len(other.rubric)
        return compared

    def __post_init__(self) -> None:
        """Check the number of judgements.

        Raises:
            ConfigError: If it is below 1.
        """
        if self.judgements < 1:
            raise ConfigError(f"judgements is {self.judgements}; choose a number from 1")


Family = Literal["ragas", "token judge", "ranking", "no judge", "imported", "combined"]
JUDGED: tuple[Family, ...] = ("ragas", "token judge")
"""Families whose metrics ask a judge."""

Right = Literal["right", "wrong", "unsure"]
LabelSource = Literal["person", "accepted suggestion"]

RUN_FORMAT = 1
"""Stated in every run; raised when an older reader would misread a newer run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """One answer as a metric sees it, from a run or imported."""

    id: str
    """Unique among the samples that are scored together."""

    case: str
    """Groups the answers to one question."""

    user_input: str
    """The question."""

    response: str
    """The answer."""

    retrieved_contexts: tuple[str, ...] = ()
    """Texts of the chunks that the answer was made from, best first."""

    reference: str | None = None
    """The right answer; ``None`` or blank where nobody gave one."""

    accepted_answers: tuple[str, ...] = ()
    """Strings of which any one in the answer suggests that it is right."""

    answerable: bool = True
    """False where the material does not hold the answer, so that a refusal is right."""

    refused: bool = False
    """True where the answer says that the material does not hold it."""

    retrieved_pages: tuple[str, ...] = ()
    """Pages by rank, each where it first occurs; quotes where the case names no pages."""

    relevant_pages: tuple[str, ...] = ()
    """Pages (or quotes) that hold the evidence, written as in `retrieved_pages`."""

    language: Language = "en"
    """Language of the question, for the judge's prompts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """A verdict on one statement; scores are made of these, and a click on a score shows them."""

    statement: str
    """What was judged: a statement of the answer, a chunk, a page, a word."""

    verdict: str
    """In the words of the judge or the metric: "yes", "contradicted"."""

    value: float | None = None
    """The verdict as a number where there is one, for example the probability of yes."""

    reason: str = ""
    """The judge's reason; empty where it gives none."""

    prompt: str = ""
    """What the judge was asked, whole; empty where no judge was asked."""

    reply: str = ""
    """What it answered, whole."""

    judgement: int = 1
    """Which of the repeated judgements it belongs to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """One metric's number for one answer."""

    metric: str
    family: Family
    value: float | None
    """Between 0 and 1 except for lengths; ``None`` if it was not computed. Higher is better, except
    for `catalog.LOWER_IS_BETTER`."""

    reason: str = ""
    """Why the value is what it is; required when there is no value."""

    applicable: bool = True
    """False where the metric has nothing to judge here (no reference, say): not a failure."""

    granularity: int | None = None
    """Verdicts the value is made of; with 2 it can only be 0, 0.5 or 1. ``None`` if continuous."""

    calls: int = 0
    """Calls to the judge that were really made."""

    calls_saved: int = 0
    """Calls whose answer was known from the same call before."""

    tokens: int = 0
    """Prompt and answer tokens of the calls made, as the backend counted them."""

    seconds: float = 0.0
    """Wall-clock seconds."""

    detail: tuple[Verdict, ...] = ()

    judgements: tuple[float | None, ...] = ()
    """Where it was judged repeatedly: every value, of which this one is the median."""

    standard_deviation: float | None = None
    """Of the judgements that gave a value; ``None`` below two of them."""

    def __post_init__(self) -> None:
        """Check what no score may be.

        Raises:
            ValueError: If the value is not finite, or missing without a reason.
        """
        if self.value is None and not self.reason.strip():
            raise ValueError(f"a score of {self.metric} without a value needs a reason")
        if self.value is not None and not math.isfinite(self.value):
            raise ValueError(f"{self.metric} is {self.value}; use None with a reason")


@dataclass(frozen=True, slots=True, order=True)
class MetricKey:
    """A metric where several judges may have scored the same answers."""

    name: str
    judge: str = ""
    """The model that scored; empty for a metric without a judge, and where all scores are of one.
    """

    def __str__(self) -> str:
        """As it is shown, for example "faithfulness (ollama:llama3.1-judge)"."""
        return f"{self.name} ({self.judge})" if self.judge else self.name

    def is_of(self, judge: str) -> bool:
        """True unless another judge scored."""
        return self.judge in ("", judge)


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """What one configuration answered to one test case."""

    configuration: str
    """Name of the configuration."""

    case: str
    """Id of the test case."""

    answer: Answer | None
    """``None`` where answering failed."""

    failure: str = ""
    """Why there is no answer, in one sentence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CellScore:
    """A score and the cell it belongs to: a line of scores.jsonl."""

    configuration: str
    case: str
    score: Score


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """What a person said about an answer."""

    configuration: str
    case: str
    value: Right = field(metadata={"alias": "verdict"})
    """Called "verdict" in labels.jsonl."""

    labeller: str
    """Who said so, as they call themselves."""

    source: LabelSource
    time: str
    """ISO 8601, with its time zone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One configuration on one test set: run.json, written once at the start."""

    id: str
    """Name of its folder."""

    evaluation: str
    """Shared by the runs that were started together."""

    position: int = 0
    """Place among them, in the order in which the configurations were chosen."""

    config: Mapping[str, object]
    """Every setting by name."""

    corpus: str
    corpus_digest: str
    """Changes when a document does."""

    test_set: str
    test_set_digest: str
    """Changes when one of the cases of this run does."""

    cases: tuple[TestCase, ...]
    """The test cases as they were asked; unverified ones are left out."""

    metrics: tuple[str, ...]
    judging: Judging = Judging()
    """How its answers were judged."""

    models: Mapping[str, str] = field(default_factory=dict)
    """Role to model name, as resolved at the start."""

    index_seconds: float | None = None
    """What making the index took, after reading; ``None`` where that is not known."""

    environment: Mapping[str, str] = field(default_factory=dict)
    """Versions of what could change a number: Python, packages, machine."""

    created: str = ""
    """ISO 8601, UTC."""

    format: int = RUN_FORMAT

    @property
    def configuration(self) -> str:
        """Name of its configuration."""
        return str(self.config["name"])

    @property
    def started(self) -> str:
        """When it was created, to the minute, as every list shows it: "2030-01-31 08:00 UTC"."""
        return f"{self.created[:16].replace('T', ' ')} UTC"

    @property
    def judge(self) -> str:
        """The judging model's name; empty where no metric asks one."""
        return self.judging.model

    @property
    def is_self_judged(self) -> bool:
        """True if the judge has the weights of the model whose answers it judges."""
        answering = self.models.get("chat_model", "")
        return bool(self.judge) and weights_of(self.judge) == weights_of(answering)

    @property
    def place(self) -> tuple[int, str]:
        """Sorts the runs of one evaluation as their configurations were chosen."""
        return self.position, self.id


def weights_of(model: str) -> str:
    """What tells the weights of a model by its name: a judge made from it has the same.

    >>> weights_of("ollama:llama3.1-judge:latest"), weights_of("ollama:llama3.1")
    ('ollama:llama3.1', 'ollama:llama3.1')
    """
    return re.sub("-judge(?=:|$)", "", model).removesuffix(":latest")
