"""What went wrong with an answer: every rule on a run built for it."""

from dataclasses import replace
from pathlib import Path

import pytest

from sandbox.config import preset
from sandbox.evaluation.comparison.diagnosis import Support, Symptoms, diagnose, sum_up
from sandbox.evaluation.comparison.records import Diagnosis
from sandbox.evaluation.comparison.symptoms import symptoms_of
from sandbox.evaluation.runs.cells import Evidence
from sandbox.evaluation.runs.read import read_run, read_runs
from sandbox.evaluation.runs.records import Right
from sandbox.evaluation.trust.cells import collect_cells
from sandbox.evaluation.trust.table import build_trust_table
from sandbox.files.storage import Store
from sandbox.records import Answer, Chunk
from sandbox.testsets.cases import TestCase
from tests.evaluation.compared_runs import answer, describe, write
from tests.evaluation.scripted_runs import case, chunk

SHOWN = Evidence(
    rank=2, of=4, page=7, kind="text", legs={"lexical": 5}, sent=True, by="accepted answer"
)
UNSUPPORTED = Support(metric="faithfulness", value=0.25, threshold=0.7, contradicted=False)

WRONG = Symptoms(
    case=case(7),
    answer=answer("9 beds", 3, 7),
    failure="",
    verdict="wrong",
    verdict_from="wrong (labelled: Ada says wrong)",
    suggested=False,
    settings={"top_k": 4, "index": "context", "retriever": "hybrid"},
    evidence=SHOWN,
    evidence_elsewhere=None,
    support=None,
    agreeing=(),
)
RIGHT = replace(WRONG, verdict="right", verdict_from="right (labelled: Ada says right)")
SILENT = case(7, answerable=False, source="none", relevant_pages=(), accepted_answers=())


def test_a_right_answer_from_shown_evidence_is_right() -> None:
    assert diagnose(RIGHT) == Diagnosis(
        case="case-7",
        kind="right",
        because="right (labelled: Ada says right)",
        lever="",
        suggested=False,
    )


def test_a_right_answer_without_evidence_is_unsupported() -> None:
    found = diagnose(replace(RIGHT, evidence=None))
    assert found.kind == "right but unsupported"
    assert found.because == (
        "right (labelled: Ada says right), although no chunk with the evidence was shown: the model"
        " knew or guessed it"
    )


def test_a_right_answer_that_a_trusted_metric_does_not_support_is_unsupported() -> None:
    found = diagnose(replace(RIGHT, support=UNSUPPORTED))
    assert found.kind == "right but unsupported"
    assert found.because.endswith(
        "but the material does not carry it: faithfulness 0.25, below 0.70"
    )


def test_a_right_refusal_needs_no_support() -> None:
    found = diagnose(replace(RIGHT, case=SILENT, evidence=None, support=UNSUPPORTED))
    assert found.kind == "right"


def test_an_answer_to_an_unanswerable_question() -> None:
    found = diagnose(replace(WRONG, case=SILENT, evidence=None))
    assert found.kind == "answered an unanswerable question"
    assert found.lever == "prompt=strict, then a larger chat_model"


def test_several_configurations_that_agree_against_the_reference_make_it_suspect() -> None:
    found = diagnose(replace(WRONG, agreeing=("text_k9", "ctx_k4")))
    assert found.kind == "wrong reference suspected"
    assert "text_k9, ctx_k4 say the same" in found.because


def test_agreement_on_something_that_the_material_does_not_carry_is_invention() -> None:
    found = diagnose(replace(WRONG, agreeing=("text_k9",), support=UNSUPPORTED))
    assert found.kind == "invented"


def test_evidence_that_no_configuration_finds_was_not_retrieved() -> None:
    found = diagnose(replace(WRONG, evidence=None))
    assert found.kind == "not retrieved"
    assert found.because == "no chunk with the evidence was retrieved (recall 0)"
    assert found.lever.startswith("a larger top_k and more candidates")


@pytest.mark.parametrize(
    ("settings", "source", "lever"),
    [
        ({"index": "text"}, "image", "index=context: the evidence is a figure"),
        ({"index": "context", "retriever": "lexical"}, "text", "retriever=hybrid"),
        ({"index": "text", "retriever": "hybrid"}, "both", "index=context"),
    ],
)
def test_the_lever_of_what_was_not_retrieved_follows_the_settings(
    settings: dict[str, object], source: str, lever: str
) -> None:
    asked = case(7, source=source)
    found = diagnose(replace(WRONG, case=asked, evidence=None, settings=settings))
    assert found.lever.startswith(lever)


def test_evidence_that_another_configuration_finds_below_this_cut_was_ranked_too_low() -> None:
    elsewhere = ("ctx_k9", replace(SHOWN, rank=7, of=9))
    found = diagnose(replace(WRONG, evidence=None, evidence_elsewhere=elsewhere))
    assert found.kind == "ranked below the cut"
    assert found.because == (
        "ctx_k9 finds the evidence at rank 7 of 9 (BM25 #5); here only 4 are taken"
    )


def test_evidence_that_another_configuration_finds_above_this_cut_was_not_retrieved() -> None:
    found = diagnose(replace(WRONG, evidence=None, evidence_elsewhere=("ctx_k4", SHOWN)))
    assert found.kind == "not retrieved"
    assert found.lever == "what ctx_k4 does: it finds the evidence"


def test_evidence_that_did_not_fit_the_context_was_ranked_too_low() -> None:
    found = diagnose(replace(WRONG, evidence=replace(SHOWN, sent=False)))
    assert found.kind == "ranked below the cut"
    assert "unseen by the model" in found.because


def test_a_refusal_although_the_evidence_was_shown() -> None:
    found = diagnose(replace(WRONG, answer=answer("It does not say.", 7, refused=True)))
    assert found.kind == "retrieved, not used"
    assert found.because == ("it refuses although the evidence was shown at rank 2 of 4 (BM25 #5)")


def test_a_wrong_answer_although_the_evidence_was_shown() -> None:
    assert diagnose(WRONG).kind == "retrieved, not used"


def test_a_wrong_answer_that_the_material_contradicts() -> None:
    contradicted = replace(UNSUPPORTED, metric="supported_min", contradicted=True)
    found = diagnose(replace(WRONG, support=contradicted))
    assert found.kind == "contradicted"


def test_a_wrong_answer_that_says_more_than_the_material_is_invented() -> None:
    assert diagnose(replace(WRONG, support=UNSUPPORTED)).kind == "invented"


def test_a_wrong_answer_that_the_material_supports_is_not_invented() -> None:
    supported = replace(UNSUPPORTED, value=0.9, contradicted=True)
    assert diagnose(replace(WRONG, support=supported)).kind == "retrieved, not used"


def test_a_wrong_answer_of_a_case_without_pages_has_no_known_cause() -> None:
    asked = case(7, relevant_pages=())
    found = diagnose(replace(WRONG, case=asked, evidence=None))
    assert found.kind == "wrong, cause unknown"
    assert found.lever == "add relevant_pages or quotes to the case"


def test_what_is_not_judged_is_no_fault() -> None:
    unsure = replace(WRONG, verdict=None, verdict_from="people disagree")
    broken = replace(WRONG, answer=None, failure="the model was cut off")
    assert diagnose(unsure).because == "nothing says whether it is right (people disagree)"
    assert diagnose(broken).because == "there is no answer: the model was cut off"
    assert sum_up([diagnose(unsure), diagnose(broken), diagnose(RIGHT)]) == ()


def test_faults_are_summed_the_most_frequent_first() -> None:
    lost = [diagnose(replace(WRONG, case=case(number), evidence=None)) for number in (1, 2)]
    (first, second) = sum_up([diagnose(WRONG), *lost])
    assert (first.kind, first.cases) == ("not retrieved", ("case-1", "case-2"))
    assert (second.kind, second.cases) == ("retrieved, not used", ("case-7",))


def found_in(
    tmp_path: Path,
    asked: TestCase,
    answers: dict[str, Answer],
    *,
    labels: dict[str, Right] | None = None,
    chat_models: dict[str, str] | None = None,
) -> list[Symptoms]:
    """The symptoms of one case under some presets."""
    folders = [
        write(
            Store(tmp_path),
            describe(
                preset(name),
                [asked],
                models={"chat_model": (chat_models or {}).get(name, "embedded:small")},
            ),
            {asked.id: given},
            labels={asked.id: labels[name]} if labels and name in labels else None,
        )
        for name, given in answers.items()
    ]
    runs = [read_run(folder) for folder in folders]
    return list(symptoms_of(asked, runs, build_trust_table(collect_cells(read_runs(folders)))))


def page_without_the_answer(id: str) -> Chunk:
    return replace(chunk(7, f"Of ward {id}."), id=id)


def test_equal_wrong_answers_from_other_chunks_agree_where_no_chunk_bears_the_reference_out(
    tmp_path: Path,
) -> None:
    answers = {
        "text_k4": answer("It has 9 beds [1].", page_without_the_answer("one")),
        "ctx_k4": answer("There are nine beds [2].", page_without_the_answer("two")),
        "ctx_k9": answer("12 beds", 5),
    }
    found = found_in(tmp_path, case(7), answers)
    assert [one.agreeing for one in found] == [("ctx_k4",), ("text_k4",), ()]


def test_one_model_that_misreads_the_evidence_everywhere_proves_nothing(tmp_path: Path) -> None:
    answers = {"text_k4": answer("9 beds", 3, 7), "ctx_k4": answer("9 beds", 7)}
    assert [one.agreeing for one in found_in(tmp_path, case(7), answers)] == [(), ()]


def test_one_model_that_never_sees_the_page_proves_nothing(tmp_path: Path) -> None:
    answers = {"text_k4": answer("9 beds", 3), "ctx_k4": answer("9 beds", 4)}
    assert [one.agreeing for one in found_in(tmp_path, case(7), answers)] == [(), ()]


def test_equal_answers_to_equal_prompts_prove_nothing(tmp_path: Path) -> None:
    answers = {"text_k4": answer("9 beds", 3), "ctx_k4": answer("9 beds", 3)}
    assert [one.agreeing for one in found_in(tmp_path, case(7), answers)] == [(), ()]


def test_another_model_makes_equal_answers_count(tmp_path: Path) -> None:
    answers = {"text_k4": answer("9 beds", 3), "ctx_k4": answer("9 beds", 3)}
    found = found_in(tmp_path, case(7), answers, chat_models={"ctx_k4": "ollama:large"})
    assert [one.agreeing for one in found] == [("ctx_k4",), ("text_k4",)]


def test_no_reference_is_suspect_where_one_configuration_agrees_with_it(tmp_path: Path) -> None:
    answers = {
        "text_k4": answer("9 beds", page_without_the_answer("one")),
        "ctx_k4": answer("9 beds", page_without_the_answer("two")),
        "ctx_k9": answer("7 beds", 3),
    }
    assert [one.agreeing for one in found_in(tmp_path, case(7), answers)] == [(), (), ()]


def test_a_label_goes_before_the_accepted_answers(tmp_path: Path) -> None:
    answers = {"text_k4": answer("7 beds", 7), "ctx_k4": answer("7 beds", 7)}
    labelled, suggested = found_in(tmp_path, case(7), answers, labels={"text_k4": "wrong"})
    assert (labelled.verdict, labelled.suggested) == ("wrong", False)
    assert (suggested.verdict, suggested.suggested) == ("right", True)


def test_an_answer_that_a_person_is_unsure_of_is_not_judged(tmp_path: Path) -> None:
    answers = {"text_k4": answer("7 beds", 7), "ctx_k4": answer("7 beds", 7)}
    unsure, _ = found_in(tmp_path, case(7), answers, labels={"text_k4": "unsure"})
    assert unsure.verdict is None
