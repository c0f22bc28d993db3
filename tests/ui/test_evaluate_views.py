"""What the Evaluate tab shows, as functions from records to HTML."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from sandbox.config import preset
from sandbox.evaluation.running.plan import Plan
from sandbox.evaluation.runs.cells import CellView
from sandbox.evaluation.runs.folder import create_run
from sandbox.evaluation.runs.read import RunView, evaluations, read_runs
from sandbox.evaluation.runs.records import Cell, Judging, Run, Score, Verdict
from sandbox.files.storage import Store
from sandbox.records import Answer
from sandbox.testsets.cases import TestCase
from sandbox.ui.evaluate.tab import EvaluateSession
from sandbox.ui.evaluate.view import (
    cases_html,
    choice_html,
    detail_html,
    plan_html,
    result_html,
    unfinished_html,
)

MARKUP = "<script>x</script>"


def case(id: str, question: str = "When?") -> TestCase:
    return TestCase(
        id=id,
        question=question,
        reference="At nine.",
        accepted_answers=("nine",),
        source="text",
        category="times",
        verified=True,
    )


def words(html: str) -> str:
    """The text that a browser shows, without pictures' titles."""
    return " ".join(re.sub("<[^>]+>", " ", re.sub("<title>.*?</title>", "", html)).split())


def section(html: str, title: str) -> str:
    """The section of a result under that heading, without it."""
    match = re.search(f"<section><h3>{title}</h3>(.*?)</section>", html, re.DOTALL)
    assert match
    return match.group(1)


def scored(cell: CellView) -> Score:
    return cell.scores["faithfulness"]


@pytest.fixture
def views(tmp_path: Path) -> tuple[RunView, ...]:
    """Three cases: one right with a score, one without an answer, one whose score failed."""
    store = Store(tmp_path)
    cases = (case("c1"), case("c2"), case("c3", MARKUP))
    run = Run(
        id="r",
        evaluation="e",
        config=preset("ctx_k9").to_dict(),
        corpus="ferry",
        corpus_digest="d",
        test_set="ferry",
        test_set_digest="t",
        cases=cases,
        metrics=("faithfulness",),
    )
    folder = create_run(store, run)
    for asked, text in ((cases[0], "At nine [1]."), (cases[2], f"At ten {MARKUP}")):
        answer = Answer(
            question=asked.question,
            text=text,
            refused=False,
            retrieved=(),
            seconds={"answer": 1.5},
            tokens={"prompt": 1200, "answer": 5},
        )
        folder.add_cell(Cell(configuration="ctx_k9", case=asked.id, answer=answer))
    folder.add_cell(Cell(configuration="ctx_k9", case="c2", answer=None, failure=f"cut {MARKUP}"))
    verdict = Verdict(
        statement=f"It leaves at nine {MARKUP}",
        verdict="supported",
        value=0.75,
        reason="chunk 1 says so",
        prompt=f"Judge {MARKUP}",
        reply='{"verdict": 1}',
    )
    scores = {
        "c1": Score(
            metric="faithfulness",
            family="ragas",
            value=0.75,
            granularity=1,
            calls=2,
            tokens=900,
            seconds=3.0,
            detail=(verdict,),
        ),
        "c2": Score(metric="faithfulness", family="ragas", value=None, reason="there is no answer"),
        "c3": Score(metric="faithfulness", family="ragas", value=None, reason=f"cut {MARKUP}"),
    }
    for id, score in scores.items():
        folder.add_score(id, score)
    return read_runs(evaluations(store)[0].runs)


def test_a_mean_says_how_many_cells_it_rests_on_and_its_bounds(
    views: tuple[RunView, ...],
) -> None:
    assert words(section(result_html(views), "Means")).endswith(
        "metric ctx_k9 ragas faithfulness 0.75 1 of 3 scored 2 failed: 0.25 to 0.92"
    )


def test_means_of_metrics_that_may_not_decide_are_greyed_with_the_reason(
    views: tuple[RunView, ...],
) -> None:
    html = section(result_html(views, {"faithfulness": "noise: AUC 0.51 covers 0.5"}), "Means")
    assert "<tr class='untrusted'>" in html
    assert "title='noise: AUC 0.51 covers 0.5'>noise<" in html
    assert "greyed: not shown to know right from wrong" in words(html)
    trusted = section(result_html(views, {}), "Means")
    assert "untrusted" not in trusted
    assert "greyed" not in trusted


def test_without_labels_it_is_said_that_no_mean_is_known_to_decide(
    views: tuple[RunView, ...],
) -> None:
    assert "nobody has labelled answers of these runs right and wrong" in words(result_html(views))
    assert not EvaluateSession(views=views).has_both_classes


def test_the_matrix_tells_suggestions_and_missing_answers_apart(
    views: tuple[RunView, ...],
) -> None:
    html = section(result_html(views), "Right and wrong by case")
    assert re.findall("button class='mark ([^']*?) ?'", html) == [
        "right suggested",
        "none",
        "wrong suggested",
    ]
    assert "1 right · 1 wrong 2 only suggested" in words(html)


def test_failures_stand_with_their_reason_and_where(views: tuple[RunView, ...]) -> None:
    failures = re.search("<details class='failures'>.*?</details>", result_html(views))
    assert failures
    assert words(failures.group()) == (
        "2 without an answer or a score, by reason "
        "no answer: cut &lt;script&gt;x&lt;/script&gt; 1×: ctx_k9/c2 "
        "no faithfulness: cut &lt;script&gt;x&lt;/script&gt; 1×: ctx_k9/c3"
    )


def test_a_breakdown_has_sources_and_categories_with_a_dot_a_score(
    views: tuple[RunView, ...],
) -> None:
    html = section(result_html(views), "By source and category")
    assert "source: text 3 cases 0.75 1 of 3 scored" in words(html)
    assert "category: times 3 cases" in words(html)
    assert html.count("<circle") == 2


def test_values_beyond_one_are_counted_instead_of_drawn(
    views: tuple[RunView, ...],
) -> None:
    cells = {
        id: replace(cell, scores={"faithfulness": replace(scored(cell), value=value)})
        for (id, cell), value in zip(views[0].cells.items(), (12.0, 40.0, 12.0), strict=True)
    }
    html = section(result_html([replace(views[0], cells=cells)]), "By source and category")
    assert "<span class='basis'>3 scores from 12.0 to 40.0</span>" in html
    assert "<circle" not in html


def test_costs_stand_by_configuration(views: tuple[RunView, ...]) -> None:
    shown = words(section(result_html(views), "Time and tokens"))
    assert "seconds to answer, mean 1.50" in shown
    assert "seconds to retrieval, mean –" in shown
    assert "prompt tokens 2,400" in shown
    assert "judge calls 2 " in shown


def test_a_score_opens_to_prompt_reply_reason_and_verdict(
    views: tuple[RunView, ...],
) -> None:
    html = detail_html(views[0], show="score", metric="faithfulness", case="c1")
    shown = words(html)
    assert shown.startswith("faithfulness of c1, ctx_k9: 0.75")
    assert "made of 1 verdict · 2 judge calls, 0 saved · 900 tokens · 3.00 s" in shown
    assert "supported 0.75 It leaves at nine" in shown
    assert "chunk 1 says so" in shown
    assert "prompt Judge" in shown
    assert "{&#34;verdict&#34;: 1}" in shown


def test_a_metric_opens_to_its_cases_failures_first(views: tuple[RunView, ...]) -> None:
    html = detail_html(views[0], show="metric", metric="faithfulness")
    assert re.findall("data-click='score' [^>]*>([^<]*)<", html) == ["failed", "failed", "0.75"]


def test_a_mark_opens_to_the_answer_and_its_scores(views: tuple[RunView, ...]) -> None:
    shown = words(detail_html(views[0], show="cell", case="c1"))
    assert "answer At nine [1]. reference At nine." in shown
    assert "right, suggested: it holds an accepted answer" in shown
    assert "0.75 faithfulness" in shown


def test_what_does_not_exist_opens_nothing(views: tuple[RunView, ...]) -> None:
    assert detail_html(views[0], show="score", metric="faithfulness", case="../x") == ""
    assert detail_html(views[0], show="metric", metric="<b>") == ""


def test_markup_of_documents_and_models_is_shown_literally(
    views: tuple[RunView, ...],
) -> None:
    pieces = [
        result_html(views),
        *(
            detail_html(views[0], show=show, metric="faithfulness", case=id)
            for show in ("metric", "cell", "score")
            for id in ("c1", "c2", "c3")
        ),
    ]
    assert "<script" not in "".join(pieces)


def test_nothing_measured_says_what_to_do() -> None:
    assert words(result_html(())).endswith("then press Evaluate.")


def test_a_plan_names_calls_tokens_minutes_and_what_overflows() -> None:
    planned = Plan(
        answers=12,
        judge_calls={"faithfulness": 24},
        after_cache=18,
        tokens=45_000,
        overflowing_prompts=2,
        minutes=6.0,
    )
    shown = words(plan_html(planned))
    assert shown.startswith(
        "12 answers to make · 18 judge calls · 6 of 24 saved as known or equal · "
        "about 45,000 tokens · about 6 min of judging at the measured pace"
    )
    assert "2 prompts do not fit the judge&#39;s context" in shown
    assert shown.endswith("faithfulness 24")


def test_a_plan_shows_calls_by_configuration_the_time_of_answering_and_what_is_doubtful() -> None:
    planned = Plan(
        answers=2,
        judge_calls={"faithfulness": 6, "complete": 1},
        judge_calls_by_configuration={
            "text_k4": {"faithfulness": 4, "complete": 1},
            "ctx_k9": {"faithfulness": 2},
        },
        after_cache=7,
        tokens=700,
        overflowing_prompts=0,
        answer_minutes=3.0,
        answer_pace="earlier runs",
        warnings=("it judges <itself>",),
    )
    shown = words(plan_html(planned))
    assert (
        "2 answers to make · about 3 min of answering as in earlier runs · 7 judge calls" in shown
    )
    assert "it judges &lt;itself&gt;" in shown
    assert shown.endswith("metric all text_k4 ctx_k9 faithfulness 6 4 2 complete 1 1 0")


def test_an_unfinished_evaluation_says_what_is_there_and_that_it_goes_on(
    views: tuple[RunView, ...],
) -> None:
    assert unfinished_html(views) == ""
    view = views[0]
    left = replace(view.cells["c1"], answer=None, failure="not asked yet", is_asked=False)
    assert words(unfinished_html([replace(view, cells={**view.cells, "c1": left})])) == (
        "this evaluation is not finished: 2 of 3 answers are there; Resume goes on from there"
    )


def test_a_judge_of_its_own_answers_is_named_beside_the_result(
    views: tuple[RunView, ...],
) -> None:
    models = {"chat_model": "ollama:llama3.1"}
    run = replace(views[0].run, judging=Judging(model="ollama:llama3.1-judge"), models=models)
    assert "judge ollama:llama3.1-judge, which also answered and may prefer its own" in words(
        result_html([replace(views[0], run=run)])
    )
    other = replace(run, models={"chat_model": "ollama:qwen2.5"})
    assert "which also answered" not in result_html([replace(views[0], run=other)])


def test_a_repeated_judgement_opens_to_each_of_its_values(
    views: tuple[RunView, ...],
) -> None:
    score = views[0].scores["faithfulness", "c1"]
    first, second = (
        replace(score.detail[0], judgement=place, reason=f"reason {place}") for place in (1, 2)
    )
    repeated = replace(
        score,
        value=0.5,
        detail=(first, second),
        judgements=(0.25, 0.75, None),
        standard_deviation=0.35,
    )
    cells = views[0].cells
    cell = replace(cells["c1"], scores={**cells["c1"].scores, "faithfulness": repeated})
    html = detail_html(
        replace(views[0], cells={**cells, "c1": cell}),
        show="score",
        metric="faithfulness",
        case="c1",
    )
    shown = words(html)
    assert "standard deviation of 3 judgements 0.35" in shown
    headings = [shown.index(text) for text in ("judgement 1: 0.25", "judgement 2: 0.75")]
    assert headings[0] < shown.index("reason 1") < headings[1] < shown.index("reason 2")
    assert shown.endswith("judgement 3: failed")


def test_the_spread_of_repeated_judgements_stands_beside_the_mean(
    views: tuple[RunView, ...],
) -> None:
    cell = views[0].cells["c1"]
    repeated = replace(scored(cell), judgements=(0.6, 0.9), standard_deviation=0.12)
    cells = {**views[0].cells, "c1": replace(cell, scores={"faithfulness": repeated})}
    html = section(result_html([replace(views[0], cells=cells)]), "Means")
    assert "± 0.12 judging" in words(html)


def test_a_plan_without_a_judge_is_one_line() -> None:
    planned = Plan(answers=6, judge_calls={}, after_cache=0, tokens=0, overflowing_prompts=0)
    assert words(plan_html(planned)) == "6 answers to make · no judge calls"


def test_the_form_says_what_is_chosen_and_what_is_missing() -> None:
    assert words(choice_html([preset("ctx_k9")], ["mrr"])) == "ctx_k9 by 1 metric"
    assert words(choice_html([], ["mrr"])) == "no configuration is ticked; tick at least one"
    assert words(cases_html([case("c1")])) == "1 verified case"
