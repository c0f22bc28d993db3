from dataclasses import replace

from sandbox.documents.worker_process import Limits
from sandbox.models.defaults import Choice
from sandbox.progress import Progress, RefusedFile
from sandbox.records import Box, Corpus, Document, FailedPage, Figure, Page
from sandbox.ui.app import STYLE
from sandbox.ui.ask.view import corpus_html, models_html, ranges
from sandbox.ui.parts.progress import progress_html

BOX = Box(page=1, left=0, top=0, right=1, bottom=1)
FIGURE = Figure(box=BOX, kind="raster", image="a.png")


DOCUMENT = Document(
    digest="d",
    name="a<b>.pdf",
    page_count=3,
    pages=(
        Page(number=1, width=1, height=1, source="text layer", figures=(FIGURE,)),
        Page(number=2, width=1, height=1, source="ocr"),
        Page(number=3, width=1, height=1, source="ocr"),
    ),
)


def test_a_document_says_what_was_read_from_it() -> None:
    html = corpus_html(Corpus(name="c", documents=(DOCUMENT,)), (), chunks=1)
    assert "a&lt;b&gt;.pdf" in html
    assert "3 pages · 1 figure" in html
    assert "1 chunk indexed" in html


def test_pages_that_failed_are_named_together_with_their_reason() -> None:
    reason = "too many drawings"
    failed = (FailedPage(page=2, reason=reason), FailedPage(page=3, reason=reason))
    corpus = Corpus(name="c", documents=(replace(DOCUMENT, failed_pages=failed),))
    assert "p. 2-3: too many drawings" in corpus_html(corpus, (), chunks=None)


def test_refused_files_stand_before_the_documents_and_are_counted() -> None:
    refused = RefusedFile(file="z.pdf", reason="is empty")
    html = corpus_html(Corpus(name="c", documents=(DOCUMENT,)), (refused,), chunks=7)
    assert html.index("z.pdf") < html.index("a&lt;b&gt;.pdf")
    assert "7 chunks indexed, 1 file refused" in html


def test_a_refused_file_keeps_its_name_and_gets_one_sentence() -> None:
    refused = RefusedFile(file="【最終版】.pdf", reason="needs a password; save a copy without one")
    html = corpus_html(None, (refused,), chunks=None)
    assert "<bdi>【最終版】.pdf</bdi>" in html
    assert "role='alert'>needs a password; save a copy without one</span>" in html


def test_an_empty_corpus_says_what_to_do() -> None:
    assert "drop PDFs below" in corpus_html(None, (), chunks=None)


def test_progress_has_a_length_once_the_total_is_known() -> None:
    html = progress_html(Progress(stage="read", done=1, total=4, message="page 1 of 4"))
    assert "aria-valuenow='25'" in html
    assert "page 1 of 4" in html
    unknown = progress_html(Progress(stage="models", done=0, total=0, message=""))
    assert "aria-valuenow" not in unknown
    assert "loading models" in unknown


def test_the_models_line_names_sources_and_unfolds_to_the_reasons() -> None:
    chat = Choice(
        role="chat_model",
        model="ollama:llama3.1",
        source="ollama",
        reason="it is there",
        ready=True,
    )
    embedder = Choice(
        role="embedder",
        model="embedded:e5-small",
        source="embedded",
        reason="no embedder in Ollama",
        ready=False,
        fix="pip install x",
    )
    html = models_html((chat, embedder))
    assert "models: ollama + embedded" in html
    assert "something is missing" in html
    assert "<b>ollama:llama3.1</b><br>it is there</dd>" in html
    assert "<code>pip install x</code>" in html


def test_page_numbers_are_joined_into_ranges() -> None:
    assert ranges([4, 1, 2, 3, 9]) == "1-4, 9"
    assert ranges([]) == ""


def test_the_drop_zone_states_the_real_limits_before_a_file_is_dropped() -> None:
    limits = Limits()
    stated = f"At most {limits.file_megabytes} MB and {limits.pages:,} pages each."
    assert stated in STYLE.read_text(encoding="utf-8")
