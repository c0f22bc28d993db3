"""Metrics by name and by family, as written on the command line.

Leaves out how a judge comes about: a front end hands over a function that makes its metrics, and
it is called only if one of them is asked for.
"""

from collections.abc import Callable, Mapping, Sequence

from sandbox.errors import ConfigError
from sandbox.evaluation.metric import Metric
from sandbox.evaluation.metrics.plain import PLAIN_METRICS, embedding_similarity
from sandbox.evaluation.metrics.ranking_metrics import RANKING_NAMES, ranking_metric
from sandbox.evaluation.runs.records import Family
from sandbox.models.base import Embedder

FAMILIES: Mapping[str, Family] = {
    "ranking": "ranking",
    "no-judge": "no judge",
    "token-judge": "token judge",
    "ragas": "ragas",
}
"""As written on the command line; cheapest first."""

DEFAULT_METRICS = ("ranking", "no-judge")
"""Those that need no judge and are there in seconds."""

LOWER_IS_BETTER = frozenset({"noise_sensitivity"})
"""Metrics that are a share of what is wrong, so that 0 is best; of all others, more is better."""


def choose_metrics(
    names: Sequence[str],
    *,
    embedder: Callable[[], Embedder],
    judged: Callable[[], Sequence[Metric]],
) -> tuple[Metric, ...]:
    """The metrics of those names and families, each once, in the order given.

    Args:
        names: For example "ranking", "recall@3", "no-judge", "faithfulness".
        embedder: Gives the embedder for embedding_similarity.
        judged: Gives every metric that asks a judge.

    Raises:
        ConfigError: If a name is unknown, or none is given.
    """
    chosen: dict[str, Metric] = {}
    for name in names:
        chosen |= {metric.name: metric for metric in _named(name, embedder, judged)}
    if not chosen:
        raise ConfigError(f"no metric is chosen; write {', '.join(FAMILIES)}, or names of metrics")
    return tuple(chosen.values())


def _named(
    name: str, embedder: Callable[[], Embedder], judged: Callable[[], Sequence[Metric]]
) -> Sequence[Metric]:
    if name == "ranking":
        return [metric for known in RANKING_NAMES if (metric := ranking_metric(known))]
    if name == "no-judge":
        return [*PLAIN_METRICS, embedding_similarity(embedder())]
    if found := ranking_metric(name):
        return [found]
    if plain := [metric for metric in PLAIN_METRICS if metric.name == name]:
        return plain
    if name == "embedding_similarity":
        return [embedding_similarity(embedder())]
    asking = judged()
    if matching := [one for one in asking if name in (one.name, one.family.replace(" ", "-"))]:
        return matching
    known = [*FAMILIES, *RANKING_NAMES, *(metric.name for metric in (*PLAIN_METRICS, *asking))]
    raise ConfigError(
        f"no metric is named {name!r}; choose of {', '.join([*known, 'embedding_similarity'])}"
    )
