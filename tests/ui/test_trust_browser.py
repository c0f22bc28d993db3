"""A journey through labelling and the Trust tab in Chromium, with scripted models and no judge."""

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from sandbox.config import preset
from sandbox.evaluation.runs.folder import CHATTED, RunFolder, create_run, find_runs
from sandbox.evaluation.runs.labels import add_labels, new_label, read_labels
from sandbox.evaluation.runs.records import Cell, Judging, Run, Score
from sandbox.files.storage import Store
from sandbox.library import Sandbox
from sandbox.models.scripted import ScriptedModels
from sandbox.progress import finish
from sandbox.rag.pipeline import Pipeline
from sandbox.testsets.cases import TEST_SETS_FOLDER, load
from tests.models.ollama_server import ScriptedOllama, Served
from tests.ui.conftest import OpenApp

if TYPE_CHECKING:
    from playwright.sync_api import Page

LONG = 60_000
"""Milliseconds that reading and indexing may take on a busy machine."""

CASES = 12


def make_evaluation(store: Store, models: ScriptedModels, *, judge: str = "") -> RunFolder:
    """Answers of which every third is wrong, on the bundled corpus's first cases."""
    pipeline = Pipeline(store, models)
    config = preset("text_k4")
    cases = tuple(load(TEST_SETS_FOLDER / "outbreak-zh.jsonl"))[:CASES]
    with Sandbox(store.results, pipeline=pipeline) as sandbox:
        corpus = sandbox.open("outbreak-zh")
        index = sandbox.index(corpus, config)
        run = Run(
            id="20300101-000000-abcd-text_k4",
            evaluation="20300101-000000-abcd",
            config=config.to_dict(),
            corpus=corpus.name,
            corpus_digest="c",
            test_set="outbreak-zh",
            test_set_digest="t",
            cases=cases,
            metrics=("token_f1",),
            judging=Judging(model=judge),
            created="2030-01-01T00:00:00+00:00",
        )
        folder = create_run(store, run)
        for number, case in enumerate(cases):
            right = number % 3 != 0
            text = f"{case.reference} [1]" if right else "9999 [1]"
            answer = finish(pipeline.stream(index, case.question, config))
            answer = replace(answer, text=text, citations=(1,))
            folder.add_cell(Cell(configuration=config.name, case=case.id, answer=answer))
            value = (0.7 if right else 0.2) + number / 100
            folder.add_score(case.id, Score(metric="token_f1", family="no judge", value=value))
            if judge:
                judged = Score(metric="agrees_with_reference", family="token judge", value=value)
                folder.add_score(case.id, judged)
    return folder


def label(page: "Page", key: str) -> None:
    """Press a key and wait until the next answer is up."""
    before = page.locator(".label-panel .status").inner_text()
    page.keyboard.press(key)
    page.wait_for_function(
        "before => document.querySelector('.label-panel .status').innerText !== before", arg=before
    )


def verdicts(folder: RunFolder) -> list[str]:
    return [label.value for label in read_labels(folder.folder)]


@pytest.mark.browser
def test_answers_are_labelled_by_keys_and_the_table_opens_to_each(
    open_app: OpenApp, store: Store
) -> None:
    models = ScriptedModels(lambda _system, _user: "7 [1]")
    folder = make_evaluation(store, models)
    visit = open_app(models)
    page = visit.page
    page.get_by_text("chunks indexed").wait_for(timeout=LONG)
    page.get_by_role("tab", name="Trust").click()
    page.get_by_text("label 10 answers first").wait_for(timeout=LONG)

    page.fill("#labeller textarea, #labeller input", "w")
    page.keyboard.type("ur")
    assert verdicts(folder) == []

    page.click("#trust-label")
    page.locator("#label-page img").wait_for(timeout=LONG)
    assert "outbreak-zh.pdf" in page.locator("#label-page").inner_text()
    for _ in range(CASES):
        label(page, "r" if page.locator(".suggestion b.right").count() else "w")
    page.locator(".label-panel", has_text="Every answer is labelled").wait_for()
    assert sorted(verdicts(folder)) == ["right"] * 8 + ["wrong"] * 4
    assert {label.labeller for label in read_labels(folder.folder)} == {"wur"}

    label(page, "z")
    assert len(verdicts(folder)) == CASES - 1
    label(page, "u")
    assert verdicts(folder).count("unsure") == 1

    page.keyboard.press("q")
    page.locator("table.trust").wait_for(timeout=LONG)
    page.locator("#trust-facts", has_text="12 labelled answers").wait_for()
    page.locator("table.trust button.number", has_text="token_f1").click()
    page.locator("#trust-detail .strip-plot").wait_for()
    assert page.locator(".strip-plot circle").count() == CASES - 1
    page.locator(".strip-plot circle").first.dispatch_event("click")
    page.locator("#trust-detail .asked").wait_for()
    page.locator("#trust-detail [data-click='open']").click()
    page.locator("#label-page img").wait_for(timeout=LONG)
    assert page.locator(".label-button[aria-pressed='true']").count() == 1
    assert visit.foreign_requests == []
    assert visit.complaints == []


@pytest.mark.browser
def test_an_answer_judged_while_chatting_is_a_label_and_a_case(
    open_app: OpenApp, store: Store
) -> None:
    visit = open_app(ScriptedModels(lambda _system, _user: "7 [1]"))
    page = visit.page
    page.get_by_text("chunks indexed").wait_for(timeout=LONG)
    page.fill("#question textarea", "全年共發生幾起麻疹群聚事件？")
    page.click("#ask")
    page.locator(".thumb.wrong").click(timeout=LONG)
    page.locator(".thumb-remark", has_text="kept as a label").wait_for()
    page.locator(".thumb", has_text="+ test set").click()
    page.locator(".thumb-remark", has_text="1 in from-chat").wait_for()
    (run,) = find_runs(store, [CHATTED])
    assert verdicts(run) == ["wrong"]
    (case,) = load(store.results / "testsets" / "from-chat.jsonl")
    assert (case.question, case.verified) == ("全年共發生幾起麻疹群聚事件？", False)

    page.get_by_role("tab", name="Trust").click()
    page.locator("#trust-facts", has_text="1 labelled answer").wait_for(timeout=LONG)
    page.get_by_text("the likely right ones come first").wait_for()
    page.get_by_role("tab", name="Test set").click()
    page.click("#testset input")
    page.get_by_role("option", name="from-chat").click()
    page.locator("#testset-status", has_text="1 cases, 0 verified").wait_for()
    assert visit.complaints == []


@pytest.mark.browser
def test_the_judge_is_asked_again_and_what_that_shows_stands_below_the_table(
    open_app: OpenApp, store: Store
) -> None:
    models = ScriptedModels(lambda _system, _user: "7 [1]")
    served = ScriptedOllama([Served(name="llama3.1:latest")], reply=lambda messages: "Yes")
    with served:
        folder = make_evaluation(store, models, judge=f"{served.url}/v1#llama3.1")
        labels = [
            new_label("text_k4", case.id, "right" if number % 3 else "wrong", labeller="me")
            for number, case in enumerate(folder.run.cases)
        ]
        add_labels(folder.folder, labels)
        visit = open_app(models)
        page = visit.page
        page.get_by_text("chunks indexed").wait_for(timeout=LONG)
        page.get_by_role("tab", name="Trust").click()
        page.locator("table.trust").wait_for(timeout=LONG)
        page.get_by_text("test the judge itself").click()
        page.locator("#trust-again").wait_for(timeout=LONG)
        page.wait_for_timeout(500)  # while it unfolds, the form puts its own number back
        page.fill("#trust-retest input", "3")
        page.press("#trust-retest input", "Tab")
        page.click("#trust-again")
        page.locator("#trust-retest-status", has_text="asked again").wait_for(timeout=LONG)
        told = page.locator(".trust-warnings", has_text="agrees_with_reference").first.inner_text()
        assert "agrees_with_reference asked again about 3 answers: " in told
        assert len(served.asked("/v1/chat/completions")) == 3
        assert visit.complaints == []
