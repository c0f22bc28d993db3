"""One answer of a run with all that is known about it, and the answer as a metric sees it.

Whatever asks who is right asks here, so that matrix, trust, comparison and reports agree.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from sandbox.evaluation.runs.labels import label_of, labels_that_count
from sandbox.evaluation.runs.records import Label, Right, Sample, Score
from sandbox.evaluation.runs.suggestions import Suggestion
from sandbox.records import Answer, Chunk, Retrieved
from sandbox.testsets.cases import TestCase
from sandbox.text.languages import detect_language
from sandbox.text.tokenization import tokenize


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """The best-ranked chunk that holds what a case asks for."""

    rank: int
    of: int
    """How many chunks were retrieved."""

    page: int
    kind: str
    legs: Mapping[str, int]
    """Rank in each leg that voted for it: "lexical", "dense", "fused", "reranker"."""

    sent: bool
    """False where the chunk did not fit the model's context."""

    by: Literal["quote", "accepted answer", "page"]
    """How it was recognized; "page" says only that it stands on a relevant page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CellView:
    """One test case of a run: its answer, what people say about it, and its scores."""

    run: str
    """Id of the run."""

    configuration: str
    case: TestCase
    answer: Answer | None
    failure: str = ""
    """Why there is no answer."""

    is_asked: bool = True
    """False where the run has not come to the case yet."""

    labels: tuple[Label, ...] = ()
    """The latest label of each person."""

    suggestion: Suggestion
    """What the accepted answers of the case say; "unsure" without an answer."""

    accepts_suggestions: bool = False
    """True where a suggestion counts as a label if nobody labelled the answer."""

    scores: Mapping[str, Score] = field(default_factory=dict)
    """By metric."""

    evidence: Evidence | None = None
    """``None`` where no retrieved chunk holds it, nobody looked for it, or the case does not say
    where it is."""

    @property
    def key(self) -> tuple[str, str]:
        """Run and case."""
        return self.run, self.case.id

    @property
    def label(self) -> Right | None:
        """The label that counts in rates, tests and trust; ``None`` where there is none."""
        if self.labels:
            return label_of(self.labels)
        suggested = self.suggestion.value
        return suggested if self.accepts_suggestions and suggested != "unsure" else None

    @property
    def label_or_suggestion(self) -> Right | None:
        """The label, else what is suggested; ``None`` where there is no answer to judge."""
        if self.labels or self.answer is None:
            return label_of(self.labels)
        return self.suggestion.value

    @property
    def source(self) -> Literal["label", "suggestion", "nothing"]:
        """Where `label_or_suggestion` comes from; an accepted suggestion is still a suggestion."""
        if any(label.source == "person" for label in self.labels):
            return "label"
        return "nothing" if self.label_or_suggestion is None else "suggestion"

    @property
    def is_suggested(self) -> bool:
        """True where no person confirmed `label_or_suggestion`."""
        return self.source == "suggestion"

    @property
    def reason(self) -> str:
        """One sentence: who says so, or why it is suggested, or why there is nothing to say."""
        if not self.labels:
            return self.suggestion.reason
        said = "; ".join(f"{label.labeller} {_says(label)} {label.value}" for label in self.labels)
        if not self.is_disputed:
            return said
        return f"{'people disagree' if self.label == 'unsure' else 'the majority counts'}: {said}"

    @property
    def is_disputed(self) -> bool:
        """True where one person says right and another says wrong."""
        return {"right", "wrong"} <= {label.value for label in labels_that_count(self.labels)}

    @property
    def text(self) -> str:
        """Of the answer; empty without one."""
        return self.answer.text if self.answer else ""

    @property
    def retrieved(self) -> tuple[Retrieved, ...]:
        """The chunks that were retrieved; none without an answer."""
        return self.answer.retrieved if self.answer else ()

    @property
    def values(self) -> Mapping[str, float]:
        """The scores that have a value, by metric."""
        return {
            metric: score.value for metric, score in self.scores.items() if score.value is not None
        }

    def label_by(self, labeller: str) -> Label | None:
        """The label of one person."""
        return next((label for label in self.labels if label.labeller == labeller), None)

    def with_label(self, label: Label) -> "CellView":
        """The same cell after a person labelled it."""
        others = tuple(other for other in self.labels if other.labeller != label.labeller)
        return replace(self, labels=(*others, label))


def _says(label: Label) -> str:
    return "says" if label.source == "person" else "accepted the suggestion"


def sample_of(case: TestCase, answer: Answer, *, id: str) -> Sample:
    """One answer as the metrics see it.

    The contexts are the chunks that were sent to the model; the pages are those of all that were
    retrieved. Relevance is by page, or by quote where the case names no page.
    """
    texts = [
        item.chunk.sent_text
        for item in answer.retrieved
        if not answer.sent or item.rank in answer.sent
    ]
    chunks = [item.chunk for item in answer.retrieved]
    by_quote = bool(case.quotes) and not case.relevant_pages
    return Sample(
        id=id,
        case=case.id,
        user_input=case.question,
        response=answer.text,
        retrieved_contexts=tuple(texts),
        reference=case.reference,
        accepted_answers=case.accepted_answers,
        answerable=case.answerable,
        refused=answer.refused,
        retrieved_pages=_quotes(chunks, case) if by_quote else _pages(chunks),
        relevant_pages=case.quotes if by_quote else _relevant_pages(case, chunks),
        language=detect_language(case.question),
    )


def _pages(chunks: list[Chunk]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(_page(chunk.document, chunk.page) for chunk in chunks))


def _relevant_pages(case: TestCase, chunks: list[Chunk]) -> tuple[str, ...]:
    """A case that names no document is about the only one there is."""
    document = case.document or next((chunk.document for chunk in chunks), "")
    return tuple(_page(document, page) for page in case.relevant_pages)


def _quotes(chunks: list[Chunk], case: TestCase) -> tuple[str, ...]:
    """The quotes in the order in which a chunk with them is retrieved; other chunks by their id."""
    found: list[str] = []
    for chunk in chunks:
        text = " ".join(tokenize(chunk.text))
        held = [quote for quote in case.quotes if " ".join(tokenize(quote)) in text]
        found += held or [f"chunk {chunk.id}"]
    return tuple(dict.fromkeys(found))


def _page(document: str, page: int) -> str:
    return f"{document} p. {page}"
