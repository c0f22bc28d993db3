import math
import random

import pytest

from sandbox.evaluation.metrics.ranking import (
    hit_rate_at_k,
    ndcg_at_k,
    precision_at_k,
    recall_at_k,
    reciprocal_rank,
)

RANKING = ["p7", "p2", "p9", "p4"]
RELEVANT = {"p2", "p4", "p5"}


def test_worked_example() -> None:
    assert recall_at_k(RANKING, RELEVANT, k=4) == 2 / 3
    assert precision_at_k(RANKING, RELEVANT, k=4) == 0.5
    assert hit_rate_at_k(RANKING, RELEVANT, k=1) == 0.0
    assert hit_rate_at_k(RANKING, RELEVANT, k=2) == 1.0
    assert reciprocal_rank(RANKING, RELEVANT) == 0.5
    expected = (1 / math.log2(3) + 1 / math.log2(5)) / (1 + 1 / math.log2(3) + 1 / math.log2(4))
    assert ndcg_at_k(RANKING, RELEVANT, k=4) == pytest.approx(expected)


def test_every_metric_is_undefined_when_nothing_is_relevant() -> None:
    assert recall_at_k(RANKING, set(), k=4) is None
    assert precision_at_k(RANKING, set(), k=4) is None
    assert hit_rate_at_k(RANKING, set(), k=4) is None
    assert reciprocal_rank(RANKING, set()) is None
    assert ndcg_at_k(RANKING, set(), k=4) is None


def test_nothing_retrieved_scores_zero() -> None:
    assert recall_at_k([], RELEVANT, k=5) == 0.0
    assert precision_at_k([], RELEVANT, k=5) == 0.0
    assert reciprocal_rank([], RELEVANT) == 0.0
    assert ndcg_at_k([], RELEVANT, k=5) == 0.0


def test_a_perfect_ranking_has_an_ndcg_of_one() -> None:
    assert ndcg_at_k(["p4", "p2", "p5", "p7"], RELEVANT, k=4) == 1.0


def test_precision_counts_missing_places_as_misses() -> None:
    assert precision_at_k(["p2"], RELEVANT, k=10) == 0.1


@pytest.mark.parametrize("k", [0, -1])
def test_ranks_count_from_one(k: int) -> None:
    with pytest.raises(ValueError, match="ranks count from 1"):
        recall_at_k(RANKING, RELEVANT, k=k)


def test_an_item_may_not_be_ranked_twice() -> None:
    with pytest.raises(ValueError, match="twice"):
        reciprocal_rank(["p2", "p2"], RELEVANT)


def test_random_rankings_agree_with_the_definitions_written_out() -> None:
    generator = random.Random(7)
    for _ in range(300):
        items = list(range(20))
        generator.shuffle(items)
        ranking = items[: generator.randint(0, 20)]
        relevant = set(generator.sample(range(20), generator.randint(1, 8)))
        k = generator.randint(1, 20)
        flags = [item in relevant for item in ranking] + [False] * 20
        assert recall_at_k(ranking, relevant, k) == sum(flags[:k]) / len(relevant)
        assert precision_at_k(ranking, relevant, k) == sum(flags[:k]) / k
        assert hit_rate_at_k(ranking, relevant, k) == float(any(flags[:k]))
        assert reciprocal_rank(ranking, relevant) == (
            1 / (flags.index(True) + 1) if any(flags) else 0.0
        )
        discounts = [1 / math.log2(position + 2) for position in range(k)]
        gain = sum(d for d, flag in zip(discounts, flags, strict=False) if flag)
        best = sum(discounts[: len(relevant)])
        assert ndcg_at_k(ranking, relevant, k) == pytest.approx(gain / best)
