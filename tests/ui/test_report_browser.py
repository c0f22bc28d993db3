"""The report as a reader opens it: from disk, without a network, on a screen and on paper."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from sandbox.files.storage import Store
from sandbox.report.translator import Language
from sandbox.report.writing import ReportOptions, save_report, write_report
from tests.conftest import MakePdf
from tests.evaluation.scripted_runs import case
from tests.report.stakeholder_runs import HOSTILE, keep_document, make_reported

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser


@dataclass
class Reading:
    """An opened report, what it asked for and what it complained about."""

    page: "Page"
    requests: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)


def read(browser: "Browser", file: Path, *, width: int = 1280, dark: bool = False) -> Reading:
    page = browser.new_page(
        viewport={"width": width, "height": 900},
        color_scheme="dark" if dark else "light",
        offline=True,
    )
    reading = Reading(page=page)
    page.on("request", lambda request: reading.requests.append(request.url))
    page.on("pageerror", lambda error: reading.complaints.append(str(error)))
    page.on("console", lambda message: reading.complaints.append(message.text))
    page.goto(file.as_uri())
    return reading


@pytest.fixture
def file(store: Store, tmp_path: Path, make_pdf: MakePdf) -> Path:
    return written(store, tmp_path, make_pdf, "en")


def written(store: Store, folder: Path, make_pdf: MakePdf, language: Language) -> Path:
    """Two runs over a hostile document whose page is in the store."""
    document = keep_document(store, make_pdf(f"Ward 1 has 1 beds. {HOSTILE}"))
    runs = (
        make_reported(store, "text_k4", right=1, hostile=HOSTILE, document_id=document),
        make_reported(store, "ctx_k9", right=7, hostile=HOSTILE, document_id=document),
    )
    target = folder / f"report-{language}.html"
    save_report(write_report(store, runs, ReportOptions(language=language)), target)
    return target


@pytest.mark.parametrize("language", ["en", "zh"])
def test_it_opens_offline_without_a_request_or_a_complaint(
    browser: "Browser", store: Store, tmp_path: Path, make_pdf: MakePdf, language: Language
) -> None:
    target = written(store, tmp_path, make_pdf, language)
    reading = read(browser, target)
    reading.page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
    picture = reading.page.locator(".pictures img").first
    assert picture.evaluate("one => one.decode().then(() => one.naturalWidth)") == 760
    foreign = [url for url in reading.requests if not url.startswith("data:")]
    assert foreign == [target.as_uri()]
    assert reading.complaints == []


@pytest.mark.parametrize("width", [360, 1280, 1920])
def test_nothing_is_wider_than_the_window(browser: "Browser", file: Path, width: int) -> None:
    page = read(browser, file, width=width).page
    page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
    assert page.evaluate("document.documentElement.scrollWidth") == width


def test_it_is_dark_where_the_reader_wants_it_dark(browser: "Browser", file: Path) -> None:
    color = "getComputedStyle(document.body).backgroundColor"
    assert read(browser, file).page.evaluate(color) == "rgb(255, 255, 255)"
    assert read(browser, file, dark=True).page.evaluate(color) == "rgb(20, 24, 29)"


def test_a_mark_in_the_matrix_leads_to_the_answers(browser: "Browser", file: Path) -> None:
    page = read(browser, file).page
    page.locator(".matrix tbody tr").nth(2).locator("td a").first.click()
    opened = page.locator("details:target")
    assert opened.locator("summary .what").first.inner_text() == f"{case(3).question} {HOSTILE}"


def test_on_paper_the_answers_are_open(browser: "Browser", file: Path) -> None:
    page = read(browser, file).page
    page.emulate_media(media="print")
    answer = page.locator("#evidence .column blockquote").first
    assert answer.bounding_box()["height"] > 10  # type: ignore[index]
