"""Journeys through the Compare tab in Chromium, with scripted models."""

from dataclasses import replace

import pytest

from sandbox.config import preset
from sandbox.evaluation.runs.folder import create_run, list_runs
from sandbox.evaluation.runs.labels import add_labels, new_label
from sandbox.evaluation.runs.records import Cell, Right, Run, Score
from sandbox.experiments.experiment import corpus_digest
from sandbox.files.storage import Store
from sandbox.library import Sandbox
from sandbox.models.scripted import ScriptedModels
from sandbox.progress import finish
from sandbox.rag.pipeline import Pipeline
from sandbox.testsets.cases import TEST_SETS_FOLDER, load
from tests.ui.conftest import OpenApp

LONG = 60_000
"""Milliseconds that reading and indexing may take on a busy machine."""

CASES = 8
MARKUP = "<img src=x onerror=document.title='OWNED'>"


def make_runs(store: Store, models: ScriptedModels) -> None:
    """The bundled corpus's first cases: all wrong with text_k4, all right with ctx_k9."""
    pipeline = Pipeline(store, models)
    cases = tuple(load(TEST_SETS_FOLDER / "outbreak-zh.jsonl"))[:CASES]
    with Sandbox(store.results, pipeline=pipeline) as sandbox:
        corpus = sandbox.open("outbreak-zh")
        for config, right in ((preset("text_k4"), False), (preset("ctx_k9"), True)):
            index = sandbox.index(corpus, config)
            run = Run(
                id=f"20300101-000000-abcd-{config.name}",
                evaluation="20300101-000000-abcd",
                config=config.to_dict(),
                corpus=corpus.name,
                corpus_digest=corpus_digest(corpus),
                test_set="outbreak-zh",
                test_set_digest="t",
                cases=cases,
                metrics=("token_f1",),
                models={
                    "chat_model": models.chat_model("auto").name,
                    "embedder": models.embedder("auto").name,
                },
                created="2030-01-01T00:00:00+00:00",
            )
            folder = create_run(store, run)
            labels = []
            for case in cases:
                answer = finish(pipeline.stream(index, case.question, config))
                text = f"{case.reference} [1]" if right else f"9999 {MARKUP} [1]"
                answer = replace(answer, text=text, citations=(1,))
                folder.add_cell(Cell(configuration=config.name, case=case.id, answer=answer))
                value = 0.9 if right else 0.1
                folder.add_score(case.id, Score(metric="token_f1", family="no judge", value=value))
                verdict: Right = "right" if right else "wrong"
                labels.append(new_label(config.name, case.id, verdict, labeller="me"))
            add_labels(folder.folder, labels)


@pytest.mark.browser
def test_runs_are_compared_looked_into_told_and_followed_up(
    open_app: OpenApp, store: Store
) -> None:
    models = ScriptedModels(lambda _system, _user: "7 [1]")
    make_runs(store, models)
    visit = open_app(models)
    page = visit.page
    page.get_by_text("chunks indexed").wait_for(timeout=LONG)
    page.get_by_role("tab", name="Compare").click()
    page.locator("#compare-result .lead", has_text="B answers more cases right").wait_for(
        timeout=LONG
    )
    assert page.locator(".flips li").count() == CASES
    assert page.locator(".front circle").count() == 2

    page.locator(".flips li").first.click()
    page.locator("#compare-detail .side", has_text=MARKUP).wait_for()
    assert page.locator("#compare-detail .aligned tbody tr").count() >= 9
    page.click("#compare-detail .close")
    page.locator("#compare-detail .sides").wait_for(state="detached")

    page.click("#compare-story-mode")
    page.locator(".step-opening").wait_for()
    for step in ("question", "answers", "chunk"):
        page.keyboard.press("ArrowRight")
        page.locator(f".step-{step}").wait_for()
    page.locator("#story-page img").wait_for(timeout=LONG)
    page.keyboard.press("ArrowLeft")
    page.locator(".step-answers").wait_for()
    page.click("#compare-back")

    page.locator("button.action", has_text="Evaluate 2 missing configurations").click()
    page.locator("#evaluate-sent").get_by_label("text_k9", exact=True).wait_for(timeout=LONG)
    assert page.locator("#evaluate-sent input:checked").count() == 2
    assert page.locator("#evaluate-cases input").input_value() == str(CASES)
    page.locator("#evaluate-configurations", has_text="ctx_k4, text_k9").wait_for()
    page.click("#plan")
    page.locator("#evaluate-progress", has_text="16 answers to make").wait_for(timeout=LONG)

    page.click("#evaluate")
    page.locator("#evaluate-progress", has_text="finished").wait_for(timeout=LONG)
    page.get_by_role("tab", name="Compare").click()
    page.locator("table.pairs", has_text="text_k9").wait_for(timeout=LONG)
    rows = page.locator("table.pairs tbody tr").all_inner_texts()
    assert [row.split()[:2] for row in rows] == [
        ["ctx_k9", "index,"],
        ["ctx_k4", "index"],
        ["text_k9", "top_k"],
    ]
    assert page.locator("button.action").count() == 0
    assert page.title() == "RAG Sandbox"
    assert visit.foreign_requests == []
    assert visit.complaints == []


@pytest.mark.browser
def test_one_question_goes_to_three_configurations_and_a_run_is_deleted_after_asking_twice(
    open_app: OpenApp, store: Store
) -> None:
    models = ScriptedModels(lambda _system, _user: f"7 [1] {MARKUP}")
    make_runs(store, models)
    visit = open_app(models)
    page = visit.page
    page.get_by_text("chunks indexed").wait_for(timeout=LONG)
    page.get_by_role("tab", name="Compare").click()
    page.locator("#compare-result .lead").wait_for(timeout=LONG)
    page.click("#compare-ask-mode")
    page.locator("#compare-answers .example").first.wait_for()
    page.click("#compare-config-c input")
    page.get_by_role("option", name="caption_k4").click()
    page.fill("#compare-question textarea", "全年共發生幾起麻疹群聚事件？")
    page.click("#compare-ask")
    page.locator("#compare-stop").wait_for(state="hidden", timeout=LONG)
    page.locator(".side", has_text="caption_k4").locator(".reply", has_text=MARKUP).wait_for()
    assert page.locator(".side .reply", has_text=MARKUP).count() == 3
    assert page.locator("#compare-answers .aligned thead th").count() == 4
    page.locator("#compare-answers [data-click='page']").first.click()
    page.locator("#compare-ask-page img").wait_for(timeout=LONG)
    page.click("#compare-back")

    page.get_by_label("more about ctx_k9").click()
    page.fill("#compare-name input, #compare-name textarea", "with figures")
    page.click("#compare-keep")
    page.locator(".past-name", has_text="with figures").wait_for()
    page.click("#compare-delete")
    page.locator("#compare-keeping-said", has_text="8 answers").wait_for()
    page.click("#compare-for-good")
    page.locator("#compare-keeping-said", has_text="nothing was deleted").wait_for()
    written = "#compare-confirmation input, #compare-confirmation textarea"
    page.fill(written, "20300101-000000-abcd-ctx_k9")
    page.click("#compare-for-good")
    page.locator("#compare-result .empty", has_text="at least two runs").wait_for(timeout=LONG)
    assert [folder.run.configuration for folder in list_runs(store)] == ["text_k4"]
    assert page.title() == "RAG Sandbox"
    assert visit.complaints == []
