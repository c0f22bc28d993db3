"""From a test case and an answer to it, to what a metric sees."""

from sandbox.evaluation.runs.records import Sample
from sandbox.records import Answer, Chunk
from sandbox.testsets.cases import TestCase
from sandbox.text.languages import detect_language
from sandbox.text.tokenization import tokenize


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
