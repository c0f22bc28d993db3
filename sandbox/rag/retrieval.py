"""Retrieves, fuses and reranks chunks of one index; every score stays visible.

With the reranker "maxsim" the order follows the sum of the retrievers' and the best sentence's
scores, each standardized over the candidates: fusing ranks alone can be worse than the better
retriever.
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeVar

import numpy

from sandbox.config import Config
from sandbox.rag.index import CachedEmbedder, Index
from sandbox.records import LegScore, Retrieved
from sandbox.text.sentences import split_sentences

if TYPE_CHECKING:
    from sandbox.models.base import Vectors

Item = TypeVar("Item", bound=Hashable)
Rerank = Callable[[str, Sequence[str]], list[float]]

RRF_K = 60  # Cormack, Clarke and Büttcher (2009), "Reciprocal rank fusion outperforms Condorcet"


def reciprocal_rank_fusion(
    rankings: Sequence[Sequence[Item]],
    *,
    weights: Sequence[float] | None = None,
    k: int = RRF_K,
) -> list[tuple[Item, float]]:
    r"""Fuse rankings: :math:`score(d) = \\sum_r w_r / (k + rank_r(d))`, best first.

    Ranks count from 1; an item absent from a ranking gets no vote from it, an item listed twice
    counts at its first place. Ties keep the order of first appearance.

    >>> [item for item, _ in reciprocal_rank_fusion([["X", "a", "Y"], ["b", "c", "Y"]])][0]
    'Y'

    Args:
        rankings: Items of each retriever, best first.
        weights: One weight for each ranking; a ranking of weight 0 has no say.
        k: Smooths the difference between neighboring ranks.

    Raises:
        ValueError: If there is not one weight for each ranking.

    Source:
        Cormack, Clarke and Büttcher (2009), SIGIR, "Reciprocal rank fusion outperforms Condorcet
        and individual rank learning methods".
    """
    scores: dict[Item, float] = {}
    for ranking, weight in zip(rankings, weights or [1.0] * len(rankings), strict=True):
        if weight == 0:
            continue
        for rank, item in enumerate(dict.fromkeys(ranking), start=1):
            scores[item] = scores.get(item, 0.0) + weight / (k + rank)
    return sorted(scores.items(), key=lambda pair: -pair[1])


def retrieve(
    index: Index,
    question: str,
    config: Config,
    *,
    embedder: CachedEmbedder | None = None,
    rerank: Rerank | None = None,
) -> tuple[Retrieved, ...]:
    """The configuration's top_k chunks for a question, each with its place in every leg.

    `embedder` made the index's vectors; it may be missing where only words are searched, and
    `rerank` where the reranker is "none".
    """
    scores = _retriever_scores(index, question, config, embedder)
    legs = {
        name: _best(values, config.candidates, above=0.0 if name == "lexical" else None)
        for name, values in scores.items()
    }
    legs["fused"] = dict(reciprocal_rank_fusion([list(leg) for leg in legs.values()]))
    final = legs["fused"]
    if rerank is not None and final:
        pool = list(final)
        reranked = rerank(question, [index.chunks[position].indexed_text for position in pool])
        legs["reranker"] = _sorted(dict(zip(pool, reranked, strict=True)))
        if config.reranker == "maxsim":
            evidence = [*(values[pool] for values in scores.values()), numpy.array(reranked)]
            total = numpy.sum([standardize(values) for values in evidence], axis=0)
            final = _sorted(dict(zip(pool, total.tolist(), strict=True)))
        else:
            final = legs["reranker"]
    return tuple(
        Retrieved(
            chunk=index.chunks[position], rank=rank, score=score, legs=_places(legs, position)
        )
        for rank, (position, score) in enumerate(list(final.items())[: config.top_k], start=1)
    )


def score_best_sentences(
    question: str, texts: Sequence[str], embedder: CachedEmbedder
) -> list[float]:
    """Cosine similarity of each text's best sentence to the question ("maxsim")."""
    split_texts = [split_sentences(text) or [text] for text in texts]
    vectors = embedder.passages([sentence for split in split_texts for sentence in split])
    similarities = vectors @ embedder.question(question)
    ends = numpy.cumsum([len(split) for split in split_texts])
    return [float(part.max()) for part in numpy.split(similarities, ends[:-1])]


def standardize(scores: "Sequence[float] | Vectors") -> "Vectors":
    """Scores minus their mean, divided by their standard deviation; zeros if all are equal.

    >>> standardize([1.0, 3.0]).tolist()
    [-1.0, 1.0]
    """
    values = numpy.asarray(scores, numpy.float32)
    spread = values.std()
    return values * 0 if spread == 0 else (values - values.mean()) / spread


def _retriever_scores(
    index: Index, question: str, config: Config, embedder: CachedEmbedder | None
) -> "dict[str, Vectors]":
    scores = {}
    if config.retriever != "dense":
        scores["lexical"] = index.lexical_scores(question)
    if config.retriever != "lexical":
        if embedder is None:
            raise ValueError(f"retriever {config.retriever} needs an embedder")
        scores["dense"] = index.dense_scores(embedder.question(question))
    return scores


def _best(scores: "Vectors", count: int, *, above: float | None = None) -> dict[int, float]:
    """Positions of the highest scores, best first; ties keep the order of the document."""
    order = numpy.argsort(-scores, kind="stable")[:count]
    return {
        int(position): float(scores[position])
        for position in order
        if above is None or scores[position] > above
    }


def _sorted(scores: Mapping[int, float]) -> dict[int, float]:
    return dict(sorted(scores.items(), key=lambda pair: -pair[1]))


def _places(legs: Mapping[str, Mapping[int, float]], position: int) -> dict[str, LegScore]:
    places = {}
    for name, leg in legs.items():
        if position in leg:
            rank = list(leg).index(position) + 1
            places[name] = LegScore(rank=rank, score=leg[position])
    return places
