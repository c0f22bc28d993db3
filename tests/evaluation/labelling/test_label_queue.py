"""What to label next: both classes, every metric's range, many questions; the same every time."""

import random
from collections.abc import Sequence
from dataclasses import replace
from statistics import fmean, pstdev

import numpy as np
import pytest

from sandbox.evaluation.labelling.next_labels import next_to_label
from sandbox.evaluation.runs.cells import CellView
from sandbox.evaluation.runs.labels import new_label
from sandbox.evaluation.runs.records import LabelSource, Right, Score
from sandbox.evaluation.runs.suggestions import Suggestion
from sandbox.evaluation.stats.auc import auc
from tests.evaluation.scripted_runs import answer, case


def cell(number: int, suggested: Right = "right", *, run: str = "r", **scores: float) -> CellView:
    return CellView(
        run=run,
        configuration=run,
        case=case(number),
        answer=answer(case(number), run, number),
        suggestion=Suggestion(value=suggested, reason="as the case says"),
        scores={
            name: Score(metric=name, family="no judge", value=value)
            for name, value in scores.items()
        },
        labels=(),
    )


def labelled(
    one: CellView, verdict: Right, who: str = "me", source: LabelSource = "person"
) -> CellView:
    return one.with_label(
        new_label(one.configuration, one.case.id, verdict, labeller=who, source=source)
    )


def order(cells: Sequence[CellView], **options: object) -> list[str]:
    options = {"labeller": "me", "count": len(cells), **options}
    found = next_to_label(cells, **options)  # type: ignore[arg-type]
    return [f"{proposal.cell.run}/{proposal.cell.case.id}" for proposal in found]


def test_an_answer_that_is_probably_of_the_rarer_class_comes_first() -> None:
    cells = [labelled(cell(n), "right") for n in (1, 2, 3)]
    cells += [cell(4, "right"), cell(5, "unsure"), cell(6, "wrong")]
    assert order(cells) == ["r/case-6", "r/case-5", "r/case-4"]


def test_when_wrong_answers_abound_a_right_one_comes_first() -> None:
    cells = [labelled(cell(n, "wrong"), "wrong") for n in (1, 2, 3, 4)]
    cells += [cell(5, "wrong"), cell(6, "right")]
    assert order(cells) == ["r/case-6", "r/case-5"]


def test_suggestions_that_turn_out_false_lose_their_weight() -> None:
    cells = [labelled(cell(n, "wrong"), "right") for n in range(1, 9)]
    cells += [cell(11, "wrong"), cell(12, "unsure")]
    assert order(cells) == ["r/case-12", "r/case-11"]


def test_the_part_of_a_metrics_range_without_labels_comes_first() -> None:
    cells = [
        labelled(cell(n, "unsure", m=0.95), "right" if n % 2 else "wrong") for n in range(1, 5)
    ]
    cells += [cell(5, "unsure", m=0.95), cell(6, "unsure", m=0.1), cell(7, "unsure", m=0.5)]
    cells += [cell(8, "unsure", m=0.1), cell(9, "unsure", m=0.2)]
    (first,) = next_to_label(cells, labeller="me")
    assert first.cell.values["m"] < 0.5
    assert "among the lowest m, where no label is yet" in first.reason


def test_answers_to_the_same_question_are_spread() -> None:
    cells = [cell(n, "unsure", run=run) for n in (1, 2) for run in ("a", "b")]
    assert order(cells, count=2) == ["a/case-1", "a/case-2"]


def test_after_a_right_answer_a_probably_wrong_one_to_the_same_question_makes_a_pair() -> None:
    first = labelled(cell(1, run="a"), "right")
    assert order([first, cell(1, "right", run="b"), cell(1, "wrong", run="c")])[0] == "c/case-1"


def test_the_order_is_the_same_every_time_and_names_each_once() -> None:
    verdicts: list[Right] = ["right", "wrong", "unsure"]
    cells = [
        cell(n % 7, verdict, run=f"r{n}", m=n % 5 / 5, k=n % 3)
        for n, verdict in enumerate(verdicts * 10)
    ]
    found = order(cells)
    assert found == order(cells)
    assert len(set(found)) == len(cells)


def test_skipped_answers_come_last_and_say_so() -> None:
    cells = [cell(1, "wrong"), cell(2)]
    assert order(cells, skipped={("r", "case-1")}) == ["r/case-2", "r/case-1"]
    found = next_to_label(cells, labeller="me", count=2, skipped={("r", "case-1")})
    assert found[1].reason.startswith("skipped before; ")


def test_what_a_person_labelled_is_not_asked_again_but_an_accepted_suggestion_is_last() -> None:
    accepted = labelled(cell(1, "wrong"), "wrong", source="accepted suggestion")
    cells = [accepted, labelled(cell(2), "unsure", "Ada"), cell(3)]
    assert order(cells) == ["r/case-3", "r/case-1"]


def test_a_second_labeller_gets_what_another_labelled_whatever_the_other_said() -> None:
    cells = [labelled(cell(1), "wrong", "Ada"), labelled(cell(2), "right", "Ada"), cell(3)]
    other = [labelled(cell(1), "right", "Ada"), labelled(cell(2), "wrong", "Ada"), cell(3)]
    assert order(cells, labeller="Bo", second=True) == ["r/case-1", "r/case-2"]
    assert order(other, labeller="Bo", second=True) == ["r/case-1", "r/case-2"]
    assert order(cells, labeller="Ada", second=True) == []


@pytest.mark.parametrize("cells", [[], [labelled(cell(1), "right")]])
def test_nothing_left_proposes_nothing(cells: list[CellView]) -> None:
    assert next_to_label(cells, labeller="me", count=3) == ()


def test_a_reason_counts_only_labels_that_were_given() -> None:
    cells = [labelled(cell(n), "right") for n in (1, 2)] + [cell(n, "wrong") for n in (3, 4)]
    reasons = [one.reason for one in next_to_label(cells, labeller="me", count=2)]
    assert reasons == ["probably wrong, as 0 of 2 labels are; a question without a label"] * 2


def test_unsure_labels_count_for_neither_class() -> None:
    unsure = [replace(labelled(cell(n), "unsure")) for n in (1, 2, 3)]
    (first,) = next_to_label([*unsure, cell(4, "wrong")], labeller="me")
    assert first.reason.startswith("probably wrong; ")


def simulated(seed: int) -> tuple[list[CellView], dict[tuple[str, str], bool]]:
    """Three answers to each of 40 questions, three in four right; suggestions are right on 80 %."""
    chance = random.Random(seed)
    cells, truth = [], {}
    for number in range(40):
        difficulty = chance.gauss(0, 0.6)
        for run in ("a", "b", "c"):
            right = chance.gauss(0, 1) + difficulty > -0.95
            guess: Right = "right" if right == (chance.random() < 0.8) else "wrong"
            one = cell(number, guess, run=run, m=chance.gauss(right, 1), n=chance.gauss(0, 1))
            cells.append(one)
            truth[one.key] = right
    return cells, truth


def area(cells: Sequence[CellView], truth: dict[tuple[str, str], bool], metric: str) -> float:
    scores = np.array([one.values[metric] for one in cells])
    found = auc(scores, np.array([truth[one.key] for one in cells]))
    assert found is not None
    return found


def label_thirty(cells: Sequence[CellView], truth: dict[tuple[str, str], bool]) -> list[CellView]:
    """What the queue proposes, one after the other, each labelled truly before the next."""
    by_key = {one.key: one for one in cells}
    for _ in range(30):
        (proposal,) = next_to_label(list(by_key.values()), labeller="me")
        chosen = proposal.cell
        by_key[chosen.key] = labelled(chosen, "right" if truth[chosen.key] else "wrong")
    return [one for one in by_key.values() if one.labels]


def test_thirty_labels_find_more_wrong_answers_and_do_not_flatter_a_metric() -> None:
    wrong, by_chance, errors, errors_by_chance = 0, 0, [], []
    for seed in range(24, 48):
        cells, truth = simulated(seed)
        chosen = label_thirty(cells, truth)
        drawn = random.Random(1000 + seed).sample(cells, 30)
        wrong += sum(not truth[one.key] for one in chosen)
        by_chance += sum(not truth[one.key] for one in drawn)
        for metric in ("m", "n"):
            whole = area(cells, truth, metric)
            errors.append(area(chosen, truth, metric) - whole)
            errors_by_chance.append(area(drawn, truth, metric) - whole)
    assert wrong > 1.6 * by_chance
    assert abs(fmean(errors)) < 0.03
    assert pstdev(errors) < 0.9 * pstdev(errors_by_chance)
