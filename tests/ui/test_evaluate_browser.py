"""A journey through the Evaluate tab in Chromium, with scripted models and no judge."""

import re
import threading
from typing import TYPE_CHECKING

import pytest

from sandbox.models.scripted import ScriptedModels
from tests.ui.conftest import OpenApp

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

LONG = 60_000
"""Milliseconds that reading and indexing may take on a busy machine."""

MARKUP = "<img src=x onerror=document.title='OWNED'>"


class Gate:
    """Answers, and holds every answer after the second until it is opened."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.open = threading.Event()

    def reply(self, _system: str, user: str) -> str:
        self.asked.append(user)
        if len(self.asked) > 2:
            self.open.wait(LONG / 1000)
        return f"月港區 [1] {MARKUP}"


def say(page: "Page", text: str | re.Pattern[str]) -> None:
    page.locator("#evaluate-progress", has_text=text).wait_for(timeout=LONG)


@pytest.mark.browser
def test_an_evaluation_is_planned_begun_cancelled_resumed_and_looked_into(
    open_app: OpenApp,
) -> None:
    gate = Gate()
    visit = open_app(ScriptedModels(gate.reply))
    page = visit.page
    page.get_by_text("chunks indexed").wait_for(timeout=LONG)
    page.get_by_role("tab", name="Evaluate").click()
    page.locator("#evaluate-cases-line", has_text="75 verified cases").wait_for(timeout=LONG)
    page.fill("#evaluate-cases input", "3")
    page.locator("#evaluate-presets").get_by_label("text_k4", exact=True).check()
    page.locator("#evaluate-configurations", has_text="ctx_k9, text_k4").wait_for()

    page.click("#plan")
    say(page, "6 answers to make · how long scripted:chat takes to answer is known after its")
    say(page, "no judge calls")
    assert gate.asked == []

    page.click("#evaluate")
    say(page, "2 of 6 answers")
    page.click("#evaluate-cancel")
    gate.open.set()
    say(page, "cancelled; what is done is kept, Resume goes on from there")
    assert 3 <= len(gate.asked) < 6

    page.click("#resume")
    say(page, "finished")
    assert len(gate.asked) == 6
    assert page.locator(".matrix button.mark").count() == 6
    assert page.locator("#evaluate-shown input").input_value().endswith("2 configurations")

    page.locator("#evaluate-result button.number").first.click()
    page.locator("#evaluate-detail [data-click='score']").first.click()
    page.locator("#evaluate-detail .asked", has_text=MARKUP).wait_for()
    assert page.locator("#evaluate-detail .verdict").count() > 0
    page.click("#evaluate-detail .close")
    page.locator("#evaluate-detail header").wait_for(state="detached")
    assert page.title() == "RAG Sandbox"
    assert visit.foreign_requests == []
    assert visit.complaints == []


@pytest.mark.browser
def test_a_page_closed_in_the_middle_offers_to_resume_when_it_is_opened_again(
    open_app: OpenApp, browser: "Browser"
) -> None:
    gate = Gate()
    visit = open_app(ScriptedModels(gate.reply))
    visit.page.get_by_text("chunks indexed").wait_for(timeout=LONG)
    visit.page.get_by_role("tab", name="Evaluate").click()
    visit.page.locator("#evaluate-cases-line", has_text="verified cases").wait_for(timeout=LONG)
    visit.page.fill("#evaluate-cases input", "4")
    visit.page.locator("#evaluate-cases input").blur()
    visit.page.click("#evaluate")
    say(visit.page, "2 of 4 answers")
    visit.page.close()
    gate.open.set()

    again = browser.new_page()
    again.goto(visit.address)
    again.get_by_text("chunks indexed").wait_for(timeout=LONG)
    again.get_by_role("tab", name="Evaluate").click()
    say(again, "this evaluation is not finished")
    again.click("#resume")
    say(again, re.compile(r"^\s*finished"))  # not the sentence before, "is not finished"
    assert again.locator(".matrix button.mark.none").count() == 0
    assert len(gate.asked) in (4, 5)  # the answer in flight may have been lost
    again.close()
