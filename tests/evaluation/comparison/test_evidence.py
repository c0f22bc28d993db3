"""The chunks behind several answers, joined."""

from collections.abc import Sequence
from dataclasses import replace

from sandbox.evaluation.comparison.evidence import align
from sandbox.records import Retrieved
from tests.evaluation.compared_runs import retrieved
from tests.evaluation.scripted_runs import chunk

WARDS = chunk(3, "Ward 3 has 3 beds.")


def places(*columns: Sequence[Retrieved]) -> list[list[int | None]]:
    return [[item.rank if item else None for item in row.places] for row in align(columns)]


def test_equal_chunks_are_joined_though_their_ids_differ() -> None:
    new_edition = replace(WARDS, id="other-9", document_id="e")
    columns = retrieved(WARDS), retrieved(7, new_edition)
    rows = align(columns)
    assert places(*columns) == [[1, 2], [None, 1]]
    assert [row.is_shared for row in rows] == [True, False]


def test_the_same_words_in_a_figure_or_in_another_document_are_another_chunk() -> None:
    assert places(retrieved(WARDS), retrieved(replace(WARDS, kind="figure"))) == [
        [1, None],
        [None, 1],
    ]
    assert places(retrieved(WARDS), retrieved(replace(WARDS, document="other.pdf"))) == [
        [1, None],
        [None, 1],
    ]


def test_chunks_stand_in_the_order_of_their_best_rank() -> None:
    rows = align([retrieved(1, 2, 3), retrieved(4, 3)])
    assert [row.chunk.page for row in rows] == [1, 4, 3, 2]


def test_nothing_retrieved_gives_no_rows() -> None:
    assert align([(), ()]) == ()
