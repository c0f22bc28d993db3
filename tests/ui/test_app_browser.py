"""Journeys through the app in Chromium."""

import socket
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from sandbox.errors import SandboxError
from sandbox.files.storage import Store
from sandbox.models.scripted import ScriptedModels
from sandbox.models.source import Models
from sandbox.rag.pipeline import Pipeline
from sandbox.ui.app import build, start
from tests.conftest import MakePdf
from tests.ui.conftest import OpenApp, Visit

if TYPE_CHECKING:
    from playwright.sync_api import Page

MARKUP = (
    "</div></div><script>document.title='OWNED'</script>"
    "<img src=http://tracker.example/a.png onerror=document.title='OWNED'>"
    " $5 and $7, **bold**, {context}, ${document.title='OWNED'}"
)
LONG = 60_000
"""Milliseconds that reading and indexing may take on a busy machine."""


def wait_for_corpus(page: "Page") -> None:
    page.get_by_text("chunks indexed").or_(page.get_by_text("chunk indexed")).wait_for(timeout=LONG)


def drop(page: "Page", *files: Path) -> None:
    page.locator("#files input[type=file]").set_input_files([str(file) for file in files])


def ask(page: "Page", question: str) -> None:
    page.fill("#question textarea", question)
    page.press("#question textarea", "Enter")
    page.locator(".turn", has_text=question).locator(".cost", has_text="answer").wait_for(
        timeout=LONG
    )


def shown_picture(page: "Page") -> str:
    return page.locator("#page img").get_attribute("src") or ""


def assert_calm(visit: Visit) -> None:
    assert visit.foreign_requests == []
    assert visit.complaints == []


@pytest.mark.browser
def test_a_pdf_is_dropped_asked_and_every_chunk_is_seen_on_its_page(
    open_app: OpenApp, make_pdf: MakePdf
) -> None:
    visit = open_app(ScriptedModels(lambda _system, _user: "Cases peaked in 2019 [1][2], not [8]."))
    page = visit.page
    wait_for_corpus(page)
    drop(
        page,
        make_pdf(
            "In 2019 the number of cases peaked at 141.",
            "The number of cases fell again in the year 2020.",
            name="【最終版】 a#1 50%.pdf",
        ),
    )
    page.locator("#corpus-status", has_text="【最終版】 a#1 50%.pdf").wait_for(timeout=LONG)
    wait_for_corpus(page)

    ask(page, "When did the number of cases peak?")

    assert page.locator(".card").count() == 2
    assert page.locator(".reply .citation").all_inner_texts() == ["1", "2"]
    assert page.locator(".card .badge.cited").count() == 2
    first = shown_picture(page)
    first_page = page.locator(".page-scroll").get_attribute("data-page-shown")
    page.locator(".card[data-rank='2'] .text").click()
    page.locator(".card[data-rank='2'].selected").wait_for()
    page.wait_for_function("src => document.querySelector('#page img').src !== src", arg=first)
    assert page.locator(".page-scroll").get_attribute("data-page-shown") != first_page
    page.locator(".reply .citation[data-rank='1']").click()
    page.wait_for_function("src => document.querySelector('#page img').src === src", arg=first)
    assert_calm(visit)


@pytest.mark.browser
def test_markup_in_documents_answers_and_questions_is_shown_literally(
    open_app: OpenApp, make_pdf: MakePdf
) -> None:
    visit = open_app(ScriptedModels(lambda _system, _user: f"It says {MARKUP} [1]"))
    page = visit.page
    wait_for_corpus(page)
    drop(page, make_pdf(f"The prices: {MARKUP}", name="<i>a&b.pdf"))
    page.locator("#corpus-status", has_text="<i>a&b.pdf").wait_for(timeout=LONG)
    wait_for_corpus(page)

    ask(page, f"What are the prices? {MARKUP}")

    assert MARKUP in page.locator(".question").inner_text()
    assert MARKUP in page.locator(".reply").inner_text()
    shown = " ".join(page.locator(".card .text").all_inner_texts())
    for piece in ("</div></div><script>", "$5 and $7", "**bold**", "{context}"):
        assert piece in shown
    assert page.locator("#right .card").count() == page.locator(".card").count()
    assert page.title() == "RAG Sandbox"
    assert_calm(visit)


@pytest.mark.browser
def test_a_file_that_cannot_be_read_gets_one_sentence_and_stops_no_other(
    open_app: OpenApp, make_pdf: MakePdf, tmp_path: Path
) -> None:
    notes = tmp_path / "notes.pdf"
    notes.write_text("not a PDF")
    visit = open_app(ScriptedModels())
    page = visit.page
    wait_for_corpus(page)
    drop(page, notes, make_pdf("The ferry leaves at nine.", name="good.pdf"))

    page.locator("#corpus-status .refused", has_text="notes.pdf").wait_for(timeout=LONG)

    assert page.locator("#corpus-status [role=alert]").count() == 1
    assert page.locator("#corpus-status", has_text="good.pdf").count() == 1
    assert_calm(visit)


@pytest.mark.browser
def test_nothing_can_be_asked_of_files_that_gave_nothing(open_app: OpenApp, tmp_path: Path) -> None:
    notes = tmp_path / "notes.pdf"
    notes.write_text("not a PDF")
    visit = open_app(ScriptedModels())
    page = visit.page
    wait_for_corpus(page)
    drop(page, notes)
    page.locator("#corpus-status .refused").wait_for(timeout=LONG)

    page.fill("#question textarea", "What does it say?")
    page.press("#question textarea", "Enter")

    page.locator(".reply.failed", has_text="nothing to ask yet").wait_for(timeout=LONG)
    assert_calm(visit)


@pytest.mark.browser
def test_a_changed_detail_marks_the_preset_and_counts_at_the_next_question(
    open_app: OpenApp,
) -> None:
    visit = open_app(ScriptedModels(lambda _system, _user: "107 年 [1]"))
    page = visit.page
    wait_for_corpus(page)
    page.get_by_role("button", name="details").click()
    top_k = page.locator("#details input[type=number]").first
    top_k.wait_for()
    page.wait_for_timeout(500)  # the panel is drawn anew while it opens; nobody types that fast
    top_k.fill("2")
    top_k.blur()
    page.locator("#changed", has_text="top k 9 → 2").wait_for()

    page.locator(".example").first.click()

    page.locator(".cost", has_text="answer").wait_for(timeout=LONG)
    assert page.locator(".card").count() == 2
    assert page.locator(".cost", has_text="ctx_k9+top_k=2").count() == 1
    assert_calm(visit)


@pytest.mark.browser
def test_a_question_asked_right_after_choosing_a_preset_uses_it(open_app: OpenApp) -> None:
    visit = open_app(ScriptedModels(lambda _system, _user: "107 年 [1]"))
    page = visit.page
    wait_for_corpus(page)
    page.click("#preset input")
    page.get_by_role("option", name="text_k4", exact=True).click()

    ask(page, "哪一年的麻疹確定病例最多？")

    assert page.locator(".cost").inner_text().startswith("text_k4 · ")
    assert page.locator(".card").count() == 4
    assert page.locator("#changed .changed").count() == 0
    assert_calm(visit)


@pytest.mark.browser
@pytest.mark.model
def test_the_bundled_corpus_is_asked_with_the_embedded_models(open_app: OpenApp) -> None:
    with_models = Models()
    visit = open_app(with_models)
    page = visit.page
    wait_for_corpus(page)
    page.locator(".example").first.click()
    page.locator(".cost", has_text="answer tokens").wait_for(timeout=3 * LONG)
    with_models.close()

    assert page.locator(".card[data-rank='1'] .where").inner_text() == "p. 2 · figure"
    assert page.locator(".card[data-rank='1'] img.crop").count() == 1
    assert page.locator(".page-title").inner_text().startswith("page 2 of 4")
    assert_calm(visit)


def test_a_taken_port_is_named_with_the_way_out(store: Store) -> None:
    models = Models()
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        app = build(Pipeline(store, ScriptedModels()), store, models)
        with pytest.raises(SandboxError, match=f"sandbox app --port {port + 1}"):
            start(app, port=port)
    models.close()
