"""What the Compare tab shows, as functions from records to HTML."""

import re

import pytest

from sandbox.evaluation.comparison.compare import compare_runs
from sandbox.evaluation.comparison.records import Comparison
from sandbox.evaluation.runs.history import history, newest_evaluation
from sandbox.evaluation.runs.read import read_runs
from sandbox.files.storage import Store
from sandbox.markup.templates import render
from sandbox.ui.compare.asking import asked_html, empty_html
from sandbox.ui.compare.columns import Column, answers_html, chunks_html, differing
from sandbox.ui.compare.result import case_html, comparison_html, diagnosis_html, head_html
from sandbox.ui.compare.story import evidence_of, steps_of, story_html
from sandbox.ui.compare.tab import CompareSession
from sandbox.ui.compare.view import about_html, history_html
from tests.evaluation.compared_runs import answer, describe, retrieved, write
from tests.ui.compared import BOTH, CASES, FOUR, MARKUP, NINE, compared, make


@pytest.fixture
def one_factor(store: Store) -> Comparison:
    return compared(store, FOUR, NINE)


@pytest.fixture
def two_factors(store: Store) -> Comparison:
    return compared(store, FOUR, BOTH)


def words(html: str) -> str:
    """The text that a browser shows, without pictures' titles."""
    return " ".join(re.sub("<[^>]+>", " ", re.sub("<title>.*?</title>", "", html)).split())


def result(comparison: Comparison) -> str:
    """The whole comparison, with the first pair open."""
    return comparison_html(comparison, comparison.pairs[0])


def test_one_factor_can_be_credited(one_factor: Comparison) -> None:
    assert (
        "differs A B top_k 4 9 Only top_k (4 → 9) differs, so a difference can be credited to it."
    ) in words(result(one_factor))


def test_several_factors_name_what_is_missing_with_a_button(two_factors: Comparison) -> None:
    html = result(two_factors)
    assert "nothing can be credited to any single one." in words(html)
    assert "text_k9 differs from A in top_k alone" in words(html)
    assert "Evaluate 2 missing configurations" in words(html)
    assert html.count("data-click='send'") == 1


def test_what_was_run_in_between_can_be_added(store: Store) -> None:
    make(store, NINE)
    html = result(compared(store, FOUR, BOTH))
    assert "add text_k9 was run: it differs from A in top_k alone" in words(html)
    assert "data-click='add' data-run='first-text_k9'" in html
    assert "Evaluate 1 missing configuration" in words(html)


def test_right_and_wrong_are_paired_and_flips_say_which_layer_decided(
    one_factor: Comparison,
) -> None:
    html = result(one_factor)
    table = re.search("<table class='two-by-two'>.*?</table>", html, re.DOTALL)
    assert table
    assert words(table.group()) == "B right B wrong A right 1 0 A wrong 7 0"
    assert "B answers more cases right" in words(html)
    assert html.count("<li role='button'") == 7
    assert "A takes only 4: top_k decided" in words(html)
    assert MARKUP not in html


def test_metrics_that_may_not_decide_are_greyed_with_the_reason(one_factor: Comparison) -> None:
    html = result(one_factor)
    assert "<tr class='decides'" in html
    assert "recall@5 0.50 0.50 +0.00" in words(html)


def test_a_difference_beyond_one_widens_its_axis() -> None:
    def bar(difference: float, low: float, high: float) -> str:
        values = {"difference": difference, "low": low, "high": high, "decides": True}
        return render("ui/compare/pair.html#difference_bar", **values)

    assert "cx='66.0'" in bar(0.0, -0.1, 0.1)
    assert "cx='128.0'" in bar(30.0, 1.0, 30.0)


def test_rates_costs_diagnosis_and_slices_stand_together(one_factor: Comparison) -> None:
    html = result(one_factor)
    shown = words(html)
    assert "12 % [2 %, 47 %] of 8" in shown
    assert "100 % [68 %, 100 %] of 8" in shown
    assert "2.0 s 100 prompt + 10 answer tokens" in shown
    assert "ranked below the cut 7 –" in shown
    assert "data-click='diagnosis'" in html
    assert shown.index("odd") > shown.index("Where each is weakest")
    assert "<svg class='front'" in html


def test_without_labels_it_says_what_to_do(store: Store) -> None:
    folders = [make(store, config, labels=False) for config in (FOUR, NINE)]
    comparison = compare_runs(read_runs(folders))
    assert "no label among 8" in words(result(comparison))
    assert "cannot" not in words(head_html(comparison))


def test_each_of_several_runs_has_a_line_of_its_own(store: Store) -> None:
    comparison = compared(store, FOUR, NINE, BOTH)
    html = comparison_html(comparison, comparison.pairs[1])
    assert "Each against the baseline, text_k4" in words(html)
    assert "text_k9 top_k +7 −0 text_k9 is better" in words(html)
    assert html.count("<tr class='row shown'") == 1


def test_runs_of_one_configuration_are_told_apart_by_their_time(store: Store) -> None:
    cases = [CASES[0]]
    folders = [
        write(store, describe(FOUR, cases, id=id, created=created), {"case-1": answer("1", 1)})
        for id, created in (("one", "2030-01-01T08:00:00Z"), ("two", "2030-01-02T09:30:00Z"))
    ]
    comparison = compare_runs(read_runs(folders))
    shown = words(comparison_html(comparison, comparison.pairs[0]))
    assert "A text_k4 (2030-01-01 08:00 UTC) against B text_k4 (2030-01-02 09:30 UTC)" in shown
    assert "No setting that matters differs" in shown


def test_a_case_opens_with_both_answers_and_their_chunks(one_factor: Comparison) -> None:
    html = case_html(one_factor, one_factor.pairs[0], "case-1")
    assert "<mark>99</mark>" in html
    assert "<mark>1</mark>" in html
    assert "4 of 9 chunks of wards.pdf are in both" in words(html)
    assert html.count("holds the evidence") == 1
    assert MARKUP not in html
    assert case_html(one_factor, one_factor.pairs[0], "case-99") == ""


def test_a_diagnosis_opens_its_cases_with_the_lever(one_factor: Comparison) -> None:
    html = diagnosis_html(one_factor, "first-text_k4", "ranked below the cut")
    assert html.count("data-click='case'") == 7
    assert "try first:" in words(html)
    assert diagnosis_html(one_factor, "first-text_k4", "invented") == ""


def test_a_story_goes_from_what_was_tried_to_the_conclusion(one_factor: Comparison) -> None:
    (pair,) = one_factor.pairs
    steps = steps_of(pair)
    assert [step.kind for step in steps[:4]] == ["opening", "question", "answers", "chunk"]
    assert (len(steps), steps[-1].kind) == (11, "conclusion")
    assert "What was tried A text_k4 against B text_k9" in words(story_html(one_factor, pair, 0))
    told = words(story_html(one_factor, pair, 3))
    assert "top_k decided" in told
    assert "B rank 9 of 9" in told
    assert "A not retrieved" in told
    found = evidence_of(pair, steps[3])
    assert found
    assert (found[0], found[1].rank) == ("first-text_k9", 9)
    assert evidence_of(pair, steps[2]) is None
    assert MARKUP not in "".join(story_html(one_factor, pair, step) for step in range(11))


def test_a_story_without_any_difference_has_two_steps(store: Store) -> None:
    comparison = compared(store, NINE, BOTH)
    kinds = [step.kind for step in steps_of(comparison.pairs[0])]
    assert kinds == ["opening", "conclusion"]


def test_the_newest_evaluation_is_chosen_presets_in_their_order(store: Store) -> None:
    for config in (NINE, FOUR):
        make(store, config)
    past = history(store)
    chosen = newest_evaluation(past)
    assert chosen == ("first-text_k4", "first-text_k9")
    html = history_html(past, chosen, managed="first-text_k9")
    assert html.count("aria-pressed='true'") == 2
    assert "baseline" in words(html)
    assert "as baseline" in words(html)
    assert "1 right of 8 labelled" in words(html)
    assert "first-text_k4" in words(about_html(past[0])) + words(about_html(past[1]))
    assert history_html((), ()) == ""


def test_a_single_new_run_comes_with_the_evaluation_before_it(store: Store) -> None:
    for config in (FOUR, BOTH):
        make(store, config)
    later = describe(NINE, CASES, id="second", evaluation="second", created="2031-01-01T00:00:00Z")
    write(store, later, {})
    assert newest_evaluation(history(store)) == ("first-text_k4", "second", f"first-{BOTH.name}")


def test_a_run_of_a_configuration_that_was_sent_joins_the_choice(store: Store) -> None:
    for config in (FOUR, BOTH):
        make(store, config)
    session = CompareSession()
    past = history(store)
    session.take(past)
    session.awaited = frozenset({"text_k9"})
    make(store, NINE)
    session.take(history(store))
    assert session.chosen == ("first-text_k4", f"first-{BOTH.name}", "first-text_k9")
    assert not session.awaited


def test_an_answer_that_is_being_written_is_not_held_against_others() -> None:
    columns = [
        Column(position=0, name="text_k4", answer=answer("99 beds"), text="99 beds"),
        Column(position=1, name="ctx_k9", state="writing", text="9", retrieved=retrieved(1)),
        Column(position=2, name="ctx_k4", state="pending", note="waiting"),
    ]
    html = answers_html(columns)
    assert "<mark>" not in html
    assert words(html).startswith("A text_k4 99 beds")
    assert "C ctx_k4 waiting" in words(html)
    assert "1 p. 1 · text" in words(chunks_html(columns[1:2]))
    assert "0 of 1 chunks of wards.pdf are in all" in words(asked_html("Beds?", columns))


def test_before_anything_is_asked_it_says_what_will_be_seen() -> None:
    assert "on the Ask tab first" in empty_html("", ())
    assert "data-question='Why?'" in empty_html("wards", ["Why?"])


def marked(text: str, *others: str) -> list[str]:
    return [piece.text for piece in differing(text, others) if piece.differs]


def test_the_words_that_another_answer_lacks_are_marked() -> None:
    assert marked("It was 1,024 in 2019.", "It was 98 in 2019.") == ["1,024"]
    assert marked("最多的是2019年", "最多的是2018年") == ["2019"]
    assert marked("equal", "equal") == []


def test_citations_are_no_difference() -> None:
    assert marked("141 cases [1]", "141 cases [2]") == []


def test_spaces_between_marked_words_are_marked_with_them() -> None:
    assert marked("the ward in the north", "the ward") == ["in the north"]


def test_pieces_are_the_whole_text_again() -> None:
    text = "It was 98 [1], in 2019。\n<b>最多</b>"
    assert "".join(piece.text for piece in differing(text, ["other words"])) == text


def test_nothing_is_marked_without_another_answer() -> None:
    assert marked("141 cases", "") == []
    assert marked("141 cases") == []
