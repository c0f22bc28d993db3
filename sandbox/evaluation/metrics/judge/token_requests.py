"""What each metric of the token judge asks about a sample, after graded examples of one's own.

The label of an example replies to the questions about an answer as a whole, and about its support
by the chunks where the example has some; the others are asked without examples. Leaves out how the
questions are worded.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from sandbox.evaluation.metrics.judge.endpoint import JudgeRequest
from sandbox.evaluation.metrics.judge.scoring import answer_of
from sandbox.evaluation.metrics.judge.token_questions import Answered, ask
from sandbox.evaluation.runs.records import GradedExample, Sample
from sandbox.text.sentences import split_sentences

Rubric = Sequence[GradedExample]


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One verdict that is wanted, and the calls that give it."""

    statement: str
    yes_no: JudgeRequest
    three_way: JudgeRequest | None = None


Wanted = Callable[[Sample, Rubric], Sequence[Asked]]
Texts = list[tuple[str, str]]


def agrees(sample: Sample, rubric: Rubric) -> list[Asked]:
    """Whether the answer agrees with the reference."""

    def texts(question: str, reference: str, response: str) -> Texts:
        return [("question", question), ("reference", reference), ("response", response)]

    examples = [
        Answered(texts=texts(one.user_input, one.reference, one.response), yes=one.right)
        for one in rubric
        if one.reference
    ]
    asked = texts(sample.user_input, sample.reference or "", answer_of(sample))
    request = ask("agrees", asked, language=sample.language, examples=examples)
    return [Asked(statement=answer_of(sample), yes_no=request)]


def of_the_answer(question: Literal["answers", "complete"]) -> Wanted:
    """A question about the answer as a whole."""

    def wanted(sample: Sample, rubric: Rubric) -> list[Asked]:
        def texts(question: str, response: str) -> Texts:
            return [("question", question), ("response", response)]

        examples = [
            Answered(texts=texts(one.user_input, one.response), yes=one.right) for one in rubric
        ]
        asked = texts(sample.user_input, answer_of(sample))
        request = ask(question, asked, language=sample.language, examples=examples)
        return [Asked(statement=answer_of(sample), yes_no=request)]

    return wanted


def supported(sample: Sample, rubric: Rubric) -> list[Asked]:
    """Whether the chunks support each statement, and if not, whether they contradict it."""

    def texts(contexts: Sequence[str], question: str, statement: str) -> Texts:
        material = "\n\n".join(contexts)
        return [("material", material), ("question", question), ("statement", statement)]

    examples = [
        Answered(texts=texts(one.retrieved_contexts, one.user_input, one.response), yes=one.right)
        for one in rubric
        if one.retrieved_contexts
    ]
    found = []
    for sentence in split_sentences(answer_of(sample)):
        asked = texts(sample.retrieved_contexts, sample.user_input, sentence)
        yes_no = ask("supported", asked, language=sample.language, examples=examples)
        three_way = ask("three_way", asked, language=sample.language)
        found.append(Asked(statement=sentence, yes_no=yes_no, three_way=three_way))
    return found


def useful(sample: Sample, _: Rubric) -> list[Asked]:
    """Whether each chunk helps; no label of an answer says so, so there are no examples."""
    found = []
    for chunk in sample.retrieved_contexts:
        texts = [("material", chunk), ("question", sample.user_input)]
        if sample.reference and sample.reference.strip():
            texts.append(("reference", sample.reference))
            request = ask("useful", texts, language=sample.language)
        else:
            request = ask("useful_unreferenced", texts, language=sample.language)
        found.append(Asked(statement=chunk, yes_no=request))
    return found
