"""Which layer made the difference, for every way it can be made."""

from sandbox.evaluation.comparison.attribution import Attribution, attribute
from sandbox.evaluation.comparison.evidence import find_evidence
from sandbox.evaluation.comparison.factors import Factor, FactorValue
from sandbox.evaluation.runs.cells import CellView
from sandbox.evaluation.runs.suggestions import Suggestion
from sandbox.records import Answer, Box, Chunk
from sandbox.testsets.cases import TestCase
from tests.evaluation.compared_runs import answer
from tests.evaluation.scripted_runs import case

TOP_K = Factor(name="top_k", a=4, b=9)
INDEX = Factor(name="index", a="text", b="context")


def chunk(id: str, page: int, text: str, kind: str = "text") -> Chunk:
    box = Box(page=page, left=0, top=0, right=10, bottom=10)
    return Chunk(
        id=id,
        document="wards.pdf",
        document_id="d",
        page=page,
        boxes=(box,),
        text=text,
        kind=kind,  # type: ignore[arg-type]
    )


def attributed(
    a: Answer | None, b: Answer | None, *factors: Factor, of: TestCase | None = None
) -> Attribution:
    asked = of or case(7)
    evidence = find_evidence(asked, (a, b))
    cells = [
        CellView(
            run="r",
            configuration="r",
            case=asked,
            answer=given,
            failure="it broke",
            suggestion=Suggestion(value="unsure", reason=""),
            evidence=found,
        )
        for given, found in zip((a, b), evidence, strict=True)
    ]
    return attribute(asked, cells[0], cells[1], factors)


def test_identical_chunks_leave_only_generation() -> None:
    found = attributed(answer("7 beds", 3, 7), answer("9 beds", 3, 7))
    assert found == Attribution(
        layer="generation",
        decided_by="",
        sentence="identical chunks; generation made the difference",
    )


def test_identical_chunks_and_answers_are_the_same() -> None:
    assert attributed(answer("7", 3, 7), answer("7", 3, 7)).layer == "same"


def test_the_same_chunks_in_another_order_are_other_chunks() -> None:
    found = attributed(answer("7", 3, 7), answer("9", 7, 3))
    assert found.layer == "retrieval"
    assert found.sentence == (
        "both were shown the accepted answer, A at rank 2 of 2, B at rank 1 of 2; the chunks around"
        " it differ, or generation made the difference"
    )


def test_chunks_added_below_the_same_ones_made_the_difference() -> None:
    found = attributed(answer("7", 7, 3), answer("9", 7, 3, 4, 5, 6), TOP_K)
    assert found.decided_by == "top_k"
    assert found.sentence == (
        "both were shown the accepted answer at rank 1; B has the same chunks and 3 more below"
        " them, which made the difference"
    )


def test_a_chunk_that_did_not_fit_the_context_was_not_shown() -> None:
    found = attributed(answer("7", 3, 7), answer("9", 3, 7, sent=[1]))
    assert found.layer == "retrieval"
    assert found.sentence == (
        "the accepted answer stands in A's chunk at rank 2 of 2 and B was not shown it: B retrieves"
        " it at rank 2 of 2, cut off by the model's context"
    )


def test_top_k_decides_where_the_evidence_stands_below_the_other_ones_cut() -> None:
    pages = (10, 11, 12, 13, 14, 15, 16, 17, 7)
    found = attributed(answer("9", *pages[:4]), answer("7", *pages), TOP_K, INDEX)
    assert found.decided_by == "top_k"
    assert found.sentence == (
        "the accepted answer stands in B's chunk at rank 9 of 9 and A was not shown it: A takes"
        " only 4: top_k decided, not index"
    )


def test_a_quote_is_sharper_than_a_page() -> None:
    quoted = case(7, quotes=("Ward 7 has seven beds",), accepted_answers=())
    page = chunk("other", 7, "Ward 7 stands in the north.")
    sentence = chunk("quote", 7, "In 2030, ward 7 has seven beds.")
    found = attributed(answer("9", page), answer("7", page, sentence), TOP_K, of=quoted)
    assert found.sentence.startswith("its sentence stands in B's chunk at rank 2 of 2")
    assert found.decided_by == "top_k"


def test_the_index_decides_over_a_figure_that_the_other_does_not_index() -> None:
    figure = chunk("f", 7, "beds 7", kind="figure")
    found = attributed(answer("9", 3), answer("7", figure), TOP_K, INDEX)
    assert found.decided_by == "index"
    assert found.sentence.endswith("A indexes no figures: index decided")


def test_the_retriever_decides_over_a_chunk_that_it_does_not_bring_alone() -> None:
    retriever = Factor(name="retriever", a="lexical", b="hybrid")
    brought = answer("7", 7, legs={"dense": 2, "fused": 3})
    found = attributed(answer("9", 3), brought, retriever, Factor(name="prompt", a="x", b="y"))
    assert found.decided_by == "retriever"
    assert found.sentence == (
        "the accepted answer stands in B's chunk at rank 1 of 1 (vectors #2, fused #3) and A was"
        " not shown it: BM25 alone cannot bring it: retriever decided"
    )


def test_the_only_factor_decides() -> None:
    found = attributed(
        answer("7", 7), answer("9", 3), Factor(name="reranker", a="maxsim", b="none")
    )
    assert found.decided_by == "reranker"
    assert found.sentence.endswith("and only reranker differs: reranker decided")


def test_of_several_factors_none_is_singled_out_without_a_sign() -> None:
    found = attributed(
        answer("9", 3),
        answer("7", 7),
        Factor(name="embedder", a="x", b="y"),
        Factor(name="chunk_characters", a=400, b=200),
    )
    assert found.decided_by == ""
    assert found.sentence.endswith("several factors differ, none can be singled out")


def test_neither_was_shown_the_evidence() -> None:
    found = attributed(answer("7", 3), answer("9", 4))
    assert found.sentence == "other chunks, and neither was shown the evidence"


def test_a_case_without_pages_tells_no_more_than_other_chunks() -> None:
    silent = case(7, relevant_pages=(), source="none", answerable=False)
    found = attributed(answer("7", 3), answer("9", 4), of=silent)
    assert found.layer == "retrieval"
    assert found.sentence.endswith("the case names no page or quote to tell more")


def test_without_an_answer_nothing_is_attributed() -> None:
    found = attributed(answer("7", 3), None)
    assert (found.layer, found.sentence) == ("unknown", "B has no answer (it broke)")


def test_a_number_is_not_found_inside_a_longer_one() -> None:
    (found,) = find_evidence(case(7), (answer("", chunk("c", 7, "There are 70 beds."), 3),))
    assert found is not None
    assert found.by == "page"


def test_evidence_of_another_document_is_none() -> None:
    other = case(7, document="other.pdf")
    assert find_evidence(other, (answer("", 7),)) == (None,)


def test_a_chunk_that_reaches_the_relevant_page_holds_it() -> None:
    boxes = tuple(Box(page=page, left=0, top=0, right=1, bottom=1) for page in (6, 7))
    long = Chunk(id="c", document="wards.pdf", document_id="d", page=6, boxes=boxes, text="7 beds")
    (found,) = find_evidence(case(7), (answer("", long),))
    assert found is not None
    assert (found.by, found.page) == ("accepted answer", 6)


def value_of(value: FactorValue) -> str:
    return str(Factor(name="prompt", a=value, b=None))


def test_a_long_value_is_shortened_where_it_is_named() -> None:
    assert value_of("x" * 60) == f"prompt ({'x' * 39}… → -)"
