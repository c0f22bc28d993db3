"""Ranking and judge-free metrics on samples: worked arithmetic, Chinese, what cannot be scored."""

from dataclasses import replace
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandbox.errors import ConfigError
from sandbox.evaluation.metric import PureMetric
from sandbox.evaluation.metrics.catalog import choose_metrics
from sandbox.evaluation.metrics.overlap import (
    rouge_l,
    share_found,
    token_f1,
)
from sandbox.evaluation.metrics.plain import PLAIN_METRICS, embedding_similarity
from sandbox.evaluation.metrics.ranking import RANKING_NAMES, ranking_metric
from sandbox.evaluation.runs.cells import sample_of
from sandbox.evaluation.runs.records import Sample, Score
from sandbox.models.scripted import ScriptedEmbedder
from sandbox.records import Answer, Retrieved
from tests.evaluation.scripted_runs import answer, case, chunk

WORDS = ["ward", "bed", "2019", "月", "港"]
SAMPLE = Sample(
    id="a",
    case="1",
    user_input="How many wards?",
    response="There are nine wards [1].",
    retrieved_contexts=("Nine wards make up the city.",),
    reference="Nine wards",
    accepted_answers=("nine",),
    retrieved_pages=("7", "2", "9"),
    relevant_pages=("2", "4"),
)


def score(name: str, sample: Sample) -> Score:
    (metric,) = choose_metrics([name], embedder=ScriptedEmbedder, judged=lambda: ())
    assert metric.needs(sample) == ""
    assert isinstance(metric, PureMetric)
    return metric.measure(sample)


def reason_against(name: str, sample: Sample) -> str:
    (metric,) = choose_metrics([name], embedder=ScriptedEmbedder, judged=lambda: ())
    return metric.needs(sample)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("recall@2", 0.5),
        ("precision@5", 0.2),
        ("hit_rate@1", 0.0),
        ("mrr", 0.5),
        ("accepted_answer", 1.0),
        ("token_f1", 2 * 2 / (4 + 2)),
        ("rouge_l", 2 * 2 / (4 + 2)),
        ("reference_overlap", 1.0),
        ("chunk_overlap", 0.5),
        ("answer_length", 21.0),
        ("refusal", 1.0),
    ],
)
def test_metrics_are_what_worked_arithmetic_says(name: str, value: float) -> None:
    assert score(name, SAMPLE).value == value


@pytest.mark.parametrize("citation", ["[9]", "[1-9]", "【9】", "［9］", "[1; 9]", "[1、9]"])
def test_a_citation_is_no_part_of_the_answer(citation: str) -> None:
    cited = replace(SAMPLE, response=f"There are nine wards {citation}.", reference="9 wards")
    plain = replace(cited, response="There are nine wards.")
    for name in (
        "accepted_answer",
        "token_f1",
        "rouge_l",
        "reference_overlap",
        "chunk_overlap",
        "answer_length",
        "embedding_similarity",
    ):
        assert score(name, cited).value == score(name, plain).value, name
    only = replace(SAMPLE, response=citation)
    assert reason_against("embedding_similarity", only) == "the answer is empty"


def test_each_page_of_a_ranking_can_be_looked_at() -> None:
    detail = score("recall@2", SAMPLE).detail
    assert [(one.statement, one.verdict) for one in detail] == [
        ("1: 7", "not relevant"),
        ("2: 2", "relevant"),
    ]


@pytest.mark.parametrize("name", RANKING_NAMES)
def test_ranking_is_undefined_for_an_unanswerable_case(name: str) -> None:
    unanswerable = replace(SAMPLE, answerable=False, relevant_pages=())
    assert reason_against(name, unanswerable) == (
        "the question is unanswerable, so no page is relevant"
    )
    assert reason_against(name, replace(SAMPLE, relevant_pages=())) == (
        "the case names no relevant page or quote"
    )


@pytest.mark.parametrize(
    ("name", "changes", "reason"),
    [
        ("token_f1", {"reference": None}, "there is no reference answer"),
        ("rouge_l", {"reference": " "}, "there is no reference answer"),
        ("embedding_similarity", {"response": ""}, "the answer is empty"),
        ("chunk_overlap", {"response": "\n"}, "the answer is empty"),
        ("chunk_overlap", {"retrieved_contexts": ()}, "nothing was retrieved"),
        ("accepted_answer", {"accepted_answers": ()}, "the case accepts no answers to compare"),
    ],
)
def test_what_cannot_be_scored_says_what_is_lacking(
    name: str, changes: dict[str, object], reason: str
) -> None:
    assert reason_against(name, replace(SAMPLE, **changes)) == reason  # type: ignore[arg-type]


def test_an_answer_of_signs_only_has_no_word_to_compare() -> None:
    found = score("chunk_overlap", replace(SAMPLE, response="?!"))
    assert (found.value, found.reason, found.applicable) == (
        None,
        "there is no word to compare",
        False,
    )


def test_where_the_accepted_answers_are_unsure_the_metric_does_not_apply() -> None:
    changed = replace(SAMPLE, response="It is not 38, perhaps 12 or 38.", accepted_answers=("38",))
    found = score("accepted_answer", changed)
    assert (found.value, found.applicable, found.granularity) == (None, False, None)
    assert found.reason


@pytest.mark.parametrize(
    ("answerable", "refused", "value"),
    [(True, False, 1.0), (True, True, 0.0), (False, True, 1.0), (False, False, 0.0)],
)
def test_a_refusal_is_right_where_there_is_no_answer(
    answerable: bool, refused: bool, value: float
) -> None:
    changed = replace(SAMPLE, answerable=answerable, refused=refused)
    assert score("refusal", changed).value == value


def test_chinese_is_compared_by_character_in_both_scripts() -> None:
    assert token_f1("共有服務器三台", "三台服务器") == 2 * 5 / (7 + 5)
    assert rouge_l("月港區最多，38例", "最多的是月港區") == 2 * 3 / (7 + 7)
    assert share_found("月港", "以月港區最多") == 1.0


def test_embedding_similarity_of_equal_texts_is_one() -> None:
    same = replace(SAMPLE, response="Nine wards [1]")
    assert score("embedding_similarity", same).value == pytest.approx(1.0)


@given(st.lists(st.sampled_from(WORDS)), st.lists(st.sampled_from(WORDS), min_size=1))
def test_rouge_l_agrees_with_the_definition_of_the_longest_common_subsequence(
    answer: list[str], reference: list[str]
) -> None:
    @cache
    def length(i: int, j: int) -> int:
        if i == len(answer) or j == len(reference):
            return 0
        if answer[i] == reference[j]:
            return 1 + length(i + 1, j + 1)
        return max(length(i + 1, j), length(i, j + 1))

    expected = 2 * length(0, 0) / (len(answer) + len(reference))
    assert rouge_l(" ".join(answer), " ".join(reference)) == expected


def test_an_answer_of_20000_characters_is_compared_in_time() -> None:
    assert rouge_l("月港區 " * 7000, "月港區最多" * 100) is not None


@pytest.mark.parametrize("name", ["recall@0", "recall@", "recall", "recall@-1", "f1@5", "recall@²"])
def test_a_name_that_is_no_ranking_metric_is_none(name: str) -> None:
    assert ranking_metric(name) is None


def test_metrics_are_chosen_by_family_and_by_name_each_once() -> None:
    chosen = choose_metrics(
        ["ranking", "recall@3", "mrr", "token_f1"], embedder=ScriptedEmbedder, judged=lambda: ()
    )
    assert [metric.name for metric in chosen] == [*RANKING_NAMES, "recall@3", "token_f1"]
    everything = choose_metrics(["no-judge"], embedder=ScriptedEmbedder, judged=lambda: ())
    assert len(everything) == len(PLAIN_METRICS) + 1


def test_an_unknown_metric_names_those_that_are_known() -> None:
    with pytest.raises(
        ConfigError, match="no metric is named 'recal'; choose of ranking, no-judge"
    ):
        choose_metrics(["recal"], embedder=ScriptedEmbedder, judged=lambda: ())


def test_a_sample_holds_what_was_sent_and_ranks_what_was_retrieved() -> None:
    asked = case(2)
    cut = replace(answer(asked, "ctx_k9", 3, 2, 3), sent=(1,))
    sample = sample_of(asked, cut, id="x")
    assert sample.retrieved_contexts == ("Ward 3 has 3 beds.",)
    assert sample.retrieved_pages == ("wards.pdf p. 3", "wards.pdf p. 2")
    assert sample.relevant_pages == ("wards.pdf p. 2",)


def test_the_same_page_of_another_document_is_not_relevant() -> None:
    asked = case(2, document="other.pdf")
    sample = sample_of(asked, answer(asked, "ctx_k9", 2), id="x")
    assert sample.relevant_pages == ("other.pdf p. 2",)
    assert score("hit_rate@5", sample).value == 0.0


def test_relevance_is_by_quote_where_a_case_names_no_page() -> None:
    asked = case(1, relevant_pages=(), quotes=("14 beds", "the alarm rings"))
    texts = ["Nothing here.", "It has 14  beds.", "At night the Alarm rings."]
    found = Answer(
        question=asked.question,
        text="14",
        refused=False,
        retrieved=tuple(
            Retrieved(chunk=chunk(rank, text), rank=rank, score=1.0, legs={})
            for rank, text in enumerate(texts, start=1)
        ),
    )
    sample = sample_of(asked, found, id="x")
    assert sample.retrieved_pages == ("chunk wards.pdf-1", "14 beds", "the alarm rings")
    assert score("recall@2", sample).value == 0.5
    assert score("mrr", sample).value == 0.5


def test_embedding_similarity_is_named_as_in_results() -> None:
    assert embedding_similarity(ScriptedEmbedder()).name == "embedding_similarity"
