"""What the Trust tab shows, as functions from records to HTML."""

import re
from dataclasses import replace

import pytest
from markupsafe import Markup

from sandbox.evaluation.labelling.session import LabelCounts
from sandbox.evaluation.runs.folder import RunFolder
from sandbox.evaluation.runs.labels import add_labels, new_label
from sandbox.evaluation.runs.read import read_runs
from sandbox.evaluation.runs.records import Cell, Score
from sandbox.evaluation.trust.cells import collect_cells
from sandbox.evaluation.trust.records import TrustTable
from sandbox.evaluation.trust.table import Choices, build_trust_table
from sandbox.files.storage import Store
from sandbox.markup.plots import Dot, draw_interval, draw_roc, draw_strip_plot
from sandbox.ui.trust.view import head_html, metric_html, needs_labels_html, table_html
from tests.evaluation.scripted_runs import answer, case, make_run

MARKUP = "<script>x</script>"
CASES = 24


@pytest.fixture
def run(store: Store) -> RunFolder:
    """Every third answer is wrong; "good" knows it but for one, "coin" knows nothing."""
    folder = make_run(
        store,
        cases=tuple(case(n, question=f"Beds {n} {MARKUP}?") for n in range(1, CASES + 1)),
        metrics=("good", "coin"),
    )
    labels = []
    for number, asked in enumerate(folder.run.cases, start=1):
        right = number % 3 != 0
        given = answer(asked, "text_k4", number, text=f"{number if right else 99} beds {MARKUP}")
        folder.add_cell(Cell(configuration="text_k4", case=asked.id, answer=given))
        good = 0.1 if number == 1 else 0.6 + number / 100 if right else number / 100
        coin = 0.5 if number % 2 else 1.0
        for metric, value in (("good", good), ("coin", coin)):
            folder.add_score(
                asked.id,
                Score(metric=metric, family="token judge", value=value, calls=2, seconds=1.5),
            )
        labels.append(new_label("text_k4", asked.id, "right" if right else "wrong", labeller="me"))
    add_labels(folder.folder, labels)
    return folder


@pytest.fixture
def table(run: RunFolder) -> TrustTable:
    return build_trust_table(collect_cells(read_runs([run])), Choices(resamples=200))


def words(html: str) -> str:
    """The text that a browser shows, without pictures' titles."""
    return " ".join(re.sub("<[^>]+>", " ", re.sub("<title>.*?</title>", "", html)).split())


def counts(*, right: int = 0, wrong: int = 0, unsure: int = 0, cells: int = 48) -> LabelCounts:
    return LabelCounts(cells=cells, right=right, wrong=wrong, unsure=unsure, accepted=0)


def row(html: str, metric: str) -> str:
    pattern = f"<tr class='[^']*' data-click='metric' data-run='' data-metric='{metric}'.*?</tr>"
    found: list[str] = re.findall(pattern, html)
    return found[0]


def test_the_first_line_says_what_is_looked_at(run: RunFolder) -> None:
    html = head_html([run.run, run.run], counts(right=31, wrong=17, cells=50))
    assert words(html) == "2 runs · 48 labelled answers (31 right, 17 wrong) of 50 · no judge"


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        (counts(), "label 10 answers first"),
        (counts(unsure=3), "label 10 answers first"),
        (counts(right=5), "the likely wrong ones come first"),
        (counts(wrong=5), "the likely right ones come first"),
        (counts(cells=0), "have no answers yet; finish them on the Evaluate tab"),
    ],
)
def test_before_there_is_a_table_it_says_what_to_do(given: LabelCounts, sentence: str) -> None:
    assert sentence in words(needs_labels_html(given))


def test_with_both_classes_nothing_stands_in_the_way_of_the_table() -> None:
    assert needs_labels_html(counts(right=1, wrong=1)) == ""


def test_a_row_has_means_counts_interval_cost_and_trust(table: TrustTable) -> None:
    good = words(row(table_html(table), "good"))
    assert good.startswith("good 0.69 n 16 0.13 n 8 +0.55 0.96 [")
    assert "2 calls 1.5 s 100% separates" in good


def test_metrics_that_separate_are_named_and_others_are_greyed(table: TrustTable) -> None:
    html = table_html(table)
    assert "class='row trusted'" in row(html, "good")
    assert "class='row untrusted'" in row(html, "coin")
    assert "class='row untrusted shown'" in row(table_html(table, shown="coin"), "coin")
    assert "good knows right from wrong, too" in words(html)


def test_where_no_baseline_separates_the_rival_is_named_in_words(table: TrustTable) -> None:
    judged = tuple(row for row in table.metrics if not row.is_baseline)
    html = table_html(replace(table, metrics=judged))
    assert "good knows right from wrong, but is not shown to beat what costs nothing" in words(html)


def test_baselines_are_marked(table: TrustTable) -> None:
    assert "baseline" in words(row(table_html(table), "answer_length"))
    assert "baseline" not in words(row(table_html(table), "coin"))


def test_a_metric_opens_to_every_labelled_answer(table: TrustTable) -> None:
    html = metric_html(table, "good")
    assert html.count("<circle") == CASES
    assert "n = 16" in words(html)
    assert "n = 8" in words(html)
    assert html.count("data-click='score'") >= CASES
    assert "class='threshold'" in html
    assert "let pass what scores at least" in words(html)
    assert "ROC curve" in words(html)


def test_the_worst_misses_are_listed_with_their_question(table: TrustTable) -> None:
    shown = words(metric_html(table, "good"))
    misses = shown.split("right, but scored low")[1]
    assert misses.strip().startswith("0.10 Beds 1 &lt;script&gt;")
    assert "text_k4 · case-1" in misses


def test_a_metric_that_says_the_same_of_all_has_no_misses_and_is_not_praised(
    run: RunFolder,
) -> None:
    for asked in run.run.cases:
        run.add_score(asked.id, Score(metric="same", family="token judge", value=1.0))
    constant = build_trust_table(collect_cells(read_runs([run])), Choices(resamples=200))
    shown = words(metric_html(constant, "same"))
    assert "misses" not in shown
    assert "scored low" not in shown


def test_the_combination_opens_too(table: TrustTable) -> None:
    html = metric_html(table, "combined")
    assert html.count("<circle") in (0, CASES)


def test_a_metric_that_does_not_exist_opens_nothing(table: TrustTable) -> None:
    assert metric_html(table, "<b>") == ""


def test_markup_of_documents_is_shown_literally(table: TrustTable) -> None:
    assert "<script" not in table_html(table) + metric_html(table, "good")


def dots(*values: float, right: bool = True) -> list[Dot]:
    return [
        Dot(value=value, right=right, name=f"c{n}", target=Markup(""))
        for n, value in enumerate(values)
    ]


def places(html: str) -> list[tuple[str, str]]:
    return re.findall("cx='([^']*)' cy='([^']*)'", html)


def test_equal_scores_are_spread_and_none_hides_another() -> None:
    found = places(draw_strip_plot(dots(*[1.0] * 23)))
    assert len(set(found)) == 23


def test_a_hundred_equal_scores_stay_inside_the_plot() -> None:
    html = draw_strip_plot(dots(*[1.0] * 100, right=False))
    width, height = map(float, re.findall("viewBox='0 0 ([0-9]+) ([0-9]+)'", html)[0])
    for x, y in places(html):
        assert 0 < float(x) < width
        assert 0 < float(y) < height


def test_the_plot_is_the_same_every_time() -> None:
    assert draw_strip_plot(dots(0.1, 0.1, 0.9)) == draw_strip_plot(dots(0.1, 0.1, 0.9))


def test_scores_beyond_one_get_an_axis_of_their_own() -> None:
    assert "400.0" in words(draw_strip_plot(dots(100.0, 400.0)))


def test_equal_scores_of_zero_are_drawn() -> None:
    assert len(places(draw_strip_plot(dots(0.0, 0.0)))) == 2


def test_an_interval_says_its_numbers_to_those_who_cannot_see_it() -> None:
    html = draw_interval(0.84, 0.71, 0.93, trusted=True)
    assert "aria-label='AUC 0.84, between 0.71 and 0.93; chance is 0.50'" in html


def test_a_perfect_metric_has_a_curve_through_the_corner() -> None:
    html = draw_roc([0.9, 0.8, 0.1], [True, True, False], lower_is_better=False)
    points = re.findall("class='curve' points='([^']*)'", html)[0].split()
    assert points[2] == "34.0,8.0"
    turned = draw_roc([0.1, 0.2, 0.9], [True, True, False], lower_is_better=True)
    assert re.findall("class='curve' points='([^']*)'", turned)[0].split() == points
