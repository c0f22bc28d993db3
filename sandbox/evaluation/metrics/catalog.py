"""Every metric by name and by family, as written on the command line.

Which models judge and embed is the caller's choice: it hands over functions, which are called only
if a metric that was asked for needs the model.
"""

from collections.abc import Callable, Mapping, Sequence

from sandbox.errors import ConfigError
from sandbox.evaluation.metric import Metric, PlanningMetric
from sandbox.evaluation.metrics.judge.calls import Judge, JudgeCalls
from sandbox.evaluation.metrics.judge.token_metrics import TOKEN_NAMES, token_metrics
from sandbox.evaluation.metrics.plain import PLAIN_METRICS, embedding_similarity
from sandbox.evaluation.metrics.ragas.judge import RECIPES, ragas_metrics
from sandbox.evaluation.metrics.ranking import RANKING_NAMES, ranking_metric
from sandbox.evaluation.metrics.repeated import RepeatedMetric, sampled, samplings
from sandbox.evaluation.runs.records import Family, Judging
from sandbox.files.storage import Store
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


METRIC_NAMES: Mapping[Family, tuple[str, ...]] = {
    "ranking": RANKING_NAMES,
    "no judge": (*(metric.name for metric in PLAIN_METRICS), "embedding_similarity"),
    "token judge": TOKEN_NAMES,
    "ragas": tuple(RECIPES),
}
"""Every metric on offer, cheapest family first; to name them, no judge is needed."""


ONCE = Judging()


def make_metrics(
    names: Sequence[str],
    judging: Judging,
    *,
    store: Store,
    judge: Callable[[], Judge],
    embedder: Callable[[], Embedder],
) -> tuple[Metric, ...]:
    """The metrics of those names and families; no model is started before a metric needs it.

    Args:
        names: As `choose_metrics` takes them.
        judging: How often, and after which examples, the judge is asked.
        store: Where the judge's replies are kept.
        judge: Gives the judge.
        embedder: Gives the embedder.

    Raises:
        ConfigError: If a name is unknown, or none is given.
    """

    def judged() -> Sequence[Metric]:
        calls = JudgeCalls(judge(), store, sampling=judging.sampling)
        return judge_metrics(calls, embedder(), judging)

    return choose_metrics(names, embedder=embedder, judged=judged)


def judge_metrics(
    judge_calls: JudgeCalls, embedder: Embedder, judging: Judging = ONCE
) -> tuple[PlanningMetric, ...]:
    """Those of the token judge, then those of RAGAS; neither is loaded before it is asked.

    Args:
        judge_calls: Calls to the judge, shared so that equal ones are made once.
        embedder: For RAGAS's answer_relevancy, answer_correctness and semantic_similarity.
        judging: How often each is judged, and the examples for the token judge; RAGAS's prompts
            have their own.
    """
    several: list[tuple[PlanningMetric, ...]] = [
        (*token_metrics(calls, judging.rubric), *ragas_metrics(calls, embedder))
        for calls in (sampled(judge_calls, sampling) for sampling in samplings(judging.judgements))
    ]
    if len(several) == 1:
        return several[0]
    return tuple(RepeatedMetric(metrics=same) for same in zip(*several, strict=True))


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
        return [metric for each in RANKING_NAMES if (metric := ranking_metric(each))]
    if name == "no-judge":
        return [*PLAIN_METRICS, embedding_similarity(embedder())]
    if ranking := ranking_metric(name):
        return [ranking]
    if plain := [metric for metric in PLAIN_METRICS if metric.name == name]:
        return plain
    if name == "embedding_similarity":
        return [embedding_similarity(embedder())]
    asking = judged()
    matching = [
        metric for metric in asking if name in (metric.name, metric.family.replace(" ", "-"))
    ]
    if matching:
        return matching
    offered = [*FAMILIES, *RANKING_NAMES, *(metric.name for metric in (*PLAIN_METRICS, *asking))]
    raise ConfigError(
        f"no metric is named {name!r}; choose of {', '.join([*offered, 'embedding_similarity'])}"
    )
