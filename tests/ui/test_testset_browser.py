"""Journeys through the Test set tab in Chromium."""

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from sandbox.models.scripted import ScriptedModels
from sandbox.testsets.cases import load
from tests.conftest import MakePdf
from tests.ui.conftest import OpenApp

if TYPE_CHECKING:
    from playwright.sync_api import Page

LONG = 60_000


def open_tab(page: "Page") -> None:
    page.get_by_role("tab", name="Test set").click()
    page.locator("#testset-status", has_text="no test set yet").wait_for()


def drop(page: "Page", where: str, file: Path) -> None:
    page.locator(f"{where} input[type=file]").set_input_files(str(file))


@pytest.mark.browser
def test_a_csv_is_dropped_confirmed_and_saved(open_app: OpenApp, tmp_path: Path) -> None:
    cases = tmp_path / "mine.csv"
    cases.write_text("user_input,reference\nWho <b>built</b> it?,Ann\nWhen?,2018\n")
    visit = open_app(ScriptedModels())
    page = visit.page
    open_tab(page)
    drop(page, "#testset-file", cases)
    page.locator("#testset-status", has_text="2 cases, 0 verified").wait_for(timeout=LONG)
    assert page.locator("#testset-doubts", has_text="write 48 more").count() == 1
    assert page.locator("#testset-table", has_text="Who <b>built</b> it?").count() == 1

    page.locator("#testset-table .bool-cell input").first.click()
    page.locator("#testset-status", has_text="2 cases, 1 verified").wait_for(timeout=LONG)
    page.get_by_role("button", name="save and export").click()
    page.locator("#testset-save").click()
    page.locator("#testset-status", has_text="saved 2 cases").wait_for(timeout=LONG)

    saved = load(tmp_path / "results/testsets/mine.jsonl")
    assert [(case.question, case.verified) for case in saved] == [
        ("Who <b>built</b> it?", True),
        ("When?", False),
    ]
    assert visit.complaints == []
    assert visit.foreign_requests == []


@pytest.mark.browser
def test_questions_are_drafted_from_the_open_corpus_and_stay_unverified(
    open_app: OpenApp, make_pdf: MakePdf
) -> None:
    reply = json.dumps([{"question": "When did the cases peak?", "answer": "In 2019"}])
    visit = open_app(ScriptedModels(lambda _system, _user: reply))
    page = visit.page
    page.get_by_text("chunks indexed").wait_for(timeout=LONG)
    drop(page, "#files", make_pdf("In 2019 the number of cases peaked at 141 cases in the city."))
    page.locator("#corpus-status", has_text="made.pdf").wait_for(timeout=LONG)
    page.get_by_text("1 chunk indexed").wait_for(timeout=LONG)
    open_tab(page)
    page.get_by_role("button", name="draft questions").click()
    page.locator("#testset-draft").click()

    page.locator("#testset-status", has_text="1 drafted, 0 dropped").wait_for(timeout=LONG)

    assert page.locator("#testset-table", has_text="When did the cases peak?").count() == 1
    assert page.locator("#testset-doubts", has_text="none of the 1 references").count() == 1
    assert visit.complaints == []


@pytest.mark.browser
def test_a_bundled_test_set_opens_and_a_hold_out_does_not(
    open_app: OpenApp, tmp_path: Path
) -> None:
    holdout = tmp_path / "mine.holdout.jsonl"
    holdout.write_text('{"question": "When?", "reference": "2018"}\n')
    visit = open_app(ScriptedModels())
    page = visit.page
    open_tab(page)
    drop(page, "#testset-file", holdout)
    page.locator("#testset-status [role=alert]", has_text="is a hold-out").wait_for(timeout=LONG)
    assert page.locator("#testset-table", has_text="When?").count() == 0

    page.locator("#testset input").click()
    page.get_by_role("option", name="annual-en").click()
    page.locator("#testset-status", has_text="100 cases, 100 verified").wait_for(timeout=LONG)
    assert visit.complaints == []
